"""A game of FORCES to try rules out: a small map, the first year open, and whatever else a test wants given."""

from collections.abc import Mapping
from typing import Any

from shared.rules.forces import RULES
from shared.rules.interface import Event, Refusal
from shared.scenarios.paths import merge
from shared.scenarios.table import Table

NAMES = ("ana", "bia", "caio")
ZONES: Mapping[str, Any] = {
    "A": {"kind": "land", "income": 3, "neighbours": ["B", "D", "W"], "start_forces": {"factory": True}},
    "B": {"kind": "land", "income": 2, "neighbours": ["A", "C"]},
    "C": {"kind": "land", "income": 4, "neighbours": ["B", "D"], "start_forces": {"factory": True, "tank": 1}},
    "D": {"kind": "land", "income": 1, "neighbours": ["A", "C", "E"]},
    "E": {"kind": "land", "income": 5, "neighbours": ["D"], "start_forces": {"troop": 2}},
    "W": {"kind": "water", "neighbours": ["A"]},
}
"""Two factories, a tank and two troops; W is water."""
PICKS = (("ana", "A"), ("bia", "B"), ("caio", "C"), ("caio", "D"), ("bia", "E"))


class Game:
    """A table with names for what is said, and a clock of its own."""

    def __init__(self, seed: str = "0" * 64, **config: Any) -> None:
        self.table = Table(RULES, seed)
        self.at = 1_000
        created = self.table.create({"map": {"zones": ZONES}, "config": config})
        assert created.refusal is None, created.refusal

    @property
    def state(self) -> dict[str, Any]:
        return RULES.encode(self.table.state)

    def say(self, actor: str, type: str, role: Any = None, at: int | None = None, **payload: Any) -> str:
        """What becomes of a command: `accepted` or a code."""
        self.at = self.at + 1 if at is None else at
        role = role or ("operator" if actor == "operator" else "clock" if actor == "clock" else "player")
        return self.table.say(f"i{len(self.table.journal)}", actor, role, type, payload, self.at)[-1].code

    def events(self) -> list[Event]:
        """Those of the last judgement."""
        return list(self.table.journal[-1].events)

    def give(self, **changes: Any) -> None:
        """Merge into the canonical state; views learn nothing of it."""
        self.table.state = RULES.decode(merge(self.state, changes))

    def view(self, name: str) -> dict[str, Any]:
        viewer = self.table.documents.viewer(name)
        return RULES.view(self.table.documents.of(viewer), viewer)

    def ask(self, name: str, type: str, payload: Any = None, **more: Any) -> dict[str, Any]:
        """An answer that must not be refused."""
        answer = RULES.advise(self.view(name), {"type": type, "payload": payload, **more})
        assert not isinstance(answer, Refusal), answer
        return answer


def seated(**config: Any) -> Game:
    """Everybody has joined, and the first pick is open."""
    game = Game(**config)
    for name in NAMES:
        assert game.say(name, "join") == "accepted"
    assert game.say("operator", "start_game") == "accepted"
    return game


def running(**config: Any) -> Game:
    """The first year is open: ana has A, bia B and E with two troops, caio C with a tank and D."""
    game = seated(**config)
    for name, zone in PICKS:
        assert game.say(name, "pick_zone", zone=zone) == "accepted"
    for name, zone in PICKS[:3]:
        assert game.say(name, "choose_capital", zone=zone) == "accepted"
    return game
