"""What a view says, in the words that bots decide with."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from warledger.bots.bot import Sight, View

PLUS5, PLUS5_DEFENCE, SECOND_CHANCE, WINS_TIE = "P1", "P2", "P3", "P6"
"""Prizes that a player keeps (section 8 of the rules)."""
MOST_REROLLS = 2


class Position:
    """A view as its player reads it: what she holds, what others hold, what her items are good for."""

    def __init__(self, view: View) -> None:
        """`view` is that of a player who has a seat."""
        self.view = view
        self.places: Mapping[str, Mapping[str, Any]] = view["territories"]
        self.own: Mapping[str, Any] = view["players"][view["you"]["player"]]
        self.seat: int = self.own["seat"]
        self.sizes: Counter[str] = Counter(place["continent"] for place in self.places.values())
        """Continent -> its territories."""
        self._held: dict[int | None, Counter[str]] = {}
        for place in self.places.values():
            self._held.setdefault(place["owner"], Counter())[place["continent"]] += 1

    @property
    def acts(self) -> bool:
        """Whether the player can give commands at all."""
        return self.view["phase"] == "running" and bool(self.own["status"] == "active")

    @property
    def may_pass(self) -> bool:
        """Whether the round waits for attacks of hers."""
        return not self.own["passed"] and (self.own["attacks_left"] > 0 or self.own["global_attacks"] > 0)

    def held(self, seat: int | None) -> Counter[str]:
        """Continent -> territories of a seat, or of nobody."""
        return self._held.get(seat, Counter())

    def total(self, seat: int | None) -> int:
        """Territories of a seat, or of nobody."""
        return self.held(seat).total()

    def holds(self, seat: int | None, continent: str) -> bool:
        """Whether a player holds a whole continent."""
        return seat is not None and self.held(seat)[continent] == self.sizes[continent] > 0

    def territories(self) -> list[str]:
        """The player's own, canonical order."""
        return sorted(name for name, place in self.places.items() if place["owner"] == self.seat)

    def usable(self, effect: str) -> int:
        """How many items of an effect she may use in this round (EXG-42)."""
        round_: int = self.view["round"]
        return sum(
            item["effect"] == effect
            and item["usable_from"] <= round_
            and (item["usable_to"] is None or round_ <= item["usable_to"])
            for item in self.own["inventory"]
        )


class Reach:
    """The answer to the question `reach`: what may be attacked now, in canonical order."""

    def __init__(self, sight: Sight) -> None:
        told = sight.ask("reach") or {"targets": {}, "refusal": {"code": "unknown"}}
        targets: Mapping[str, Mapping[str, Any]] = told["targets"]
        self.plain = [] if told["refusal"] else sorted(name for name, item in targets.items() if item["allowed"])
        self.again = sorted(name for name, item in targets.items() if item["repeat"])
        """By giving up a second attack (EXG-26)."""
        self.anywhere = sorted(name for name, item in targets.items() if item["global"])
        """By an attack at any distance (P5)."""
