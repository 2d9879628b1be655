"""Advice agrees with judgement, and speaks of nothing that its asker does not see."""

from random import Random
from typing import Any

import pytest

from shared.rules.space_battle import RULES
from tests.rules.space_battle.play import Room, deployment, running
from tests.rules.space_battle.test_invariants import battle_at_random, part_at_random


def judged(room: Room, name: str, type_: str, payload: dict[str, Any]) -> str | None:
    """The code of a command that leaves no trace; None if it would be accepted."""
    state, seq, documents = room.state, room.seq, room.documents
    events, told = room.events, list(room.told)
    trial = Room.__new__(Room)
    trial.__dict__.update(room.__dict__)
    trial.state = RULES.decode(RULES.encode(state))
    trial.documents, trial.told = type(documents)(), []
    answer = trial.say(name, type_, **payload)
    assert (room.state, room.seq, room.events, room.told) == (state, seq, events, told)
    return None if answer == "accepted" else answer


def refusal(answer: Any) -> str | None:
    code: str | None = answer["refusal"] and answer["refusal"]["code"]
    return code


@pytest.mark.parametrize("seed", range(6))
def test_advice_says_what_the_judgement_would_be(seed: int) -> None:
    """SPB-36 to SPB-49, for parts that are legal and for some that are not."""
    chance = Random(seed)
    room = battle_at_random(chance)
    for _ in range(12):
        if RULES.over(room.state):
            break
        part_at_random(chance, room)
        if RULES.over(room.state):
            break
        for name in ("ana", "bia"):
            craft, other = chance.choice(sorted(room.state.craft)), chance.choice(sorted(room.state.craft))
            to = [chance.randint(0, 16), chance.randint(0, 12)]
            for type_, payload in (
                ("move_craft", {"craft": craft, "to": to}),
                ("fire", {"craft": craft, "target": other}),
            ):
                told = room.advice(name, type=type_, payload=payload)
                assert refusal(told) == judged(room, name, type_, payload), (type_, payload)


def test_reach_lists_squares_and_targets() -> None:
    room = running([[10, 1]])
    room.give(craft={"D:y": {"col": 12, "row": 9}, "D:x": {"damage": 121, "row": 2}, "C:x": {"col": 9, "row": 2}})
    told = room.advice("bia", type="reach")
    assert told["refusal"] is None
    assert told["craft"]["D:base"]["moves"] == []
    squares = [move["to"] for move in told["craft"]["D:x"]["moves"]]
    assert [12, 1] in squares
    assert [10, 2] in squares
    assert [9, 2] not in squares
    assert told["craft"]["D:x"]["targets"]["C:x"] == {
        "allowed": True,
        "refusal": None,
        "hit": "C:x",
        "distance": 3,
        "damage": 64,
        "destroys": False,
        "shield_down": False,
    }
    assert told["craft"]["D:x"]["targets"]["D:y"]["allowed"] is True
    assert room.advice("ana", type="reach")["refusal"]["code"] == "not_your_move"
    assert room.advice("ana", type="reach")["craft"]["C:x"]["targets"]["D:x"]["destroys"] is True


def test_own_mines_on_a_way_are_named_and_the_others_are_not() -> None:
    """SPB-79."""
    room = running([[8, 1]], enemy_mines=[[9, 1]])
    room.give(craft={"D:y": {"col": 10, "row": 1}}, to_move="D")
    told = room.advice("bia", type="move_craft", payload={"craft": "D:y", "to": [7, 1]})
    assert told == {"refusal": None, "path": [[9, 1]], "survives": False, "mines": [[9, 1]]}
    room.done("bia", "end_move")
    room.give(craft={"C:y": {"col": 11, "row": 2}})
    told = room.advice("ana", type="move_craft", payload={"craft": "C:y", "to": [8, 2]})
    assert told == {"refusal": None, "path": [[10, 2], [9, 2], [8, 2]], "survives": True, "mines": []}


def test_a_considered_shot_tells_what_it_does() -> None:
    room = running()
    room.give(craft={"D:x": {"col": 9, "row": 1}, "C:y": {"col": 6, "row": 1, "damage": 21}})
    told = room.advice("bia", type="fire", payload={"craft": "D:x", "target": "C:x"})
    assert told == {"refusal": None, "hit": "C:y", "distance": 3, "damage": 64, "destroys": True, "shield_down": False}


def test_every_fault_of_a_deployment_is_told_with_its_place() -> None:
    """SPB-29: the first is the one that the command is refused for."""
    room = Room()
    room.agree(2)
    draft = deployment(
        "C", (("a", "cruiser"), ("a", "cruiser"), ("base", "space_base")), [[3, 3], [4, 4], [4, 4], [11, 1]]
    )
    draft["base"] = [2, 5]
    draft["craft"][1]["at"] = [2, 1]
    told = room.advice("ana", type="deploy", payload=draft)["faults"]
    assert [(item["code"], item["place"]) for item in told] == [
        ("bad_count", "craft"),
        ("bad_count", "craft.1.id"),
        ("bad_count", "craft.2.class"),
        ("bad_count", "craft.2.id"),
        ("base_square", "base"),
        ("square_taken", "craft.1.at"),
        ("mine_outside", "mines.0"),
        ("mine_outside", "mines.3"),
        ("square_taken", "mines.2"),
        ("too_many_mines", "mines"),
    ]
    assert all(item["rule"].startswith("SPB-") and item["detail"] for item in told)
    assert room.say("ana", "deploy", **draft) == told[0]["code"]
    assert room.advice("ana", type="deploy", payload=deployment("C"))["faults"] == []
    unknown = room.advice("ana", type="deploy", payload=deployment("C", (("a", "submarine"), ("b", "scout"))))
    assert [(item["code"], item["place"]) for item in unknown["faults"]] == [("unknown_id", "craft.0.class")]
    lacking = room.advice("ana", type="deploy")["faults"]
    assert [(item["code"], item["place"]) for item in lacking] == [("malformed", "base"), ("malformed", "craft")]


@pytest.mark.parametrize(
    ("name", "question", "code"),
    [
        ("bia", {"type": "weather"}, "malformed"),
        ("public", {"type": "reach"}, "malformed"),
        ("caio", {"type": "reach"}, "not_authorised"),
        ("bia", {"type": "reach", "player": "ana"}, "not_authorised"),
        ("bia", {"type": "deploy", "payload": {}}, "wrong_phase"),
    ],
)
def test_who_gets_no_advice(name: str, question: dict[str, Any], code: str) -> None:
    assert running().advice(name, **question) == code


def test_what_is_asked_of_is_checked_like_a_command() -> None:
    room = running()
    for type_ in ("move_craft", "fire"):
        assert refusal(room.advice("bia", type=type_)) == "malformed"
    assert refusal(room.advice("bia", type="fire", payload={"craft": "D:x", "target": "C:q"})) == "unknown_id"
    assert room.advice("operator", type="reach", player="bia")["refusal"] is None
