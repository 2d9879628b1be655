"""How far a service is behind the log: which records it has not passed yet, and since when they wait.

The marks of the last commit tell it of the resolver, the checkpoints of the views that are shown of the projector. Both
are what these services go on from after a crash, in files as in Kafka.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

from shared.documents import Documents
from shared.log import CHRONICLE, INPUT_TOPICS, PARTITIONS, TICKS, TURNS, Log, Mark, Reader, Record, TopicPartition
from shared.log.reading import Hold, ends, holds, stretch
from shared.signing import UNPROVED
from shared.views import generations, ids

RESOLVER, PROJECTOR = "resolver", "projector"
SERVICES = (RESOLVER, PROJECTOR)


class Gap(NamedTuple):
    """What a service has not passed of one partition: from the mark up to the end. A mark may lie beyond the end."""

    service: str
    place: TopicPartition
    mark: Mark
    end: int


@dataclass(slots=True)
class Lag:
    """What waits in one partition for a service: how many records of each game, and since when (UTC ms of the log)."""

    service: str
    place: TopicPartition
    games: dict[str, int] = field(default_factory=dict)
    more: bool = False
    """Whether more waits than was counted."""
    since: int | None = None
    hold: Hold | None = None
    """The open transaction behind whose beginning nothing can be read, if one has lasted for seconds."""

    @property
    def records(self) -> int:
        return sum(self.games.values())

    def seconds(self, now: int) -> float:
        """Age of the first record that waits."""
        return 0.0 if self.since is None else max(0, now - self.since) / 1000


def not_judged(log: Log) -> Iterator[Gap]:
    """What the resolver has not passed of the input topics. Raises LogUnavailable."""
    found = ends(log, [TopicPartition(topic, number) for topic in INPUT_TOPICS for number in range(PARTITIONS)])
    for partition in range(PARTITIONS):
        for topic, mark in log.marks(partition).items():
            place = TopicPartition(topic, partition)
            yield Gap(RESOLVER, place, mark, found[place])


def not_shown(log: Log, documents: Documents) -> Iterator[Gap]:
    """What the projector has not passed of the journal. Raises LogUnavailable and DocumentsUnavailable."""
    generation = generations.active(documents)
    found = documents.get("checkpoints", [ids.checkpoint(generation, number) for number in range(PARTITIONS)])
    for place, end in ends(log, [TopicPartition(TURNS, number) for number in range(PARTITIONS)]).items():
        checkpoint = found.get(ids.checkpoint(generation, place.partition))
        mark = Mark(0, 0) if checkpoint is None else Mark(checkpoint.body["offset"], checkpoint.body["at"])
        yield Gap(PROJECTOR, place, mark, end)


def held_back(log: Log) -> list[Hold]:
    """Where an open transaction keeps inputs, journal or chronicle from their readers. Raises LogUnavailable."""
    topics = (*INPUT_TOPICS, TURNS, CHRONICLE)
    return holds(log, [TopicPartition(topic, number) for topic in topics for number in range(PARTITIONS)])


def lags(log: Log, documents: Documents, limit: int) -> Iterator[Lag]:
    """What waits in each partition; of one, at most `limit` records are read.

    Ticks wait for nothing, and the inputs of a game that is quarantined wait for its release. Raises what log and
    documents raise.
    """
    held = {hold.place: hold for hold in held_back(log)}
    reader = log.reader()
    try:
        for gap in not_judged(log):
            lag = _counted(log, gap, limit, reader, lambda games: _quarantined(documents, games))
            yield replace(lag, hold=held.get(gap.place))
        for gap in not_shown(log, documents):
            lag = _counted(log, gap, limit, reader, lambda _games: frozenset())
            yield replace(lag, hold=held.get(gap.place))
    finally:
        reader.close()


def _counted(
    log: Log, gap: Gap, limit: int, reader: Reader, at_rest: Callable[[Mapping[str, int]], frozenset[str]]
) -> Lag:
    """Count what waits by game; games that are `at_rest` wait for somebody else."""
    waiting = (record for record in stretch(log, gap.place, gap.mark, gap.end, reader) if not _is_tick(record))
    lag = Lag(gap.service, gap.place)
    since: dict[str, int] = {}
    for record in islice(waiting, limit):
        lag.games[record.key] = lag.games.get(record.key, 0) + 1
        since.setdefault(record.key, record.at)
    lag.more = lag.records == limit and next(waiting, None) is not None
    for game in at_rest(lag.games) & lag.games.keys():
        del lag.games[game], since[game]
    lag.since = min(since.values(), default=None)
    return lag


def _is_tick(record: Record) -> bool:
    """Whether a record says that it is a tick; a machine without the key of ticks cannot prove it."""
    return record.signer in (TICKS, UNPROVED + TICKS)


def _quarantined(documents: Documents, games: Mapping[str, int]) -> frozenset[str]:
    """Those of these games that the views show as quarantined."""
    if not games:
        return frozenset()
    generation = generations.active(documents)
    heads = documents.get("heads", [ids.head(generation, game) for game in games])
    return frozenset(
        game
        for game in games
        if (head := heads.get(ids.head(generation, game))) is not None and head.body["quarantined"]
    )
