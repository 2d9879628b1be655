"""What the partitions of a process are like now, as its metrics say it."""

from collections.abc import Collection

from services.resolver.sequencer import Sequencer
from shared.metrics import DEADLINE_OVERDUE_SECONDS, GAMES_LOADED, PARTITIONS_OWNED, QUARANTINED


def set_gauges(group: str, running: Collection[Sequencer], now: int) -> None:
    """Set the gauges of a process that works on these partitions; `now` in milliseconds."""
    PARTITIONS_OWNED.labels(group).set(len(running))
    GAMES_LOADED.set(sum(item.games.loaded for item in running))
    QUARANTINED.set(sum(item.games.quarantined for item in running))
    earliest = min((due.at for item in running if (due := item.games.agenda.next()) is not None), default=None)
    DEADLINE_OVERDUE_SECONDS.set(0 if earliest is None else max(0, now - earliest) / 1000)
