"""The games of one partition: those in memory, those at rest in snapshots, and the agenda of all of them."""

from collections.abc import Iterable, Sequence
from typing import Any

import structlog

from services.resolver.agenda import REMINDER, Agenda, Appointment
from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import DeciderFailed, HostedGame
from services.resolver.hosting.reminders import next_reminder
from services.resolver.hosting.snapshots import decode, encoded_parts
from services.resolver.journal import PartitionStopped, batches
from services.resolver.snapshotting import Entry, Fresh, Manifest, Snapshots
from shared.collection import paused
from shared.events import Batch, JournalEvent
from shared.log import Log
from shared.rules.interface import Deadline

_logger: Any = structlog.get_logger()


class Games:
    """Loads a game when it is first touched. What has changed since its snapshot stays in memory."""

    def __init__(self, partition: int, log: Log, snapshots: Snapshots, manifest: Manifest) -> None:
        self.partition = partition
        self.agenda = Agenda()
        self._log = log
        self._snapshots = snapshots
        self._entries = manifest.entries
        self._loaded: dict[str, HostedGame] = {}
        self._changed: set[str] = set()
        self._being_stored: set[str] = set()
        self._taken_at = manifest.offset
        """Where the journal ended for the snapshot that is being stored."""
        self._stored_end = manifest.offset
        """Every game that changed since its snapshot did so at or behind this offset of `turns`."""
        self.sick: dict[str, DeciderFailed] = {}
        """Games whose rules raised after they were folded: to be quarantined."""
        self._quarantined = {entry.game for entry in self._entries.values() if entry.quarantined}
        for entry in self._entries.values():
            if entry.appointment is not None:
                self.agenda.put(entry.game, entry.appointment)
            if entry.reminder is not None:
                self.agenda.put(entry.game, Appointment(entry.reminder, entry.reminder), REMINDER)

    @property
    def loaded(self) -> int:
        """How many games are in memory."""
        return len(self._loaded)

    @property
    def quarantined(self) -> int:
        """How many games wait for their release."""
        return len(self._quarantined)

    def set_aside(self) -> tuple[str, ...]:
        """The games that wait for their release; may be asked by another thread."""
        return tuple(self._quarantined)

    @property
    def changed(self) -> bool:
        """Whether any game has changed since a snapshot was made of it."""
        return bool(self._changed)

    def get(self, game: str) -> HostedGame | None:
        """The game, from memory or from its snapshot; None if it has no journal. Raises PartitionStopped."""
        found = self._loaded.get(game)
        if found is not None:
            self._touch(found)
            return found
        entry = self._entries.get(game)
        if entry is None:
            return None
        found = self._from_snapshot(entry)
        if found is None:
            # The journal alone suffices; up to `entry.offset` it holds all of a game that has not changed since.
            found = self._folded(game, None, 0, entry.offset)
        if found is not None:
            self._touch(found)
        return found

    def hold(self, game: HostedGame) -> None:
        """Keep a game that changes in memory."""
        self._touch(game)
        self._changed.add(game.id)

    def put(self, game: HostedGame, due: Deadline | None, at: int, *, credit: bool = False) -> None:
        """The game after a judgement at `at` that left it with this deadline; `credit` if it was the clock's credit."""
        self.hold(game)
        self.agenda.judged(game.id, None if due is None else due.at, at, credit=credit)
        reminder = None if due is None else next_reminder(game)
        if reminder is None:
            self.agenda.drop(game.id, REMINDER)
        else:
            self.agenda.put(game.id, Appointment(reminder.at, at), REMINDER)
        if game.quarantined is None:
            self._quarantined.discard(game.id)
        else:
            self._quarantined.add(game.id)

    def again(self, game: str, end: int) -> HostedGame | None:
        """The game as the journal up to `end` tells it, whatever became of the one in memory."""
        self._loaded.pop(game, None)
        entry = self._entries.get(game)
        base = None if entry is None else self._from_snapshot(entry)
        start = 0 if base is None and entry is not None else self._stored_end
        found = self._folded(game, base, start, end)
        if found is not None:
            self._loaded[game] = found
        return found

    def at_rest(self, game: str, n: int) -> bool:
        """Whether the snapshot of a game holds this position already."""
        entry = self._entries.get(game)
        return entry is not None and n <= entry.n

    def taken_to_store(self, end: int) -> list[Fresh]:
        """Snapshots of every changed game as it stands at `end`; then comes `stored` or `not_stored`."""
        fresh = [self._fresh(name) for name in sorted(self._changed)]
        self._being_stored, self._changed = self._changed, set()
        self._taken_at = end
        return fresh

    def stored(self, entries: Iterable[Entry]) -> None:
        """What was taken to be stored is, under these entries."""
        self._entries.update((entry.game, entry) for entry in entries)
        self._being_stored = set()
        self._stored_end = self._taken_at

    def not_stored(self) -> None:
        """What was taken to be stored is not, as far as is known."""
        self._changed |= self._being_stored
        self._being_stored = set()

    def let_go(self, keep: int) -> None:
        """Drop unchanged games from memory, those that were not touched longest first, until `keep` are left."""
        spare = [game for game in self._loaded if game not in self._changed and game not in self._being_stored]
        for game in spare[: max(0, len(self._loaded) - keep)]:
            del self._loaded[game]

    def _touch(self, game: HostedGame) -> None:
        """Keep a game in memory behind all others, which stand in the order in which they were last touched."""
        self._loaded.pop(game.id, None)
        self._loaded[game.id] = game

    def _fresh(self, name: str) -> Fresh:
        game, reminder = self._loaded[name], self.agenda.of(name, REMINDER)
        return Fresh(
            name,
            game.n,
            game.quarantined is not None,
            self.agenda.of(name),
            self._entries.get(name),
            _encoded(game),
            None if reminder is None else reminder.at,
        )

    def _from_snapshot(self, entry: Entry) -> HostedGame | None:
        data = self._snapshots.load(entry)
        if data is None:
            return None
        try:
            game = decode(data)
        except Exception as error:  # whatever is wrong with it, the journal has all that it held
            _logger.warning("snapshot ignored", game=entry.game, reason=f"{type(error).__name__}: {error}")
            return None
        return game if game.n == entry.n else None

    def _folded(self, game: str, base: HostedGame | None, start: int, end: int) -> HostedGame | None:
        with paused():
            for offset, batch in batches(self._log, self.partition, start, end):
                if batch.game == game:
                    base = folded_batch(base, batch, self.partition, offset)
        return base


