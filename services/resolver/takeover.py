"""Takeover of a partition (design, Exactly once): fence, end of the journal, snapshots, fold, marks; in this order."""

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from services.resolver.credit import CREDIT, Pulse
from services.resolver.games import Games, folded
from services.resolver.hosting.game import DeciderFailed, HostedGame
from services.resolver.journal import PartitionStopped, batches
from services.resolver.settings import CreditPolicy
from services.resolver.snapshotting import Snapshots
from shared.collection import paused
from shared.events import Batch, JournalEvent
from shared.faults import point
from shared.host_events import ACCEPTED, REJECTED, REPEATED
from shared.log import TURNS, Log, LogDamaged, Mark, Ownership, Reader, Record, TopicPartition
from shared.log.reading import stretch

JUDGEMENTS = frozenset({ACCEPTED, REJECTED, REPEATED})
ORDERS = "orders"
_LOOK_BACK = 256


class Taken(NamedTuple):
    """A partition in our hands: what was judged stands in `games`, reading goes on from `marks`."""

    ownership: Ownership
    marks: Mapping[str, Mark]
    end: int
    """End offset of the partition's turns."""
    games: Games
    pulse: Pulse


def take_over(
    log: Log, snapshots: Snapshots, partition: int, owner: str, policy: CreditPolicy, reader: Reader
) -> Taken:
    """Own the partition and bring its games up to the end of its journal; `reader` may be assigned anything.

    Raises PartitionStopped (nothing helps but mending), LogUnavailable and DocumentsUnavailable (try again).
    """
    ownership = log.own(partition, owner)
    try:
        # No commit of an owner before us lies behind it: the log gives no ownership while that cannot be known.
        end = reader.end(TopicPartition(TURNS, partition))
        manifest = snapshots.manifest(partition, end)
        folding = _Folding(partition, Games(partition, log, snapshots, manifest))
        with paused():
            for offset, batch in batches(log, partition, manifest.offset, end, reader):
                folding.take(batch, offset)
        marks = dict(ownership.marks())
        _check_marks(log, reader, partition, marks)
        need = folding.games.agenda.earliest_need(policy.window_ms)
        pulse = _pulse(log, reader, partition, marks[ORDERS], need, policy)
    except BaseException:
        ownership.release()
        raise
    point("resolver.taken_over")
    return Taken(ownership, marks, end, folding.games, pulse)


class _Folding:
    """Folds records as the sequencer that wrote them did: the agenda sees every judgement by itself."""

    def __init__(self, partition: int, games: Games) -> None:
        self.games = games
        self._partition = partition
        self._credits: dict[str, bool] = {}

    def take(self, batch: Batch, offset: int) -> None:
        """Fold one record; the last of its parts leaves the game between two judgements."""
        if not batch.events or self.games.at_rest(batch.game, batch.events[-1].n):
            return
        game = self.games.get(batch.game)
        if game is not None:
            game.tally.reading(batch.value)
        for event in batch.events:
            if game is not None and event.n <= game.n:
                continue
            if event.type in JUDGEMENTS:
                if game is not None:
                    self._settle(game)
                self._credits[batch.game] = _is_credit(event)
            game = folded(game, event, self._partition, offset)
            self.games.hold(game)
        if game is not None:
            game.tally.reading(None)
            if batch.part == batch.parts:
                self._settle(game)

    def _settle(self, game: HostedGame) -> None:
        credit = self._credits.pop(game.id, False)
        try:
            deadline = game.due()
        except DeciderFailed as failure:
            self.games.sick[game.id] = failure
            deadline = None
        self.games.put(game, deadline, game.last_at, credit=credit)


def _is_credit(event: JournalEvent) -> bool:
    given = event.data["input"]
    return bool(given["role"] == "clock" and given["payload"].get("reason") == CREDIT)


def _check_marks(log: Log, reader: Reader, partition: int, marks: Mapping[str, Mark]) -> None:
    for topic, mark in marks.items():
        place = TopicPartition(topic, partition)
        end = reader.end(place)
        if mark.offset > end:
            raise PartitionStopped(
                f"{topic}, partition {partition}: judged up to offset {mark.offset}, and only {end} records are there"
            )
        last = _last_judged(log, reader, place, mark)
        if last is not None and last.signer is not None and last.at > mark.at:
            raise PartitionStopped(
                f"{topic}, partition {partition}: judged up to offset {mark.offset} and time {mark.at}, and the record"
                f" before that offset is of {last.at}; these are not the inputs that were judged"
            )


def _last_judged(log: Log, reader: Reader, place: TopicPartition, mark: Mark) -> Record | None:
    """The record before the mark; None where none stands there or nobody can read it."""
    with suppress(LogDamaged):
        return next(stretch(log, place, Mark(max(0, mark.offset - 1), 0), mark.offset, reader), None)
    return None


def _pulse(log: Log, reader: Reader, partition: int, mark: Mark, need: int | None, policy: CreditPolicy) -> Pulse:
    """The silences of `orders` up to the mark, as far back as a deadline to come needs them."""
    times = [mark.at]
    back = _LOOK_BACK
    while need is not None and need < times[0]:
        start = max(0, mark.offset - back)
        times = [*_times(log, reader, partition, start, mark.offset), mark.at]
        if start == 0:
            break
        back *= 4
    pulse = Pulse(times[0], policy)
    for at in times:
        pulse.note(at)
    return pulse


def _times(log: Log, reader: Reader, partition: int, start: int, end: int) -> list[int]:
    """`at` of the records of `orders` in this range of offsets."""
    return [record.at for record in stretch(log, TopicPartition(ORDERS, partition), Mark(start, 0), end, reader)]
