"""A game of Map War 3 to try rules out: four zones, three nations in turn 2, and whatever else a test wants given."""

from collections.abc import Mapping
from typing import Any

from shared.rules.interface import Event
from shared.rules.map_war import RULES
from shared.scenarios.paths import merge
from shared.scenarios.table import Table

NAMES = ("ana", "bia", "cai")
ZONES: Mapping[str, Any] = {
    "h": {"kind": "land", "neighbours": ["s", "t"], "city_max": 6},
    "s": {"kind": "sea", "neighbours": ["h", "t"], "city_max": 0},
    "t": {"kind": "land", "neighbours": ["h", "s", "u", "v"], "city_max": 2},
    "u": {"kind": "land", "neighbours": ["t", "v"], "city_max": 0},
    "v": {"kind": "land", "neighbours": ["t", "u"], "city_max": 4},
}
STARTS = (("ana", "h"), ("bia", "t"), ("cai", "u"))
STOCK = {"currency": 10_000, "resources": 5_000, "food": 10_000, "technology": 3_000}


class Game:
    """A table with names for what is said, and a clock of its own."""

    def __init__(self, **config: Any) -> None:
        self.table = Table(RULES, "0" * 64)
        self.at = 1_000
        create = {"map": {"zones": ZONES}, "players": list(NAMES), "config": {"start_stock": STOCK, **config}}
        created = self.table.create(create)
        assert created.refusal is None, created.refusal

    @property
    def state(self) -> dict[str, Any]:
        return RULES.encode(self.table.state)

    def say(self, actor: str, type: str, /, at: int | None = None, **payload: Any) -> str:
        """What becomes of a command: `accepted` or a code."""
        self.at = self.at + 1 if at is None else at
        role: Any = actor if actor in ("operator", "clock") else "player"
        return self.table.say(f"i{len(self.table.journal)}", actor, role, type, payload, self.at)[-1].code

    def done(self, actor: str, type: str, /, at: int | None = None, **payload: Any) -> list[Event]:
        """The events of a command that must be accepted."""
        code = self.say(actor, type, at=at, **payload)
        assert code == "accepted", (actor, type, code)
        return self.events()

    def events(self) -> list[Event]:
        """Those of the last judgement."""
        return list(self.table.journal[-1].events)

    def all_submit(self) -> None:
        """Everybody submits nothing, and the turn is resolved by that."""
        for name in NAMES:
            self.done(name, "submit_turn")

    def give(self, **changes: Any) -> None:
        """Merge into the canonical state; views learn nothing of it."""
        self.table.state = RULES.decode(merge(self.state, changes))

    def view(self, name: str) -> dict[str, Any]:
        viewer = self.table.documents.viewer(name)
        return RULES.view(self.table.documents.of(viewer), viewer)


def starting(**config: Any) -> Game:
    """Turn 1 is open, and nobody has chosen yet."""
    game = Game(**config)
    game.done("operator", "start_game")
    return game


def running(**config: Any) -> Game:
    """Turn 2 is open: ana has h, bia t, cai u; s and v belong to nobody."""
    game = starting(**config)
    for number, (name, zone) in enumerate(STARTS):
        game.done(name, "choose_start", zone=zone, name=name.capitalize(), color=f"#AA00{number:02}")
    return game
