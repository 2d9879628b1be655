"""The first failure in the order of ENG-5 and of EXG-27 decides."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.exgenhoca.play import DAY_MS, Game, running

ITEMS = {"P1": (2, 6), "P3": (2, 6), "P6": (1, None)}


def items(*effects: str, window: tuple[int, int | None] | None = None) -> list[dict[str, Any]]:
    """Entries of an inventory, usable in round 2 unless a window is given."""
    return [
        {"effect": effect, "usable_from": first, "usable_to": last}
        for effect in effects
        for first, last in (window or ITEMS[effect],)
    ]


class Draft:
    """An attack by ana, who holds peru and attacked brasil and argentina in this round, on brasil once more."""

    def __init__(self) -> None:
        self.game = running()
        self.game.own(ana="peru", bia="brasil argentina", caio="japao")
        self.target = "venezuela"
        self.use: dict[str, Any] = {"plus5": True, "tie": True, "rerolls": 1}
        self.more: dict[str, Any] = {}
        self.role: Any = "player"
        self.at = self.game.at + 1
        self.player(inventory=items("P1", "P3", "P6"))

    def player(self, **changes: Any) -> None:
        self.game.give(players={"ana": changes})

    def outcome(self) -> str:
        payload = {"target": self.target, "use": self.use, **self.more}
        return self.game.say("ana", "attack", self.role, at=self.at, **payload)


class Repeat(Draft):
    """The same as a repeat of an attack on brasil."""

    def __init__(self) -> None:
        super().__init__()
        self.target = "brasil"
        self.use["repeat"] = True
        self.player(attacked_this_round=["brasil"], cooldown={"brasil": 2})


def _malformed(draft: Draft) -> None:
    draft.more["wish"] = "victory"


def _game_over(draft: Draft) -> None:
    draft.game.give(phase="ended")


def _not_authorised(draft: Draft) -> None:
    draft.role = "operator"


def _unknown_id(draft: Draft) -> None:
    draft.target = "atlantis"


def _wrong_round(draft: Draft) -> None:
    draft.more["round"] = 7


def _eliminated(draft: Draft) -> None:
    draft.player(status="eliminated")


def _deadline_passed(draft: Draft) -> None:
    draft.at = 9 * DAY_MS


def _pending_choice(draft: Draft) -> None:
    draft.player(pending="swap")


def _passed(draft: Draft) -> None:
    draft.player(passed=True)


def _no_attacks_left(draft: Draft) -> None:
    draft.player(attacks_left=1 if draft.use.get("repeat") else 0)


def _own_territory(draft: Draft) -> None:
    if draft.target != "atlantis":
        draft.game.give(territories={draft.target: {"owner": 1}})


def _repeat_used(draft: Draft) -> None:
    draft.player(repeat_used=True)


def _repeat_forbidden(draft: Draft) -> None:
    draft.player(penalties={"no_repeat": {"from": 2, "to": 6}})


def _repeat_not_needed(draft: Draft) -> None:
    draft.player(attacked_this_round=[], cooldown={})


def _cooldown(draft: Draft) -> None:
    draft.player(cooldown={"venezuela": 1})


def _out_of_reach(draft: Draft) -> None:
    draft.game.give(territories={"peru": {"owner": None}, "islandia": {"owner": 1}})


def _item_missing(draft: Draft) -> None:
    draft.player(inventory=items("P1", "P3"))


def _item_not_usable(draft: Draft) -> None:
    kept = [item for item in draft.game.player("ana")["inventory"] if item["effect"] != "P3"]
    draft.player(inventory=kept + items("P3", window=(3, 7)))


def _bad_amount(draft: Draft) -> None:
    draft.use["rerolls"] = 2


Fault = tuple[str, Callable[[Draft], None]]
COMMON: tuple[Fault, ...] = (
    ("malformed", _malformed),
    ("game_over", _game_over),
    ("not_authorised", _not_authorised),
    ("unknown_id", _unknown_id),
    ("wrong_round", _wrong_round),
    ("eliminated", _eliminated),
    ("deadline_passed", _deadline_passed),
    ("pending_choice", _pending_choice),
    ("passed", _passed),
    ("no_attacks_left", _no_attacks_left),
    ("own_territory", _own_territory),
)
REACH_AND_ITEMS: tuple[Fault, ...] = (
    ("out_of_reach", _out_of_reach),
    ("item_missing", _item_missing),
    ("item_not_usable", _item_not_usable),
    ("bad_amount", _bad_amount),
)
PLAIN: tuple[Fault, ...] = (*COMMON, ("cooldown", _cooldown), *REACH_AND_ITEMS)
REPEATED: tuple[Fault, ...] = (
    *COMMON,
    ("repeat_used", _repeat_used),
    ("repeat_forbidden", _repeat_forbidden),
    ("repeat_not_needed", _repeat_not_needed),
    *REACH_AND_ITEMS,
)
KINDS: tuple[tuple[type[Draft], tuple[Fault, ...]], ...] = ((Draft, PLAIN), (Repeat, REPEATED))
ALL = [(kind, code, make) for kind, faults in KINDS for code, make in faults]


@pytest.mark.parametrize("kind", [Draft, Repeat])
def test_an_attack_without_fault_is_accepted(kind: type[Draft]) -> None:
    assert kind().outcome() == "accepted"


@pytest.mark.parametrize(("kind", "code", "make"), ALL)
def test_each_fault_alone_gives_its_code(kind: type[Draft], code: str, make: Callable[[Draft], None]) -> None:
    draft = kind()
    make(draft)
    assert draft.outcome() == code


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_of_several_faults_the_first_in_order_decides(data: st.DataObject) -> None:
    """EXG-27, ENG-5."""
    kind, faults = data.draw(st.sampled_from(KINDS))
    chosen = sorted(data.draw(st.sets(st.integers(0, len(faults) - 1), min_size=1, max_size=4)))
    draft = kind()
    for number in reversed(chosen):  # what comes first is done last, so that it stands
        faults[number][1](draft)
    assert draft.outcome() == faults[chosen[0]][0]


def test_plus5_is_checked_before_tie_and_tie_before_rerolls() -> None:
    """EXG-27: each item as missing, then as not usable."""
    draft = Draft()
    draft.player(inventory=items("P1", window=(3, 7)))
    assert draft.outcome() == "item_not_usable"
    draft.player(inventory=items("P1") + items("P3", window=(3, 7)))
    assert draft.outcome() == "item_missing"
    assert draft.game.refusal is not None
    assert "P6" in draft.game.refusal.detail


def a_game() -> Game:
    game = running()
    game.own(ana="peru", bia="brasil", caio="japao")
    return game


@pytest.mark.parametrize(
    ("given", "payload", "code"),
    [
        (None, {"give": "peru", "take": "brasil"}, "no_pending"),
        ("loss", {"give": "peru", "take": "brasil"}, "no_pending"),
        ("swap", {"give": "brasil", "take": "peru"}, "not_own_territory"),
        ("swap", {"give": "peru", "take": "peru"}, "own_territory"),
        ("swap", {"give": "peru"}, "malformed"),
        ("swap", {"give": "peru", "take": "brasil", "decline": True}, "malformed"),
        ("swap", {"give": "peru", "take": "brasil", "decline": False}, "accepted"),
        ("swap", {"decline": True}, "accepted"),
    ],
)
def test_the_checks_of_a_swap(given: str | None, payload: dict[str, Any], code: str) -> None:
    """EXG-43."""
    game = a_game()
    game.give(players={"ana": {"pending": given}})
    assert game.say("ana", "resolve_swap", **payload) == code


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({"defence_plus5": "always"}, "bad_policy"),
        ({"defence_plus5": [7]}, "bad_policy"),
        ({"defence_plus5": ["peru", "peru"]}, "bad_policy"),
        ({"defence_plus5": ["peru", "atlantis"]}, "unknown_id"),
        ({"defence_rerolls": True}, "bad_policy"),
        ({"defence_rerolls": -1}, "bad_policy"),
        ({"sa_give": "peru"}, "bad_policy"),
        ({"sa_give": ["atlantis"]}, "unknown_id"),
        ({"wish": 1}, "malformed"),
        ({}, "accepted"),
        ({"sa_give": ["brasil", "peru"], "defence_plus5": ["peru"], "defence_rerolls": 2}, "accepted"),
    ],
)
def test_the_checks_of_a_policy(payload: dict[str, Any], code: str) -> None:
    """EXG-47."""
    assert a_game().say("ana", "set_policy", **payload) == code
