"""Where each rule of a game stands in the code and what shows it: `python -m shared.scenarios.coverage [--check]`.

Rules are read from docs/rules/<game>.md, code from the citations (`GXC-46`, `GXC-13 to GXC-18`) in shared/rules/<game>,
tests from those in scenario files and in tests/. Without --check the tables docs/rules/coverage-<game>.md are written;
with it nothing is, and the exit status is 1 if a table is stale or a rule has no code or nothing that shows it.
"""

import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from shared.rules import GAMES

ROOT = Path(__file__).parents[2]
PREFIXES: Mapping[str, str] = {item.game: item.prefix for item in GAMES}
"""Every game, and the letters of its rules."""
_PACKAGES: Mapping[str, str] = {item.game: item.package for item in GAMES}

NEEDS_NO_CODE: Mapping[str, str] = {
    "GXC-97": "the organiser's choice; `turn_hours` and `last_turn` are read by GXC-70",
    "GXC-105": "a property of all rules together, held by tests alone",
    "GXC-110": "a gap of the source; the decision is GXC-43",
    "GXC-111": "a gap of the source; the decision is GXC-84",
    "GXC-112": "gaps of the source; the decisions are GXC-59 and GXC-37",
    "EXG-69": "a property of all rules together, held by tests alone",
    "EXG-70": "gaps of the source; sections 12 to 14 fill them",
    "EXG-71": "a gap of the source; the decision is EXG-25",
    "EXG-72": "gaps of the source; the decisions are EXG-43 and EXG-44",
    "EXG-73": "gaps of the source; the decisions are EXG-28, EXG-29, EXG-37 and EXG-48",
    "FOR-85": "a gap of the source; the decision is FOR-24",
    "FOR-86": "gaps of the source; the decision is FOR-68",
    "FOR-87": "gaps of the source; the decisions are FOR-59, FOR-56, FOR-64, FOR-52, FOR-29 and FOR-76",
    "SPB-81": "what the display needs; the events hold it, and it has no effect on the engine",
    "SPB-85": "a gap of the source; the decisions are SPB-64 and SPB-59",
    "SPB-86": "a gap of the source; the decision is SPB-22",
    "SPB-87": "a gap of the source; the decision is SPB-35",
    "SPB-88": "gaps of the source; the decisions are SPB-19, SPB-37, SPB-40, SPB-46 and SPB-65",
    "MAP-20": "remarks without effect",
    "MAP-100": "gaps of the source; the decision is MAP-95",
    "MAP-101": "gaps of the source; the decisions are MAP-25, MAP-29 and MAP-39",
    "MAP-102": "gaps of the source; the decisions are MAP-23 and MAP-35",
    "MAP-103": "gaps of the source; the decisions are MAP-42 and MAP-57",
    "MAP-104": "gaps of the source; the decisions are MAP-36, MAP-45, MAP-47, MAP-72 and MAP-78",
    "GXC-113": "gaps of the source; the decisions are in section 2, GXC-48, GXC-49, GXC-72 and GXC-74",
}
OWN_TESTS = "test_coverage.py"
"""Cites rules to try out this module, and shows none."""


@dataclass(slots=True)
class Row:
    """One rule: functions that cite it, scenarios and test files that do. A worked example has scenarios alone."""

    rule: str
    code: set[str] = field(default_factory=set)
    shown_by: set[str] = field(default_factory=set)

    @property
    def is_example(self) -> bool:
        return "-E" in self.rule

    def gaps(self) -> Iterator[str]:
        """What is missing, as sentences."""
        if not self.code and not self.is_example and self.rule not in NEEDS_NO_CODE:
            yield f"{self.rule} is cited nowhere in the code of the game"
        if not self.shown_by:
            yield f"{self.rule} is shown by no scenario and no test"


def rules_in(text: str, prefix: str) -> list[str]:
    """Rules that a rules file states, in its order: those that stand in bold. The first eleven are the contract's."""
    found = [f"{prefix}-{number}" for number in re.findall(rf"\*\*{prefix}-(E?\d+)\*\*", text)]
    contract = {f"{prefix}-{number}" for number in range(1, 12)}
    return [rule for rule in dict.fromkeys(found) if rule not in contract]


