"""Games without end for the benchmarks of a whole installation: many attacks a round, nobody wins or is left behind."""

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from shared.rules.exgenhoca.default_map import default_map

SEATS = 6
_NEVER = 1_000_000
_FIRST_RIGHTS = 5
CONFIG: Mapping[str, Any] = {
    "first_round_attacks": _FIRST_RIGHTS,
    "territories_per_extra_attack": 1,
    "cooldown_rounds": 0,
    "inactive_in_a_row": _NEVER,
    "inactive_total": _NEVER,
    "effects": [],
    "objective_set": {f"A{seat}": {"min_total": _NEVER} for seat in range(1, SEATS + 1)},
}


class OpenGame:
    """What the events of such a game tell, and an attack that is legal then."""

    def __init__(self, owners: Mapping[str, int]) -> None:
        """Territory -> seat, of those that have an owner at the start."""
        places = default_map()["territories"]
        self._near: Mapping[str, list[str]] = {name: place["neighbours"] for name, place in places.items()}
        self._owner: dict[str, int] = dict(owners)
        self._rights: dict[int, int] = dict.fromkeys(range(1, SEATS + 1), _FIRST_RIGHTS)
        self._attacked: set[tuple[int, str]] = set()
        self.round = 1

    def heard(self, name: str, data: Mapping[str, Any]) -> None:
        """An event of the game; all that are not about owners and rights are ignored."""
        if name == "captured":
            self._owner[data["territory"]] = data["to"]
        elif name == "round_opened":
            self.round = data["round"]
            self._rights = {int(seat): rights for seat, rights in data["attacks_left"].items()}
            self._attacked.clear()

    def attack(self, chance: random.Random) -> tuple[int, str] | None:
        """Seat and target of an attack on nobody's or on one who has as many; None if the round has none left."""
        held = Counter(self._owner.values())
        possible = [
            (seat, target)
            for own, seat in sorted(self._owner.items())
            if self._rights[seat]
            for target in self._near[own]
            if (owner := self._owner.get(target)) != seat
            and (owner is None or held[owner] >= held[seat])
            and (seat, target) not in self._attacked
        ]
        if not possible:
            return None
        seat, target = chance.choice(possible)
        self._rights[seat] -= 1
        self._attacked.add((seat, target))
        return seat, target
