"""Reading the journal or chronicle of one game from the log, without any side effect."""

from collections.abc import Iterator

from shared.events import JournalEvent, unpack
from shared.log import CHRONICLE, START, TURNS, Log, TopicPartition, partition_of


def journal(log: Log, game: str, topic: str = TURNS) -> Iterator[JournalEvent]:
    """The events of a game in order; of its journal, or of the chronicle, whose `n` counts public events."""
    place = TopicPartition(topic, partition_of(game))
    reader = log.reader()
    try:
        end = reader.end(place)
        reader.assign({place: START})
        reached = 0
        while reached < end:
            records = reader.poll(1.0, 500)
            if not records:
                return
            reached = records[-1].offset + 1
            for record in records:
                if record.key == game:
                    yield from unpack(record.value).events
    finally:
        reader.close()


def chronicle(log: Log, game: str) -> Iterator[JournalEvent]:
    """The public events of a game."""
    return journal(log, game, CHRONICLE)
