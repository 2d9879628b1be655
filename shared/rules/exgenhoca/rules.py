"""The game as its host sees it (interface.Rules)."""

from collections.abc import Iterable, Mapping, Sequence

from shared.rules.exgenhoca import codec, creation
from shared.rules.exgenhoca.advise import advise
from shared.rules.exgenhoca.commands import COMMANDS, ERRORS
from shared.rules.exgenhoca.decide import decide
from shared.rules.exgenhoca.events import EVENTS
from shared.rules.exgenhoca.evolve import evolve
from shared.rules.exgenhoca.notices import NOTICES
from shared.rules.exgenhoca.project import project
from shared.rules.exgenhoca.sentences import SENTENCES
from shared.rules.exgenhoca.setup import LABEL
from shared.rules.exgenhoca.sheets import SHEETS
from shared.rules.exgenhoca.state import ENDED, RUNNING, State
from shared.rules.exgenhoca.view import PAGES, PARTS, PERIOD, view
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
from shared.rules.shapes import Object


class Exgenhoca:
    """Exgenhoca Wars, version 1."""

    game = "exgenhoca"
    version = "1"
    create: Object = creation.CREATE
    commands: Mapping[str, Command] = COMMANDS
    events: Mapping[str, EventType] = EVENTS
    errors: Mapping[str, str] = ERRORS
    pages: Mapping[str, Page] = PAGES
    period: Period | None = PERIOD
    parts: Parts = PARTS
    sentences: Mapping[str, Sequence[Sentence]] = SENTENCES
    notices: Mapping[str, Sequence[Notice]] = NOTICES
    sheets: Sheets = SHEETS

    def sealed_labels(self, create: Mapping[str, Json]) -> tuple[str, ...]:
        """The setup, which deals secrets (EXG-12)."""
        return (LABEL,)

    def initial(self, create: Input) -> tuple[State, list[Event]] | Refusal:
        return creation.initial(create)

    def decide(self, state: State, command: Input, dice: Dice) -> Decision:
        return decide(state, command, dice)

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def due(self, state: State) -> Deadline | None:
        """The close of the open round, unless it is paused (EXG-49)."""
        if state.phase != RUNNING or state.round_deadline is None:
            return None
        return Deadline(state.round_deadline, "close_round", {"round": state.round})

    def waiting(self, state: State) -> list[str]:
        """Players with a choice to answer, or with attacks that they have neither used nor passed (EXG-49)."""
        if state.phase != RUNNING:
            return []
        return sorted(player.id for player in state.players if player.pending is not None or player.can_act)

    def over(self, state: State) -> bool:
        return state.phase == ENDED

    def encode(self, state: State) -> dict[str, Json]:
        return codec.encode(state)

    def decode(self, canonical: Mapping[str, Json]) -> State:
        return codec.decode(canonical)

    def project(self, event: Event) -> Iterable[Write]:
        return project(event)

    def view(self, documents: Iterable[Document], viewer: Viewer) -> dict[str, Json]:
        return view(documents, viewer)

    def advise(self, view: Mapping[str, Json], question: Mapping[str, Json]) -> dict[str, Json] | Refusal:
        return advise(view, question)


RULES = Exgenhoca()
"""Exgenhoca Wars as the registry loads it."""
