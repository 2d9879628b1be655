"""A game whose rules fail stands still alone, and loses nothing when it is released (design, Exactly once)."""

import pytest

from services.resolver.games import Games
from services.resolver.hosting.game import HostedGame
from services.resolver.replay import check
from shared.log import partition_of
from tests.unit.resolver.hosting.toy import TOY_1, TURN_MS, Toy
from tests.unit.resolver.house import House

NEIGHBOUR = next(f"h{number}" for number in range(1_000) if partition_of(f"h{number}") == partition_of("g1"))


def judged(house: House, game: str) -> list[str]:
    """Judgements and acts of the host, without what the rules made of them."""
    shown = ("accepted", "rejected", "repeated", "game.quarantined", "game.released", "game.rules_changed")
    return [line for line in house.told(game)[4:] if line.partition(" ")[0] in shown]


def test_a_failing_game_is_quarantined_and_its_neighbours_go_on(house: House) -> None:
    house.open("g1")
    house.open(NEIGHBOUR)
    house.say("g1", "ana", "fail", how="raise")
    house.say("g1", "ana", "order", name="waits")
    house.say(NEIGHBOUR, "bia", "order", name="goes on")

    house.settle()

    assert judged(house, "g1") == ["game.quarantined"]
    assert judged(house, NEIGHBOUR) == ["accepted order"]
    quarantined = house.journal("g1")[-1].data
    assert "the rules fell over" in quarantined["cause"]


def test_a_failing_game_is_folded_again_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    folded: list[str] = []
    again = Games.again

    def noting(games: Games, game: str, end: int) -> HostedGame | None:
        folded.append(game)
        return again(games, game, end)

    monkeypatch.setattr(Games, "again", noting)
    house.open("g1")
    house.settle()
    house.say("g1", "ana", "fail", how="raise")
    house.settle()

    assert judged(house, "g1") == ["game.quarantined"]
    assert folded == ["g1"]


def test_what_was_judged_before_the_failure_in_the_same_round_stays(house: House) -> None:
    house.open("g1")
    house.say("g1", "ana", "order", name="before")
    house.say("g1", "ana", "fail", how="evolve")

    house.settle()

    assert judged(house, "g1") == ["accepted order", "game.quarantined"]


def test_a_quarantined_game_has_no_deadline(house: House) -> None:
    deadline = house.open("g1")
    house.say("g1", "ana", "fail", how="raise")

    house.settle(at=deadline + TURN_MS)

    assert judged(house, "g1") == ["game.quarantined"]


@pytest.mark.parametrize("restarted", [False, True])
def test_a_release_judges_every_input_that_waited_in_its_order(house: House, restarted: bool) -> None:
    deadline = house.open("g1")
    house.say("g1", "ana", "fail", at=deadline - 90, how="raise")
    house.say("g1", "ana", "order", at=deadline - 80, name="waits")
    house.say("g1", "bia", "chat", at=deadline - 70, text="hello")
    house.settle()
    house.say("g1", "ana", "order", at=deadline + 10, name="next turn")
    house.settle()
    if restarted:
        house.restart()
    house.say("g1", "op", "release_game", at=deadline + 20, rules="2")

    house.settle(at=deadline + 30)

    assert judged(house, "g1") == [
        "game.quarantined",
        "accepted release_game",
        "game.released",
        "game.rules_changed",
        "accepted fail",
        "accepted order",
        "accepted chat",
        "accepted close",
        "accepted order",
    ]
    ats = [event.data["at"] for event in house.journal("g1") if "input" in event.data]
    assert ats[2:] == [deadline + 20, *(deadline + step for step in (-90, -80, -70, 0, 10))]
    check(house.journal("g1"))


