"""Contract of the log, second part: reading. An adapter's test class inherits it and adds the fixture `house`."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

import pytest

from shared.log import (
    CHRONICLE,
    DEAD_LETTERS,
    INPUT_TOPICS,
    START,
    TURNS,
    Log,
    Mark,
    Outcome,
    Record,
    TopicPartition,
    partition_of,
)
from shared.log.reading import stretch
from tests.contract.log_house import (
    PATIENCE,
    LogHouse,
    draft,
    everything,
    key_in,
    outcome,
    poll_until,
    read_exactly,
    values,
)
from tests.contract.processes import receive, running


def wait_for_one(connection: Connection, house: LogHouse) -> None:
    """In another process: wait for one record with long polls and send its value."""
    log = house.log()
    reader = log.reader()
    reader.assign(everything("orders"))
    connection.send(reader.poll(0))
    connection.send(values(poll_until(reader, 1)))
    reader.close()
    log.close()


class LogReadingContract:
    """What every adapter's readers do."""

    def test_a_log_that_was_never_written_is_empty(self, log: Log) -> None:
        assert read_exactly(log, everything(*INPUT_TOPICS, TURNS, CHRONICLE, DEAD_LETTERS), 0) == []
        reader = log.reader()
        assert reader.end(TopicPartition("orders", 0)) == 0
        reader.close()

    def test_nothing_assigned_is_nothing_read(self, log: Log) -> None:
        log.append("orders", [draft("g1")])
        reader = log.reader()
        assert reader.poll(0) == []
        reader.assign({})
        assert reader.poll(0.01) == []
        reader.close()

    def test_only_what_is_assigned_is_read(self, log: Log) -> None:
        log.append("orders", [draft(key_in(1), "one"), draft(key_in(2), "two")])
        log.append("votes", [draft(key_in(1), "vote")])
        assert values(read_exactly(log, {TopicPartition("orders", 1): START}, 1)) == ["one"]

    def test_a_new_assignment_replaces_the_former(self, log: Log) -> None:
        log.append("orders", [draft(key_in(1), "one"), draft(key_in(2), "two")])
        reader = log.reader()
        reader.assign({TopicPartition("orders", 1): START})
        assert values(poll_until(reader, 1)) == ["one"]
        reader.assign({TopicPartition("orders", 2): START})
        assert values(poll_until(reader, 1)) == ["two"]
        log.append("orders", [draft(key_in(1), "more"), draft(key_in(2), "more of two")])
        assert values(poll_until(reader, 1)) == ["more of two"]
        reader.close()

    @pytest.mark.parametrize("place", [TopicPartition("order", 0), TopicPartition("orders", 12)])
    def test_an_unknown_place_is_refused(self, log: Log, place: TopicPartition) -> None:
        reader = log.reader()
        with pytest.raises(ValueError, match="partition"):
            reader.assign({place: START})
        reader.close()

    def test_a_mark_names_the_next_record(self, log: Log) -> None:
        places = log.append("orders", [draft("g1", str(number)) for number in range(5)])
        partition = TopicPartition("orders", partition_of("g1"))
        assert values(read_exactly(log, {partition: Mark(places[3].offset, places[2].at)}, 2)) == ["3", "4"]
        assert read_exactly(log, {partition: Mark(places[4].offset + 1, places[4].at)}, 0) == []

    def test_reading_can_stop_and_go_on_at_any_record(self, log: Log) -> None:
        log.append("orders", [draft(f"g{number % 5}", str(number)) for number in range(40)])
        marks = everything("orders")
        found = []
        for _ in range(40):
            reader = log.reader()
            reader.assign(marks)
            deadline = time.monotonic() + PATIENCE
            while not (records := reader.poll(0.1, limit=1)):
                assert time.monotonic() < deadline
            reader.close()
            found += records
            marks[TopicPartition("orders", records[0].partition)] = Mark(records[0].offset + 1, records[0].at)
        assert found == sorted(read_exactly(log, everything("orders"), 40), key=found.index)

    def test_a_record_is_never_earlier_than_its_mark(self, log: Log) -> None:
        place = log.append("orders", [draft("g1")])[0]
        later = place.at + 86_400_000
        (record,) = read_exactly(log, {TopicPartition("orders", place.partition): Mark(0, later)}, 1)
        assert record.at == later

    def test_a_poll_gives_at_most_its_limit_and_the_rest_later(self, log: Log) -> None:
        log.append("orders", [draft(f"g{number}", str(number)) for number in range(25)])
        reader = log.reader()
        reader.assign(everything("orders"))
        records: list[Record] = []
        deadline = time.monotonic() + PATIENCE
        while len(records) < 25 and time.monotonic() < deadline:
            polled = reader.poll(0.1, limit=4)
            assert len(polled) <= 4
            records += polled
        assert sorted(values(records)) == sorted(str(number) for number in range(25))
        reader.close()

    def test_one_long_partition_does_not_keep_the_others_waiting(self, log: Log) -> None:
        log.append("orders", [draft(key_in(0), "long") for _ in range(300)])
        log.append("votes", [draft(key_in(7), "vote")])
        log.append("orders", [draft(key_in(11), "short")])
        reader = log.reader()
        reader.assign(everything(*INPUT_TOPICS))
        records: list[Record] = []
        deadline = time.monotonic() + PATIENCE
        while not {"vote", "short"} <= set(values(records)) and time.monotonic() < deadline:
            records += reader.poll(0.1, limit=20)
        assert len(records) < 300
        reader.close()

    def test_large_records_are_read_whole(self, log: Log) -> None:
        for number in range(30):
            log.append("orders", [draft("g1", bytes([number]) * 890_000)])
        records = read_exactly(log, everything("orders"), 30)
        assert [record.value for record in records] == [bytes([number]) * 890_000 for number in range(30)]

    def test_a_poll_without_news_ends_at_its_timeout(self, log: Log) -> None:
        log.append("orders", [draft("g1")])
        reader = log.reader()
        reader.assign(everything("orders"))
        poll_until(reader, 1)
        started = time.monotonic()
        assert reader.poll(0.2) == []
        assert 0.19 <= time.monotonic() - started < PATIENCE
        reader.close()

    def test_a_poll_returns_as_soon_as_there_is_news(self, log: Log) -> None:
        reader = log.reader()
        reader.assign(everything(*INPUT_TOPICS))
        assert reader.poll(0) == []
        with ThreadPoolExecutor(1) as pool:
            polled = pool.submit(reader.poll, PATIENCE)
            started = time.monotonic()
            log.append("trades", [draft("g1", "news")])
            assert values(polled.result()) == ["news"]
            assert time.monotonic() - started < PATIENCE / 2
        reader.close()

    def test_another_process_reads_what_is_written_while_it_waits(self, house: LogHouse, log: Log) -> None:
        with running(wait_for_one, house) as (_, connection):
            assert receive(connection) == []
            log.append("orders", [draft("g1", "news")])
            assert receive(connection) == ["news"]

    def test_readers_do_not_disturb_each_other(self, log: Log) -> None:
        log.append("orders", [draft("g1", "a"), draft("g1", "b")])
        first, second = log.reader("one"), log.reader("two")
        for reader in (first, second):
            reader.assign(everything("orders"))
        assert values(poll_until(first, 2)) == values(poll_until(second, 2)) == ["a", "b"]
        first.close()
        second.close()

    def test_the_end_is_after_the_last_record(self, log: Log) -> None:
        log.append("orders", [draft(key_in(3)), draft(key_in(3)), draft(key_in(4))])
        reader = log.reader()
        ends = [reader.end(TopicPartition("orders", partition)) for partition in (2, 3, 4)]
        assert ends == [0, 2, 1]
        reader.close()

    @pytest.mark.parametrize("topic", ["orders", TURNS])
    def test_a_stretch_is_read_to_its_end_whatever_offsets_hold_no_record(
        self, house: LogHouse, log: Log, topic: str
    ) -> None:
        place = TopicPartition(topic, 2)
        write = self.writer(log, topic)
        write("a")
        with house.unused_offset(place):
            write("b")
        with house.unused_offset(place), house.unused_offset(place):
            write("c")
        with house.unused_offset(place):
            pass
        reader = log.reader()
        end = reader.end(place)
        reader.close()
        found = list(stretch(log, place, START, end))
        assert values(found) == ["a", "b", "c"]
        assert [record.offset for record in found] == sorted({record.offset for record in found})
        assert found[2].offset > 2
        middle = Mark(found[0].offset + 1, found[0].at)
        assert values(stretch(log, place, middle, end)) == ["b", "c"]
        assert values(stretch(log, place, START, found[2].offset)) == ["a", "b"]
        assert values(stretch(log, place, Mark(end, 0), end)) == []

    def test_the_position_is_the_next_offset_and_reaches_the_end(self, house: LogHouse, log: Log) -> None:
        place, other = TopicPartition("orders", 2), TopicPartition("votes", 2)
        for text in "abc":
            log.append("orders", [draft(key_in(2), text)])
            log.append("votes", [draft(key_in(2), text)])
        with house.unused_offset(place):
            log.append("orders", [draft(key_in(2), "d")])
        reader = log.reader()
        end = reader.end(place)
        reader.assign({place: START, other: Mark(3, 0)})
        assert (reader.position(place), reader.position(other)) == (0, 3)
        found: list[Record] = []
        deadline = time.monotonic() + PATIENCE
        while reader.position(place) < end and time.monotonic() < deadline:
            polled = reader.poll(0.1, limit=1)
            assert all(reader.position(place) > record.offset for record in polled)
            found += polled
        assert values(found) == ["a", "b", "c", "d"]
        assert reader.position(place) == end
        assert reader.position(other) == 3
        reader.close()

    def test_what_is_not_assigned_has_no_position(self, log: Log) -> None:
        reader = log.reader()
        reader.assign({TopicPartition("orders", 2): START})
        with pytest.raises(ValueError, match="not assigned"):
            reader.position(TopicPartition("orders", 3))
        reader.close()

    @staticmethod
    def writer(log: Log, topic: str) -> Callable[[str], object]:
        """Writes a record of that value to partition 2 of a topic."""
        if topic == TURNS:
            owner = log.own(2, "tests")
            return lambda text: owner.commit(Outcome([draft("g", text)], (), (), owner.marks()))
        return lambda text: log.append(topic, [draft(key_in(2), text)])

    def test_outcomes_are_read_like_inputs(self, log: Log) -> None:
        owner = log.own(2, "tests")
        owner.commit(outcome(1, [draft("g", "t")], [draft("g", "c")], [draft("g", "d")]))
        marks = {TopicPartition(topic, 2): START for topic in (TURNS, CHRONICLE, DEAD_LETTERS)}
        found = {record.topic: record for record in read_exactly(log, marks, 3)}
        assert {topic: record.value for topic, record in found.items()} == {
            TURNS: b"t", CHRONICLE: b"c", DEAD_LETTERS: b"d",
        }  # fmt: skip
        assert all(record.at > 0 and not record.tick for record in found.values())

    def test_one_process_alone_owns_every_partition(self, log: Log) -> None:
        membership = log.membership("resolver", "one")
        deadline = time.monotonic() + PATIENCE
        while len(membership.partitions()) < 12 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert membership.partitions() == frozenset(range(12))
        membership.close()
