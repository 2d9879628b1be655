"""The merge of a partition's input topics by (at, topic, offset), as far as their records are there. Pure."""

from collections import deque
from collections.abc import Mapping

from services.resolver.admission import Arrival
from shared.log import INPUT_TOPICS, START, Mark


class Merge:
    """Records that have arrived and are not yet judged, one queue a topic.

    A record counts as *shown* once it has arrived, as *passed* once it was taken. The marks name what comes after the
    last passed record of each topic.
    """

    def __init__(self, marks: Mapping[str, Mark]) -> None:
        self._marks = {topic: marks.get(topic, START) for topic in INPUT_TOPICS}
        self._shown = {topic: mark.at for topic, mark in self._marks.items()}
        self._queues: dict[str, deque[Arrival]] = {topic: deque() for topic in INPUT_TOPICS}

    def add(self, arrival: Arrival) -> None:
        """Take in the next record of its topic."""
        topic = arrival.topic
        self._shown[topic] = arrival.at
        self._queues[topic].append(arrival)

    def head(self, limit: int | None) -> Arrival | None:
        """The first arrival in the order of judgement, None if none is there with `at` up to `limit`."""
        first: Arrival | None = None
        for queue in self._queues.values():  # in the order of INPUT_TOPICS, which breaks ties
            if queue and (first is None or queue[0].at < first.at):
                first = queue[0]
        if first is None or (limit is not None and first.at > limit):
            return None
        return first

    def pass_over(self, arrival: Arrival) -> None:
        """Take the head away: it is judged, or stays without judgement."""
        taken = self._queues[arrival.topic].popleft()
        assert taken is arrival, "only the head can be passed"
        self._marks[arrival.topic] = Mark(arrival.offset + 1, arrival.at)

    def marks(self) -> dict[str, Mark]:
        """The marks behind the last passed record of each topic."""
        return dict(self._marks)

    def lacking(self, deadline: int) -> tuple[str, ...]:
        """The topics that have not yet shown a record after the deadline."""
        return tuple(topic for topic, at in self._shown.items() if at <= deadline)

    def beyond(self, deadline: int) -> bool:
        """Whether any topic has shown a record after the deadline: then the log says that it is over."""
        return any(at > deadline for at in self._shown.values())

    def held(self, topic: str) -> int:
        """How many records of a topic wait."""
        return len(self._queues[topic])
