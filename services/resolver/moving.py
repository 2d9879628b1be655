"""What happens to a game as a whole from outside: it moves in, is set down to move out, or gets a new chain.

Each is one commit of a partition that is taken over for it. A resolver that runs meanwhile is fenced, notices it by
itself and goes on with what was written (docs/decisions/0008-moving-house.md); so all that takes time is done before.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Literal, NamedTuple

from services.resolver.admission import admit
from services.resolver.games import folded
from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import DeciderFailed, HostedGame
from services.resolver.hosting.judging import Context, Judged, quarantine, start_chain
from services.resolver.journal import batches, batches_of
from services.resolver.outcome import drafts, drafts_of_lines
from services.resolver.replay import begins, check
from shared.batches import At
from shared.clock import Clock
from shared.documents import Documents
from shared.events import JournalEvent, public_form
from shared.export import BadExport, Export, chronicle_of
from shared.host_events import JUDGEMENTS, MOVED, QUARANTINED
from shared.log import CHRONICLE, TURNS, Draft, Fenced, Log, Mark, Outcome, Ownership, TopicPartition, partition_of
from shared.log.reading import stretch
from shared.rules import UnknownRules

EVENTS_A_PACK = 5_000
CLOCK_MAY_LAG_MS = 60_000
"""So far this machine's clock may be behind the last input of a game that moves in."""
FROZEN = "set down to be moved by `warledger export --freeze`; `warledger game release` lets it go on here"

Reason = Literal["restore", "key"]


class CannotMove(Exception):
    """A game that cannot be moved or renewed like this; the message says why and what would help."""


class InputsWait(CannotMove):
    """Inputs of the game are stored and not judged yet."""


class Renewed(NamedTuple):
    """A chain that was started: the game and the number of the chain."""

    game: str
    chain: int


@dataclass(frozen=True, slots=True)
class Mover:
    """Works on the games of one log. `owner` names this process as an owner of partitions."""

    log: Log
    documents: Documents
    context: Context
    clock: Clock
    owner: str

    def bring_in(self, export: Export) -> HostedGame:
        """Write a journal as it was, `game.moved` and a new chain of this house behind it.

        Raises BadExport with the line that does not fit, Differs for what its rules do not decide, and CannotMove.
        """
        game = _checked(export)
        check(export.events)
        if game.last_at > self.clock.now() + CLOCK_MAY_LAG_MS:
            raise CannotMove(
                f"the last input was judged at {game.last_at}, and the clock of this machine says {self.clock.now()} "
                "(UTC milliseconds); set the clock"
            )
        moved = start_chain(game, "import", max(self.clock.now(), game.last_at), self.context)
        turns, chronicle = _packed(game.id, [*export.events, *moved.events])
        journal = _Journal(self.log, game.id)
        with self._owned(journal) as ownership:
            if journal.game is not None:
                raise CannotMove(f"this house has a game {game.id} already; an import changes no game that is there")
            ownership.commit(Outcome(turns, chronicle, (), ownership.marks()))
        return game

    def freeze(self, name: str, skipped: Collection[At] = ()) -> list[JournalEvent]:
        """Set a game down in quarantine; returns its journal up to there, which is what moves out. Again: the same.

        `skipped` are records under its key that are none of it; without them its events must follow one another.
        Raises CannotMove, and InputsWait while something of the game is not judged.
        """
        journal = _Journal(self.log, name, skipped)
        with self._owned(journal) as ownership:
            game = journal.required()
            if game.quarantined is not None and game.quarantined.cause == FROZEN and _stands_still(journal.events):
                return journal.events[:-1]
            if game.quarantined is not None:
                raise CannotMove(f"{name} is in quarantine ({game.quarantined.cause}); release it before it moves")
            if waiting := self._waiting(journal.place.partition, name, ownership.marks()):
                raise InputsWait(f"{waiting} inputs of {name} are not judged yet; try again when the resolver has")
            events = list(journal.events)
            at = max(self.clock.now(), game.last_at)
            self._commit(ownership, quarantine(game, FROZEN, ownership.marks(), at))
        return events

    def renew(self, name: str, reason: Reason) -> Renewed | None:
        """Start a new chain for a game that is not over, else None. Raises CannotMove.

        After a restore the snapshots of its partition are dropped: they may be those of another history.
        """
        journal = _Journal(self.log, name)
        with self._owned(journal) as ownership:
            game = journal.required()
            if game.rules is None or _is_over(game):
                return None
            if reason == "restore":
                place = f"{journal.place.partition:02d}"
                self.documents.delete("manifests", [place])
                self.documents.delete_prefix("manifests", f"{place}|")
            self._commit(ownership, start_chain(game, reason, max(self.clock.now(), game.last_at), self.context))
            assert game.chain is not None
            return Renewed(name, game.chain.number)

    @contextmanager
    def _owned(self, journal: "_Journal") -> Iterator[Ownership]:
        """The journal as it stands, and the right to write behind it. Raises CannotMove if that is lost again."""
        journal.read()
        ownership = self.log.own(journal.place.partition, self.owner)
        try:
            journal.read()
            yield ownership
        except Fenced:
            raise CannotMove("the resolver took the partition back meanwhile; nothing was written, try again") from None
        finally:
            ownership.release()

    def _commit(self, ownership: Ownership, judged: Judged) -> None:
        game, first = judged.game.id, judged.events[0].n
        turns = drafts_of_lines(TURNS, game, first, judged.lines)
        told = judged.chronicle_lines
        chronicle = drafts_of_lines(CHRONICLE, game, judged.first_told, told) if told else []
        ownership.commit(Outcome(turns, chronicle, (), ownership.marks()))

    def _waiting(self, partition: int, name: str, marks: Mapping[str, Mark]) -> int:
        """How many inputs of a game stand behind the marks."""
        count = 0
        reader = self.log.reader()
        try:
            for topic, mark in marks.items():
                place = TopicPartition(topic, partition)
                for record in stretch(self.log, place, mark, reader.end(place)):
                    count += record.key == name and admit(record).submitted is not None
        finally:
            reader.close()
        return count


