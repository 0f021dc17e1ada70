"""Reading JSON and TOML values with errors that name the field, what came and what was expected.  Knows no game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any


class Reader:
    """One value of a nested document together with its path, for error messages.

    Args:
        value: the value itself.
        path: where it stands, e.g. ``rows[3].name``; empty for the document.
        error: exception class to raise.
        origin: what the document is, put before every message, e.g. ``board file my.toml``.
    """

    def __init__(self, value: Any, path: str, error: type[Exception], origin: str) -> None:
        self.value = value
        self.path = path
        self.error = error
        self.origin = origin

    def fail(self, expected: str) -> Exception:
        """The exception that says: here came this, expected was that."""
        shown = repr(self.value)
        shown = shown if len(shown) <= 80 else f"{shown[:77]}..."
        where = f"{self.path}: " if self.path else ""
        return self.error(f"{self.origin}: {where}expected {expected}, got {shown}")

    def _child(self, value: Any, step: str) -> Reader:
        path = f"{self.path}{step}" if self.path else step.lstrip(".")
        return Reader(value, path, self.error, self.origin)

    def table(self, required: Collection[str], optional: Collection[str] = ()) -> Reader:
        """Check that this is a table with exactly these keys."""
        if not isinstance(self.value, Mapping):
            raise self.fail(f"a table with the keys {', '.join(sorted(required))}")
        for key in required:
            if key not in self.value:
                raise self.error(f"{self.origin}: {self._child(None, f'.{key}').path}: is missing")
        for key in self.value:
            if key not in required and key not in optional:
                known = ", ".join(sorted([*required, *optional]))
                raise self.error(f"{self.origin}: {self._child(None, f'.{key}').path}: unknown key (known: {known})")
        return self

    def __getitem__(self, key: str) -> Reader:
        return self._child(self.value[key], f".{key}")

    def __contains__(self, key: str) -> bool:
        return key in self.value

    def items(self, length: int | None = None) -> list[Reader]:
        """Check that this is a list, of that length, and return its entries."""
        if isinstance(self.value, str) or not isinstance(self.value, Sequence):
            raise self.fail("a list" if length is None else f"a list of {length} entries")
        if length is not None and len(self.value) != length:
            raise self.error(f"{self.origin}: {self.path}: expected {length} entries, got {len(self.value)}")
        return [self._child(value, f"[{i}]") for i, value in enumerate(self.value)]

    def __iter__(self) -> Iterator[Reader]:
        return iter(self.items())

    def integer(self, low: int, high: int) -> int:
        """Check that this is a whole number in ``low..high``."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not low <= self.value <= high:
            raise self.fail(f"a whole number in {low}..{high}")
        return self.value

    def integers(self, length: int, low: int, high: int) -> list[int]:
        return [entry.integer(low, high) for entry in self.items(length)]

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.fail("true or false")
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str) or not self.value:
            raise self.fail("a text")
        return self.value

    def word(self, words: Collection[str]) -> str:
        """Check that this is one of ``words``."""
        if not isinstance(self.value, str) or self.value not in words:
            raise self.fail(f"one of {', '.join(words)}")
        return self.value
