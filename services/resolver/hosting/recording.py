"""What judging writes down: events folded into the game, and made lines of journal and chronicle."""

from collections.abc import Sequence
from functools import lru_cache, partial
from operator import itemgetter
from typing import NamedTuple

import orjson

from services.resolver.hosting.draws import InterfaceBroken
from services.resolver.hosting.folding import Unfoldable, advance, own_name
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.tally import Lines
from shared.events import MAX_EVENT_BYTES, JournalEvent, behind_the_number
from shared.rules.interface import PUBLIC, Event

_canonical = partial(orjson.dumps, option=orjson.OPT_SORT_KEYS)
"""`shared.canonical.canonical` without a call of Python's."""
_new = tuple.__new__


class _Form(NamedTuple):
    """What events of the rules of one type to one audience have in common."""

    end: bytes
    """Of a line of the journal, behind the number."""
    public_end: bytes | None
    """Of a line of the chronicle; None for events that are not public."""
    name: str
    """The rules' own name of the type."""


@lru_cache(maxsize=4096)
def _form_of(type: str, to: tuple[str, ...], kind: str) -> _Form:
    name = own_name(type, kind)
    if name is None:
        raise Unfoldable(f"an event {type} of the host stands among events of the rules")
    public_end = behind_the_number(PUBLIC, type) if "public" in to else None
    return _Form(behind_the_number(to, type), public_end, name)


class Written(NamedTuple):
    """Events of the rules on their way into a game: their own names of the types, their data as JSON, their lines."""

    names: Sequence[str]
    jsons: Sequence[bytes]
    lines: Sequence[bytes]
    chronicle_lines: Sequence[bytes]


def of_the_rules(game: HostedGame, event: JournalEvent) -> bool:
    """Whether the next event is one of the rules that their state does not hold yet."""
    return game.rules is not None and not game.announced and own_name(event.type, game.kind) is not None


def written(game: HostedGame, events: Sequence[JournalEvent]) -> Written:
    """The lines of events of the rules that come next in a game. Raises Unfoldable.

    In several short walks: in one through all of it, with the folding, they took a fourteenth of a close more.
    """
    if [event.n for event in events] != list(range(game.n + 1, game.n + 1 + len(events))):
        raise Unfoldable(f"events from {events[0].n} on do not follow event {game.n} of game {game.id}")
    forms = [_form_of(type, to, game.kind) for _, type, _, to in events]
    jsons = jsons_of(events)
    lines = [
        b'{"data":%b,"n":%d%b' % (json, n, form.end)
        for (n, _, _, _), form, json in zip(events, forms, jsons, strict=True)
    ]
    told = [(json, form.public_end) for form, json in zip(forms, jsons, strict=True) if form.public_end is not None]
    first = game.public_n + 1
    chronicle_lines = [b'{"data":%b,"n":%d%b' % (json, n, end) for n, (json, end) in enumerate(told, first)]
    return Written([form.name for form in forms], jsons, lines, chronicle_lines)


def jsons_of(events: Sequence[JournalEvent]) -> list[bytes]:
    """The canonical JSON of the data of each."""
    return [_canonical(data) for _, _, data, _ in events]


def fold_written(game: HostedGame, events: Sequence[JournalEvent], made: Written) -> None:
    """What `advance` does with each of these events. One by one they took a fifth of a close of 50 players more."""
    rules, state = game.rules, game.state
    assert rules is not None
    game.tally.add_lines(made.lines, made.chronicle_lines)
    evolve = rules.evolve
    for (n, _, data, to), name in zip(events, made.names, strict=True):
        state = evolve(state, _new(Event, (name, data, to, n)))
    game.state = state
    game.n += len(made.lines)
    game.public_n += len(made.chronicle_lines)


class Recording:
    """Folds events into a game and gathers them, with their lines. Raises what folding raises, and InterfaceBroken."""

    __slots__ = ("chronicle_lines", "events", "first_told", "game", "lines")

    def __init__(self, game: HostedGame) -> None:
        self.game = game
        self.events: list[JournalEvent] = []
        self.lines: list[bytes] = []
        self.chronicle_lines: list[bytes] = []
        self.first_told = game.public_n + 1
        """Number in the chronicle of the first of its lines."""

    def take(self, stretch: Sequence[JournalEvent]) -> None:
        """The next events, of the host or of the rules."""
        if of_the_rules(self.game, stretch[0]):
            made = written(self.game, stretch)
            _require_sizes(stretch, made.lines)
            fold_written(self.game, stretch, made)
            self.lines += made.lines
            self.chronicle_lines += made.chronicle_lines
        else:
            for event in stretch:
                self._take_one(event)
        self.events += stretch

    def _take_one(self, event: JournalEvent) -> None:
        made = Lines(event)
        _require_sizes((event,), (made.journal,))
        advance(self.game, event, made)
        self.lines.append(made.journal)
        if made.public is not None:
            self.chronicle_lines.append(made.public)


def _require_sizes(events: Sequence[JournalEvent], lines: Sequence[bytes]) -> None:
    if max(map(len, lines)) > MAX_EVENT_BYTES:
        size, event = max(zip(map(len, lines), events, strict=True), key=itemgetter(0))
        raise InterfaceBroken(f"the event {event.type} has {size} bytes; emit it in parts")
