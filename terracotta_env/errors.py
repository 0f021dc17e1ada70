"""Errors a user can act on.  Each message says what came, what was expected and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class TerracottaError(Exception):
    """Base of all errors that the command line shows as one line, without a traceback."""


class BoardError(TerracottaError, ValueError):
    """Printed data that cannot be used: names the file, the key and what was expected."""


class SetupError(TerracottaError, ValueError):
    """A setup or snapshot that cannot be: names the field."""


class RecordError(TerracottaError, ValueError):
    """A game record that cannot be read or does not replay."""


class IllegalActionError(TerracottaError, ValueError):
    """An action that is not legal now: quotes it, the legal tokens and the position."""


class PolicyError(TerracottaError, RuntimeError):
    """A bot that failed while it was asked to decide.

    Attributes:
        record: what was played until then, without a result, where a record was being made.
    """

    record: Mapping[str, Any] | None = None


class MissingExtraError(TerracottaError, ImportError):
    """A library of an optional extra that is not installed: says what to install."""
