"""A second, independent implementation of the rules, for comparison in tests.

It favours plain code over speed.  ``R7`` and the like in comments name rulings.
"""

from .game import Game
from .record import check_record, replay

__all__ = ["Game", "check_record", "replay"]
