"""The game as its host sees it (interface.Rules)."""

from collections.abc import Mapping

from shared.rules.exgenhoca import codec, creation
from shared.rules.exgenhoca.advise import QUESTIONS, advise
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
from shared.rules.interface import Deadline, Json
from shared.rules.ruleset import Ruleset


def sealed_labels(create: Mapping[str, Json]) -> tuple[str, ...]:
    """The setup, which deals secrets (EXG-12)."""
    return (LABEL,)


def due(state: State) -> Deadline | None:
    """The close of the open round, unless it is paused (EXG-49)."""
    if state.phase != RUNNING or state.round_deadline is None:
        return None
    return Deadline(state.round_deadline, "close_round", {"round": state.round})


def waiting(state: State) -> list[str]:
    """Players with a choice to answer, or with attacks that they have neither used nor passed (EXG-49)."""
    if state.phase != RUNNING:
        return []
    return sorted(player.id for player in state.players if player.pending is not None or player.can_act)


def over(state: State) -> bool:
    """Whether the game has ended."""
    return state.phase == ENDED


RULES = Ruleset(
    game="exgenhoca",
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
    sealed_labels=sealed_labels,
    sentences=SENTENCES,
    notices=NOTICES,
    sheets=SHEETS,
)
"""Exgenhoca Wars, version 1, as the registry loads it."""
