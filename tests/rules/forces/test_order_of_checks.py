"""The first failure in the order of ENG-5, of FOR-41 and of FOR-105 decides."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.forces import RULES
from shared.rules.interface import Input
from shared.scenarios.dice import Chain, CommandDice
from tests.rules.forces.play import Game, running, seated


class Draft:
    """A submission of caio in the open year, with one purchase and one move, all of it legal."""

    def __init__(self) -> None:
        self.game = running(starting_credits=100)
        self.game.give(deadline=1_000_000)
        self.purchases: list[dict[str, Any]] = [{"type": "tank", "zone": "C", "count": 1}]
        self.moves: list[dict[str, Any]] = [{"from": "C", "type": "tank", "count": 1, "path": ["D", "A"]}]
        self.more: dict[str, Any] = {}
        self.role: Any = "player"
        self.actor = "caio"
        self.at = 10_000

    def outcome(self) -> str:
        payload = {"purchases": self.purchases, "moves": self.moves, **self.more}
        return self.game.say(self.actor, "submit_turn", self.role, self.at, **payload)


def _malformed(draft: Draft) -> None:
    draft.more["wish"] = "victory"


def _game_over(draft: Draft) -> None:
    draft.game.give(phase="ended", deadline=None)


def _not_authorised(draft: Draft) -> None:
    draft.role = "operator"


def _unknown_id(draft: Draft) -> None:
    draft.moves[-1]["path"] = ["atlantis"]


def _wrong_phase(draft: Draft) -> None:
    draft.game.give(phase="capitals")


def _wrong_turn(draft: Draft) -> None:
    draft.more["year"] = 1999


def _eliminated(draft: Draft) -> None:
    draft.game.give(players={"caio": {"status": "eliminated"}})


def _unknown_type(draft: Draft) -> None:
    draft.purchases[0]["type"] = "ship"


def _bad_count(draft: Draft) -> None:
    draft.purchases[0]["count"] = 0


def _not_own_zone(draft: Draft) -> None:
    draft.game.give(zones={"C": {"owner": 2}})


def _no_factory(draft: Draft) -> None:
    draft.game.give(zones={"C": {"factory": False}})


def _over_capacity(draft: Draft) -> None:
    draft.game.give(players={"caio": {"capital": "D"}})
    draft.purchases.append({"type": "troop", "zone": "C", "count": 4})


def _too_many_forces(draft: Draft) -> None:
    draft.game.give(zones={"D": {"forces": {"3": {"troop": 16_666, "tank": 0}}}})


def _not_enough_credits(draft: Draft) -> None:
    draft.game.give(players={"caio": {"credits": 14}})


def _immobile(draft: Draft) -> None:
    draft.moves.insert(0, {"from": "C", "type": "factory", "count": 0, "path": ["B"]})


def _not_enough_forces(draft: Draft) -> None:
    draft.moves[-1]["count"] = 2


def _too_far(draft: Draft) -> None:
    draft.moves[-1]["path"] = ["D", "A", "W"]


def _water_zone(draft: Draft) -> None:
    draft.moves[-1]["path"] = ["W"]
    draft.game.give(zones={"A": {"forces": {"3": {"troop": 0, "tank": 1}}}})
    draft.moves[-1]["from"] = "A"


def _pinned(draft: Draft) -> None:
    draft.game.give(zones={"C": {"forces": {"1": {"troop": 1, "tank": 0}}}})


FAULTS: tuple[tuple[str, Callable[[Draft], None]], ...] = (
    ("malformed", _malformed),
    ("game_over", _game_over),
    ("not_authorised", _not_authorised),
    ("unknown_id", _unknown_id),
    ("wrong_phase", _wrong_phase),
    ("wrong_turn", _wrong_turn),
    ("eliminated", _eliminated),
    ("unknown_type", _unknown_type),
    ("bad_count", _bad_count),
    ("not_own_zone", _not_own_zone),
    ("no_factory", _no_factory),
    ("over_capacity", _over_capacity),
    ("too_many_forces", _too_many_forces),
    ("not_enough_credits", _not_enough_credits),
    ("immobile", _immobile),
    ("not_enough_forces", _not_enough_forces),
    ("too_far", _too_far),
    ("pinned", _pinned),
)
"""In the order in which they are found (ENG-5, FOR-41)."""
CODES = [code for code, _ in FAULTS]


def test_a_submission_without_fault_is_accepted() -> None:
    assert Draft().outcome() == "accepted"


@pytest.mark.parametrize(("code", "spoil"), [*FAULTS, ("water_zone", _water_zone)])
def test_each_fault_alone_is_found(code: str, spoil: Callable[[Draft], None]) -> None:
    draft = Draft()
    spoil(draft)
    assert draft.outcome() == code


@settings(max_examples=25, deadline=None)
@given(st.sets(st.integers(0, len(FAULTS) - 1), min_size=2, max_size=4))
def test_of_several_faults_the_first_in_order_decides(chosen: set[int]) -> None:
    draft = Draft()
    for number in sorted(chosen, reverse=True):  # two may spoil the same place: what is found first has it
        FAULTS[number][1](draft)
    assert draft.outcome() == CODES[min(chosen)]


def test_a_late_submission_is_refused_by_itself() -> None:
    """A host that keeps ENG-3 closes the year first; here it is not asked to."""
    game = running()
    game.give(deadline=2_000)
    late = Input("x", "scenario", "caio", "player", "submit_turn", {}, "0" * 32, 2_001, 99)
    refusal = RULES.decide(game.table.state, late, CommandDice(Chain("0" * 64), None, None))
    assert getattr(refusal, "code", None) == "deadline_passed"


def closing(game: Game, actor: str, at: int | None = None, **payload: Any) -> str:
    return game.say(actor, "close_phase", at=at, **payload)


def test_closing_is_checked_by_form_then_phase_then_year_then_deadline() -> None:
    """FOR-105: the phase before the year."""
    game = seated()
    assert closing(game, "operator", phase="year") == "malformed"
    assert closing(game, "operator", phase="picking", year=2000) == "malformed"
    assert closing(game, "operator", phase="year", year=1) == "wrong_phase"
    assert closing(game, "clock", phase="picking") == "no_deadline"
    game.give(deadline=50_000)
    assert closing(game, "clock", phase="picking", at=49_999) == "too_early"
    game = running()
    assert closing(game, "clock", phase="year", year=1) == "wrong_turn"
    assert closing(game, "operator", phase="year", year=2000) == "accepted"


def test_a_seat_is_looked_up_before_the_phase_once_there_are_seats() -> None:
    """FOR-108."""
    game = Game()
    game.say("ana", "join")
    assert game.say("operator", "remove_player", seat=9, reason="absent") == "wrong_phase"
    assert running().say("operator", "remove_player", seat=9, reason="absent") == "unknown_id"


@pytest.mark.parametrize(
    "item",
    [
        {"from": "C", "type": "tank", "count": True, "path": ["D"]},
        {"from": "C", "type": "tank", "count": 1, "path": "D"},
        {"from": "C", "type": 7, "count": 1, "path": ["D"]},
        {"from": "C", "type": "tank", "count": 1, "path": [7]},
        {"from": ["C"], "type": "tank", "count": 1, "path": ["D"]},
        {"from": "C", "type": "tank", "count": 1, "to": ["D"]},
        {"from": "C", "type": "tank", "count": 1, "path": ["D"], "why": "war"},
        ["C", "tank", 1, "D"],
    ],
)
def test_what_looks_plain_at_first_sight_is_held_to_the_form(item: Any) -> None:
    """FOR-108: a wrong type is malformed, also where a submission holds moves alone."""
    assert running().say("caio", "submit_turn", moves=[item]) == "malformed"
