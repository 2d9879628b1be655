"""The game as its host sees it (interface.Rules)."""

from shared.rules.gxc import codec, creation
from shared.rules.gxc.advise import QUESTIONS, advise
from shared.rules.gxc.commands import COMMANDS, ERRORS
from shared.rules.gxc.decide import decide
from shared.rules.gxc.events import EVENTS
from shared.rules.gxc.evolve import evolve
from shared.rules.gxc.notices import NOTICES
from shared.rules.gxc.project import project
from shared.rules.gxc.sentences import SENTENCES
from shared.rules.gxc.sheets import SHEETS
from shared.rules.gxc.state import ACTIVE, ENDED, RUNNING, UNPLACED, State
from shared.rules.gxc.view import PAGES, PARTS, PERIOD, view
from shared.rules.interface import Deadline
from shared.rules.ruleset import Ruleset


def due(state: State) -> Deadline | None:
    """The close of the open turn, unless it is paused (GXC-13)."""
    if state.phase != RUNNING or state.turn_deadline is None:
        return None
    return Deadline(state.turn_deadline, "close_turn", {"turn": state.turn})


def waiting(state: State) -> list[str]:
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


def over(state: State) -> bool:
    """Whether the game has ended."""
    return state.phase == ENDED


RULES = Ruleset(
    game="gxc",
    version="1",
    create=creation.CREATE,
    commands=COMMANDS,
    events=EVENTS,
    errors=ERRORS,
    pages=PAGES,
    period=PERIOD,
    parts=PARTS,
    initial=creation.initial,
    decide=decide,
    evolve=evolve,
    due=due,
    waiting=waiting,
    over=over,
    encode=codec.encode,
    decode=codec.decode,
    project=project,
    view=view,
    advise=advise,
    questions=QUESTIONS,
    sentences=SENTENCES,
    notices=NOTICES,
    sheets=SHEETS,
)
"""GXC, version 1, as the registry loads it. Every draw of it is public with its turn."""
