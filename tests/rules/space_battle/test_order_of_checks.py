"""The first failure in the order of ENG-5 and of each command decides (SPB-21, SPB-29, SPB-38, SPB-42, SPB-73)."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.rules.space_battle.play import START, Room, deployment, running


class Draft:
    """A command that is accepted as it stands, in a room; faults change the one or the other."""

    def __init__(self, room: Room, actor: str, type_: str, payload: dict[str, Any]) -> None:
        self.room = room
        self.actor = actor
        self.type = type_
        self.payload = payload
        self.role: Any = None
        self.at = room.at + 1

    def outcome(self) -> str:
        return self.room.say(self.actor, self.type, self.role, at=self.at, **self.payload)


Fault = tuple[str, Callable[[Draft], None]]
"""A code, and what brings it about."""


def _malformed(draft: Draft) -> None:
    draft.payload["bogus"] = 1


def _game_over(draft: Draft) -> None:
    draft.room.give(phase="ended", result="draw", challenges={"1": {"status": "ended"}})


def _not_authorised(draft: Draft) -> None:
    draft.role = "clock"


def _put(key: str, value: Any) -> Callable[[Draft], None]:
    def put(draft: Draft) -> None:
        draft.payload[key] = value

    return put


def _give(**changes: Any) -> Callable[[Draft], None]:
    return lambda draft: draft.room.give(**changes)


def _late(draft: Draft) -> None:
    draft.room.give(lapsed=True)
    draft.actor = "ana"


def _not_hers(draft: Draft) -> None:
    draft.room.give(to_move="C")


def _move() -> Draft:
    room = running()
    room.give(craft={"D:x": {"col": 9, "row": 1}, "D:y": {"col": 9, "row": 9}})
    return Draft(room, "bia", "move_craft", {"craft": "D:x", "to": [8, 1]})


def _destroyed(draft: Draft) -> None:
    name = draft.payload["craft"]
    draft.room.give(craft={name: {"alive": False}})


MOVE: Sequence[Fault] = (
    ("malformed", _malformed),
    ("game_over", _game_over),
    ("not_authorised", _not_authorised),
    ("unknown_id", _put("craft", "D:nothing")),
    ("deadline_passed", _late),
    ("not_your_move", _not_hers),
    ("already_moved", _give(moved_this_move=True)),
    ("not_your_craft", _put("craft", "C:x")),
    ("destroyed", _destroyed),
)
"""Those that can be there at the same time; what is wrong with the way excludes what comes after it."""
WAYS: Sequence[tuple[str, list[int], dict[str, Any]]] = (
    ("same_square", [9, 1], {}),
    ("off_grid", [14, 2], {}),
    ("off_grid", [9, 0], {"C:y": {"col": 9, "row": 2}}),
    ("not_straight", [1, 2], {}),
    ("too_far", [5, 1], {"C:y": {"col": 8, "row": 1}}),
    ("blocked", [7, 1], {"C:y": {"col": 8, "row": 1}}),
)
"""Code, target, and craft elsewhere: several faults at once, of which the first in the order of SPB-38 is told."""


def _shot() -> Draft:
    room = running()
    room.give(craft={"D:x": {"col": 9, "row": 1}, "C:x": {"col": 5, "row": 1}, "D:y": {"col": 13, "row": 9}})
    return Draft(room, "bia", "fire", {"craft": "D:x", "target": "C:x"})


def _self_target(draft: Draft) -> None:
    draft.payload["target"] = draft.payload["craft"]


def _no_shots(draft: Draft) -> None:
    draft.room.give(craft={draft.payload["craft"]: {"shots_left": 0}})


SHOT: Sequence[Fault] = (
    *MOVE[:6],
    MOVE[7],
    MOVE[8],
    ("no_shots", _no_shots),
    ("self_target", _self_target),
    ("unknown_target", _give(craft={"C:x": {"alive": False}})),
    ("not_aligned", _give(craft={"C:x": {"col": 4, "row": 2}})),
    ("out_of_range", _give(craft={"D:x": {"col": 13, "row": 1}, "C:x": {"col": 1, "row": 1}})),
)


def _challenge() -> Draft:
    return Draft(Room(), "ana", "issue_challenge", {"challenged": "bia"})


def _poor(name: str) -> Callable[[Draft], None]:
    return _give(players={name: {"hangar": {"space_base": 0}}})


def _fighting(draft: Draft) -> None:
    draft.room.agree(2)


def _challenged(draft: Draft) -> None:
    draft.room.done("bia", "issue_challenge", challenged="ana")


CHALLENGE: Sequence[Fault] = (
    ("malformed", _malformed),
    ("not_authorised", _not_authorised),
    ("unknown_id", _put("challenged", "nobody")),
    ("self_challenge", _put("challenged", "ana")),
    ("fleet_too_small", _poor("ana")),
    ("opponent_fleet_too_small", _poor("bia")),
    ("already_in_battle", _fighting),
    ("duplicate_challenge", _challenged),
)


def _deploy() -> Draft:
    room = Room()
    room.agree(2)
    return Draft(room, "ana", "deploy", deployment("C"))


def _change(draft: Draft, number: int, **fields: Any) -> None:
    draft.payload["craft"][number].update(fields)


def _mines(*mines: list[int]) -> Callable[[Draft], None]:
    def put(draft: Draft) -> None:
        draft.payload["mines"] = [*draft.payload["mines"], *mines]

    return put


def _both_here(draft: Draft) -> None:
    _change(draft, 1, at=[*draft.payload["craft"][0]["at"]])


DEPLOY: Sequence[Fault] = (
    ("malformed", _malformed),
    ("game_over", _game_over),
    ("not_authorised", _not_authorised),
    ("unknown_id", lambda draft: _change(draft, 0, **{"class": "submarine"})),
    ("already_ready", _give(ready={"C": True})),
    ("bad_count", lambda draft: _change(draft, 1, id="x")),
    ("not_owned", _give(players={"ana": {"hangar": {"scout": 0}}})),
    ("base_square", _put("base", [1, 4])),
    ("outside_ranks", lambda draft: _change(draft, 0, at=[3, 1])),
    ("square_taken", _both_here),
    ("mine_outside", _mines([3, 1])),
    ("square_taken", _mines([4, 1], [4, 1])),
    ("too_many_mines", _mines([5, 1], [6, 1], [7, 1], [8, 1])),
)

ORDERS: Sequence[tuple[str, Callable[[], Draft], Sequence[Fault]]] = (
    ("move_craft", _move, MOVE),
    ("fire", _shot, SHOT),
    ("issue_challenge", _challenge, CHALLENGE),
    ("deploy", _deploy, DEPLOY),
)
EACH = [
    pytest.param(make, code, fault, id=f"{name} {number} {code}")
    for name, make, faults in ORDERS
    for number, (code, fault) in enumerate(faults)
]
EXCLUDE = {
    ("game_over", "deadline_passed"),
    ("unknown_id", "not_your_craft"),
    ("unknown_id", "self_challenge"),
    ("deadline_passed", "not_your_move"),
    ("not_your_craft", "destroyed"),
    ("self_challenge", "opponent_fleet_too_small"),
    ("self_challenge", "already_in_battle"),
    ("self_challenge", "duplicate_challenge"),
    ("self_target", "unknown_target"),
    ("not_aligned", "out_of_range"),
    ("already_in_battle", "duplicate_challenge"),
    ("fleet_too_small", "already_in_battle"),
    ("fleet_too_small", "duplicate_challenge"),
    ("opponent_fleet_too_small", "already_in_battle"),
    ("opponent_fleet_too_small", "duplicate_challenge"),
}
"""Pairs that cannot be together, or only if the second comes about first, which a test below does."""
PAIRS = [
    pytest.param(make, first, second, id=f"{name} {first[0]} before {second[0]}")
    for name, make, faults in ORDERS
    for number, first in enumerate(faults)
    for second in faults[number + 1 :]
    if (first[0], second[0]) not in EXCLUDE
]


@pytest.mark.parametrize("make", [make for _, make, _ in ORDERS])
def test_the_command_without_a_fault_is_accepted(make: Callable[[], Draft]) -> None:
    assert make().outcome() == "accepted"


@pytest.mark.parametrize(("make", "code", "fault"), EACH)
def test_each_fault_alone_has_its_code(make: Callable[[], Draft], code: str, fault: Callable[[Draft], None]) -> None:
    draft = make()
    fault(draft)
    draft.at = draft.room.at + 1
    assert draft.outcome() == code


@pytest.mark.parametrize(("make", "first", "second"), PAIRS)
def test_of_two_faults_the_first_in_order_decides(make: Callable[[], Draft], first: Fault, second: Fault) -> None:
    draft = make()
    second[1](draft)
    first[1](draft)
    draft.at = draft.room.at + 1
    assert draft.outcome() == first[0]


def test_a_battle_is_told_before_an_open_challenge_and_after_a_poor_fleet() -> None:
    """SPB-21: the pairs that come about in the other order."""
    draft = _challenge()
    draft.room.agree(2)
    draft.room.give(players={"bia": {"hangar": {"space_base": 0}}})
    assert draft.room.say("ana", "issue_challenge", challenged="bia") == "opponent_fleet_too_small"
    draft.room.give(players={"ana": {"hangar": {"space_base": 0}}})
    assert draft.room.say("ana", "issue_challenge", challenged="bia") == "fleet_too_small"
    assert draft.room.say("ana", "issue_challenge", challenged="ana") == "self_challenge"


@pytest.mark.parametrize(("code", "to", "craft"), WAYS)
def test_what_is_wrong_with_a_way_is_told_in_order(code: str, to: list[int], craft: dict[str, Any]) -> None:
    """SPB-38."""
    draft = _move()
    draft.room.give(craft=craft)
    draft.payload["to"] = to
    assert draft.outcome() == code
    assert code != "blocked" or "[8, 1]" in draft.room.refusal.detail  # type: ignore[union-attr]


def test_the_first_blocking_square_is_named() -> None:
    """SPB-38."""
    draft = _move()
    draft.room.give(craft={"C:y": {"col": 7, "row": 1}, "C:x": {"col": 8, "row": 1}})
    draft.payload["to"] = [6, 1]
    assert draft.outcome() == "blocked"
    assert draft.room.refusal is not None
    assert "[8, 1]" in draft.room.refusal.detail


def test_a_part_that_a_host_hands_in_too_late_is_refused() -> None:
    """SPB-55: a host that keeps ENG-3 forfeits the move first."""
    draft = _move()
    draft.at = START + 60_000
    assert draft.outcome() == "accepted"
    late = _move()
    late.at = START + 60_001
    assert late.outcome() == "deadline_passed"
