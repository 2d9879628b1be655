"""The first failure in the order of ENG-5 decides (MAP, section 14), and late inputs are told so."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.interface import Input, Refusal, Role
from shared.rules.map_war import RULES
from tests.rules.map_war.play import a_game

GIVEN = RULES.encode(a_game(3).state)
"""A game of three players and an NPC in turn 2."""


class Draft:
    """An offer by ana to bia that is right, until something is made wrong with it."""

    def __init__(self) -> None:
        self.state = RULES.encode(RULES.decode(GIVEN))
        self.payload: dict[str, Any] = {"kind": "sale", "to": "bia", "good": "food", "amount": 1, "turn": 2}
        self.role: Role = "player"
        self.at = 5000

    def outcome(self) -> str:
        command = Input("i", "g", "ana", self.role, "offer", self.payload, "", self.at, 99)
        judged = RULES.decide(RULES.decode(self.state), command, NoDice())
        return judged.code if isinstance(judged, Refusal) else "accepted"


class NoDice:
    """An offer throws none."""

    def resolve(self, label: str, /) -> Any:
        raise AssertionError(label)

    def seal(self, label: str, /) -> Any:
        raise AssertionError(label)


def _malformed(draft: Draft) -> None:
    draft.payload["wish"] = "victory"


def _game_over(draft: Draft) -> None:
    draft.state["phase"] = "ended"


def _not_authorised(draft: Draft) -> None:
    draft.role = "operator"


def _unknown_id(draft: Draft) -> None:
    draft.payload["to"] = "atlantis"


def _wrong_phase(draft: Draft) -> None:
    if draft.state["phase"] != "ended":
        draft.state["phase"] = "fix"


def _wrong_turn(draft: Draft) -> None:
    draft.payload["turn"] = 3


def _not_active(draft: Draft) -> None:
    draft.state["nations"]["ana"].update(kind="rulerless", ownerless_since=3)


def _eliminated(draft: Draft) -> None:
    draft.state["nations"]["ana"]["status"] = "eliminated"


def _deadline_passed(draft: Draft) -> None:
    draft.state["deadline"] = 4000


def _not_a_trader(draft: Draft) -> None:
    if draft.payload["to"] != "atlantis":
        draft.payload["to"] = "nix"


def _bad_good(draft: Draft) -> None:
    draft.payload["good"] = "currency"


def _bad_amount(draft: Draft) -> None:
    draft.payload["amount"] = 0


def _insufficient_goods(draft: Draft) -> None:
    draft.state["nations"]["ana"]["food"] = 0


WRONGS: tuple[tuple[str, Callable[[Draft], None]], ...] = (
    ("malformed", _malformed),
    ("game_over", _game_over),
    ("not_authorised", _not_authorised),
    ("unknown_id", _unknown_id),
    ("wrong_phase", _wrong_phase),
    ("wrong_turn", _wrong_turn),
    ("eliminated", _eliminated),
    ("not_active", _not_active),
    ("deadline_passed", _deadline_passed),
    ("not_a_trader", _not_a_trader),
    ("bad_good", _bad_good),
    ("bad_amount", _bad_amount),
    ("insufficient_goods", _insufficient_goods),
)
"""Codes in the order in which they are looked for; those of an offer as MAP-79 lists them."""


def test_the_draft_is_right() -> None:
    assert Draft().outcome() == "accepted"


@pytest.mark.parametrize(("code", "make_wrong"), WRONGS, ids=[code for code, _ in WRONGS])
def test_each_fault_alone_is_found(code: str, make_wrong: Callable[[Draft], None]) -> None:
    draft = Draft()
    make_wrong(draft)
    assert draft.outcome() == code


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, len(WRONGS) - 1), min_size=2, max_size=5))
def test_of_several_faults_the_first_in_order_decides(wrongs: set[int]) -> None:
    draft = Draft()
    for number in sorted(wrongs):
        WRONGS[number][1](draft)
    if {"bad_amount", "insufficient_goods"} <= {WRONGS[number][0] for number in wrongs}:
        draft.payload["amount"] = 0
    assert draft.outcome() == WRONGS[min(wrongs)][0]
