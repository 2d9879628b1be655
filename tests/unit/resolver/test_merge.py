"""The merge of input topics, on arbitrary arrivals."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from services.resolver.admission import Arrival
from services.resolver.merge import Merge
from shared.log import INPUT_TOPICS, START, Mark

TIMES = st.lists(st.integers(0, 20), max_size=8).map(sorted)
LOGS = st.fixed_dictionaries(dict.fromkeys(INPUT_TOPICS, TIMES))
DEADLINES = st.lists(st.integers(0, 20), max_size=4).map(sorted)


def arrival(topic: str, offset: int, at: int) -> Arrival:
    return Arrival(topic, 0, offset, at, "g", None, None, None)


def arrivals(log: dict[str, list[int]]) -> list[Arrival]:
    return [arrival(topic, offset, at) for topic, times in log.items() for offset, at in enumerate(times)]


def place(item: Arrival) -> tuple[int, str, int]:
    return item.at, item.topic, item.offset


def shuffled(draw: st.DataObject, log: dict[str, list[int]]) -> list[Arrival]:
    """One order of arrival: topics interleaved at will, each in its own order."""
    topics = draw.draw(st.permutations([item.topic for item in arrivals(log)]))
    queues = {topic: iter(arrivals({topic: times})) for topic, times in log.items()}
    return [next(queues[topic]) for topic in topics]


def drain(merge: Merge, limit: int | None) -> list[Arrival]:
    taken = []
    while (head := merge.head(limit)) is not None:
        merge.pass_over(head)
        taken.append(head)
    return taken


@given(LOGS, st.data())
def test_what_is_there_is_taken_by_time_topic_and_offset(log: dict[str, list[int]], data: st.DataObject) -> None:
    merge = Merge({})
    for item in shuffled(data, log):
        merge.add(item)

    assert drain(merge, None) == sorted(arrivals(log), key=place)


@given(LOGS, DEADLINES, st.data())
def test_every_close_has_all_records_in_time_before_it_and_none_later(
    log: dict[str, list[int]], deadlines: Sequence[int], data: st.DataObject
) -> None:
    merge = Merge({})
    ahead = list(deadlines)
    history: list[Arrival | int] = []

    def play() -> None:
        while True:
            limit = ahead[0] if ahead else None
            history.extend(drain(merge, limit))
            if limit is None or merge.lacking(limit):
                return
            history.append(ahead.pop(0))

    for item in shuffled(data, log):
        merge.add(item)
        play()
    ticks = {topic: len(times) for topic, times in log.items()}
    for topic, offset in ticks.items():
        merge.add(arrival(topic, offset, 21))
        play()

    closes = [step for step in history if isinstance(step, int)]
    assert closes == list(deadlines)
    for index, step in enumerate(history):
        if isinstance(step, int):
            before = [item for item in history[:index] if isinstance(item, Arrival)]
            after = [item for item in history[index:] if isinstance(item, Arrival)]
            assert all(item.at <= step for item in before)
            assert all(item.at > step for item in after)


@given(LOGS, st.integers(0, 20))
def test_marks_name_what_comes_after_the_last_passed_record(log: dict[str, list[int]], limit: int) -> None:
    merge = Merge({})
    for item in arrivals(log):
        merge.add(item)

    drain(merge, limit)

    for topic, times in log.items():
        passed = [at for at in times if at <= limit]
        assert merge.marks()[topic] == (Mark(len(passed), passed[-1]) if passed else START)
        assert merge.held(topic) == len(times) - len(passed)


def test_a_topic_lacks_the_time_until_it_has_shown_a_later_record() -> None:
    merge = Merge({"orders": Mark(5, 100), "votes": Mark(7, 90)})
    assert merge.lacking(90) == ("trades", "votes")
    assert merge.beyond(90)

    merge.add(arrival("votes", 7, 91))
    merge.add(arrival("trades", 0, 91))

    assert merge.lacking(90) == ()
    assert merge.lacking(100) == ("orders", "trades", "votes")
    assert not merge.beyond(100)
