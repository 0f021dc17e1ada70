"""What positions have in sight and how each action would change it, for games that have the verb ``outlook``.

Letters: R rows, A actions, O outlook numbers of the game.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from . import game as verbs
from .kernel import kernel
from .observing import LARGEST

LEGAL: Final = 0  # first number of an action's entry: 1 where it is legal; its O changes follow


@kernel
def clipped(number):
    return min(max(number, -LARGEST), LARGEST)


@kernel
def outlook_rows(states, rows, seats, masks, outlooks, changes):
    """Write what ``seats[k]`` has in sight in row ``rows[k]``, and what each legal action does to that at once.

    ``masks`` shape ``(R, A)``, 1 = legal.  ``outlooks`` shape ``(R, O)`` and ``changes`` shape ``(R, A, 1 + O)``, int8,
    cut off at 127: an entry of ``changes`` is zeros for an action that is not legal, and a forced action is not tried.
    """
    numbers = outlooks.shape[1]
    after, scratch = np.empty(1, states.dtype), np.empty(1, states.dtype)
    here, there = np.empty(numbers, np.int64), np.empty(numbers, np.int64)
    for k in range(rows.shape[0]):
        verbs.outlook(states[rows[k]], scratch, seats[k], here)
        for o in range(numbers):
            outlooks[k, o] = clipped(here[o])
        width = 0
        for action in range(masks.shape[1]):
            width += masks[k, action]
        for action in range(masks.shape[1]):
            change = changes[k, action]
            change[LEGAL] = masks[k, action]
            if masks[k, action] == 0 or width == 1:
                for o in range(numbers):
                    change[1 + o] = 0
                continue
            after[0] = states[rows[k]]
            verbs.apply(after[0], action)
            verbs.outlook(after[0], scratch, seats[k], there)
            for o in range(numbers):
                change[1 + o] = clipped(there[o] - here[o])
