"""Orchard, a toy game for 2 or 3: the worked example of how to add a game, and the proof that shared code knows none.

Three trees carry three fruits each, worth 1 to 9 in a drawn order.  Beginning with a drawn seat and clockwise, a turn
is a chain of two decisions: choose a tree that still has fruits, then pick one or two of its next fruits.  Forced
decisions are resolved.  A fruit gives its worth in points, the last fruit of a tree 3 more.  The game ends when the
trees are bare; most points win, and of equal ones the seat that began later ranks higher.

What a game needs:

    ``rules.py``     the record (numbers of one game, no padding) and the eight verbs as kernels on it;
    ``notation.py``  its text forms: setups, snapshots, a picture, called outside of inner loops only;
    here             both entered into the table of games; ``module`` is what other processes import to find it.

``solver.py`` is no part of a game: this one is small enough to be solved by trying everything, so searches can be
measured against the truth.
"""

from __future__ import annotations

from terracotta_env.game import Game, Kernels, register

from . import rules
from .notation import OrchardNotation

GAME = register(
    Game(
        name="orchard",
        module=__name__,
        rules_version=1,
        dtype=rules.STATE,
        players=(2, 3),
        tokens=rules.TOKENS,
        sources=rules.SOURCES,
        observation=rules.BLOCKS,
        outlook=rules.OUTLOOK,
        points_scale=0.05,
        kernels=Kernels(
            reset=rules.reset,
            legal=rules.legal,
            apply=rules.apply,
            to_act=rules.to_act,
            is_over=rules.is_over,
            returns=rules.returns,
            observe=rules.observe,
            ledger=rules.ledger,
            outlook=rules.outlook,
        ),
        notation=OrchardNotation(),
        make_states=rules.make_states,
        not_in_key=("generator",),
        default_board="plain",
        notes={"purpose": "a toy for tests"},
    )
)
