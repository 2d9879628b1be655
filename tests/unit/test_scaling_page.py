"""docs/scaling.md: what it computes follows from what was measured, and its formulas from what they say."""

from copy import deepcopy

import pytest

from shared.log import PARTITIONS
from tests.bench.scaling import PAGE, PROCESSES, STORAGE, WORKS, Numbers, brokers, needs, page, read, shards, tables

ROUND = Numbers(
    machine="two processors",
    microseconds={STORAGE: {work: dict.fromkeys(PROCESSES, 1_000.0) for work in WORKS}},
    bytes={
        "input": 200,
        "journal of a command": 800,
        "journal of a close": 1_000,
        "chronicle of a close": 500,
        "views that grow": 2_000,
        "views that stay": 10_000,
        "snapshot": 500,
    },
    assumed={
        "players": 600_000,
        "games": 6_000,
        "commands": 2,
        "pages": 3,
        "unchanged": 0.5,
        "turns": 10,
        "rush_share": 0.5,
        "rush_seconds": 600,
        "close_seconds": 60,
        "busy": 0.5,
        "replicas": 3,
        "broker_mb": 50,
        "server_cores": 8,
    },
)


def test_the_page_shows_what_the_file_gives() -> None:
    text = PAGE.read_text()
    assert page(text, read()) == text


def test_a_number_of_the_file_that_changes_changes_the_page() -> None:
    numbers = deepcopy(read())
    numbers.assumed["players"] *= 2
    text = PAGE.read_text()
    assert page(text, numbers) != text


def test_every_work_is_measured_on_files_and_on_servers() -> None:
    measured = read().microseconds
    assert set(measured) == {"files", STORAGE}
    for storage in measured.values():
        assert set(storage) == set(WORKS)
    assert set(measured[STORAGE]["command"]) == set(PROCESSES)


def test_the_formulas_are_those_of_the_page() -> None:
    need = needs(ROUND)
    # 500 players a second: 1,000 commands and 1,500 pages of a millisecond each, half of a core used.
    assert (need.commands_a_second, need.pages_a_second) == (1_000, 1_500)
    assert need.rush["resolver"] == pytest.approx(2 + 3)
    # 10,000 closes a second beside the pages.
    assert need.close["resolver"] == pytest.approx(20 + 3)
    assert need.most["gateway"] == pytest.approx(23)
    # 1,200,000 commands, 1,800,000 pages and 600,000 closes in 86,400 seconds.
    assert need.even["resolver"] == pytest.approx(3_600_000 / 86_400 / 1_000 / 0.5)
    # 10,000 closes of 1,500 bytes in a second are more than 1,000 commands of 1,000.
    assert need.written == pytest.approx(15 * 3)
    assert need.log == pytest.approx(6_000_000 * (2 * 1_000 + 1_500) * 3 / 1e12)
    assert need.views == pytest.approx((6_000_000 * 2_000 + 600_000 * 10_000) * 3 / 1e12)
    assert (brokers(ROUND, need), shards(ROUND, need)) == (3, 3)


def test_one_game_is_computed_for_one_thread_that_waits_for_its_documents() -> None:
    [line] = [row for row in tables(ROUND)["one game"].splitlines() if row.startswith("| 11,000 ")]
    assert line == "| 11,000 | 22 | 44 | 11 | 22 |"
    most = f"| most commands/s that {PARTITIONS} resolvers judge | 6,000 |"
    assert most in tables(ROUND)["machines"].splitlines()


def test_more_projectors_than_partitions_are_told_by_the_time_that_all_of_them_take() -> None:
    # 600,000 closes of two milliseconds, half of the time used, by twelve.
    told = "40 for that; with 12 the last view is 200 s after the deadline"
    assert f"| projectors, of {PARTITIONS} at most | {told} |" in tables(ROUND)["machines"].splitlines()
    slower = deepcopy(ROUND)
    slower.assumed["close_seconds"] = 600
    assert f"| projectors, of {PARTITIONS} at most | 4 |" in tables(slower)["machines"].splitlines()


def test_a_page_without_a_place_for_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="0 places for costs"):
        page(PAGE.read_text().replace("<!-- costs -->", ""), ROUND)