class _Journal:
    """The journal of one game, read and folded as far as it is written."""

    def __init__(self, log: Log, name: str, skipped: Collection[At] = ()) -> None:
        self.place = TopicPartition(TURNS, partition_of(name))
        self.events: list[JournalEvent] = []
        self.game: HostedGame | None = None
        self._name = name
        self._skipped = skipped
        self._log = log
        self._offset = 0

    def read(self) -> None:
        """Go on to the present end. Raises PartitionStopped for what cannot be read or folded."""
        reader = self._log.reader()
        try:
            end = reader.end(self.place)
        finally:
            reader.close()
        for offset, batch in batches_of(self._log, self._name, self._offset, end, self._skipped):
            for event in batch.events:
                self.game = folded(self.game, event, self.place.partition, offset)
                self.events.append(event)
        self._offset = end

    def required(self) -> HostedGame:
        """The game. Raises CannotMove if there is none."""
        if self.game is None:
            raise CannotMove(f"there is no game {self._name} here")
        return self.game


def games_of(log: Log, partitions: Iterable[int]) -> list[str]:
    """The ids of all games that have a journal, sorted. Raises PartitionStopped."""
    found = set()
    reader = log.reader()
    try:
        for partition in partitions:
            end = reader.end(TopicPartition(TURNS, partition))
            found |= {batch.game for _, batch in batches(log, partition, 0, end)}
    finally:
        reader.close()
    return sorted(found)


def _checked(export: Export) -> HostedGame:
    """The game that an export tells of. Raises BadExport and CannotMove."""
    if export.form != "journal":
        raise CannotMove(
            "this is a public export: it lacks the inputs and everything secret; a game moves with the journal, "
            "which `warledger export` writes without --public"
        )
    game: HostedGame | None = None
    for event in export.events:
        try:
            game = fold(game, event)
        except UnknownRules as error:
            raise CannotMove(f"{error}; install the version of Warledger that has them") from None
        except Exception as error:
            raise BadExport(event.n + 1, f"event {event.n} does not fit what is before it: {error}") from None
    if game is None or game.rules is None:
        raise CannotMove("the journal ends before the game is created")
    if game.id != export.game:
        raise BadExport(1, f"the header names the game {export.game}, and the journal is one of {game.id}")
    if game.quarantined is not None:
        raise CannotMove(
            f"{game.id} is in quarantine ({game.quarantined.cause}), and inputs wait for it in the house that it comes "
            "from; release it there and export it again"
        )
    return game


def _stands_still(events: Sequence[JournalEvent]) -> bool:
    """Whether nothing was written behind the quarantine."""
    return events[-1].type == QUARANTINED


def _is_over(game: HostedGame) -> bool:
    try:
        return game.over()
    except DeciderFailed:
        return False  # sick, so it is quarantined or will be; its chain may be what it needs


def _packed(name: str, events: Sequence[JournalEvent]) -> tuple[list[Draft], list[Draft]]:
    """Records of journal and chronicle. A judgement and its outcomes stand in one pack, an act of the host begins one:
    no reader sees half of a close, or takes an act for an outcome of the input before it."""
    turns: list[Draft] = []
    chronicle: list[Draft] = []
    public = chronicle_of(events)
    starts = [0]
    for index, (before, event) in enumerate(pairwise(events), 1):
        enough = event.type not in JUDGEMENTS or index - starts[-1] >= EVENTS_A_PACK
        if begins(event) and enough and before.type != MOVED:
            starts.append(index)
    for start, end in pairwise([*starts, len(events)]):
        pack = events[start:end]
        turns += drafts(TURNS, name, pack)
        shown = list(islice(public, sum(public_form(event) is not None for event in pack)))
        if shown:
            chronicle += drafts(CHRONICLE, name, shown)
    return turns, chronicle
