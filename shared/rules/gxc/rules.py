"""The game as its host sees it (interface.Rules)."""

from collections.abc import Iterable, Mapping, Sequence

from shared.rules.gxc import codec, creation
from shared.rules.gxc.advise import advise
from shared.rules.gxc.commands import COMMANDS, ERRORS
from shared.rules.gxc.decide import decide
from shared.rules.gxc.events import EVENTS
from shared.rules.gxc.evolve import evolve
from shared.rules.gxc.notices import NOTICES
from shared.rules.gxc.project import project
from shared.rules.gxc.sentences import SENTENCES
from shared.rules.gxc.state import ACTIVE, ENDED, RUNNING, UNPLACED, State
from shared.rules.gxc.view import PAGES, PARTS, PERIOD, view
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
    Viewer,
    Write,
)
from shared.rules.notices import Notice
from shared.rules.shapes import Object


class Gxc:
    """GXC, version 1."""

    game = "gxc"
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

    def sealed_labels(self, create: Mapping[str, Json]) -> tuple[str, ...]:
        """None: every draw of GXC is public with its turn."""
        return ()

    def initial(self, create: Input) -> tuple[State, list[Event]] | Refusal:
        return creation.initial(create)

    def decide(self, state: State, command: Input, dice: Dice) -> Decision:
        return decide(state, command, dice)

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def due(self, state: State) -> Deadline | None:
        """The close of the open turn, unless it is paused (GXC-13)."""
        if state.phase != RUNNING or state.turn_deadline is None:
            return None
        return Deadline(state.turn_deadline, "close_turn", {"turn": state.turn})

    def waiting(self, state: State) -> list[str]:
        """Players who could still place themselves or energize in the open turn."""
        if state.phase != RUNNING:
            return []
        players = state.players
        return [
            players.ids[player]
            for player in players.canonical()
            if players.status[player] == UNPLACED
            or (players.status[player] == ACTIVE and players.energized_turn[player] != state.turn)
        ]

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


RULES = Gxc()
"""GXC as the registry loads it."""
