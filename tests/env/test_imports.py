"""Which module may import which, and that only the game's own folder knows the game."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.packages import ROOT, folders

PACKAGE = ROOT / "terracotta_env"
FACADE = "terracotta_v0.py"  # where users of PettingZoo look for the game: the one shared module that names it
ARMY = PACKAGE / "army"
# what a game's rules may use of the shared modules
UNDER_GAMES = {"bits", "observing", "game", "kernel", "generator", "fields", "errors"}
# words of this game; "terracotta" alone is the name of the package
RULE_WORDS = [
    "administrator", "archer", "artisan", "blacksmith", "builder", "clay", "coin", "craftsman", "crossbow",
    "crossbowman", "footman", "guard", "halberd", "horse", "inspector", "mausoleum", "musician", "officer",
    "organizer", "rider", "soldier", "spear", "specialist", "statue", "supervisor", "sword", "warehouse",
    "warrior", "weapon", "wheel",
]  # fmt: skip
WORD = re.compile(rf"(?<![a-z])({'|'.join(RULE_WORDS)})s?(?![a-z])|craftsmen|footmen", re.IGNORECASE)


def sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


SHARED = [path for path in sources(PACKAGE) if ARMY not in path.parents and path.name != FACADE]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


IMPORTED_AS = {folder: name for name, folder in folders().items()}


def imports_of(path: Path) -> set[str]:
    """Dotted names of all that a file imports, also inside functions; relative imports resolved."""
    top, *inner = path.relative_to(ROOT).parts[:-1]
    package = (IMPORTED_AS.get(top, top), *inner)
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *filter(None, (node.module,))))
            found.add(module)
            found.update(f"{module}.{alias.name}" for alias in node.names)
    return found


def reaches(imported: set[str], *targets: str) -> set[str]:
    return {name for name in imported for target in targets if name == target or name.startswith(f"{target}.")}


def test_imports_are_read_absolute_relative_and_nested(tmp_path: Path) -> None:
    assert "terracotta_env.game" in imports_of(ARMY / "__init__.py")
    assert "terracotta_env.game.register" in imports_of(ARMY / "__init__.py")
    assert "terracotta_env.army" in imports_of(PACKAGE / FACADE)


@pytest.mark.parametrize("path", sources(PACKAGE), ids=name_of)
def test_environments_import_no_agents_and_no_training(path: Path) -> None:
    assert not reaches(
        imports_of(path), *IMPORTED_AS.values(), *IMPORTED_AS, "tests", "torch", "stable_baselines3", "sb3_contrib"
    )


@pytest.mark.parametrize("path", sources(ROOT / "agents"), ids=name_of)
def test_agents_import_no_training(path: Path) -> None:
    assert not reaches(imports_of(path), "terracotta_training", *IMPORTED_AS, "tests")


@pytest.mark.parametrize("path", sources(ROOT / "training"), ids=name_of)
def test_training_imports_no_tests(path: Path) -> None:
    assert not reaches(imports_of(path), *IMPORTED_AS, "tests")


@pytest.mark.parametrize("path", SHARED, ids=name_of)
def test_shared_modules_never_import_a_game(path: Path) -> None:
    assert not reaches(imports_of(path), "terracotta_env.army")


@pytest.mark.parametrize("path", sources(ARMY), ids=name_of)
def test_rules_import_only_what_stands_under_games(path: Path) -> None:
    used = reaches(imports_of(path), "terracotta_env")
    modules = {name.split(".")[1] for name in used if name.count(".")}
    assert modules <= UNDER_GAMES | {"army"}


@pytest.mark.parametrize("path", sources(ARMY), ids=name_of)
def test_rules_know_no_environment_and_no_drawing(path: Path) -> None:
    assert not reaches(imports_of(path), "gymnasium", "pettingzoo", "click", "matplotlib")


@pytest.mark.parametrize("path", SHARED, ids=name_of)
def test_shared_modules_name_no_rule_of_the_game(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [f"{number}: {line}" for number, line in enumerate(lines, 1) if WORD.search(line)] == []


@pytest.mark.parametrize(
    "path", [ROOT / "agents" / "forfeit.py", *(ROOT / "agents" / "protocol").glob("*.py")], ids=name_of
)
def test_bot_protocol_names_no_rule_of_the_game(path: Path) -> None:
    test_shared_modules_name_no_rule_of_the_game(path)


@pytest.mark.parametrize(
    "text", ["the Mausoleum", "place_warrior", "coins", "class Wheel:", "CRAFTSMEN", "a guard's move"]
)
def test_words_of_the_game_are_found(text: str) -> None:
    assert WORD.search(text)


@pytest.mark.parametrize("text", ["terracotta", "safeguard", "coincide", "override", "workers"])
def test_other_words_are_not(text: str) -> None:
    assert not WORD.search(text)
