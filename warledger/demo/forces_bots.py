"""A bot for FORCES: it knows what its own account sees, and attacks where it is stronger."""

import random
from collections import deque
from collections.abc import Mapping
from typing import Any

View = Mapping[str, Any]
COSTS: Mapping[str, int] = {"troop": 10, "tank": 15, "factory": 45}
WORTH: Mapping[str, int] = {"troop": 15, "tank": 50}
"""What a Force is worth in attack: its odds."""
BOLDNESS = 80
"""Per cent of the defence that an attack needs at least."""


class Bot:
    """One seat. `view` holds map and orders; what it does follows from that and its seed."""

    def __init__(self, view: View, seed: str, *, buys: bool) -> None:
        self.zones: Mapping[str, Any] = view["zones"]
        self.player: View = view["players"][view["you"]["player"]]
        self.seat: int = self.player["seat"]
        self.chance = random.Random(f"{seed}/{self.seat}/{view['year']}")
        self.buys = buys

    def capital(self) -> str:
        """Where it wants its capital: a factory that many own zones lie around."""
        own = [id_ for id_, zone in self.zones.items() if zone["owner"] == self.seat]
        return max(
            own, key=lambda id_: (self.zones[id_]["factory"], self._friends(id_), self.zones[id_]["income"], id_)
        )

    def submission(self) -> dict[str, Any]:
        """The payload of `submit_turn`."""
        return {"purchases": self._purchases() if self.buys else [], "moves": self._moves()}

    def _friends(self, id_: str) -> int:
        return sum(self.zones[near]["owner"] == self.seat for near in self.zones[id_]["neighbours"])

    def _held(self, id_: str, seat: int | None = None) -> View:
        found: View = self.zones[id_]["forces"].get(str(seat or self.seat), {"troop": 0, "tank": 0})
        return found

    def _land_near(self, id_: str) -> list[str]:
        return [near for near in self.zones[id_]["neighbours"] if self.zones[near]["kind"] == "land"]

    def _is_contested(self, id_: str) -> bool:
        return any(int(seat) != self.seat for seat in self.zones[id_]["forces"])

    def _purchases(self) -> list[dict[str, Any]]:
        """Tanks wherever a factory stands, the capital last, as there they know no bounds."""
        left, items = int(self.player["credits"]), []
        factories = [id_ for id_, zone in self.zones.items() if zone["owner"] == self.seat and zone["factory"]]
        for id_ in sorted(factories, key=lambda id_: (id_ == self.player["capital"], -self._danger(id_), id_)):
            most = left // COSTS["tank"]
            if id_ != self.player["capital"]:
                most = min(most, self.zones[id_]["income"])
            if most > 0 and not self._is_contested(id_):
                items.append({"type": "tank", "zone": id_, "count": most})
                left -= most * COSTS["tank"]
        return items

    def _danger(self, id_: str) -> int:
        return sum(self.zones[near]["owner"] not in (None, self.seat) for near in self._land_near(id_))

    def _moves(self) -> list[dict[str, Any]]:
        moves: list[dict[str, Any]] = []
        for id_ in sorted(self.zones):
            forces = self._held(id_)
            if not any(forces.values()) or self._is_contested(id_):
                continue
            goal = self._goal(id_, sum(WORTH[type_] * forces[type_] for type_ in WORTH))
            if goal is not None:
                kept = 1 if id_ == self.player["capital"] and forces["troop"] else 0
                moves += [
                    {"from": id_, "type": type_, "count": count, "path": [goal]}
                    for type_, count in (("troop", forces["troop"] - kept), ("tank", forces["tank"]))
                    if count > 0
                ]
        return moves

    def _goal(self, id_: str, strength: int) -> str | None:
        """A neighbour that is weak enough, or one step towards the border."""
        foes = [near for near in self._land_near(id_) if self.zones[near]["owner"] != self.seat]
        weak = [near for near in foes if self._defence(near) * BOLDNESS <= strength * 100]
        if weak:
            return max(weak, key=lambda near: (self.zones[near]["income"] + self.chance.randrange(4), near))
        return None if foes else self._towards_the_border(id_)

    def _defence(self, id_: str) -> int:
        forces = self.zones[id_]["forces"].items()
        return sum(30 * sum(counts.values()) for seat, counts in forces if int(seat) != self.seat)

    def _towards_the_border(self, start: str) -> str | None:
        """The first step on a shortest way through own land to a zone of somebody else."""
        first: dict[str, str] = {start: start}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for near in self._land_near(here):
                if self.zones[near]["owner"] != self.seat:
                    return first[here] if first[here] != start else near
                if near not in first:
                    first[near] = near if here == start else first[here]
                    queue.append(near)
        return None
