"""The Kafka adapter when connections are cut or fall silent at any byte, and when owners stop, die or come back."""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from multiprocessing.connection import Connection

import pytest
from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import ConfigResource, ConfigResourceType

from shared.log import (
    CHRONICLE,
    INPUT_TOPICS,
    START,
    TURNS,
    AppendUnknown,
    CommitUnknown,
    Fenced,
    LogDamaged,
    LogUnavailable,
    Mark,
    TopicPartition,
    kafka_append,
    kafka_producing,
    partition_of,
)
from shared.log.kafka import KafkaLog
from shared.log.kafka_ownership import transactional_id
from shared.log.kafka_topics import apply
from tests.contract.kafka_house import LOG_PATIENCE, OUTAGE_PATIENCE, KafkaFixtures, KafkaHouse, threads
from tests.contract.log_house import (
    draft,
    eventually,
    everything,
    key_in,
    marks_at,
    outcome,
    poll_until,
    values,
)
from tests.contract.processes import receive, running
from tests.contract.socks import SocksProxy

pytestmark = pytest.mark.servers

PLACE = 4
JOURNAL = {TopicPartition(topic, PLACE): START for topic in (TURNS, CHRONICLE)}
CUTS = 12
WAITS = 6.0
"""Seconds of the first of two appends to a silent broker."""
SLACK = 10.0
"""Seconds that a call may take beyond its patience: a broker is looked for meanwhile."""


def commit_until_fenced(connection: Connection, house: KafkaHouse) -> None:
    """In another process: commit outcomes until one is refused; sends each number, then the name of the refusal."""
    owner = house.log("ticks").own(PLACE, "stopped")
    number = 0
    while True:
        number += 1
        try:
            owner.commit(outcome(number, [draft("g", f"stopped.{number}")]))
        except (Fenced, CommitUnknown, LogUnavailable) as error:
            connection.send(type(error).__name__)
            return
        connection.send(number)


