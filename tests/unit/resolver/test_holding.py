"""Open transactions that hold a partition back are told from those that come and go."""

from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from services.resolver.holding import Held, Holding
from services.resolver.lagging import Behind, with_held
from shared.log import Mark, TopicPartition
from shared.log.reading import Hold, holds
from shared.log.sqlite import SqliteLog
from shared.log.sqlite_reader import SqliteReader

JOURNAL, OTHER = TopicPartition("turns", 3), TopicPartition("turns", 4)


class Scripted(SqliteReader):
    """Committed ends and what is written, as the test says; a look takes the next pair of a partition."""

    def __init__(self, looks: Mapping[TopicPartition, list[tuple[int, int]]]) -> None:
        self._looks = {place: [*pairs] for place, pairs in looks.items()}

    def written(self, places: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        return {place: self._looks[place][0][1] for place in places}

    def end(self, place: TopicPartition) -> int:
        looks = self._looks[place]
        return (looks.pop(0) if len(looks) > 1 else looks[0])[0]

    def close(self) -> None:
        pass


@pytest.fixture
def log(tmp_path: Path) -> SqliteLog:
    return SqliteLog(tmp_path / "log")


def scripted(log: SqliteLog, monkeypatch: pytest.MonkeyPatch, **looks: list[tuple[int, int]]) -> SqliteLog:
    places = {"journal": JOURNAL, "other": OTHER}
    reader = Scripted({places[name]: pairs for name, pairs in looks.items()})
    monkeypatch.setattr(log, "reader", lambda group=None: reader)
    return log


def test_in_files_nothing_is_ever_held_back(log: SqliteLog) -> None:
    with closing(log):
        assert holds(log, [JOURNAL, OTHER]) == []


def test_transactions_that_follow_each_other_hold_nothing_back(log: SqliteLog, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each look meets one that is open, and it is never the same.
    busy = [(10, 12), (13, 15), (16, 18), (19, 21)]
    assert holds(scripted(log, monkeypatch, journal=busy, other=[(7, 7)]), [JOURNAL, OTHER], 60.0) == []


def test_one_that_stays_open_holds_back_all_behind_its_beginning(
    log: SqliteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = holds(scripted(log, monkeypatch, journal=[(10, 12), (10, 15)], other=[(7, 7)]), [JOURNAL, OTHER], 0.01)
    assert found == [Hold(JOURNAL, 10, 12)]
    assert str(found[0]).startswith("turns, partition 3: held back by an open transaction since offset 10,")


def test_a_hold_lasts_from_the_look_that_saw_it_first_and_ends_with_the_transaction() -> None:
    reader = Scripted({JOURNAL: [(10, 12), (10, 15), (13, 15), (16, 16)]})
    holding = Holding()
    done = {JOURNAL: Mark(10, 0)}
    looks = []
    for now in (1_000, 6_000, 11_000, 16_000):
        holding.look(reader, done, now)
        looks.append(holding.lasting(4_000, now))
    assert looks == [[], [Held(Hold(JOURNAL, 10, 15), 1_000)], [], []]


def test_what_is_held_back_is_behind_since_the_transaction_was_seen() -> None:
    held = [Held(Hold(JOURNAL, 10, 15), 1_000), Held(Hold(OTHER, 1, 2), 1_000)]
    assert with_held({3: Behind(2, 9.0)}, held, 6_000) == {3: Behind(7, 9.0)}
    assert with_held({3: Behind(0, 0.0)}, held, 6_000) == {3: Behind(5, 5.0)}
