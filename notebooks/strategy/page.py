"""What a notebook says and shows, and in its full form keeps in ``docs/analysis.md``."""

from __future__ import annotations

import io
import re
from typing import Final

import pandas as pd
from IPython.display import display
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from terracotta_env.writing import write_atomically

from .settings import ROOT, full

PAGE: Final = ROOT / "docs" / "analysis.md"
PICTURES: Final = ROOT / "docs" / "analysis"
_DPI: Final = 100
COLOURS: Final = ("#9c3d2e", "#d08c4e", "#5b7f95", "#3f5e46", "#8a6fa0")

plt.rcParams.update(
    {
        "axes.prop_cycle": plt.cycler(color=COLOURS),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "figure.dpi": _DPI,
        "font.size": 10,
    }
)


class Section:
    """One notebook's section.

    Args:
        number: of the notebook, two digits.
        title: its question.
    """

    def __init__(self, number: str, title: str) -> None:
        self.number = number
        self._lines = [f"## {number} {title}", ""]
        self._pictures = 0

    def show(self, figure: Figure, about: str) -> None:
        """Show a picture; ``about`` says in words what is seen."""
        plt.show()
        if full():
            self._pictures += 1
            name = f"{self.number}-{self._pictures}.png"
            file = io.BytesIO()
            figure.savefig(file, format="png", dpi=_DPI, metadata={"Software": None})
            PICTURES.mkdir(exist_ok=True)
            write_atomically(PICTURES / name, file.getvalue())
            self._add(f"![{about}](analysis/{name})")
        plt.close(figure)

    def say(self, *sentences: str) -> None:
        """Print sentences, which are made from the data."""
        text = re.sub(r" \.$", ".", " ".join(sentences))
        print(text)
        self._add(text)

    def table(self, frame: pd.DataFrame) -> None:
        """Show a table of text and whole numbers; its index is the first column."""
        display(frame)
        head = [str(frame.index.name or ""), *map(str, frame.columns)]
        rows = [[str(key), *map(str, row)] for key, row in zip(frame.index, frame.to_numpy())]
        lines = [head, ["---"] * len(head), *rows]
        self._add("\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines))

    def _add(self, text: str) -> None:
        self._lines += [text, ""]
        if full():
            write_section(self.number, "\n".join(self._lines))


def write_section(number: str, text: str) -> None:
    """Put a section into the page, in the order of numbers, in place of the one that was there."""
    page = PAGE.read_text(encoding="utf-8")
    head, *rest = re.split(r"(?m)^(?=## \d\d )", page)
    sections = {part[3:5]: part.rstrip() for part in rest}
    sections[number] = text.rstrip()
    write_atomically(PAGE, "\n\n".join([head.rstrip(), *(sections[key] for key in sorted(sections))]) + "\n")
