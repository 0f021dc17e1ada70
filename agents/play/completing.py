"""Completion of choices and commands: every word that begins with, or contains, what was typed; with its meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document


class Words(Completer):
    """Completes the last word of the line.

    Args:
        words: what may be typed, with what it means.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        self.words = words

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        typed = document.text_before_cursor.rsplit(" ", 1)[-1].lower()
        begins = [word for word in self.words if word.lower().startswith(typed)]
        contains = [word for word in self.words if typed in word.lower() and word not in begins]
        for word in (*begins, *contains):
            yield Completion(word, start_position=-len(typed), display_meta=self.words[word])
