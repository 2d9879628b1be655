"""The decider interface: what a game is to its host (ENG-1, docs/decisions/0002-the-decider.md).

A game is a pure module without I/O, clock, randomness or floating point. The host calls, in this order of data flow:

    initial(create)               the state before the first command, and the events that announce the game
    decide(state, input, dice)    the events of one accepted input, or a refusal; never changes the state
    evolve(state, event)          the state after one event; may change it in place
    due(state)                    the next deadline; the host turns it into an input of role `clock`
    project(event)                what the event writes into views
    view(documents, viewer)       what one viewer may see, built up from a whitelist
    advise(view, question)        quotes, reach, chances, faults of a draft, from what this viewer sees

A deadline is no second kind of command: at `due(state).at` the host makes an input with the given type and payload,
role and actor `clock`, and gives it to `decide` like any other.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from shared.dice import Draws
from shared.rules.shapes import Object

Role = Literal["player", "operator", "clock"]
Topic = Literal["orders", "votes", "trades"]
Json = Any
"""A JSON value of dict, list, tuple, str, int, bool and None. Never a float."""

PUBLIC = ("public",)
OPERATORS: tuple[str, ...] = ()
"""Audience of an event that nobody but operators may see; they see every event that is not of the journal alone."""


@dataclass(frozen=True, slots=True)
class Input:
    """One input as the log took it (ENG-3). `at` is UTC milliseconds, `seq` the number of its judgement, from 1."""

    id: str
    game: str
    actor: str
    role: Role
    type: str
    payload: Mapping[str, Json]
    salt: str
    at: int
    seq: int


class Event(NamedTuple):
    """A fact with its after-values. `type` is the rules' own name, `to` the audiences that may see all of `data`.

    Audiences: `public` (goes to the chronicle too), `team:<id>`, `player:<id>`, or another `<kind>:<id>` of the game;
    empty means operators alone. Data that only some may see is an event of its own.
    """

    type: str
    data: Mapping[str, Json]
    to: tuple[str, ...] = PUBLIC


RESOLVED = "resolved"
"""Type of the mark that ends a resolution in the list that `decide` returns: Event(RESOLVED, {"label": ...}).

It is no event of the game: `evolve`, `project` and the journal never see it. The host puts the leaves and the
certificate in its place. Whoever called `dice.resolve` or `dice.seal` puts exactly one mark behind its outcomes.
"""


def resolved(label: str) -> Event:
    """The mark behind the last outcome of a resolution."""
    return Event(RESOLVED, {"label": label}, OPERATORS)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an input was refused (ENG-5). `detail` says in one sentence what would have been legal."""

    code: str
    rule: str
    detail: str


class Resolution(Protocol):
    """The draws of one resolution; every scope has a stream of its own (ENG-8)."""

    def stream(self, scope: str, /) -> Draws: ...


class Dice(Protocol):
    """Where `decide` gets its draws. A command may open several resolutions, one after the other (EXG-12)."""

    def resolve(self, label: str, /) -> Resolution:
        """Open a resolution on the next seed of the chain (ENG-7)."""
        ...

    def seal(self, label: str, /) -> Resolution:
        """Open a sealed resolution; `label` is one of the game's `sealed_labels`."""
        ...


class Deadline(NamedTuple):
    """What the clock does next: at `at` (UTC milliseconds) the input `type` with `payload`."""

    at: int
    type: str
    payload: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Command:
    """One row of a game's command table: who may send it, over which topic, and the form of its payload."""

    type: str
    roles: frozenset[Role]
    topic: Topic
    payload: Object
    summary: str
    texts: Mapping[str, int] = field(default_factory=dict)
    """Payload fields that hold a text, with their limit in code points. The intake stores the texts and puts
    `message` (its id) and `hash` in their place; `too_long` beyond the limit. An event with `author`, `message` and
    `hash` makes the text readable for its audiences."""
    in_digest: bool = True
    """False for talk (`chat`, mail): left out of the digest of a resolution (ENG-7)."""


