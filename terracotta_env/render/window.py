"""What ``render_mode="human"`` shows: a window where there is a display, else a picture in a file that is kept current.

A program that trains on a server must not fail for want of a display, and text scrolling by would hide its own output;
so without one the picture goes to a file in a new temporary folder, whose name is logged once.  Image viewers that
reload changed files then show the game as it goes on.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from ..errors import MissingExtraError
from ..position import Position
from ..writing import write_atomically
from .drawing import svg
from .raster import DEFAULT_WIDTH, png_of

FPS: Final = 2  # pictures a second in the window: as fast as a person can follow
_LOG: Final = logging.getLogger("terracotta_env.render")


def has_display(environment: Mapping[str, str] = os.environ) -> bool:
    """Is there a screen that a window could open on?"""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


class Screen:
    """Shows one position after the other.  Copies of it show nothing yet: windows are not copied.

    Attributes:
        path: file with the current picture; None while a window shows it, or nothing was shown.
    """

    def __init__(self) -> None:
        self.path: Path | None = None
        self._window: Any = None
        self._label: Any = None
        self._image: Any = None  # Tk drops images that nobody holds
        self._tried = False
        self._shown = 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        return Screen, ()

    def __deepcopy__(self, memo: dict[int, Any]) -> Screen:
        return Screen()

    def show(self, position: Position) -> None:
        """Show a position, in a window no faster than :data:`FPS`.

        Raises:
            OSError: without a display, the file cannot be written.
        """
        image = svg(position, theme="light")
        if not self._tried:
            self._tried = True
            self._open(position)
        if self._window is None or not self._draw(image):
            self._write(image)

    def close(self) -> None:
        """Close the window; a file stays for who wants to look at the last picture."""
        window, self._window = self._window, None
        if window is not None:
            with suppress(Exception):  # the person may have closed it
                window.destroy()
        self._tried = False

    def _open(self, position: Position) -> None:
        """Open a window, where there is a display, Tk and what turns pictures into pixels."""
        if not has_display():
            return
        try:
            import tkinter

            png_of(svg(position, theme="light"), 16)
            window = tkinter.Tk()
        except (ImportError, RuntimeError):
            return
        except Exception as error:  # of Tk: a display that is named but cannot be reached
            _LOG.warning("no window can be opened (%s)", error)
            return
        window.title(position.game.name)
        self._label = tkinter.Label(window, borderwidth=0)
        self._label.pack()
        self._window = window

    def _draw(self, image: str) -> bool:
        """Draw into the window; False when it is no longer there."""
        import tkinter

        try:
            width = min(DEFAULT_WIDTH, int(0.9 * self._window.winfo_screenwidth()))
            self._image = tkinter.PhotoImage(master=self._window, data=png_of(image, width))
            self._label.configure(image=self._image)
            self._window.update()
        except tkinter.TclError:
            self.close()
            self._tried = True  # a person who closes the window does not want it to come back
            return False
        time.sleep(max(0.0, self._shown + 1 / FPS - time.monotonic()))
        self._shown = time.monotonic()
        return True

    def _write(self, image: str) -> None:
        """Write the picture to the file: PNG, or SVG where the extra ``render`` is not installed."""
        try:
            content, ending = png_of(image), "png"
        except MissingExtraError:
            content, ending = image.encode(), "svg"
        if self.path is None:
            # a folder of our own: a fixed name in a shared one could be someone else's link
            self.path = Path(tempfile.mkdtemp(prefix="terracotta-")) / f"board.{ending}"
            _LOG.warning("render_mode='human' without a window: the current picture is in %s", self.path)
        write_atomically(self.path, content)
