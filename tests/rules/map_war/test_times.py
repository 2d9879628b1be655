"""Deadlines of a turn and of its correction, pauses and times that are shifted (MAP-81, MAP-106, MAP-108, ENG-12)."""

from typing import Any

from shared.rules.map_war import RULES
from tests.rules.map_war.small import NAMES, Game, running, starting

DAY_MS = 86_400_000
FAULTY: dict[str, Any] = {"builds": [{"zone": "t", "structure": "city"}]}
"""Of ana: t is not hers."""


def due(game: Game) -> tuple[int, str] | None:
    found = RULES.due(game.table.state)
    return None if found is None else (found.at, found.type)


def waiting(game: Game) -> list[str]:
    return list(RULES.waiting(game.table.state))


def test_the_first_turn_waits_for_choices_and_ends_with_the_last() -> None:
    game = Game()
    assert (due(game), waiting(game)) == (None, [])
    game.done("operator", "start_game", at=5_000)
    assert (due(game), waiting(game)) == ((5_000 + 7 * DAY_MS, "close_turn"), list(NAMES))
    game.done("bia", "choose_start", zone="t", name="B", color="#0000AA")
    assert waiting(game) == ["ana", "cai"]
    game.done("ana", "choose_start", zone="h", name="A", color="#0000AB")
    game.done("cai", "choose_start", zone="u", name="C", color="#0000AC", at=9_000)
    assert (game.state["turn"], due(game)) == (2, (9_000 + 7 * DAY_MS, "close_turn"))
    assert waiting(game) == list(NAMES)


def test_who_has_chosen_no_start_in_time_is_left_out() -> None:
    """MAP-106."""
    game = starting()
    game.done("ana", "choose_start", zone="h", name="A", color="#0000AA")
    game.done("cai", "choose_start", zone="u", name="C", color="#0000AC")
    deadline = game.state["deadline"]
    game.table.run_clock(deadline)
    assert [event.type for event in game.events()] == ["players_left_out", "turn_closed", "turn_opened"]
    assert game.state["opened_at"] == deadline
    assert game.state["players"]["bia"] == {"status": "left_out"}
    assert game.say("bia", "submit_turn", at=deadline + 1) == "not_authorised"


def test_a_turn_ends_with_the_last_faultless_submission_or_at_its_deadline() -> None:
    game = running()
    game.done("ana", "submit_turn")
    game.done("bia", "submit_turn")
    assert waiting(game) == ["cai"]
    game.done("cai", "submit_turn", at=20_000)
    assert (game.state["turn"], game.state["opened_at"]) == (3, 20_000)
    deadline = 20_000 + 7 * DAY_MS
    game.table.run_clock(deadline)
    assert (game.state["turn"], game.state["opened_at"], due(game)) == (
        4,
        deadline,
        (deadline + 7 * DAY_MS, "close_turn"),
    )


def test_faults_open_a_correction_for_those_alone_who_have_them() -> None:
    game = running()
    game.done("ana", "submit_turn", **FAULTY)
    game.done("bia", "submit_turn")
    game.done("cai", "submit_turn")
    assert (game.state["phase"], waiting(game)) == ("orders", ["ana"]), "she may mend it until the deadline"
    deadline = game.state["deadline"]
    game.table.run_clock(deadline)
    assert (game.state["phase"], due(game), waiting(game)) == ("fix", (deadline + 4 * DAY_MS, "close_fix"), ["ana"])
    assert game.say("bia", "submit_turn", at=deadline + 1) == "wrong_phase"
    assert game.say("ana", "offer", kind="agreement", to="bia", good="food", at=deadline + 1) == "wrong_phase"
    game.done("ana", "submit_turn", at=deadline + 2)
    assert (game.state["phase"], game.state["turn"], game.state["opened_at"]) == ("orders", 3, deadline + 2)


def test_what_is_faulty_at_the_end_of_the_correction_is_dropped() -> None:
    game = running()
    game.done("ana", "submit_turn", claims=["v"], **FAULTY)
    game.table.run_clock(game.state["deadline"])
    game.table.run_clock(game.state["deadline"])
    dropped = next(event.data for event in game.events() if event.type == "items_dropped")
    assert (dropped["faults"], dropped["items"], dropped["orders"]["claims"]) == (["not_own_zone"], ["builds.0"], ["v"])
    assert game.state["zones"]["v"]["owner"] == "ana"


def test_the_clock_comes_at_the_deadline_and_the_operator_when_she_likes() -> None:
    game = running()
    assert game.say("clock", "close_turn", turn=2) == "too_early"
    assert game.say("operator", "close_turn", turn=3) == "wrong_turn"
    game.done("operator", "close_turn", turn=2)
    assert game.state["turn"] == 3
    game.done("operator", "set_deadline", deadline=None, reason="pause")
    assert due(game) is None
    assert game.say("clock", "close_turn", turn=3) == "too_early"


def test_a_deadline_that_is_set_or_shifted_is_the_one_that_is_due() -> None:
    game = running()
    opened, deadline = game.state["opened_at"], game.state["deadline"]
    game.done("operator", "set_deadline", deadline=deadline - DAY_MS, reason="schedule")
    assert due(game) == (deadline - DAY_MS, "close_turn")
    game.done("operator", "shift_time", by_ms=DAY_MS, reason="credit")
    assert due(game) == (deadline, "close_turn")
    assert game.state["opened_at"] == opened + DAY_MS
    assert game.say("operator", "set_deadline", deadline=game.at, reason="schedule") == "bad_deadline"


def test_a_late_clock_closes_every_turn_at_its_own_deadline() -> None:
    game = running(inactive_turns_to_rulerless=None)
    first = game.state["deadline"]
    game.table.run_clock(first + 3 * 7 * DAY_MS)
    closed = [
        event.data["closed_at"] for item in game.table.journal for event in item.events if event.type == "turn_closed"
    ][-4:]
    assert closed == [first + number * 7 * DAY_MS for number in range(4)]


def test_a_nation_without_its_ruler_is_not_waited_for() -> None:
    """MAP-110."""
    game = running()
    game.done("ana", "submit_turn")
    game.done("bia", "abandon")
    assert waiting(game) == ["cai"]
    game.done("cai", "submit_turn")
    assert (game.state["turn"], waiting(game)) == (3, ["ana", "cai"])
