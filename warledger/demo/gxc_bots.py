"""Bots for GXC: each knows what its own account sees and decides by a seeded generator of its own."""

import random
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shared.maps.model import Map


@dataclass(frozen=True, slots=True)
class Situation:
    """What a bot knows when it decides: who owns each territory, and how strong each was at the opening."""

    owners: Mapping[str, str | None]
    strength: Mapping[str, int]
    attacks_allowed: bool


def order_of(
    board: Map, team: str, player: Mapping[str, Any], situation: Situation, chance: random.Random
) -> dict[str, Any]:
    """The payload of `set_order` for a player with `location` and `energy`."""
    here, energy = str(player["location"]), int(player["energy"])
    foes = [t for t in board.territories[here].neighbours if situation.owners.get(t) != team]
    if situation.attacks_allowed and foes and energy >= 4 and chance.random() < 0.75:
        target = min(foes, key=lambda t: (situation.strength.get(t, 0) + chance.randrange(12), t))
        attack = max(1, energy * chance.randrange(50, 91) // 100)
        return {"attack": {"target": target, "energy": attack}, "defend": energy - attack}
    if not foes and energy >= 3:
        towards = _towards_the_border(board, team, here, situation.owners)
        if towards is not None and towards != here:
            return {"move_to": towards, "defend": energy - 1}
    return {"defend": energy}


def _towards_the_border(board: Map, team: str, start: str, owners: Mapping[str, str | None]) -> str | None:
    """The first step on a shortest way through own land to a territory that borders on a foreign one."""
    first: dict[str, str] = {start: start}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for near in board.territories[here].neighbours:
            if owners.get(near) != team:
                return first[here]
            if near not in first:
                first[near] = near if here == start else first[here]
                queue.append(near)
    return None
