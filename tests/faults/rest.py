"""Bringing an installation under load to rest, so that it can be looked at as a whole."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from shared.documents import DocumentsUnavailable
from shared.log import LogUnavailable
from shared.rules import rules_of
from shared.rules.deadlines import LONGEST_SHIFT_MS
from shared.views import Views
from tests.faults.proof import input_records, journals_of, judgements
from tests.faults.waiting import eventually
from tests.faults.war import Load
from warledger.api import Refused, Unreachable
from warledger.demo.installation import Installation
from warledger.local import local_documents

WITHIN = 120.0
GAME_OVER = "game_over"


def come_to_rest(
    house: Installation, bots: Load, games: Sequence[str], meanwhile: Callable[[], object] = lambda: None
) -> int:
    """The bots end what they have begun, no turn closes any more, everything is judged and shown.

    Returns the milliseconds from the end of the bots until then.
    """
    bots.ask_to_end()
    eventually(lambda: bots.process.poll() is not None, "the bots end", WITHIN, meanwhile=meanwhile)
    started = time.monotonic()
    eventually(lambda: not house.services.ready(0.2), "all are ready", WITHIN, meanwhile=meanwhile)
    for game in games:
        eventually(partial(_pause, house, game), f"{game} is paused", WITHIN, meanwhile=meanwhile)
    eventually(readable(lambda: _all_judged(house, games)), "everything is judged", WITHIN, 0.2, meanwhile)
    eventually(readable(lambda: _all_shown(house, games)), "everything is shown", WITHIN, 0.2, meanwhile)
    return int((time.monotonic() - started) * 1000)


def readable(condition: Callable[[], bool]) -> Callable[[], bool]:
    """The same condition, which does not hold while a store is too busy to be read."""

    def holds() -> bool:
        try:
            return condition()
        except (LogUnavailable, DocumentsUnavailable):
            return False

    return holds


def _pause(house: Installation, game: str) -> bool:
    """By a pause, or where a game has none by moving all that is due far away; one that chance has ended rests."""
    said: tuple[str, dict[str, Any]] = ("set_deadline", {"deadline": None, "reason": "pause"})
    try:
        if said[0] not in rules_of(house.operator.get(f"/games/{game}")["kind"]).commands:
            said = ("shift_time", {"by_ms": LONGEST_SHIFT_MS, "reason": "pause"})
        return house.operator.command(game, *said).status == 201
    except Refused as refused:
        return refused.code == GAME_OVER
    except Unreachable:
        return False


def _all_judged(house: Installation, games: Sequence[str]) -> bool:
    journals = journals_of(house, games)
    return sum(len(judgements(events)) for events in journals.values()) == len(input_records(house))


def _all_shown(house: Installation, games: Sequence[str]) -> bool:
    with local_documents(house.settings) as documents:
        heads = [Views(documents).head(game) for game in games]
    journals = journals_of(house, games)
    return [head and head.n for head in heads] == [journals[game][-1].n for game in games]
