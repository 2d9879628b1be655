"""Contract of the log, first part: appending. An adapter's test class inherits it and adds the fixture `house`."""

import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection

import pytest

from shared.log import (
    INPUT_TOPICS,
    MAX_RECORD_BYTES,
    TURNS,
    Coordinates,
    Draft,
    Log,
    LogUnavailable,
    TooLarge,
    TopicPartition,
    partition_of,
)
from tests.contract.log_house import KEYS, LogHouse, draft, everything, key_in, poll_until, read_exactly, values
from tests.contract.processes import receive, running


def append_many(connection: Connection, house: LogHouse, name: str, threads: int, appends: int) -> None:
    """In another process: append drafts one by one from some threads, and send their coordinates."""
    log = house.log()
    connection.send("ready")
    connection.recv()
    connection.send(append_from_threads(log, name, threads, appends))
    log.close()


def append_from_threads(log: Log, name: str, threads: int, appends: int) -> list[tuple[str, Coordinates]]:
    """Append `<name>.<thread>.<number>` to a few partitions; returns each value with its coordinates."""

    def work(thread: int) -> list[tuple[str, Coordinates]]:
        found = []
        for number in range(appends):
            value = f"{name}.{thread}.{number}"
            found += [(value, place) for place in log.append("orders", [draft(f"g{number % 3}", value)])]
        return found

    with ThreadPoolExecutor(threads) as pool:
        return [item for found in pool.map(work, range(threads)) for item in found]


