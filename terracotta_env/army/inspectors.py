"""The two Inspector tracks.  They are cycles in both directions (R11)."""

from __future__ import annotations

from ..kernel import kernel
from .actions import COLUMN_BACK, COLUMN_FORWARD, COLUMN_FORWARD_2, ROW_BACK, ROW_FORWARD, ROW_FORWARD_2
from .geometry import COLUMNS, ROWS
from .state import Decision

# offsets within the inspector tokens, as sets
OFFICER_STEPS = 1 << ROW_FORWARD | 1 << ROW_BACK | 1 << COLUMN_FORWARD | 1 << COLUMN_BACK
MASTER_STEPS = 1 << ROW_FORWARD | 1 << ROW_FORWARD_2 | 1 << COLUMN_FORWARD | 1 << COLUMN_FORWARD_2


@kernel
def step_row(state, steps):
    state.inspector_row = (state.inspector_row + steps) % ROWS


@kernel
def step_column(state, steps):
    state.inspector_column = (state.inspector_column + steps) % COLUMNS


@kernel
def apply_inspector(state, choice):
    """Move one Inspector as the token says; a negative ``choice`` declines."""
    if choice == ROW_FORWARD:
        step_row(state, 1)
    elif choice == ROW_BACK:
        step_row(state, -1)
    elif choice == ROW_FORWARD_2:
        step_row(state, 2)
    elif choice == COLUMN_FORWARD:
        step_column(state, 1)
    elif choice == COLUMN_BACK:
        step_column(state, -1)
    elif choice == COLUMN_FORWARD_2:
        step_column(state, 2)
    state.decision = Decision.ACTION_DONE
