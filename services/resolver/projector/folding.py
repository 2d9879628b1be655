"""Folding journal records into changes of views: pure, nothing is read or written here."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from services.resolver.projector import host
from services.resolver.projector.judging import Judging, judged, outcome_of_nothing
from services.resolver.projector.talk import message_writes, speaks
from shared.batches import batch_of
from shared.documents import Document
from shared.events import CERTIFIED, HOST, Batch, JournalEvent, public_form, split_type
from shared.host_events import JUDGEMENTS, LEAVES, REMINDERS_DUE, REPEATED
from shared.host_notices import HOST_NOTICES
from shared.log import Record
from shared.rules import rules_of
from shared.rules.interface import OPERATORS, Event, Rules, Write
from shared.rules.notices import Notices, given_by, notices_of
from shared.upcasters import UPCASTERS, upcast_event
from shared.views import ids
from shared.views.changes import Change, Changes, GameChanges, Stretch
from shared.views.chunks import put_together
from shared.views.leaves import without_leaves
from shared.views.together import is_together, stored


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is the same for all events of one type in one game."""

    name: str
    of_host: bool
    judges: bool
    journal_only: bool
    """Whether nobody at all is shown an event of this type that is for operators."""
    notices: Notices | None
    """Notices of the game or the host; None if none is of this type."""
    outdated: bool
    trimmed: bool
    """Whether feeds keep other data of it than the journal."""


_Kinds = dict[tuple[str, str], dict[str, _Kind]]
"""By kind and version of the rules, by full name of the type."""
_TRIMMED = frozenset({CERTIFIED, LEAVES})
_new = tuple.__new__
"""Skips what the constructor of a NamedTuple adds."""
_Stretches = defaultdict[str, Stretch]
"""What one record adds, by audience."""


class GameFold:
    """Folds the events of one game."""

    def __init__(self, game: str, head: Document | None, open: Mapping[str, Any] | None, kinds: _Kinds) -> None:
        """`open` is what the checkpoint says of a game whose head has not reached it; `kinds` are looked up once for
        all games of a batch."""
        self._facts: host.Facts = host.no_facts(game) if head is None else dict(head.body)
        self._rules: Rules[Any] | None = None
        self._known = kinds
        self._judging: Judging | None = None
        self._traces: dict[int, str] = {}
        """Trace context of each judgement of the present unit that is still to come, by its position."""
        hold = 0
        if open is not None:
            self._facts = dict(open["facts"])
            hold = open["hold"]
            self._resume(open["unit"])
        self._kinds = self._kinds_known()
        reached = 0 if head is None else head.position
        self.changes = GameChanges(game, reached, reached, hold, True, self._facts)

    def take(self, batch: Batch, at: int) -> None:
        """Fold one record that has events; `at` is its time."""
        changes = self.changes
        stretches: _Stretches = defaultdict(Stretch)
        if batch.part == 1:
            self._judging = None
            self._traces = {origin.n: origin.traceparent for origin in batch.origins if origin.traceparent}
        # What operators see is everything, so theirs is the stretch of every event.
        everything = stretches[ids.OPERATORS]
        for event in batch.events:
            self._take_event(event, at, stretches, everything)
        changes.last = batch.events[-1].n
        put_together(stretches, changes.last, len(batch.value))
        for audience, stretch in stretches.items():
            changes.stretches.setdefault(audience, []).append(stretch)
        changes.events += len(batch.events)
        changes.whole = batch.part == batch.parts
        self._facts["at"] = at
        changes.facts = self._facts
        changes.unit = None if changes.whole else self._saved()

    def _saved(self) -> Mapping[str, Any]:
        """What must be known to go on with a unit whose rest is still to come."""
        judging = None if self._judging is None else self._judging.saved()
        return {"judging": judging, "traces": {str(n): trace for n, trace in self._traces.items()}}

    def _resume(self, unit: Mapping[str, Any] | None) -> None:
        if unit is not None:
            self._judging = None if unit["judging"] is None else Judging(**unit["judging"])
            self._traces = {int(n): trace for n, trace in unit["traces"].items()}

    def _take_event(self, event: JournalEvent, at: int, stretches: _Stretches, everything: Stretch) -> None:
        kind = self._kinds.get(event.type) or self._kind(event.type)
        if kind.outdated:
            event = upcast_event(event)
            kind = self._kinds.get(event.type) or self._kind(event.type)
        n, type, data, to = event
        if kind.journal_only and to == OPERATORS:
            return
        trace = None
        judging = self._judging
        if kind.judges:
            trace = self._traces.pop(n, None)
            judging = outcome_of_nothing(data["at"]) if type == REPEATED else judged(event, trace)
            self._keep_judgement(judging)
        elif type == REMINDERS_DUE:
            judging = outcome_of_nothing(data["at"])
        elif judging is not None and judging.keeps and judging.take(event):
            self._keep_judgement(judging)
        self._judging = judging
        now = at if judging is None else judging.at
        told = _new(Event, (kind.name, data, to, n))
        everything.n = n
        if writes := self._writes(kind, event, told, now):
            self._write(n, writes, stretches, everything)
        kept = _kept(event) if kind.trimmed else data
        entry = {"n": n, "type": type, "data": kept, "at": now}
        if trace is not None:
            entry["traceparent"] = trace  # of judgements alone, which are for their senders
        _feed(entry, to, stretches, everything)
        if kind.notices is not None:
            _notify(told, kind.notices, now, stretches)

    def _kind(self, full: str) -> _Kind:
        """Looked up once a type: closes have thousands of events of a few types."""
        type = split_type(full)
        if type.game == HOST:
            journal_only, notices = False, HOST_NOTICES
        else:
            rules = self._known_rules()
            known = rules.events.get(type.name)
            journal_only, notices = known is not None and known.journal_only, notices_of(rules)
        given = notices if type.name in notices else None
        of_host, outdated = type.game == HOST, full in UPCASTERS
        kind = _Kind(type.name, of_host, full in JUDGEMENTS, journal_only, given, outdated, full in _TRIMMED)
        self._kinds[full] = kind
        return kind

    def _kinds_known(self) -> dict[str, _Kind]:
        return self._known.setdefault((self._facts["kind"], self._facts["rules"]), {})

    def _known_rules(self) -> Rules[Any]:
        if self._rules is None:
            self._rules = rules_of(self._facts["kind"], self._facts["rules"])
        return self._rules

    def _writes(self, kind: _Kind, event: JournalEvent, told: Event, now: int) -> Iterable[Write]:
        """The writes of an event; `told` is the event as the rules know it."""
        if kind.of_host:
            facts = host.facts_after(self._facts, event, now)
            if facts is not self._facts:
                self._facts, self._rules = facts, None
                self._kinds = self._kinds_known()
            return host.writes(event, facts)
        rules = self._rules or self._known_rules()
        projected = rules.project(told)
        return chain(projected, message_writes(event, now)) if speaks(told.data) else projected

    def _keep_judgement(self, judging: Judging) -> None:
        if judging.input is not None:
            self.changes.judgements[judging.input] = (judging.n, judging.body)

    def _write(self, n: int, writes: Iterable[Write], stretches: _Stretches, everything: Stretch) -> None:
        documents = self.changes.documents
        for write in writes:
            kind, id, audience, fields, gone = write
            key = (kind, audience, id)
            if is_together(kind):
                key, fields = stored(write)
            change = documents.get(key)
            if change is None:
                documents[key] = Change([n], {} if gone else dict(fields), gone, gone)
            else:
                change.write(n, fields, gone)
            everything.changes += 1
            if audience:  # another than operators'
                stretch = stretches[audience]
                stretch.n = n
                stretch.changes += 1


