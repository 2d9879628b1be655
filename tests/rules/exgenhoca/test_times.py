"""Deadlines that are set and shifted (ENG-12), and rounds that clock, operators and players close (EXG-49, EXG-50)."""

from shared.rules.deadlines import LATEST_MS, LONGEST_SHIFT_MS
from shared.rules.exgenhoca import RULES
from tests.rules.exgenhoca.play import DAY_MS, HOUR_MS, Game


def started(**config: object) -> Game:
    game = Game(**config)  # type: ignore[arg-type]
    game.start()
    return game


def set_deadline(game: Game, deadline: int | None) -> str:
    return game.say("operator", "set_deadline", deadline=deadline, reason="operator")


def shift(game: Game, by: int) -> str:
    return game.say("operator", "shift_time", by_ms=by, reason="operator")


def test_the_clock_closes_at_the_deadline_itself_however_late_it_is() -> None:
    game = started()
    assert game.state.round_deadline == 1 + DAY_MS
    assert game.say("clock", "close_round", round=1, at=DAY_MS) == "too_early"
    assert game.say("clock", "close_round", round=1, at=5 * DAY_MS) == "accepted"
    assert (game.state.round, game.state.round_opened_at, game.state.round_deadline) == (2, 1 + DAY_MS, 1 + 2 * DAY_MS)


def test_an_operators_close_begins_the_next_round_then() -> None:
    game = started(round_hours={"seconds": 60})
    assert game.say("operator", "close_round", round=1, at=HOUR_MS // 120) == "accepted"
    assert (game.state.round_opened_at, game.state.round_deadline) == (HOUR_MS // 120, HOUR_MS // 120 + 60_000)


def test_a_paused_round_is_closed_by_no_clock_and_inputs_go_on() -> None:
    game = started()
    assert set_deadline(game, None) == "accepted"
    assert RULES.due(game.state) is None
    assert game.say("clock", "close_round", round=1, at=9 * DAY_MS) == "too_early"
    assert game.say("ana", "pass_round", at=9 * DAY_MS) == "accepted"


def test_a_deadline_is_met_up_to_itself() -> None:
    """ENG-3."""
    game = started()
    deadline = game.state.round_deadline
    assert deadline is not None
    assert game.say("ana", "pass_round", at=deadline) == "accepted"
    assert game.say("bia", "pass_round", at=deadline + 1) == "deadline_passed"


def test_a_deadline_may_not_be_set_before_now() -> None:
    game = started()
    assert game.say("operator", "set_deadline", deadline=99, reason="operator", at=100) == "bad_deadline"
    assert game.say("operator", "set_deadline", deadline=100, reason="operator", at=100) == "accepted"


def test_a_shift_moves_opening_and_deadline_within_what_can_be_stored() -> None:
    game = started()
    assert shift(game, HOUR_MS) == "accepted"
    assert (game.state.round_opened_at, game.state.round_deadline) == (1 + HOUR_MS, 1 + HOUR_MS + DAY_MS)
    assert shift(game, -2 * DAY_MS) == "bad_deadline"
    assert set_deadline(game, LATEST_MS) == "accepted"
    assert shift(game, LONGEST_SHIFT_MS) == "bad_deadline"
    assert set_deadline(game, None) == "accepted"
    assert shift(game, -1 - HOUR_MS) == "accepted"
    assert game.state.round_opened_at == 0
    assert shift(game, -1) == "bad_deadline"


def test_the_host_waits_for_those_who_have_something_to_do() -> None:
    """EXG-49."""
    game = started()
    assert RULES.waiting(game.state) == ["ana", "bia", "caio"]
    game.say("ana", "pass_round")
    assert RULES.waiting(game.state) == ["bia", "caio"]
    game.give(players={"ana": {"pending": "swap"}, "bia": {"attacks_left": 0}})
    assert RULES.waiting(game.state) == ["ana", "caio"]
    game.give(players={"caio": {"attacks_left": 0, "global_attacks": 1}})
    assert RULES.waiting(game.state) == ["ana", "caio"]


def test_the_last_to_pass_closes_the_round_in_a_resolution_of_its_own() -> None:
    """EXG-12."""
    game = started()
    for name in ("ana", "bia", "caio"):
        assert game.state.round == 1
        assert game.say(name, "pass_round") == "accepted"
    assert game.state.round == 2
    assert game.dice.labels == ["setup", "round:1:close"]
    assert game.of("round_closed") == [{"round": 1, "closed_at": game.at, "by": "players"}]