def _encoded(game: HostedGame) -> Sequence[bytes]:
    try:
        return encoded_parts(game)
    except Exception:  # rules that cannot write their state: the game is folded from its journal instead
        _logger.exception("no snapshot of a game", game=game.id)
        return ()
    finally:
        game.certified_state = None


def folded(game: HostedGame | None, event: JournalEvent, partition: int, offset: int) -> HostedGame:
    """The game after one more event of the journal. Raises PartitionStopped for whatever goes wrong."""
    try:
        return fold(game, event)
    except Exception as error:
        raise _stopped(error, event, partition, offset) from error


def folded_batch(game: HostedGame | None, batch: Batch, partition: int, offset: int) -> HostedGame | None:
    """The game after a record of the journal; events that it holds already are passed over. Raises PartitionStopped."""
    event: JournalEvent | None = None
    try:
        if game is not None:
            game.tally.reading(batch.value)
        for event in batch.events:
            if game is None or event.n > game.n:
                game = fold(game, event)
        if game is not None:
            game.tally.reading(None)
    except Exception as error:
        raise _stopped(error, event, partition, offset) from error
    return game


def _stopped(error: Exception, event: JournalEvent | None, partition: int, offset: int) -> PartitionStopped:
    place = f"turns, partition {partition}, offset {offset}"
    if event is not None:
        place += f", event {event.n}"
    return PartitionStopped(f"{place}: {type(error).__name__}: {error}")