def citations(text: str, prefix: str, *, ranges: bool = True) -> set[str]:
    """Rules that a text cites, with those within ranges as `GXC-13 to GXC-18`, or without these ranges at all."""
    if not ranges:
        text = re.sub(rf"\b{prefix}-\d+ to {prefix}-\d+\b", "", text)
    found = {f"{prefix}-{number}" for number in re.findall(rf"\b{prefix}-(E?\d+)\b", text)}
    for first, last in re.findall(rf"\b{prefix}-(\d+) to {prefix}-(\d+)\b", text):
        found |= {f"{prefix}-{number}" for number in range(int(first), int(last) + 1)}
    return found


def places(file: Path, prefix: str) -> Iterator[tuple[str, str]]:
    """(rule, place) of each citation in a Python file; the place is `module` or `module:function`.

    A range at the head of a module says what the module is about and holds no rule.
    """
    text = file.read_text()
    cited = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if f"{prefix}-" in line]
    if not cited:
        return
    spans = sorted(_definitions(ast.parse(text)), key=lambda span: span[1] - span[0])
    for number, line in cited:
        name = next((name for first, last, name in spans if first <= number <= last), None)
        for rule in citations(line, prefix, ranges=name is not None):
            yield rule, file.stem if name is None else f"{file.stem}:{name}"


def _definitions(tree: ast.AST, outer: str = "") -> Iterator[tuple[int, int, str]]:
    for node in ast.iter_child_nodes(tree):
        name = outer
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{outer}.{node.name}" if outer else node.name
            yield node.lineno, node.end_lineno or node.lineno, name
        yield from _definitions(node, name)


def table(game: str, root: Path = ROOT) -> list[Row]:
    """The rows of a game, in the order of its rules file."""
    prefix = PREFIXES[game]
    text = (root / "docs" / "rules" / f"{game}.md").read_text()
    rows = {rule: Row(rule) for rule in rules_in(text, prefix)}
    for file in sorted((root / "shared" / "rules" / _PACKAGES[game]).rglob("*.py")):
        for rule, place in places(file, prefix):
            if rule in rows:
                rows[rule].code.add(place)
    for file in sorted((root / "tests" / "scenarios" / game).glob("*.json")):
        for rule in citations(json.loads(file.read_text())["about"], prefix) & rows.keys():
            rows[rule].shown_by.add(file.stem)
    for file in sorted((root / "tests").rglob("test_*.py")):
        if file.name == OWN_TESTS:
            continue
        for rule in {rule for rule, _ in places(file, prefix)} & rows.keys():
            rows[rule].shown_by.add(str(file.relative_to(root / "tests")))
    return list(rows.values())


def gaps(rows: Iterable[Row]) -> list[str]:
    """Everything that is missing, and exemptions that are not needed any more."""
    found = [gap for row in rows for gap in row.gaps()]
    for row in rows:
        if row.code and row.rule in NEEDS_NO_CODE:
            found.append(f"{row.rule} is cited in the code; take it out of NEEDS_NO_CODE")
    return found


def page(game: str, rows: Iterable[Row]) -> str:
    """The page as Markdown."""
    lines = [
        f"# Coverage of the rules of {game.upper()}",
        "",
        f"Made by `python -m shared.scenarios.coverage` from the citations of [the rules]({game}.md) in "
        f"`shared/rules/{_PACKAGES[game]}`, `tests/scenarios/{game}` and `tests`. Do not edit.",
        "",
        "| rule | code | shown by |",
        "| --- | --- | --- |",
    ]
    for row in rows:
        code = ", ".join(f"`{place}`" for place in sorted(row.code)) or NEEDS_NO_CODE.get(row.rule, "–")
        shown = ", ".join(sorted(row.shown_by)) or "–"
        lines.append(f"| {row.rule} | {code} | {shown} |")
    return "\n".join(lines) + "\n"


def page_file(game: str, root: Path = ROOT) -> Path:
    """Where the page of a game stands."""
    return root / "docs" / "rules" / f"coverage-{game}.md"


def main(arguments: list[str]) -> int:
    """Write the pages, or with --check compare them. Returns the exit status."""
    if arguments not in ([], ["--check"]):
        sys.stderr.write("usage: python -m shared.scenarios.coverage [--check]\n")
        return 2
    faults: list[str] = []
    for game in PREFIXES:
        rows = table(game)
        faults += gaps(rows)
        file, text = page_file(game), page(game, rows)
        if not arguments:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            faults.append(f"{file.relative_to(ROOT)} is stale: run python -m shared.scenarios.coverage")
    sys.stderr.write("".join(f"{fault}\n" for fault in faults))
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
