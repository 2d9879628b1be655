"""The game as its host sees it (interface.Rules)."""

from shared.rules.ruleset import Ruleset
from shared.rules.space_battle import codec, creation
from shared.rules.space_battle.advise import QUESTIONS, advise
from shared.rules.space_battle.clock import due, waiting
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


def over(state: State) -> bool:
    """SPB-102: with the battle, whatever its result."""
    return state.phase == ENDED


RULES = Ruleset(
    game="space-battle",
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
"""Space Battle, version 1, as the registry loads it; none of its draws are secret (SPB-12)."""
