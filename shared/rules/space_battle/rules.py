"""The game as its host sees it (interface.Rules)."""

from collections.abc import Iterable, Mapping, Sequence

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
from shared.rules.space_battle import clock, codec, creation
from shared.rules.space_battle.advise import advise
from shared.rules.space_battle.commands import COMMANDS, ERRORS
from shared.rules.space_battle.decide import decide
from shared.rules.space_battle.events import EVENTS
from shared.rules.space_battle.evolve import evolve
from shared.rules.space_battle.notices import NOTICES
from shared.rules.space_battle.project import project
from shared.rules.space_battle.sentences import SENTENCES
from shared.rules.space_battle.sheets import SHEETS
from shared.rules.space_battle.state import ENDED, State
from shared.rules.space_battle.view import PAGES, PARTS, PERIOD, view


class SpaceBattle:
    """Space Battle, version 1."""

    game = "space-battle"
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
        """None: no dice are secret (SPB-12)."""
        return ()

    def initial(self, create: Input) -> tuple[State, list[Event]] | Refusal:
        return creation.initial(create)

    def decide(self, state: State, command: Input, dice: Dice) -> Decision:
        return decide(state, command, dice)

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def due(self, state: State) -> Deadline | None:
        """Warning and end of the running move, start, end of the grace, or expiry of a challenge (SPB-104)."""
        return clock.due(state)

    def waiting(self, state: State) -> list[str]:
        """Whom the next deadline hits."""
        return clock.waiting(state)

    def over(self, state: State) -> bool:
        """SPB-102: with the battle, whatever its result."""
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


RULES = SpaceBattle()
"""Space Battle as the registry loads it."""
