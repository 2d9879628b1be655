"""Who is told what: deployments stay with their owner to the start, mines to the end (SPB-30, SPB-77 to SPB-80)."""

from collections.abc import Callable
from typing import Any

import pytest

from shared.canonical import canonical
from tests.rules.space_battle.play import START, Room, deployment, running

ROW = [[8, 1]]


def told_to(room: Room, name: str) -> bytes:
    """Everything that a viewer is told and sees."""
    audiences = {"public", f"player:{name}"}
    events = [[event.type, event.data] for event in room.told if audiences & set(event.to)]
    return canonical([events, room.view(name)])


def test_a_deployment_is_told_to_its_player_alone() -> None:
    room = Room()
    room.agree(2)
    room.deploy("ana", mines=ROW)
    assert [(event.type, event.to) for event in room.events] == [("deployed", ("player:ana",))]
    room.done("ana", "ready")
    assert [(event.type, event.to) for event in room.events] == [("side_ready", ("public",))]


def test_an_explosion_is_public_and_whose_mine_it_was_is_not() -> None:
    """SPB-79, SPB-105."""
    room = running(ROW, enemy_mines=ROW)
    room.give(craft={"D:y": {"col": 9, "row": 1}})
    room.done("bia", "move_craft", craft="D:y", to=[7, 1])
    assert [(event.type, event.to) for event in room.events if event.type.startswith("mine")] == [
        ("mine_exploded", ("public",)),
        ("mine_spent", ("player:ana",)),
        ("mine_spent", ("player:bia",)),
    ]
    assert not set(room.of("mine_exploded")[0]) & {"mine", "side"}
    assert room.view("bia")["mines"] == {"D:m1": {"id": "D:m1", "side": "D", "col": 8, "row": 1, "live": False}}
    assert "mines" not in room.view("caio")
    assert set(room.view("operator")["mines"]) == {"C:m1", "D:m1"}


def test_the_chat_is_told_to_both_players() -> None:
    """SPB-80."""
    room = running()
    room.done("ana", "chat", text="Hello.")
    assert [event.to for event in room.events] == [("player:ana", "player:bia")]
    said = [item for item in room.documents if item.kind == "chat"]
    assert [(item.id, item.audience, item.fields["author"]) for item in said] == [
        (f"i{room.seq}", "player:ana", "ana"),
        (f"i{room.seq}", "player:bia", "ana"),
    ]


def _redeployed(room: Room) -> None:
    for number in range(3):
        room.done(
            "ana", "deploy", at=room.at, **deployment("C", (("q", "fighter"), ("r", "frigate")), [[4, number + 1]])
        )


def _refused(room: Room) -> None:
    assert room.say("ana", "deploy", at=room.at, **deployment("D")) == "base_square"


@pytest.mark.parametrize("secret", [_redeployed, _refused])
def test_what_is_deployed_changes_nothing_that_others_are_told(secret: Callable[[Room], None]) -> None:
    """SPB-30: with the same commands of others their answers and views are the same to the byte."""
    seen = []
    for make in (lambda room: None, secret):
        room = Room()
        room.agree(2)
        room.deploy("ana", mines=ROW)
        make(room)
        room.deploy("bia")
        answers = [
            room.say("bia", "move_craft", craft="C:q", to=[3, 1]),
            room.say("bia", "fire", craft="D:x", target="C:x"),
            room.say("bia", "fire", craft="C:base", target="C:q"),
            room.say("caio", "ready"),
            room.say("bia", "ready"),
        ]
        seen.append((answers, [told_to(room, name) for name in ("bia", "caio", "nobody")]))
    assert seen[0] == seen[1]
    assert seen[0][0] == ["unknown_id", "unknown_id", "unknown_id", "not_authorised", "accepted"]


@pytest.mark.parametrize("mines", [[], [[4, 9]], [[4, 9], [5, 9], [6, 9]]])
def test_mines_on_which_nobody_comes_change_nothing_that_the_other_is_told(mines: list[list[int]]) -> None:
    """SPB-79: neither in any field nor in any number."""
    seen = []
    for laid in ([[10, 9]], mines):
        room = running(laid)
        room.done("bia", "move_craft", craft="D:x", to=[9, 1])
        room.done("bia", "fire", craft="D:x", target="C:x")
        answer = room.advice("bia", type="reach")
        seen.append((told_to(room, "bia"), told_to(room, "caio"), canonical(answer)))
    assert seen[0] == seen[1]


def test_everything_is_shown_when_the_battle_has_started_and_ended() -> None:
    """SPB-78, SPB-79."""
    room = running(ROW)
    public = room.view("public")
    assert public["craft"]["C:x"]["shots_left"] == 10
    assert public["move_started_at"] == START
    assert "mines" not in public
    room.done("bia", "surrender")
    assert room.view("public")["mines"]["C:m1"] == {"id": "C:m1", "side": "C", "col": 8, "row": 1, "live": True}


def test_a_battle_that_never_started_shows_mines_and_no_deployment() -> None:
    """SPB-30, SPB-79."""
    room = Room()
    room.agree(2)
    room.deploy("ana", mines=ROW)
    room.done("operator", "abort", reason="a fault")
    assert set(room.view("public")["mines"]) == {"C:m1"}
    assert "craft" not in room.view("bia")
    assert set(room.view("ana")["craft"]) == {"C:base", "C:x", "C:y"}


@pytest.mark.parametrize("moves", range(6))
def test_the_view_of_an_operator_is_the_state(moves: int) -> None:
    """Whatever is public stands under the paths of the canonical state."""
    room = running(ROW, enemy_mines=[[6, 6]])
    parts: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("bia", "move_craft", {"craft": "D:y", "to": [9, 2]}),
        ("bia", "fire", {"craft": "D:x", "target": "C:x"}),
        ("ana", "move_craft", {"craft": "C:x", "to": [5, 1]}),
        ("ana", "end_move", {}),
        ("bia", "surrender", {}),
    )
    for name, type_, payload in parts[:moves]:
        assert room.say(name, type_, **payload) in ("accepted", "out_of_range")
    state, view = room.canonical, room.view("operator")
    for key in state:
        if key == "players":
            seen = {name: {**entry} for name, entry in view[key].items()}
            assert [entry.pop("side") for entry in seen.values()] == ["C", "D", None]
            assert seen == state[key]
        else:
            assert view[key] == state[key], key
