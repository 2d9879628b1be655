"""Somebody else's open transaction holds a partition back: nothing is judged twice for it, and everybody says so."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from services.resolver import lagging
from services.resolver.lagging import Behind, LagMeter
from shared.clock import SystemClock
from shared.documents.sqlite import SqliteDocuments
from shared.log import START, TURNS, LogUnavailable, Reader, TopicPartition
from shared.log.kafka import KafkaLog
from shared.log.reading import Hold, holds
from tests.contract.kafka_house import KafkaFixtures, KafkaHouse
from tests.contract.log_house import draft, eventually, marks_at, outcome, read_exactly, values
from warledger import lagging as reports

pytestmark = pytest.mark.servers

JOURNAL = TopicPartition(TURNS, 2)


class TestKafkaHeld(KafkaFixtures):
    @pytest.fixture
    def reader(self, log: KafkaLog) -> Iterator[Reader]:
        with closing(log.reader()) as reader:
            yield reader

    def test_a_takeover_waits_for_what_may_be_committed_behind_an_open_transaction(
        self, house: KafkaHouse, log: KafkaLog
    ) -> None:
        """Else it would go on from the marks before, and what was judged since would be judged again."""
        owner = log.own(2, "first")
        begins = owner.commit(outcome(5, [draft("g", "first")]))
        with house.unused_offset(JOURNAL):
            owner.commit(outcome(9, [draft("g", "second")]))
            with pytest.raises(LogUnavailable) as told:
                log.own(2, "second")
            assert f"turns, partition 2: held back by an open transaction since offset {begins}" in str(told.value)
            assert f"--topic [PREFIX.]turns --partition 2 --start-offset {begins}" in str(told.value)
            assert log.own(3, "second").marks() == marks_at(0)
        again = log.own(2, "second")
        assert again.marks() == marks_at(9, 9)
        again.commit(outcome(10, [draft("g", "third")]))
        assert values(read_exactly(log, {JOURNAL: START}, 3)) == ["first", "second", "third"]

    def test_the_transaction_of_a_former_owner_is_ended_by_the_takeover(self, log: KafkaLog) -> None:
        owner = log.own(2, "first")
        owner.commit(outcome(5, [draft("g")]))
        owner._producer.send(2, owner._messages(outcome(9, [draft("g")])), 10.0)  # type: ignore[attr-defined]
        assert log.own(2, "second").marks() == marks_at(5, 5)

    def test_what_is_held_back_is_written_and_counted_from_where_the_transaction_begins(
        self, house: KafkaHouse, log: KafkaLog, reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(reports, "holds", partial(holds, seconds=0.1))
        owner = log.own(2, "first")
        begins = owner.commit(outcome(0, [draft("g")]))
        eventually(lambda: reader.end(JOURNAL) == begins)
        assert holds(log, [JOURNAL], 0.1) == []
        with house.unused_offset(JOURNAL), closing(SqliteDocuments(tmp_path / "docs")) as documents:
            end = owner.commit(outcome(0, [draft("g")]))
            (hold,) = holds(log, [JOURNAL], 0.1)
            assert hold == Hold(JOURNAL, begins, end)
            assert [lag.hold for lag in reports.lags(log, documents, 10) if lag.hold is not None] == [hold]
        eventually(lambda: reader.written([JOURNAL])[JOURNAL] == reader.end(JOURNAL))
        assert holds(log, [JOURNAL], 0.1) == []

    def test_a_service_that_has_read_all_it_is_given_is_behind_and_not_ready(
        self, house: KafkaHouse, log: KafkaLog, reader: Reader, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name, value in (("EVERY_SECONDS", 0.05), ("_HELD_MS", 1), ("_UNREADY_MS", 1)):
            monkeypatch.setattr(lagging, name, value)
        owner = log.own(2, "first")
        begins = owner.commit(outcome(1, [draft("g")]))
        told: list[Behind] = []
        (record,) = read_exactly(log, {JOURNAL: START}, 1)
        done = {JOURNAL: START._replace(offset=begins, at=record.at)}
        meter = LagMeter("projector", log, lambda: done, SystemClock(), lambda now, _: told.append(now[2]))
        with closing(meter):
            with house.unused_offset(JOURNAL):
                owner.commit(outcome(2, [draft("g")]))
                eventually(lambda: any(behind.records > 0 and behind.seconds > 0 for behind in told))
                assert f"held back by an open transaction since offset {begins}" in meter.faults()[0]
            eventually(lambda: meter.faults() == [])