@dataclass(frozen=True, slots=True)
class EventType:
    """One event type of a game: its JSON Schema name is `warledger.<game>.<name>.v<version>`.

    Events of a type with `journal_only` have the audience OPERATORS and are shown not even to them: no view, stream or
    answer holds them, only the journal and its exports do. What is hidden from everybody until the end is of this kind.
    """

    name: str
    version: int
    data: Object
    summary: str
    journal_only: bool = False


class Sentence(NamedTuple):
    """How a page tells one event: the first sentence of its type whose `when` equals the event's data there.

    `text` names fields of the data in braces, with what they are: `{x}` as it stands; `{x:team}` (a side, see Parts),
    `{x:place}` and `{x:player}` the name behind an id, or the names of a list of ids; `{x:border}` the two places of
    `a:b`; `{x:time}` a time in UTC milliseconds; `{x:span}` so many seconds; `{x:duel}` a number, or how long a list
    is, with that noun
    (`{x:duel|duels}` if its plural is not one `s` longer).
    """

    text: str
    when: Mapping[str, Json] = {}


class Document(NamedTuple):
    """One view document: flat `fields`, the last value of each. `audience` is one audience; "" is operators alone."""

    kind: str
    id: str
    audience: str
    fields: Mapping[str, Json]


class Write(NamedTuple):
    """One write that an event makes: set these fields of the document; `gone` marks it as no longer there.

    Fields that are not named keep their value; a document that was not there begins empty. Writing a document that
    was gone makes it anew, without its old fields.
    """

    kind: str
    id: str
    audience: str
    fields: Mapping[str, Json]
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks. `audiences` are those of the game's `member` document, plus `public`."""

    role: Literal["player", "operator", "public"]
    actor: str
    audiences: tuple[str, ...] = PUBLIC


@dataclass(frozen=True, slots=True)
class Page:
    """A part of the view that the gateway serves under a path of its own: the kinds of document it is made of."""

    name: str
    kinds: tuple[str, ...]
    summary: str


class Closing(NamedTuple):
    """How an operator closes the open period early: a command whose payload is these fields of the game's view."""

    command: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Period:
    """What a game is played in: turns, rounds, years (docs/decisions/0007-periods-and-parts-of-a-view.md).

    `name` is the word for one, the field of the game's view that holds the number of the open one, and the beginning
    of the labels of its resolutions: `turn:12` for one that has a single resolution, `round:2:attack:5` for one of
    several. Numbers never fall. `deadline` is the field of the view with its deadline, `closings` says by phase how it
    is closed. `opening` is the event that opens one, where the first is opened by something later than the creation.
    """

    name: str
    deadline: str
    closings: Mapping[str, Closing]
    opening: str | None = None

    def number_of(self, label: str) -> int | None:
        """The number of the period that a resolution belongs to; None for one that is in none, like `setup`."""
        name, number = [*label.split(":"), ""][:2]
        return int(number) if name == self.name and number.isdecimal() else None


@dataclass(frozen=True, slots=True)
class Parts:
    """What the sections of a game's view are, so that the pages of the host can show any game.

    `places` is the section of what is owned, each entry with a field `owner`, and `place` the word for one; `sides` the
    section of the owners, `side` the word for one. An owner is named by the id of its side, or by its field `side_key`.
    `side_kinds` are the kinds of document that sides are made of. `players` is the section of accounts by their id.
    `counts` are numbers of a place at the opening of the period, shown and summed by owner while it is open; the last
    of them decides between sides with as many places. `unshown` are fields of the game that mean nothing to a reader.
    None: the game has no such section.
    """

    places: str | None = None
    place: str = "place"
    sides: str | None = None
    side: str = "side"
    side_key: str | None = None
    side_kinds: tuple[str, ...] = ()
    players: str = "players"
    counts: tuple[str, ...] = ()
    unshown: tuple[str, ...] = ()


State = TypeVar("State")
Decision = Sequence[Event] | Refusal