def _feed(entry: Mapping[str, Any], to: tuple[str, ...], stretches: _Stretches, everything: Stretch) -> None:
    if ids.PUBLIC in to:
        everything.public += 1
    else:
        everything.entries.append(entry)
        everything.places.append(everything.told)
    for audience in to if len(to) < 2 else dict.fromkeys(to):
        stretch = stretches[audience]
        stretch.n = entry["n"]
        stretch.entries.append(entry)


def _notify(event: Event, notices: Notices, at: int, stretches: _Stretches) -> None:
    """The notices of an event, each in the feed of its audience's notices, which counts nothing else."""
    for number, (code, audience, data) in enumerate(given_by(event, notices), 1):
        stretch = stretches[ids.notices(audience)]
        stretch.n = event.n
        stretch.entries.append({"n": event.n, "notice": number, "type": code, "data": data, "at": at})
        stretch.changes += 1


def _kept(event: JournalEvent) -> Mapping[str, Any]:
    """The data of an event as feeds keep it."""
    public = public_form(event)
    data = event.data if public is None else public[1]
    return without_leaves(data) if event.type == LEAVES else data


class Fold:
    """Folds a batch of records of one partition."""

    def __init__(self, generation: int, partition: int, checkpoint: Mapping[str, Any] | None) -> None:
        self._generation = generation
        self._partition = partition
        self._open: Mapping[str, Mapping[str, Any]] = {} if checkpoint is None else checkpoint["open"]

    def changes(
        self, records: Sequence[Record], heads_of: Callable[[Iterable[str]], Mapping[str, Document]]
    ) -> Changes:
        """The changes of some records. Raises Unreadable, or whatever the rules raise, and nothing is lost by it."""
        batches = [(record.at, batch_of(record)) for record in records]
        games = dict.fromkeys(batch.game for _, batch in batches if batch.events)
        heads = heads_of(games)
        kinds: _Kinds = {}
        folds = {game: GameFold(game, heads.get(game), self._open.get(game), kinds) for game in games}
        for at, batch in batches:
            if batch.events:
                folds[batch.game].take(batch, at)
        last = records[-1]
        changed = {game: fold.changes for game, fold in folds.items()}
        return Changes(self._generation, self._partition, last.offset + 1, last.at, changed, self._open)


def whole_units(records: Sequence[Record]) -> Iterator[Sequence[Record]]:
    """Cut a batch before its last unit if the rest of that is still to come: what is complete is shown at once."""
    batch = batch_of(records[-1])
    if batch.part < batch.parts and batch.part < len(records):
        yield records[: -batch.part]
        yield records[-batch.part :]
    else:
        yield records