def test_release_and_catch_up_are_one_transaction(house: House) -> None:
    house.open("g1")
    house.say("g1", "ana", "fail", how="raise")
    house.say("g1", "ana", "order", name="waits")
    house.settle()
    before = len(house.records("turns"))

    house.say("g1", "op", "release_game", rules="2")
    house.settle(at=house.clock.time + 10)

    added = house.records("turns")[before:]
    assert [("marks" in record.headers) for record in added] == [True]
    assert judged(house, "g1")[-1] == "accepted order"


def test_a_game_released_with_the_rules_that_failed_is_quarantined_again_and_loses_nothing(house: House) -> None:
    house.open("g1")
    house.say("g1", "ana", "order", name="fine")
    house.say("g1", "ana", "fail", how="raise")
    house.say("g1", "ana", "order", name="waits")
    house.settle()
    house.say("g1", "op", "release_game")
    house.settle(at=house.clock.time + 10)
    assert judged(house, "g1")[1:] == [
        "game.quarantined", "accepted release_game", "game.released", "game.quarantined"
    ]  # fmt: skip

    house.say("g1", "op", "release_game", rules="2")
    house.settle(at=house.clock.time + 10)

    assert judged(house, "g1")[-4:] == ["game.released", "game.rules_changed", "accepted fail", "accepted order"]


def test_a_refused_release_is_judged_once_and_the_game_stays_where_it_was(house: House) -> None:
    house.open("g1")
    house.say("g1", "ana", "fail", how="raise")
    house.settle()
    house.say("g1", "op", "release_game", rules="7")
    house.settle(at=house.clock.time + 10)
    assert judged(house, "g1") == ["game.quarantined", "rejected release_game unknown_rules"]

    house.say("g1", "op", "release_game", rules="2")
    house.settle(at=house.clock.time + 10)

    assert judged(house, "g1")[2:] == [
        "accepted release_game", "game.released", "game.rules_changed", "accepted fail"
    ]  # fmt: skip


def test_a_time_shift_moves_the_deadline_that_passed_meanwhile(house: House) -> None:
    deadline = house.open("g1")
    house.say("g1", "ana", "fail", how="raise")
    house.settle(at=deadline + 1_000)
    house.say("g1", "op", "release_game", rules="2", shift_ms=5_000)
    house.settle(at=deadline + 4_999)
    assert judged(house, "g1")[-2:] == ["accepted shift_time", "accepted fail"]

    house.settle(at=deadline + 5_001)
    assert judged(house, "g1")[-1] == "accepted close"


def test_a_close_that_fails_quarantines_its_game(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Toy, *arguments: object) -> object:
        raise RuntimeError("the close fell over")

    deadline = house.open("g1")
    other = house.open(NEIGHBOUR)
    house.say("g1", "ana", "order", at=deadline, name="in time")
    with monkeypatch.context() as broken:
        broken.setattr(Toy, "_close", fail)
        house.settle(at=deadline + 1)
    assert judged(house, "g1") == ["accepted order", "game.quarantined"]
    assert house.journal("g1")[-1].data["at"] == deadline
    assert judged(house, NEIGHBOUR) == ["game.quarantined"]
    assert other == deadline

    house.say("g1", "op", "release_game", at=deadline + 10)
    house.settle(at=deadline + 20)

    assert judged(house, "g1")[2:] == ["accepted release_game", "game.released", "accepted close"]


def test_rules_that_cannot_tell_their_deadline_after_a_restart_are_quarantined(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.open("g1")
    house.settle()
    house.restart()

    def fail(self: Toy, state: object) -> object:
        raise RuntimeError("no idea")

    monkeypatch.setattr(type(TOY_1), "due", fail)
    house.settle()

    assert judged(house, "g1") == ["game.quarantined"]


def test_a_creation_that_the_rules_cannot_bear_is_answered_and_makes_no_game(house: House) -> None:
    house.say("g1", "op", "create_game", game="toy", create={"explode": True})
    house.say("g1", "ana", "order", name="to nobody")
    house.settle()

    assert house.told("g1") == ["rejected create_game internal", "rejected order unknown_game"]
