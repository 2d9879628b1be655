"""Reading journal, chronicle and dead letters from the log, without any side effect."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

import orjson

from shared.batches import At, at, batch_of
from shared.events import JournalEvent
from shared.host_events import JUDGEMENTS
from shared.log import CHRONICLE, DEAD_LETTERS, PARTITIONS, START, TURNS, Log, Record, TopicPartition, partition_of
from shared.log.reading import stretch


class DeadLetter(NamedTuple):
    """A record of an input topic that got no judgement: where it stands, why, and when that was said (UTC ms).

    `game` is the key that it stood under, `unknown` if that could not be the id of a game.
    """

    game: str
    topic: str
    partition: int
    offset: int
    reason: str
    detail: str
    at: int


class Incomplete(ValueError):
    """Without the records that were skipped, the events of a game do not follow one another."""


def journal(log: Log, game: str, topic: str = TURNS, skipped: Collection[At] = ()) -> Iterator[JournalEvent]:
    """The events of a game in order; of its journal, or of the chronicle, whose `n` counts public events.

    Records under its key that are none of it can be skipped: the numbers of its events show whether any is missing but
    the last ones. Raises Unreadable, which names the record, and Incomplete.
    """
    last = 0
    for record in records(log, TopicPartition(topic, partition_of(game))):
        if record.key != game or at(record) in skipped:
            continue
        for event in batch_of(record).events:
            if skipped and event.n != last + 1:
                raise Incomplete(f"event {event.n} of {game} follows event {last} ({at(record)})")
            last = event.n
            yield event


def chronicle(log: Log, game: str, skipped: Collection[At] = ()) -> Iterator[JournalEvent]:
    """The public events of a game."""
    return journal(log, game, CHRONICLE, skipped)


def actors(log: Log, game: str) -> set[str]:
    """Who gave commands in a game: ids of accounts."""
    given = (event.data["input"] for event in journal(log, game) if event.type in JUDGEMENTS)
    return {item["actor"] for item in given if item["role"] != "clock"}


def dead_letters(log: Log, game: str | None = None) -> list[DeadLetter]:
    """The dead letters of all partitions in the order of their time, if wanted of one game alone."""
    found = []
    for partition in range(PARTITIONS):
        for record in records(log, TopicPartition(DEAD_LETTERS, partition)):
            if game in (None, record.key):
                said: Mapping[str, str] = orjson.loads(record.value)
                place = (said["topic"], int(said["partition"]), int(said["offset"]))
                found.append(DeadLetter(record.key, *place, said["reason"], said["detail"], record.at))
    return sorted(found, key=lambda letter: (letter.at, letter.topic, letter.partition, letter.offset))


def records(log: Log, place: TopicPartition) -> Iterator[Record]:
    """The records that stand in one partition of a topic now, in order."""
    reader = log.reader()
    try:
        yield from stretch(log, place, START, reader.end(place), reader)
    finally:
        reader.close()
