"""Release of a quarantined game: the inputs that waited for it are judged in the same transaction (design)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from services.resolver.admission import Arrival, admit
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judging import Context, Judged, judge, judge_clock
from shared.commands import RELEASE_GAME
from shared.log import Log, Mark, TopicPartition
from shared.log.reading import stretch


class Step(NamedTuple):
    """One judgement of a catch-up: of an input that waited, or of the clock at a deadline that passed meanwhile."""

    judged: Judged
    at: int
    arrival: Arrival | None


def read_backlog(
    log: Log, partition: int, game: str, start: Mapping[str, Mark], end: Mapping[str, Mark]
) -> list[Arrival]:
    """The inputs of a game between two marks of its partition, in the order of judgement.

    Its releases are not among them: those are judged when they come, accepted or not.
    """
    waiting: list[Arrival] = []
    for topic, last in end.items():
        records = stretch(log, TopicPartition(topic, partition), start[topic], last.offset)
        waiting += [admit(record) for record in records if record.key == game]
    inputs = [item for item in waiting if item.submitted is not None and item.submitted.type != RELEASE_GAME]
    return sorted(inputs, key=lambda item: (item.at, item.topic, item.offset))


class CatchUp:
    """The judgements of a backlog, one after the other, with every deadline before `until` in its place.

    After DeciderFailed `marks` says from where the inputs are not judged.
    """

    def __init__(self, game: HostedGame, backlog: Sequence[Arrival], until: int, end: Mapping[str, Mark]) -> None:
        self._game = game
        self._backlog = backlog
        self._until = until
        self._end = end
        self._done = 0

    def steps(self, context: Context) -> Iterator[Step]:
        """Judge. Raises DeciderFailed; the steps before it hold."""
        for arrival in self._backlog:
            yield from self._closes(arrival.at, context)
            if arrival.submitted is not None:
                yield Step(judge(self._game, arrival.submitted, arrival.at, context), arrival.at, arrival)
            self._done += 1
        yield from self._closes(self._until, context)

    def marks(self) -> dict[str, Mark]:
        """By topic, the first input that is not judged, or the end."""
        marks = dict(self._end)
        for arrival in reversed(self._backlog[self._done :]):
            marks[arrival.topic] = Mark(arrival.offset, arrival.at)
        return marks

    def _closes(self, before: int, context: Context) -> Iterator[Step]:
        while (deadline := self._game.due()) is not None and deadline.at < before:
            yield Step(judge_clock(self._game, deadline, context), deadline.at, None)
