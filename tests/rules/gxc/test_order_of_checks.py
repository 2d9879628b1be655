"""The first failure in the order of ENG-5 and of the command's row decides (GXC-33)."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.gxc.play import DAY_MS, Game, creation, territory

# T - U - V - W in a row, X apart; red owns T, U and X, blue V, green W.
MAP = {
    "T": territory("U", x=0),
    "U": territory("T", "V", x=1),
    "V": territory("U", "W", x=2),
    "W": territory("V", x=3),
    "X": territory(x=9),
}
TEAMS = {"red": ["T", "U", "X"], "blue": ["V"], "green": ["W"]}


class Draft:
    """An order of red_1, who stands on T with 10 energy, and the game around it."""

    def __init__(self) -> None:
        self.game = Game(creation(MAP, TEAMS))
        self.game.settle(red_1="T", blue_1="V", green_1="W")
        self.payload: dict[str, Any] = {"move_to": "U", "attack": {"target": "V", "energy": 1}, "defend": 0}
        self.role: Any = "player"
        self.at = self.game.at + 1

    def player(self, **changes: Any) -> None:
        self.game.give(players={"red_1": changes})

    def outcome(self) -> str:
        return self.game.say("red_1", "set_order", self.role, at=self.at, **self.payload)


def _malformed(draft: Draft) -> None:
    draft.payload["wish"] = "victory"


def _game_over(draft: Draft) -> None:
    draft.game.give(phase="ended")


def _not_authorised(draft: Draft) -> None:
    draft.role = "operator"


def _unknown_id(draft: Draft) -> None:
    draft.payload["attack"] = {"target": "Atlantis", "energy": 1}


def _wrong_turn(draft: Draft) -> None:
    draft.payload["turn"] = 7


def _not_active(draft: Draft) -> None:
    draft.player(status="out", location=None, energy=0, turn_start_location=None)


def _deadline_passed(draft: Draft) -> None:
    draft.at = DAY_MS * 9


def _not_energized(draft: Draft) -> None:
    draft.player(energized_turn=0)


def _bad_amount(draft: Draft) -> None:
    draft.payload["defend"] = -1


def _not_own_territory(draft: Draft) -> None:
    draft.payload["move_to"] = "W"


def _same_territory(draft: Draft) -> None:
    draft.payload["move_to"] = "T"


def _no_path(draft: Draft) -> None:
    draft.payload["move_to"] = "X"


def _recruitment_mode(draft: Draft) -> None:
    draft.game.give(config={"recruitment_turns": 5})


def _not_adjacent(draft: Draft) -> None:
    draft.payload["attack"]["target"] = "W"


def _own_territory(draft: Draft) -> None:
    draft.game.give(territories={"V": {"owner": "red"}})


def _target_shielded(draft: Draft) -> None:
    shield = {"used": True, "turns_left": 3, "protected": ["V"]}
    draft.game.give(teams={"blue": {"shield": shield}})


def _insufficient_energy(draft: Draft) -> None:
    draft.payload["defend"] = 1000


FAULTS: tuple[tuple[str, Callable[[Draft], None]], ...] = (
    ("malformed", _malformed),
    ("game_over", _game_over),
    ("not_authorised", _not_authorised),
    ("unknown_id", _unknown_id),
    ("wrong_turn", _wrong_turn),
    ("not_active", _not_active),
    ("deadline_passed", _deadline_passed),
    ("not_energized", _not_energized),
    ("bad_amount", _bad_amount),
    ("not_own_territory", _not_own_territory),
    ("same_territory", _same_territory),
    ("no_path", _no_path),
    ("recruitment_mode", _recruitment_mode),
    ("not_adjacent", _not_adjacent),
    ("own_territory", _own_territory),
    ("target_shielded", _target_shielded),
    ("insufficient_energy", _insufficient_energy),
)


def test_an_order_without_fault_is_accepted() -> None:
    assert Draft().outcome() == "accepted"


@pytest.mark.parametrize(("code", "make"), FAULTS)
def test_each_fault_alone_gives_its_code(code: str, make: Callable[[Draft], None]) -> None:
    draft = Draft()
    make(draft)
    assert draft.outcome() == code


@settings(max_examples=150, deadline=None)
@given(st.sets(st.integers(0, len(FAULTS) - 1), min_size=2, max_size=6))
def test_the_first_of_several_faults_decides(chosen: set[int]) -> None:
    draft = Draft()
    for number in sorted(chosen, reverse=True):  # where two faults need the same field the earlier one has it
        FAULTS[number][1](draft)
    assert draft.outcome() == FAULTS[min(chosen)][0]


def test_in_the_lobby_the_phase_comes_before_turn_and_status() -> None:
    game = Game(creation(MAP, TEAMS))
    assert game.say("red_1", "join", team="red") == "accepted"
    assert game.say("red_1", "set_order", turn=7, attack={"target": "V", "energy": 0}) == "wrong_phase"
    assert game.say("red_1", "set_order", attack={"target": "Atlantis", "energy": 0}) == "unknown_id"


def test_somebody_who_is_not_in_the_game_may_only_join() -> None:
    game = Game(creation(MAP, TEAMS))
    assert game.say("stranger", "place", territory="T") == "not_authorised"
    assert game.say("stranger", "chat", text="hello", channel="all") == "not_authorised"
    assert game.say("stranger", "join", team="red") == "accepted"


def test_an_unknown_command_is_malformed_and_the_answer_names_the_known_ones() -> None:
    game = Game(creation(MAP, TEAMS))
    assert game.say("red_1", "surrender") == "malformed"
    assert game.refusal is not None
    assert "set_order" in game.refusal.detail


def test_a_command_at_or_before_the_deadline_of_a_close_by_the_clock_is_late() -> None:
    game = Game(creation(MAP, TEAMS))
    game.settle(red_1="T", blue_1="V", green_1="W")
    deadline = game.canonical["turn_deadline"]
    game.close()
    assert game.say("red_1", "energize", at=deadline) == "deadline_passed"
    assert game.say("red_1", "energize", at=deadline + 1) == "accepted"


def test_a_close_by_an_operator_sets_no_such_bound() -> None:
    game = Game(creation(MAP, TEAMS))
    game.settle(red_1="T", blue_1="V", green_1="W")
    assert game.say("operator", "close_turn", turn=1, at=500) == "accepted"
    assert game.say("red_1", "energize", at=500) == "accepted"


def test_polls_of_a_team_are_unknown_to_whoever_left_it() -> None:
    """GXC-100, GXC-103: whether there is a poll is nothing that the expelled can try out."""
    game = Game(creation(MAP, TEAMS))
    game.settle(red_1="T", red_2="T", red_3="T", blue_1="V", green_1="W")
    for nominator in ("red_1", "red_2"):
        assert game.say(nominator, "nominate", kind="commander", target="red_3") == "accepted"
    assert game.say("red_2", "vote", poll="red-1", choice="yes") == "accepted"
    assert game.say("operator", "remove_player", "operator", player="red_1") == "accepted"
    assert game.say("red_1", "vote", poll="red-1", choice="yes") == "unknown_id"
    assert game.say("red_1", "vote", poll="red-2", choice="yes") == "unknown_id"
