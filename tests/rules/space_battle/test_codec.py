"""What is wrong in a canonical state is named by its path (SPB-13 to SPB-17, SPB-101)."""

from typing import Any

import pytest

from shared.rules.space_battle import RULES
from tests.rules.space_battle.play import Room, running

FAULTS: tuple[tuple[tuple[str, ...], Any, str], ...] = (
    (("phase",), "asleep", "phase must be one of"),
    (("phase",), "ended", "phase must be running, as its challenge is"),
    (("to_move",), "X", "to_move must be one of C, D"),
    (("to_move",), None, "to_move must not be null in the phase running"),
    (("move_no",), 0, "move_no must be at least 1"),
    (("move_started_at",), None, "move_started_at must not be null"),
    (("forfeits",), {"C": 0}, "forfeits.D is missing"),
    (("config", "rows"), 0, "config.rows must be an integer"),
    (("players", "ana", "hangar"), {"scout": 1}, "players.ana.hangar must hold the classes"),
    (("challenges", "1", "id"), 2, "challenges.1.id must be 1"),
    (("challenges", "1", "challenger"), "nobody", "challenges.1.challenger must be a player of the game"),
    (("challenges", "1", "challenged"), "ana", "challenges.1.challenged must be another player"),
    (("challenges", "1", "number"), None, "challenges.1.number must not be null in a battle"),
    (("challenges", "1", "status"), "issued", "phase must be null"),
    (("craft", "C:x", "id"), "C:y", "craft.C:x.id must be C:x"),
    (("craft", "C:x", "side"), "D", "craft.C:x.side must be that of its id"),
    (("craft", "C:x", "class"), "submarine", "craft.C:x.class must be a class of the game"),
    (("craft", "C:x", "col"), 14, "craft.C:x.col must be an integer from 1 to 13"),
    (("craft", "C:x", "row"), 2, "craft.C:y must stand on another square than craft.C:x"),
    (("craft", "C:x", "damage"), -1, "craft.C:x.damage must be an integer"),
    (("mines", "C:m1", "row"), 10, "mines.C:m1.row must be an integer from 1 to 9"),
    (("mines", "C:m1", "live"), 1, "mines.C:m1.live must be true or false"),
)


@pytest.mark.parametrize(("path", "value", "message"), FAULTS)
def test_a_wrong_value_is_named(path: tuple[str, ...], value: Any, message: str) -> None:
    changed = running([[7, 7]]).canonical
    place = changed
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    with pytest.raises(ValueError, match=message.replace(".", r"\.")):
        RULES.decode(changed)


@pytest.mark.parametrize("path", [("phase",), ("players", "ana", "experience"), ("config", "rows"), ("mines",)])
def test_what_is_missing_is_named(path: tuple[str, ...]) -> None:
    changed = Room().canonical
    place = changed
    for name in path[:-1]:
        place = place[name]
    del place[path[-1]]
    with pytest.raises(ValueError, match=path[-1]):
        RULES.decode(changed)


def test_a_second_battle_and_a_gap_between_challenges_are_named() -> None:
    """SPB-102."""
    changed = running().canonical
    changed["challenges"]["3"] = {**changed["challenges"]["1"], "id": 3}
    with pytest.raises(ValueError, match="challenges must have the ids 1 to 2"):
        RULES.decode(changed)
    changed["challenges"]["2"] = {**changed["challenges"].pop("3"), "id": 2}
    with pytest.raises(ValueError, match=r"challenges\.2\.status is that of a battle, which challenge 1 is"):
        RULES.decode(changed)
