"""Writes what is generated from the settings of our learners anew: ``python -m tests.training.write_keys``.

That is a file of the defaults in ``configs`` and the table of keys in a document for each; tests compare them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from terracotta_training.alphazero_config import AlphaZeroConfig
from terracotta_training.config import Section
from terracotta_training.keys import markdown_table, toml_file
from terracotta_training.ppo_config import PpoConfig

ROOT: Final = Path(__file__).resolve().parents[2]
_TABLE: Final = re.compile(r"(<!-- keys -->\n).*?(<!-- end of keys -->\n)", re.DOTALL)


@dataclass(frozen=True)
class Generated:
    """What is generated for one learner.

    Attributes:
        model: its settings.
        command: its subcommand of ``terracotta train``.
        document: where its table of keys stands.
    """

    model: type[Section]
    command: str
    document: Path

    @property
    def config(self) -> Path:
        """The file of the defaults."""
        return ROOT / "configs" / f"{self.command}.toml"

    def config_text(self) -> str:
        """What has to be in it."""
        call = f"`terracotta train {self.command} --config configs/{self.command}.toml`"
        head = f"""All settings of {call}; overrides (run.minutes=60) follow it.
Every key is optional (these are the defaults); an unknown key is an error."""
        return toml_file(self.model, head)

    def document_text(self, old: str) -> str:
        """The document with the table as it has to be."""
        return _TABLE.sub(lambda found: f"{found[1]}{markdown_table(self.model)}{found[2]}", old)

    def write(self) -> None:
        """Write both."""
        self.config.write_text(self.config_text(), encoding="utf-8")
        self.document.write_text(self.document_text(self.document.read_text(encoding="utf-8")), encoding="utf-8")


PPO: Final = Generated(PpoConfig, "ppo", ROOT / "docs" / "training.md")
ALPHAZERO: Final = Generated(AlphaZeroConfig, "alphazero", ROOT / "docs" / "alphazero.md")


if __name__ == "__main__":
    for generated in (PPO, ALPHAZERO):
        generated.write()
