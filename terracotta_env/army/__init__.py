"""Terracotta Army: everything that knows the Mausoleum and the wheel.  Importing it registers the game."""

from __future__ import annotations

from ..game import Game, Kernels, register
from .actions import TOKENS_BY_ID
from .apply import apply
from .board import DEFAULT_BOARD
from .legal import legal
from .notation import ArmyNotation
from .observation import BLOCKS, observe
from .outlook import CHANNELS, outlook
from .setup import reset
from .snapshot import RULES_VERSION, SOURCE_NAMES
from .state import NOT_IN_KEY, STATE, make_states
from .verbs import is_over, ledger, returns, to_act

GAME = register(
    Game(
        name="terracotta",
        module=__name__,
        rules_version=RULES_VERSION,
        dtype=STATE,
        players=(2, 3, 4),
        tokens=TOKENS_BY_ID,
        sources=SOURCE_NAMES,
        observation=BLOCKS,
        outlook=CHANNELS,
        points_scale=0.02,
        kernels=Kernels(
            reset=reset,
            legal=legal,
            apply=apply,
            to_act=to_act,
            is_over=is_over,
            returns=returns,
            observe=observe,
            ledger=ledger,
            outlook=outlook,
        ),
        notation=ArmyNotation(),
        make_states=make_states,
        not_in_key=NOT_IN_KEY,
        default_board=DEFAULT_BOARD,
        notes={
            "provenance": (
                "Ring contents, Organizer VP, Specialist costs and weapons, token prices, tile values and clay on "
                "Priority tokens are reconstructed stand-ins, not the published print: results are results on the "
                "named board."
            )
        },
    )
)
