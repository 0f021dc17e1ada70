"""Screen and input: prompt_toolkit with completion and history on a terminal, plain lines everywhere else.

Plain input lets any program script the game through a pipe: prompts go to standard output, answers are read line by
line and repeated, so that what was printed reads like a session.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, Final

from terracotta_env.cli import printable

WIDTH: Final = 100
_COLOURS: Final = {
    "seat0": "1;34",
    "seat1": "1;31",
    "seat2": "1;32",
    "seat3": "1;33",
    "head": "1",
    "bold": "1",
    "mark": "1;7",
    "dim": "2",
}


class Terminal:
    """Where a person reads and types.

    Args:
        plain: no colours and no cursor control, even on a terminal.
    """

    def __init__(self, plain: bool = False) -> None:
        self.typed = sys.stdin.isatty()  # else a pipe or file answers
        capable = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb" and not plain
        self.colours = capable and not os.environ.get("NO_COLOR")
        # prompt_toolkit comes with an extra of the package: without it lines are typed plainly
        self._editing = capable and self.typed and find_spec("prompt_toolkit") is not None
        self._prompter: Any = None

    def paint(self, text: str, style: str) -> str:
        """``text`` in the colours of a style, where there are colours."""
        code = _COLOURS.get(style) if self.colours else None
        return f"\x1b[{code}m{text}\x1b[0m" if code else text

    @property
    def columns(self) -> int:
        """Width of the screen."""
        return shutil.get_terminal_size((WIDTH, 24)).columns

    def say(self, text: str = "") -> None:
        """Print lines as they are."""
        print(text, flush=True)

    def tell(self, text: str, indent: str = "") -> None:
        """Print a sentence, wrapped to the width of the screen."""
        width = max(40, min(WIDTH, self.columns))
        lines = textwrap.wrap(
            printable(text),
            width,
            initial_indent=indent,
            subsequent_indent=f"{indent}  ",
            break_long_words=False,  # names of files stay whole
            break_on_hyphens=False,
        )
        self.say("\n".join(lines))

    def ask(self, prompt: str, words: Mapping[str, str] | None = None) -> str:
        """One line from the person, stripped.

        Args:
            prompt: what stands before the cursor.
            words: what may be typed, with what it means, for completion.

        Raises:
            EOFError: Ctrl-D, or the end of a scripted input.
            KeyboardInterrupt: Ctrl-C.
        """
        if self._editing:
            return self._ask_editing(prompt, words or {})
        try:
            line = input(prompt)
        except (EOFError, KeyboardInterrupt):
            self.say()
            raise
        except UnicodeDecodeError:
            return "\ufffd"  # no command: the caller says so
        if not self.typed:
            self.say(printable(line))
        return line.strip()

    def _ask_editing(self, prompt: str, words: Mapping[str, str]) -> str:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory

        from .completing import Words

        if self._prompter is None:
            self._prompter = PromptSession(history=InMemoryHistory())
        line: str = self._prompter.prompt(prompt, completer=Words(words), complete_while_typing=False)
        return line.strip()
