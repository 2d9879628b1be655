"""A game as one value, made of the functions and tables of its modules: what every game's rules.py holds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from shared.rules.interface import (
    Command,
    Deadline,
    Decision,
    Dice,
    Document,
    Event,
    EventType,
    Input,
    Json,
    Page,
    Parts,
    Period,
    Refusal,
    Sentence,
    Sheets,
    Viewer,
    Write,
)
from shared.rules.notices import Notice
from shared.rules.pricing import Pricing
from shared.rules.shapes import Object

State = TypeVar("State")


def nothing_sealed(create: Mapping[str, Json]) -> tuple[str, ...]:
    """For games whose draws are all public with their resolution."""
    return ()


@dataclass(slots=True, kw_only=True)
class Ruleset(Generic[State]):
    """One version of one game, to the letter of interface.Rules, where each field is described.

    What has a value here is optional: a game without it has no secret draws, answers no questions, tells its events in
    the host's way, gives no notices, shows no tables besides the map and has no prices to quote. `questions` are the
    forms of what `advise` is asked, by type, without the field `type`.
    """

    game: str
    version: str
    create: Object
    commands: Mapping[str, Command]
    events: Mapping[str, EventType]
    errors: Mapping[str, str]
    pages: Mapping[str, Page]
    period: Period | None
    parts: Parts
    initial: Callable[[Input], tuple[State, list[Event]] | Refusal]
    decide: Callable[[State, Input, Dice], Decision]
    evolve: Callable[[State, Event], State]
    due: Callable[[State], Deadline | None]
    waiting: Callable[[State], list[str]]
    over: Callable[[State], bool]
    encode: Callable[[State], dict[str, Json]]
    decode: Callable[[Mapping[str, Json]], State]
    project: Callable[[Event], Iterable[Write]]
    view: Callable[[Iterable[Document], Viewer], dict[str, Json]]
    advise: Callable[[Mapping[str, Any], Mapping[str, Json]], dict[str, Json] | Refusal]
    sealed_labels: Callable[[Mapping[str, Json]], tuple[str, ...]] = nothing_sealed
    questions: Mapping[str, Object] = field(default_factory=dict)
    sentences: Mapping[str, Sequence[Sentence]] = field(default_factory=dict)
    notices: Mapping[str, Sequence[Notice]] = field(default_factory=dict)
    sheets: Sheets = field(default_factory=Sheets)
    pricing: Pricing[Any] | None = None
