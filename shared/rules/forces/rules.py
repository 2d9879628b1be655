"""The game as its host sees it (interface.Rules)."""

from shared.rules.forces import codec, creation
from shared.rules.forces.advise import QUESTIONS, advise
from shared.rules.forces.commands import COMMANDS, ERRORS
from shared.rules.forces.decide import decide
from shared.rules.forces.events import EVENTS
from shared.rules.forces.evolve import evolve
from shared.rules.forces.notices import NOTICES
from shared.rules.forces.picking import seat_at
from shared.rules.forces.project import project
from shared.rules.forces.sentences import SENTENCES
from shared.rules.forces.sheets import SHEETS
from shared.rules.forces.state import CAPITALS, ENDED, OPEN_PHASES, PICKING, YEAR, State
from shared.rules.forces.view import PAGES, PARTS, PERIOD, view
from shared.rules.interface import Deadline
from shared.rules.ruleset import Ruleset


def due(state: State) -> Deadline | None:
    """The close of what is open, if it has a deadline (FOR-76, FOR-77)."""
    if state.phase not in OPEN_PHASES or state.deadline is None:
        return None
    year = {"year": state.year} if state.phase == YEAR else {}
    return Deadline(state.deadline, "close_phase", {"phase": state.phase, **year})


def waiting(state: State) -> list[str]:
    """Whose pick it is, and who has not chosen or submitted (FOR-19, FOR-30)."""
    if state.phase == PICKING:
        return [state.seats[seat_at(state, state.pick_index) - 1].id]
    if state.phase == CAPITALS:
        return sorted(player.id for player in state.active() if player.capital is None)
    if state.phase == YEAR:
        return sorted(player.id for player in state.active() if player.submission is None)
    return []


def over(state: State) -> bool:
    """Whether the game has ended."""
    return state.phase == ENDED


RULES = Ruleset(
    game="forces",
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
"""FORCES, version 1, as the registry loads it."""