class Rules(Protocol[State]):
    """One version of one game. Everything that a turn's bytes depend on is reached from here."""

    game: str
    version: str
    create: Object
    """Form of the creation: the fields of the `create` object of docs/scenarios.md."""
    commands: Mapping[str, Command]
    events: Mapping[str, EventType]
    errors: Mapping[str, str]
    """Code -> what it means, for every code that `decide` and `initial` return, besides those of ENG-5."""
    pages: Mapping[str, Page]
    """At least `map`, `roster`, `orders`, `reports` (paths of the gateway)."""
    period: Period | None
    """None for a game that is not played in periods: nothing of it is closed, and its resolutions have no numbers."""
    parts: Parts

    def sealed_labels(self, create: Mapping[str, Json], /) -> tuple[str, ...]:
        """Labels of the sealed resolutions that a game with this creation can open."""
        ...

    def initial(self, create: Input, /) -> tuple[State, list[Event]] | Refusal:
        """The game after its creation. `create.payload` is the `create` object of docs/scenarios.md, data in place."""
        ...

    def decide(self, state: State, command: Input, dice: Dice, /) -> Decision:
        """Judge one input. The state is not changed, whatever the answer."""
        ...

    def evolve(self, state: State, event: Event, /) -> State:
        """Apply one event of this game."""
        ...

    def due(self, state: State, /) -> Deadline | None:
        """The next deadline, in constant time; None while the clock has nothing to do."""
        ...

    def waiting(self, state: State, /) -> list[str]:
        """Actors whom the game waits for, canonical order."""
        ...

    def over(self, state: State, /) -> bool:
        """True once the game has ended."""
        ...

    def encode(self, state: State, /) -> dict[str, Json]:
        """The canonical state (scenarios.md): what is hashed, snapshotted and patched by scenarios."""
        ...

    def decode(self, canonical: Mapping[str, Json], /) -> State:
        """The working state of a canonical one. Raises ValueError naming the path that is wrong."""
        ...

    def project(self, event: Event, /) -> Iterable[Write]:
        """The writes of one event, from its data alone.

        Kind `member`, id = actor, audience "" with field `audiences` (list) says what an actor may see;
        kind `game`, id "game" holds the game's own public fields.
        """
        ...

    def view(self, documents: Iterable[Document], viewer: Viewer, /) -> dict[str, Json]:
        """The view, with the paths of the canonical state; what is hidden is absent."""
        ...

    def advise(self, view: Mapping[str, Json], question: Mapping[str, Json], /) -> dict[str, Json] | Refusal:
        """Answer a question (`{"type": ..., ...}`) from what this viewer sees."""
        ...


def sentences_of(rules: Rules[Any]) -> Mapping[str, Sequence[Sentence]]:
    """Event type -> its sentences, for rules that say how their public events are told (attribute `sentences`).

    No sentence means that the event is not worth a line; a type that is absent is told by the host in its own way.
    """
    told: Mapping[str, Sequence[Sentence]] = getattr(rules, "sentences", {})
    return told


class Column(NamedTuple):
    """A column of a sheet: its heading, and how a cell is told from the data of its row, as events are."""

    heading: str
    told: Sequence[Sentence]


class Sheet(NamedTuple):
    """A table that a game shows on its page, of what its viewer sees. Names of places and sides are put in by the host.

    Rows come in the order in which they are shown; `more` counts those that are left out. A sheet without rows and a
    column that says nothing are not shown.
    """

    id: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Json]]
    more: int = 0


class Sheets(NamedTuple):
    """What the page of a game shows besides map, standing and report: made from the view of documents of `kinds`."""

    kinds: tuple[str, ...] = ()
    of: Callable[[Mapping[str, Json]], Sequence[Sheet]] = lambda _: ()


def sheets_of(rules: Rules[Any]) -> Sheets:
    """The sheets of rules that have some (attribute `sheets`)."""
    found: Sheets = getattr(rules, "sheets", Sheets())
    return found


class Registration(Generic[State], NamedTuple):
    """A game as the registry lists it; `load` imports it on first use.

    `prefix` is the letters of its rules' numbers (`EXG`). `scopes` is a pattern of the scopes that its resolutions draw
    from (ENG-8), matched whole. Tables, checks and tests of all games are made from what is listed, and
    tests/rules/conformance/test_complete.py says what a listed game lacks.
    """

    game: str
    version: str
    load: Callable[[], Rules[State]]
    prefix: str = ""
    scopes: str = ""

    @property
    def package(self) -> str:
        """The name of its folder in shared/rules, and of its modules in tests: a hyphen is no part of such a name."""
        return self.game.replace("-", "_")
