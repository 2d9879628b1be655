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

What a game says of its pages is in showing.py, the forms of its data in shapes.py; both are imported from here too.
A game is made of its functions and tables by `Ruleset` (ruleset.py).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from shared.dice import Draws
from shared.rules.shapes import Json as Json
from shared.rules.shapes import Object
from shared.rules.showing import CONTROL as CONTROL
from shared.rules.showing import Closing as Closing
from shared.rules.showing import Column as Column
from shared.rules.showing import Layer as Layer
from shared.rules.showing import Mark as Mark
from shared.rules.showing import Page as Page
from shared.rules.showing import Parts as Parts
from shared.rules.showing import Period as Period
from shared.rules.showing import Piece as Piece
from shared.rules.showing import Sentence as Sentence
from shared.rules.showing import Sheet as Sheet
from shared.rules.showing import Sheets as Sheets

Role = Literal["player", "operator", "clock"]
Topic = Literal["orders", "votes", "trades"]

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
    n: int = 0
    """Position in the game's journal, for `project` alone, which may keep it to tell which of two writes is the newer;
    nobody is shown it. 0 in what `decide` returns."""


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
    private: bool = False
    """True for what a player gives and nobody else may notice, ever or until the end: certified apart from the digest,
    so that not even the number of such commands can be told (ENG-7). Its events are for her and operators alone."""


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


class Document(NamedTuple):
    """One view document: flat `fields`, the last value of each. `audience` is one audience; "" is operators alone."""

    kind: str
    id: str
    audience: str
    fields: Mapping[str, Json]


TOGETHER = "all:"
"""What kinds begin with whose documents of one id are stored as one, whatever their audiences: where a close tells each
team a little. Readers get them apart, each viewer those of her audiences. None of them may become `gone`, and together
they must stay small, for whoever may see one of them reads them all."""


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
