"""Contract of the log, third part: ownership and the atomic outcome. An adapter adds the fixture `house`."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from multiprocessing.connection import Connection

import orjson
import pytest

from shared.log import (
    CHRONICLE,
    DEAD_LETTERS,
    INPUT_TOPICS,
    MAX_RECORD_BYTES,
    START,
    TURNS,
    Fenced,
    Log,
    LogUnavailable,
    Mark,
    Outcome,
    Record,
    TooLarge,
    TopicPartition,
)
from tests.contract.log_house import LogHouse, draft, eventually, marks_at, outcome, poll_until, read_exactly, values
from tests.contract.processes import receive, running

PLACE = 4
JOURNAL = {TopicPartition(topic, PLACE): START for topic in (TURNS, CHRONICLE, DEAD_LETTERS)}


def commit_forever(connection: Connection, house: LogHouse) -> None:
    """In another process: commit outcomes of three turns and two chronicle records each, saying which is done."""
    log = house.log("ticks")
    owner = log.own(PLACE, "killed")
    number = 0
    while True:
        number += 1
        turns = [draft("g", f"{number}.{part}" + "x" * 20_000) for part in range(3)]
        owner.commit(outcome(number, turns, [draft("g", f"{number}.{part}") for part in range(2)]))
        connection.send(number)


def numbers(records: list[Record], topic: str) -> list[str]:
    return [record.value.decode().rstrip("x") for record in records if record.topic == topic]


class LogOutcomeContract:
    """What every adapter does with outcomes."""

    def test_a_partition_that_nobody_owned_has_no_marks(self, log: Log) -> None:
        owner = log.own(PLACE, "first")
        assert owner.marks() == dict.fromkeys(INPUT_TOPICS, START)
        assert owner.partition == PLACE

    def test_a_log_is_known_by_its_identity(self, house: LogHouse, log: Log) -> None:
        named = log.identity()
        log.own(PLACE, "first").commit(outcome(3, [draft("g")]))
        log.close()
        reopened, other, foreign = house.log("ticks"), house.log(None), house.another().log()
        assert reopened.identity() == other.identity() == log.identity() == named
        assert foreign.identity() != named
        for opened in (reopened, other, foreign):
            opened.close()

    def test_an_outcome_is_there_with_its_marks(self, log: Log) -> None:
        owner = log.own(PLACE, "first")
        marks = {"orders": Mark(3, 30), "trades": Mark(1, 10), "votes": Mark(2, 20)}
        owner.commit(Outcome([draft("g", "t1"), draft("g", "t2")], [draft("g", "c1")], [draft("?", "d1")], marks))
        records = read_exactly(log, JOURNAL, 4)
        assert [numbers(records, topic) for topic in (TURNS, CHRONICLE, DEAD_LETTERS)] == [["t1", "t2"], ["c1"], ["d1"]]
        assert {record.partition for record in records} == {PLACE}
        assert owner.marks() == log.own(PLACE, "second").marks() == marks

    def test_marks_can_be_read_without_owning(self, house: LogHouse, log: Log) -> None:
        assert log.marks(PLACE) == dict.fromkeys(INPUT_TOPICS, START)
        owner = log.own(PLACE, "first")
        owner.commit(outcome(3, [draft("g")]))
        owner.commit(outcome(4, dead_letters=[draft("?", "forged")]))
        other = house.log(None)
        eventually(lambda: other.marks(PLACE) == marks_at(4, 4))
        other.close()
        assert log.marks(PLACE + 1) == dict.fromkeys(INPUT_TOPICS, START)
        owner.commit(outcome(5, [draft("g")]))

    def test_the_end_of_the_turns_is_returned(self, log: Log) -> None:
        owner = log.own(PLACE, "first")
        reader = log.reader()
        for number in (1, 2):
            end = owner.commit(outcome(number, [draft("g"), draft("g")]))
            eventually(lambda end=end: end == reader.end(TopicPartition(TURNS, PLACE)))  # type: ignore[misc]
        assert read_exactly(log, {TopicPartition(TURNS, PLACE): Mark(end, 0)}, 0) == []
        reader.close()

    def test_the_last_record_of_the_turns_carries_the_marks(self, log: Log) -> None:
        log.own(PLACE, "first").commit(outcome(7, [draft("g", "a", ce_id="1"), draft("g", "b", ce_id="2")]))
        first, last = read_exactly(log, JOURNAL, 2)
        assert dict(first.headers) == {"ce_id": "1"}
        assert last.headers["ce_id"] == "2"
        assert orjson.loads(last.headers["marks"]) == {topic: [7, 7] for topic in INPUT_TOPICS}

    def test_dead_letters_alone_move_the_marks(self, log: Log) -> None:
        log.own(PLACE, "first").commit(outcome(5, dead_letters=[draft("?", "forged")]))
        assert log.own(PLACE, "second").marks() == marks_at(5, 5)

    def test_an_outcome_without_records_moves_the_marks(self, log: Log) -> None:
        log.own(PLACE, "first").commit(outcome(5))
        assert log.own(PLACE, "second").marks() == marks_at(5, 5)

    def test_an_outcome_of_the_clock_leaves_the_marks(self, log: Log) -> None:
        owner = log.own(PLACE, "first")
        owner.commit(outcome(5, [draft("g", "inputs")]))
        owner.commit(outcome(5, [draft("g", "close")]))
        assert numbers(read_exactly(log, JOURNAL, 2), TURNS) == ["inputs", "close"]

    def test_partitions_are_owned_apart(self, log: Log) -> None:
        one, other = log.own(1, "one"), log.own(2, "other")
        one.commit(outcome(1, [draft("g", "one")]))
        other.commit(outcome(9, [draft("h", "other")]))
        one.commit(outcome(2))
        assert (log.own(1, "later").marks(), log.own(2, "later").marks()) == (marks_at(2, 2), marks_at(9, 9))

    def test_a_former_owner_is_fenced(self, log: Log) -> None:
        former = log.own(PLACE, "former")
        former.commit(outcome(1, [draft("g", "kept")]))
        owner = log.own(PLACE, "owner")
        for _ in range(2):
            with pytest.raises(Fenced):
                former.commit(outcome(2, [draft("g", "stale")], [draft("g", "stale")]))
        owner.commit(outcome(2, [draft("g", "next")]))
        assert numbers(read_exactly(log, JOURNAL, 2), TURNS) == ["kept", "next"]

    def test_an_owner_with_nothing_to_commit_can_ask_whether_it_still_is_one(self, house: LogHouse, log: Log) -> None:
        # An adapter that cannot tell without a commit says True for the former; none may say False of the present one.
        former = log.own(PLACE, "former")
        assert former.held()
        owner = house.log("ticks").own(PLACE, "owner")
        assert owner.held()
        owner.commit(outcome(1, [draft("g")]))
        assert owner.held()
        assert log.own(PLACE + 1, "former").held()

    def test_the_same_outcome_a_second_time_is_refused(self, house: LogHouse, log: Log) -> None:
        # A commit whose answer was lost is not repeated by its owner; the next one sees the marks and reads on.
        same = outcome(3, [draft("g", "once")])
        former = log.own(PLACE, "former")
        former.commit(same)
        other = house.log("ticks")
        assert other.own(PLACE, "owner").marks() == same.marks
        other.close()
        with pytest.raises(Fenced):
            former.commit(same)
        assert numbers(read_exactly(log, JOURNAL, 1), TURNS) == ["once"]

    def test_a_released_ownership_writes_nothing(self, log: Log) -> None:
        owner = log.own(PLACE, "first")
        owner.release()
        with pytest.raises(Fenced):
            owner.commit(outcome(1, [draft("g")]))
        assert log.own(PLACE, "second").marks() == marks_at(0)

    @pytest.mark.parametrize(
        "marks",
        [
            {**marks_at(5, 50), "votes": Mark(4, 50)},
            {**marks_at(5, 50), "votes": Mark(5, 49)},
            {"orders": Mark(6, 60), "votes": Mark(6, 60)},
            {**marks_at(6, 60), "chat": Mark(6, 60)},
        ],
        ids=["offset back", "time back", "topic missing", "topic unknown"],
    )
    def test_marks_that_cannot_be_are_refused(self, log: Log, marks: dict[str, Mark]) -> None:
        owner = log.own(PLACE, "first")
        owner.commit(Outcome([], [], [], marks_at(5, 50)))
        with pytest.raises(ValueError, match="mark"):
            owner.commit(Outcome([draft("g")], [], [], marks))
        assert read_exactly(log, JOURNAL, 0) == []
        assert log.own(PLACE, "second").marks() == marks_at(5, 50)

    def test_an_outcome_with_a_record_that_is_too_large_leaves_no_trace(self, log: Log) -> None:
        large = draft("g", b"x" * MAX_RECORD_BYTES)
        with pytest.raises(TooLarge):
            log.own(PLACE, "first").commit(outcome(1, [draft("g")], [large]))
        assert read_exactly(log, JOURNAL, 0) == []
        assert log.own(PLACE, "second").marks() == marks_at(0)

    def test_readers_see_an_outcome_whole_or_not_at_all(self, log: Log) -> None:
        # Both topics are read by one poll: whoever sees a turn sees the chronicle of the same commit.
        owner = log.own(PLACE, "first")
        done = threading.Event()

        def commits() -> None:
            for number in range(60):
                texts = [f"{number}.{part}" for part in range(5)]
                owner.commit(outcome(number, [draft("g", text) for text in texts]))
            done.set()

        reader = log.reader()
        reader.assign({TopicPartition(TURNS, PLACE): START})
        with ThreadPoolExecutor(1) as pool:
            committing = pool.submit(commits)
            records: list[Record] = []
            while not (done.is_set() and len(records) >= 300):
                polled = reader.poll(0.01)
                assert len(polled) % 5 == 0
                records += polled
            committing.result()
        assert values(records) == [f"{number}.{part}" for number in range(60) for part in range(5)]
        reader.close()

    def test_racing_owners_leave_one(self, house: LogHouse) -> None:
        logs = [house.log("ticks") for _ in range(4)]
        with ThreadPoolExecutor(4) as pool:
            owners = list(pool.map(lambda log: log.own(PLACE, "racer"), logs))
        left = []
        for owner in owners:
            with suppress(Fenced):
                owner.commit(outcome(1, [draft("g", "owner")]))
                left.append(owner)
        assert len(left) == 1
        left[0].commit(outcome(2, [draft("g", "and again")]))
        assert numbers(read_exactly(logs[0], JOURNAL, 2), TURNS) == ["owner", "and again"]
        for log in logs:
            log.close()

    def test_an_unavailable_log_writes_no_outcome_and_the_owner_goes_on(
        self, log: Log, outage: AbstractContextManager[None]
    ) -> None:
        owner = log.own(PLACE, "first")
        owner.commit(outcome(1, [draft("g", "before")]))
        with outage:
            for _ in range(2):
                with pytest.raises(LogUnavailable):
                    owner.commit(outcome(2, [draft("g", "again")], [draft("g", "again")]))
            with pytest.raises(LogUnavailable):
                log.own(PLACE, "second")
        owner.commit(outcome(2, [draft("g", "again")]))
        assert numbers(read_exactly(log, JOURNAL, 2), TURNS) == ["before", "again"]
        assert log.own(PLACE, "second").marks() == marks_at(2, 2)

    def test_a_killed_owner_leaves_whole_outcomes(self, house: LogHouse, log: Log) -> None:
        with running(commit_forever, house) as (process, connection):
            acknowledged = 0
            while acknowledged < 15:
                acknowledged = receive(connection)
            process.kill()
            process.join()
            while connection.poll(0):
                try:
                    acknowledged = connection.recv()
                except EOFError:
                    break
        owner = log.own(PLACE, "heir")
        last = owner.marks()["orders"].offset
        assert acknowledged <= last <= acknowledged + 1
        reader = log.reader()
        reader.assign(JOURNAL)
        records = poll_until(reader, last * 5)
        reader.close()
        assert numbers(records, TURNS) == [f"{number}.{part}" for number in range(1, last + 1) for part in range(3)]
        assert numbers(records, CHRONICLE) == [f"{number}.{part}" for number in range(1, last + 1) for part in range(2)]
        owner.commit(outcome(last + 1, [draft("g", "heir")]))