class TestKafkaFaults(KafkaFixtures):
    @pytest.fixture
    def far(self, house: KafkaHouse, proxy: SocksProxy) -> Iterator[KafkaLog]:
        """The log, reached through the proxy, with little patience."""
        log = house.behind(proxy).log()
        yield log
        log.close()

    @pytest.fixture
    def patient(self, house: KafkaHouse, proxy: SocksProxy) -> Iterator[KafkaLog]:
        """The log, reached through the proxy, with patience."""
        log = house.behind(proxy, LOG_PATIENCE).log()
        yield log
        log.close()

    def test_a_connection_cut_at_any_byte_of_a_commit_loses_and_repeats_nothing(
        self, log: KafkaLog, patient: KafkaLog, proxy: SocksProxy
    ) -> None:
        owner = patient.own(PLACE, "first")
        owner.commit(outcome(1, [draft("g", "1")], [draft("g", "1")]))
        before = proxy.carried
        owner.commit(outcome(2, [draft("g", "2")], [draft("g", "2")]))
        size, expected, number = proxy.carried - before, ["1", "2"], 2
        for step in range(1, CUTS + 1):
            number += 1
            proxy.cut_after(size * step // CUTS)
            try:
                owner.commit(outcome(number, [draft("g", str(number))], [draft("g", str(number))]))
                expected.append(str(number))
            except LogUnavailable:
                pass
            except CommitUnknown:
                owner = patient.own(PLACE, "again")
                if owner.marks() == marks_at(number, number):
                    expected.append(str(number))
        assert_written(log, expected)

    def test_a_connection_that_falls_silent_at_any_byte_of_a_commit_hangs_nobody(
        self, log: KafkaLog, far: KafkaLog, proxy: SocksProxy
    ) -> None:
        owner, ends = far.own(PLACE, "first"), log.reader()
        expected: list[str] = []

        def commit() -> None:
            number = owner.marks()["orders"].offset + 1
            end = owner.commit(outcome(number, [draft("g", f"{number:03}")], [draft("g", f"{number:03}")]))
            expected.append(f"{number:03}")
            # Once the last one is over for the brokers too, a commit is always of the same bytes.
            eventually(lambda: ends.end(TopicPartition(TURNS, PLACE)) == end)

        sizes = []
        for _ in range(5):
            before = proxy.carried
            commit()
            sizes.append(proxy.carried - before)
        size = min(sizes)

        def refusal_when_silent_after(count: int) -> str:
            nonlocal owner
            started = time.monotonic()
            with proxy.silent_after(count), pytest.raises((LogUnavailable, CommitUnknown)) as raised:
                commit()
            assert time.monotonic() - started < 2 * OUTAGE_PATIENCE + SLACK
            if raised.type is CommitUnknown:
                owner = far.own(PLACE, "again")
                if owner.marks()["orders"].offset > len(expected):
                    expected.append(f"{len(expected) + 1:03}")
            for _ in range(2):
                commit()
            return raised.type.__name__

        for count in (size // 3, size * 2 // 3):
            assert refusal_when_silent_after(count) == "LogUnavailable"
        # The last byte is of the answer to the end of the transaction, the one before lies in the question. On a busy
        # machine a question that is asked twice takes some of these bytes, and the silence comes before the end.
        for count in (size - 60, size - 1):
            assert any(refusal_when_silent_after(count) == "CommitUnknown" for _ in range(5))
        ends.close()
        assert_written(log, expected)

    def test_a_connection_cut_at_any_byte_of_an_append_loses_and_repeats_nothing(
        self, log: KafkaLog, patient: KafkaLog, proxy: SocksProxy
    ) -> None:
        patient.append("orders", [draft("g1", "first")])
        before = proxy.carried
        patient.append("orders", [draft("g1", "second"), draft("g2", "second")])
        size, sure, unsure = proxy.carried - before, ["first", "second", "second"], set[str]()
        for step in range(1, CUTS + 1):
            proxy.cut_after(size * step // CUTS)
            try:
                patient.append("orders", [draft("g1", str(step)), draft("g2", str(step))])
                sure += [str(step)] * 2
            except AppendUnknown:
                unsure.add(str(step))
        reader = log.reader()
        reader.assign(everything("orders"))
        found = values(poll_until(reader, len(sure)) + reader.poll(0.5))
        reader.close()
        assert sorted(value for value in found if value not in unsure) == sorted(sure)
        assert all(found.count(value) <= 2 for value in unsure)

    def test_while_the_broker_is_away_one_caller_tries_and_the_others_are_told_at_once(
        self, far: KafkaLog, proxy: SocksProxy
    ) -> None:
        def refused(_: int) -> float:
            started = time.monotonic()
            with pytest.raises(LogUnavailable):
                far.append("orders", [draft("g1")])
            return time.monotonic() - started

        far.append("orders", [draft("g1")])
        with proxy.refusing():
            refused(0)

            def told_at_once() -> bool:
                with ThreadPoolExecutor(20) as pool:
                    waits = sorted(pool.map(refused, range(20)))
                assert waits[-1] < OUTAGE_PATIENCE + SLACK
                return waits[15] < 0.8 * OUTAGE_PATIENCE

            assert any(told_at_once() for _ in range(5)), "a busy machine gets more tries"
        far.append("orders", [draft("g1")])

    def test_what_waits_for_a_silent_broker_is_bounded(
        self, house: KafkaHouse, proxy: SocksProxy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(kafka_append, "WAITING_BYTES", 1_000_000)
        # The first must still wait when the second comes.
        far = house.behind(proxy, WAITS).log()
        far.append("orders", [draft("g1")])
        large = draft("g1", b"x" * 700_000)
        with proxy.silent(), ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(far.append, "orders", [large])
            writer = far._writer()
            eventually(lambda: writer._waiting_bytes > 0)
            started = time.monotonic()
            with pytest.raises(LogUnavailable, match="wait for Kafka already"):
                far.append("orders", [large])
            assert time.monotonic() - started < WAITS
            with pytest.raises(AppendUnknown):
                waiting.result()
        assert writer._waiting_bytes == 0
        far.close()

    def test_an_append_to_topics_that_are_not_there_says_so_in_time(self, house: KafkaHouse) -> None:
        strange = KafkaHouse(type(house.place)(house.place.brokers, house.place.prefix + "-none"), OUTAGE_PATIENCE)
        log = strange.log()
        started = time.monotonic()
        with pytest.raises(LogUnavailable):
            log.append("orders", [draft("g1")])
        with pytest.raises(LogUnavailable):
            log.marks(PLACE)
        assert time.monotonic() - started < 2 * OUTAGE_PATIENCE + SLACK
        log.close()

    @pytest.mark.parametrize("how", ["refusing", "silent"])
    def test_a_reader_hears_that_the_broker_is_away_and_goes_on_where_it_stood(
        self, log: KafkaLog, far: KafkaLog, proxy: SocksProxy, how: str
    ) -> None:
        reader = far.reader()
        reader.assign(everything(*INPUT_TOPICS))
        log.append("orders", [draft("g1", "before"), draft("g1", "before too")])
        assert values(poll_until(reader, 2)) == ["before", "before too"]
        with proxy.refusing() if how == "refusing" else proxy.silent():
            log.append("orders", [draft("g1", "meanwhile")])
            started = time.monotonic()
            with pytest.raises(LogUnavailable, match="|".join(INPUT_TOPICS)):
                poll_until(reader, 1)
            assert time.monotonic() - started < OUTAGE_PATIENCE + SLACK
            with pytest.raises(LogUnavailable):
                reader.end(TopicPartition("votes", 3))
        log.append("votes", [draft("g1", "after")])
        assert sorted(values(poll_until(reader, 2))) == ["after", "meanwhile"]
        reader.close()

    def test_an_offset_that_is_not_there_is_damage_to_its_partition_alone(self, log: KafkaLog) -> None:
        log.append("orders", [draft(key_in(1), "one"), draft(key_in(2), "two")])
        marks = {TopicPartition("orders", 1): START, TopicPartition("orders", 2): Mark(7, 0)}
        reader = log.reader()
        reader.assign(marks)
        said = "orders, partition 2: offset 7 is to be read, and 0 to 1 are there"
        with pytest.raises(LogDamaged, match=said) as told:
            poll_until(reader, 2)
        assert told.value.places == (TopicPartition("orders", 2),)
        reader.assign({TopicPartition("orders", 1): START})
        assert values(poll_until(reader, 1)) == ["one"]
        reader.close()

    def test_an_owner_that_was_stopped_and_wakes_up_writes_nothing(self, house: KafkaHouse, log: KafkaLog) -> None:
        with running(commit_until_fenced, house) as (process, connection):
            while receive(connection) < 3:
                pass
            assert process.pid is not None
            os.kill(process.pid, signal.SIGSTOP)
            owner = log.own(PLACE, "heir")
            taken = owner.marks()["orders"].offset
            os.kill(process.pid, signal.SIGCONT)
            said: int | str = 0
            while isinstance(said, int):
                said = receive(connection)
        assert said in ("Fenced", "CommitUnknown")
        owner.commit(outcome(taken + 1, [draft("g", "heir")]))
        expected = [*(f"stopped.{number}" for number in range(1, taken + 1)), "heir"]
        reader = log.reader()
        reader.assign({TopicPartition(TURNS, PLACE): START})
        assert values(poll_until(reader, len(expected)) + reader.poll(0.3)) == expected
        reader.close()

    def test_an_owner_that_takes_back_what_another_took_is_fenced_before_it_writes(
        self, log: KafkaLog, far: KafkaLog, proxy: SocksProxy
    ) -> None:
        # It may go on after an outage only if nobody took the partition meanwhile; asking must not take it back.
        former = far.own(PLACE, "former")
        former.commit(outcome(1, [draft("g", "former")]))
        with proxy.refusing(), pytest.raises(LogUnavailable):
            former.commit(outcome(2, [draft("g", "lost")]))
        owner = log.own(PLACE, "owner")
        with pytest.raises(Fenced):
            former.commit(outcome(2, [draft("g", "lost")]))
        owner.commit(outcome(2, [draft("g", "owner")]))
        assert owner.held()
        assert_written(log, ["former", "owner"], topics=(TURNS,))

    def test_an_owner_learns_that_another_has_taken_over_without_writing(
        self, house: KafkaHouse, log: KafkaLog
    ) -> None:
        former = log.own(PLACE, "former")
        assert former.held()
        other = house.log("ticks")
        owner = other.own(PLACE, "owner")
        assert not former.held()
        assert owner.held()
        owner.release()
        assert not owner.held()
        other.close()

    def test_a_transaction_that_its_owner_left_open_holds_nobody_up(self, house: KafkaHouse, log: KafkaLog) -> None:
        log.own(PLACE, "first").commit(outcome(1, [draft("g", "kept")]))
        turns = house.place.name(TURNS)
        left = KafkaProducer(**house.place.options(), transactional_id=transactional_id(house.place, PLACE))
        left.init_transactions()
        left.begin_transaction()
        for _ in range(300):
            left.send(turns, b"left" * 500, b"g", [("marks", b"{}")], PLACE)
        left.flush(10)
        started = time.monotonic()
        owner = log.own(PLACE, "heir")
        assert time.monotonic() - started < LOG_PATIENCE + SLACK
        assert owner.marks() == marks_at(1, 1)
        owner.commit(outcome(2, [draft("g", "heir")]))
        assert_written(log, ["kept", "heir"], topics=(TURNS,))
        left.close(timeout=5)

    def test_a_topic_that_takes_less_than_a_batch_is_named_at_once_and_its_owner_goes_on(
        self, house: KafkaHouse, log: KafkaLog
    ) -> None:
        owner, noise, done = log.own(PLACE, "first"), random.Random(1), 0
        refusals: list[str] = []

        def committed(*sizes: int) -> bool:
            nonlocal done
            told = [draft("g", noise.randbytes(size)) for size in sizes]
            try:
                owner.commit(outcome(done + 1, [draft("g", str(done + 1))], told))
            except LogUnavailable as error:
                refusals.append(str(error))
                return False
            done += 1
            return True

        with closing(KafkaAdminClient(**house.place.options())) as admin:
            topic, lowered = house.place.name(CHRONICLE), {"max.message.bytes": 50_000}
            admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, lowered)])
        eventually(lambda: not committed(30_000, 30_000))  # the broker hears of it a moment later
        assert committed(30_000)
        apply(house.place)
        eventually(lambda: committed(30_000, 30_000))
        assert all("`warledger topics status` says why" in refusal for refusal in refusals)
        assert_written(log, [str(number) for number in range(1, done + 1)], topics=(TURNS,))

    def test_closing_leaves_no_thread(self, house: KafkaHouse, proxy: SocksProxy) -> None:
        before = threads()
        log = house.behind(proxy).log()
        log.append("orders", [draft("g1")])
        owner = log.own(PLACE, "first")
        owner.commit(outcome(1))
        owner.held()
        reader = log.reader()
        reader.assign(everything("orders"))
        poll_until(reader, 1)
        reader.end(TopicPartition("orders", 1))
        attempts: list[Callable[[], object]] = [
            lambda: log.append("orders", [draft("g1")]),
            lambda: log.own(PLACE, "second"),
            lambda: reader.end(TopicPartition("orders", 1)),
            owner.held,
        ]
        with proxy.silent():
            for attempt in attempts:
                with pytest.raises(LogUnavailable):
                    attempt()
        reader.close()
        log.close()
        eventually(lambda: not Counter(threads()) - Counter(before))  # others' clients may end meanwhile

    def test_a_process_that_only_appends_has_one_producer_and_no_consumer(self, log: KafkaLog) -> None:
        before = threads()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: log.append("orders", [draft(f"g{number}")]), range(16)))
        (made,) = set(threads()) - set(before)
        assert made.endswith("-network-thread")

    def test_a_fork_makes_clients_of_its_own(self, log: KafkaLog) -> None:
        log.append("orders", [draft("g1", "parent")])
        child = os.fork()
        if child == 0:
            status = 1
            try:
                log.append("orders", [draft("g1", "child")])
                status = 0
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        log.append("orders", [draft("g1", "parent again")])
        reader = log.reader()
        reader.assign({TopicPartition("orders", partition_of("g1")): START})
        assert values(poll_until(reader, 3)) == ["parent", "child", "parent again"]
        reader.close()

    def test_appends_and_outcomes_are_idempotent_and_acknowledged_by_all(self, log: KafkaLog) -> None:
        log.append("orders", [draft("g1")])
        owner = log.own(PLACE, "first")
        lent = log._writer()._shared._lent
        assert lent is not None
        for producer in (lent.producer, owner._producer._producer):  # type: ignore[attr-defined]
            assert (producer.config["enable_idempotence"], producer.config["acks"]) == (True, -1)
        assert kafka_producing.input_options(6.0).items() >= {"enable_idempotence": True, "acks": "all"}.items()


def assert_written(log: KafkaLog, expected: list[str], topics: tuple[str, ...] = (TURNS, CHRONICLE)) -> None:
    """Each topic of the partition has these values and no other."""
    for topic in topics:
        reader = log.reader()
        reader.assign({TopicPartition(topic, PLACE): START})
        assert values(poll_until(reader, len(expected)) + reader.poll(0.3)) == expected
        reader.close()