class LogAppendContract:
    """What every adapter does with what is appended."""

    def test_no_drafts_append_nothing(self, house: LogHouse, log: Log) -> None:
        assert log.append("orders", []) == []
        assert read_exactly(log, everything("orders"), 0) == []

    def test_a_log_that_is_there_says_so_and_appends_nothing_for_it(self, log: Log) -> None:
        log.check("orders")
        assert read_exactly(log, everything("orders"), 0) == []
        log.append("orders", [draft("g1", "1")])
        log.check("orders")
        assert values(read_exactly(log, everything("orders"), 1)) == ["1"]

    def test_a_record_is_read_as_it_was_appended(self, log: Log) -> None:
        place = log.append("orders", [draft("g1", "{x}", ce_id="7", traceparent="é")])[0]
        (record,) = read_exactly(log, everything("orders"), 1)
        assert not record.tick
        assert record == (
            "orders", partition_of("g1"), place.offset, place.at, "g1", b"{x}", {"ce_id": "7", "traceparent": "é"},
            "orders",
        )  # fmt: skip

    def test_any_bytes_keys_and_headers_come_back(self, log: Log) -> None:
        drafts = [draft("ключ|\U0010ffff", bytes(range(256)), **{"a-b": '"\\\n\0'}), draft("", b""), draft("g", b"\0")]
        log.append("votes", drafts)
        found = [(r.key, r.value, dict(r.headers)) for r in read_exactly(log, everything("votes"), 3)]
        assert sorted(found, key=str) == sorted([(d.key, d.value, dict(d.headers)) for d in drafts], key=str)

    def test_a_key_always_goes_to_its_partition(self, log: Log) -> None:
        places = log.append("orders", [draft(key_in(partition)) for partition in range(12)])
        assert [place.partition for place in places] == list(range(12))

    def test_a_partition_keeps_the_order_of_appending(self, log: Log) -> None:
        for start in range(0, 30, 3):
            log.append("orders", [draft("g1", str(number)) for number in range(start, start + 3)])
        assert values(read_exactly(log, everything("orders"), 30)) == [str(number) for number in range(30)]

    def test_each_partition_counts_its_own_offsets(self, log: Log) -> None:
        first = log.append("orders", [draft(key_in(3)), draft(key_in(4)), draft(key_in(3))])
        later = log.append("orders", [draft(key_in(3))])
        assert [(place.partition, place.offset) for place in first + later] == [(3, 0), (4, 0), (3, 1), (3, 2)]

    def test_topics_do_not_share_offsets(self, log: Log) -> None:
        places = [log.append(topic, [draft("g1")])[0] for topic in INPUT_TOPICS]
        assert {place.offset for place in places} == {0}

    def test_a_large_batch_is_whole_and_in_order(self, log: Log) -> None:
        drafts = [draft(f"g{number % 40}", str(number)) for number in range(2_345)]
        places = log.append("trades", drafts)
        by_place = {(r.partition, r.offset): r for r in read_exactly(log, everything("trades"), len(drafts))}
        found = [by_place[place.partition, place.offset] for place in places]
        assert values(found) == [each.value.decode() for each in drafts]
        assert [record.at for record in found] == [place.at for place in places]

    def test_the_largest_draft_is_taken(self, log: Log) -> None:
        log.append("orders", [draft("g1", b"x" * (MAX_RECORD_BYTES - 2 - 4), he="ad")])
        assert len(read_exactly(log, everything("orders"), 1)[0].value) == MAX_RECORD_BYTES - 6

    @pytest.mark.parametrize(
        "large",
        [
            draft("g1", b"x" * (MAX_RECORD_BYTES - 1)),
            draft("g1", b"x" * (MAX_RECORD_BYTES - 5), he="ad"),
            Draft("k" * MAX_RECORD_BYTES, b"x", {}),
        ],
        ids=["value", "headers", "key"],
    )
    def test_a_draft_that_is_too_large_leaves_no_trace_of_its_batch(self, log: Log, large: Draft) -> None:
        with pytest.raises(TooLarge, match="900,000"):
            log.append("orders", [draft("g1"), large, draft("g2")])
        assert read_exactly(log, everything("orders"), 0) == []

    def test_nothing_is_appended_to_a_topic_of_outcomes(self, log: Log) -> None:
        with pytest.raises(ValueError, match="orders, trades, votes"):
            log.append(TURNS, [draft("g1")])

    def test_time_never_runs_backwards_within_a_partition(self, log: Log) -> None:
        places = [place for _ in range(20) for place in log.append("orders", [draft("g1"), draft("g1")])]
        times = [place.at for place in places]
        assert times == sorted(times)
        assert [record.at for record in read_exactly(log, everything("orders"), 40)] == times

    def test_appends_of_many_threads_are_all_there_once(self, log: Log) -> None:
        found = append_from_threads(log, "here", threads=8, appends=25)
        assert_all_there_once(log, found)

    def test_two_processes_append_to_the_same_partitions(self, house: LogHouse, log: Log) -> None:
        with running(append_many, house, "there", 4, 25) as (_, connection):
            assert receive(connection) == "ready"
            connection.send("go")
            found = append_from_threads(log, "here", threads=4, appends=25)
            found += receive(connection)
        assert_all_there_once(log, found)

    def test_a_reader_beside_racing_writers_misses_nothing(self, house: LogHouse, log: Log) -> None:
        # Offsets given out and committed in another order would let a reader step over a record.
        reader = log.reader()
        reader.assign(everything("orders"))
        done = threading.Event()
        with running(append_many, house, "there", 3, 30) as (_, connection), ThreadPoolExecutor(1) as pool:
            assert receive(connection) == "ready"
            connection.send("go")
            here = pool.submit(append_from_threads, log, "here", 3, 30)
            here.add_done_callback(lambda _: done.set())
            records = []
            while not done.is_set():
                records += reader.poll(0.01, limit=7)
            expected = here.result() + receive(connection)
            records += poll_until(reader, len(expected) - len(records))
        reader.close()
        assert [record.offset for record in records if record.partition == partition_of("g0")] == list(range(60))
        assert sorted(values(records)) == sorted(value for value, _ in expected)

    @pytest.mark.parametrize("service", sorted(KEYS))
    def test_the_signer_is_the_service_whose_key_signed(self, house: LogHouse, log: Log, service: str) -> None:
        other = house.log(service)
        other.append("orders", [draft("g1")])
        other.close()
        assert [record.signer for record in read_exactly(log, everything("orders"), 1)] == [service]

    def test_a_key_that_nobody_believes_makes_forged_records(self, house: LogHouse, log: Log) -> None:
        stranger = house.log("stranger")
        stranger.append("orders", [draft("g1", "hers")])
        stranger.close()
        log.append("orders", [draft("g1", "ours")])
        found = [(record.value, record.signer) for record in read_exactly(log, everything("orders"), 2)]
        assert found == [(b"hers", None), (b"ours", "orders")]

    def test_a_forged_record_is_read_as_forged_and_stops_nobody(self, house: LogHouse, log: Log) -> None:
        log.append("orders", [draft("g1", "before")])
        house.forge(TopicPartition("orders", partition_of("g1")), draft("g1", "false"))
        log.append("orders", [draft("g1", "after")])
        found = [(record.value, record.signer) for record in read_exactly(log, everything("orders"), 3)]
        assert found == [(b"before", "orders"), (b"false", None), (b"after", "orders")]

    def test_a_tick_is_known_as_a_tick_in_each_topic(self, house: LogHouse, log: Log) -> None:
        ticker = house.log("ticks")
        ticker.tick([TopicPartition(topic, 5) for topic in INPUT_TOPICS])
        ticker.tick([TopicPartition("votes", 7), TopicPartition("votes", 5), TopicPartition("orders", 0)])
        ticker.close()
        records = read_exactly(log, everything(*INPUT_TOPICS), 6)
        assert all(record.tick and record.value == b"" for record in records)
        places = sorted((record.topic, record.partition) for record in records)
        assert places == [("orders", 0), ("orders", 5), ("trades", 5), ("votes", 5), ("votes", 5), ("votes", 7)]

    def test_an_input_is_no_tick_whatever_it_holds(self, log: Log) -> None:
        log.append("orders", [draft("", b"")])
        assert [record.tick for record in read_exactly(log, everything("orders"), 1)] == [False]

    def test_only_the_key_of_ticks_signs_ticks(self, log: Log) -> None:
        with pytest.raises(ValueError, match="ticks"):
            log.tick([TopicPartition("orders", 0)])

    def test_ticks_take_their_place_among_inputs(self, house: LogHouse, log: Log) -> None:
        ticker = house.log("ticks")
        log.append("orders", [draft(key_in(2), "a")])
        ticker.tick([TopicPartition("orders", 2)])
        log.append("orders", [draft(key_in(2), "b")])
        ticker.close()
        records = read_exactly(log, everything("orders"), 3)
        assert values(records) == ["a", "", "b"]
        assert [record.at for record in records] == sorted(record.at for record in records)

    def test_an_unavailable_log_appends_nothing_and_recovers(
        self, log: Log, outage: AbstractContextManager[None]
    ) -> None:
        log.append("orders", [draft("g1", "before")])
        with outage:
            for _ in range(2):
                with pytest.raises(LogUnavailable):
                    log.append("orders", [draft("g1", "lost"), draft("g2", "lost")])
        log.append("orders", [draft("g1", "after")])
        assert values(read_exactly(log, everything("orders"), 2)) == ["before", "after"]

    def test_every_waiting_thread_hears_of_an_outage(self, log: Log, outage: AbstractContextManager[None]) -> None:
        log.append("orders", [draft("g1", "before")])

        def refused(number: int) -> bool:
            try:
                log.append("orders", [draft("g1", str(number))])
            except LogUnavailable:
                return True
            return False

        with outage, ThreadPoolExecutor(6) as pool:
            assert all(pool.map(refused, range(6)))
        assert values(read_exactly(log, everything("orders"), 1)) == ["before"]


def assert_all_there_once(log: Log, appended: list[tuple[str, Coordinates]]) -> None:
    """Each value is read once, at its coordinates; offsets have no gap; each thread's values keep their order."""
    records = read_exactly(log, everything("orders"), len(appended))
    found = {(r.topic, r.partition, r.offset, r.at): r.value.decode() for r in records}
    assert found == {tuple(place): value for value, place in appended}
    offsets = defaultdict(list)
    sequences = defaultdict(list)
    for record in records:
        offsets[record.partition].append(record.offset)
        writer, number = record.value.decode().rsplit(".", 1)
        sequences[record.partition, writer].append(int(number))
    assert all(numbers == list(range(len(numbers))) for numbers in offsets.values())
    assert all(numbers == sorted(numbers) for numbers in sequences.values())
