"""The game as its host sees it (interface.Rules)."""

from shared.rules.interface import Deadline
from shared.rules.map_war import codec, creation
from shared.rules.map_war.advise import QUESTIONS, advise
from shared.rules.map_war.commands import COMMANDS, ERRORS
from shared.rules.map_war.decide import decide
from shared.rules.map_war.events import EVENTS
from shared.rules.map_war.evolve import evolve
from shared.rules.map_war.notices import NOTICES
from shared.rules.map_war.project import project
from shared.rules.map_war.quotes import PRICING
from shared.rules.map_war.sentences import SENTENCES
from shared.rules.map_war.sheets import SHEETS
from shared.rules.map_war.state import CHOOSING, ENDED, FIX, ORDERS, START, State
from shared.rules.map_war.view import PAGES, PARTS, PERIOD, view
from shared.rules.ruleset import Ruleset


def due(state: State) -> Deadline | None:
    """The close of the open turn or of its correction, unless it is paused (MAP-81)."""
    if state.deadline is None or state.opened_at is None or state.phase == ENDED:
        return None
    return Deadline(state.deadline, "close_fix" if state.phase == FIX else "close_turn", {"turn": state.turn})


def waiting(state: State) -> list[str]:
    """Players who have to choose a start, to submit, or to mend their submission (MAP-81)."""
    if state.opened_at is None or state.phase == ENDED:
        return []
    if state.phase == START:
        return sorted(player for player, status in state.players.items() if status == CHOOSING)
    if state.phase == ORDERS:
        return [item.id for item in state.waited_for() if item.submission is None or item.faulty]
    return [nation.id for nation in state.player_nations() if nation.faulty]


def over(state: State) -> bool:
    """Whether the game has ended."""
    return state.phase == ENDED


RULES = Ruleset(
    game="map-war",
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
    pricing=PRICING,
)
"""Map War 3, version 1, as the registry loads it."""
