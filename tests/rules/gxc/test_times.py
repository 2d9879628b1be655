"""Times that operators set stay within what can be stored and shown (ENG-12)."""

from shared.rules.deadlines import LATEST_MS, LONGEST_SHIFT_MS
from tests.rules.gxc.play import Game, creation, territory

MAP = {"T": territory("U"), "U": territory("T")}
TEAMS = {"red": ["T"], "blue": ["U"]}


def running() -> Game:
    game = Game(creation(MAP, TEAMS))
    game.at = 1_000
    assert game.say("operator", "start_game") == "accepted"
    return game


def set_deadline(game: Game, deadline: int | None) -> str:
    return game.say("operator", "set_deadline", deadline=deadline, reason="operator")


def shift(game: Game, by: int) -> str:
    return game.say("operator", "shift_time", by_ms=by, reason="operator")


def test_a_deadline_is_not_shifted_behind_the_last_time_there_is() -> None:
    game = running()
    assert set_deadline(game, LATEST_MS) == "accepted"
    assert shift(game, LONGEST_SHIFT_MS) == "bad_deadline"
    assert shift(game, 1) == "bad_deadline"
    assert game.refusal is not None
    assert game.refusal.detail.endswith(" to 0")
    assert set_deadline(game, LATEST_MS - 1) == "accepted"
    assert shift(game, 1) == "accepted"
    assert game.state.turn_deadline == LATEST_MS


def test_an_opening_is_not_shifted_before_the_first_time_there_is() -> None:
    game = running()
    opened = game.state.turn_opened_at
    assert opened is not None
    assert shift(game, -opened - 1) == "bad_deadline"
    assert shift(game, -opened) == "accepted"
    assert game.state.turn_opened_at == 0


def test_a_paused_turn_has_an_opening_all_the_same() -> None:
    game = running()
    assert set_deadline(game, None) == "accepted"
    assert shift(game, -LONGEST_SHIFT_MS) == "bad_deadline"
    game.give(turn_opened_at=LATEST_MS)
    assert shift(game, 1) == "bad_deadline"
    assert shift(game, -1) == "accepted"
