"""The table rule -> code -> test is complete and up to date, and its generator sees what is missing."""

from functools import cache
from pathlib import Path

import pytest

from shared.scenarios import coverage

rows_of = cache(coverage.table)
"""All that cite the rules of a game, gone through once."""


@pytest.mark.parametrize("game", sorted(coverage.PREFIXES))
def test_every_rule_has_code_and_is_shown(game: str) -> None:
    assert coverage.gaps(rows_of(game)) == []


@pytest.mark.parametrize("game", sorted(coverage.PREFIXES))
def test_the_page_is_up_to_date(game: str) -> None:
    page = coverage.page(game, rows_of(game))
    assert coverage.page_file(game).read_text() == page, "run python -m shared.scenarios.coverage"


def test_the_check_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "table", rows_of)
    assert coverage.main(["--check"]) == 0


def test_a_stale_page_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(coverage, "table", lambda game: rows_of(game)[1:])
    assert coverage.main(["--check"]) == 1
    assert "coverage-gxc.md is stale" in capsys.readouterr().err


def test_another_option_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert coverage.main(["--chek"]) == 2
    assert "usage" in capsys.readouterr().err


def test_rules_are_those_in_bold_without_the_contract() -> None:
    text = "- **GXC-1** to **GXC-11**: x.\n- **GXC-12** see GXC-99\n1. **GXC-61** y\n- **GXC-E3** z\n- **GXC-12** again"
    assert coverage.rules_in(text, "GXC") == ["GXC-12", "GXC-61", "GXC-E3"]


def test_ranges_are_cited_whole() -> None:
    cited = coverage.citations("GXC-13 to GXC-15, GXC-E4 (GXC-20); XGXC-21 GXC-2x", "GXC")
    assert cited == {"GXC-13", "GXC-14", "GXC-15", "GXC-E4", "GXC-20"}


ORDERS = '''"""Orders (GXC-13)."""


class Order:
    def check(self):
        # GXC-12
        def inner():
            """GXC-12."""
'''


def a_repository(root: Path) -> Path:
    rules, code = root / "docs" / "rules", root / "shared" / "rules" / "gxc"
    scenarios = root / "tests" / "scenarios" / "gxc"
    for folder in (rules, code, scenarios):
        folder.mkdir(parents=True)
    (rules / "gxc.md").write_text("- **GXC-12** a\n- **GXC-13** b\n- **GXC-E1** c\n- **GXC-112** d\n")
    (code / "orders.py").write_text(ORDERS)
    (scenarios / "a-story.json").write_text('{"about": "GXC-E1, GXC-12: a story"}')
    (root / "tests" / "test_orders.py").write_text("# GXC-12\n")
    return root


def test_code_is_named_by_the_innermost_function(tmp_path: Path) -> None:
    first, second, example, gap = coverage.table("gxc", a_repository(tmp_path))
    assert first.code == {"orders:Order.check", "orders:Order.check.inner"}
    assert first.shown_by == {"a-story", "test_orders.py"}
    assert (second.code, second.shown_by) == ({"orders"}, set())
    assert (example.code, example.shown_by) == (set(), {"a-story"})
    assert (gap.code, gap.shown_by) == (set(), set())


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    root = a_repository(tmp_path)
    assert coverage.gaps(coverage.table("gxc", root)) == [
        "GXC-13 is shown by no scenario and no test",
        "GXC-112 is shown by no scenario and no test",
    ]
    (root / "shared" / "rules" / "gxc" / "orders.py").write_text('"""GXC-13, GXC-112."""\n')
    assert coverage.gaps(coverage.table("gxc", root)) == [
        "GXC-12 is cited nowhere in the code of the game",
        "GXC-13 is shown by no scenario and no test",
        "GXC-112 is shown by no scenario and no test",
        "GXC-112 is cited in the code; take it out of NEEDS_NO_CODE",
    ]


def test_the_page_shows_places_stories_and_reasons(tmp_path: Path) -> None:
    page = coverage.page("gxc", coverage.table("gxc", a_repository(tmp_path)))
    assert "| GXC-12 | `orders:Order.check`, `orders:Order.check.inner` | a-story, test_orders.py |\n" in page
    assert "| GXC-13 | `orders` | – |\n" in page
    assert "| GXC-112 | gaps of the source; the decisions are GXC-59 and GXC-37 | – |\n" in page
