"""The page that leads from one game's folder to the others names what there is, and all that a game has of its own."""

import re
from pathlib import Path

from shared.rules import GAMES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "games.md"
PACKAGES = ("gxc", "exgenhoca", "forces", "map_war", "space_battle")
"""In the order of the columns."""


def section(title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found.group(1)


def rows(title: str) -> list[list[str]]:
    """The rows of the table of a section, below its heading."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def named(cell: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", cell))


def modules(package: str) -> set[str]:
    return {path.stem for path in (ROOT / "shared" / "rules" / package).glob("*.py")}


def test_every_game_has_a_column() -> None:
    assert {item.package for item in GAMES} == set(PACKAGES)
    told = next(row for row in rows("What they are") if row[0] == "package")
    assert told[1:] == [f"`{package}`" for package in PACKAGES]


def test_every_module_that_it_names_is_there() -> None:
    for package in PACKAGES:
        shared = {name for row in rows("What every folder has") for name in named(row[0])}
        assert shared <= modules(package), (package, shared - modules(package))
    for row in rows("Where to look in which"):
        for package, cell in zip(PACKAGES, row[1:], strict=True):
            assert named(cell) <= modules(package), (row[0], package, named(cell) - modules(package))


def test_every_module_of_a_game_is_named() -> None:
    everywhere = {name for row in rows("What every folder has") for name in named(row[0])}
    words = named(section("What differs, and why"))
    for place, package in enumerate(PACKAGES, 1):
        own = {name for row in rows("Where to look in which") for name in named(row[place])}
        lacking = {name for name in modules(package) - everywhere - own - words if not name.startswith("events_of_")}
        assert not lacking, f"docs/games.md does not say where {', '.join(sorted(lacking))} of {package} belong"
