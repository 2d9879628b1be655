"""Battles for the benchmark: random legal moves and shots on the pure rules, timed by themselves."""

import random
from time import perf_counter
from typing import Any

from shared.rules.interface import RESOLVED, Input, Refusal, Role
from shared.rules.space_battle import RULES
from shared.rules.space_battle.advise import moves_of, targets_of
from shared.rules.space_battle.state import C, D, State
from shared.rules.space_battle.tables import CLASSES
from warledger.bots.dice import ChainDice

OTHERS = tuple(name for name, row in CLASSES.items() if not row.base)
START = 1_000
MOST_PARTS = 250
MINES = {C: ([5, 2], [6, 8], [7, 5]), D: ([9, 2], [8, 8], [6, 5])}
RANKS = {C: (1, 2), D: (13, 12)}
_KEY = b"bench" * 7


def deployment(side: str) -> dict[str, Any]:
    """One craft of each class in the front rank, three mines."""
    rear, front = RANKS[side]
    craft = [{"id": f"c{row}", "class": name, "at": [front, row]} for row, name in enumerate(OTHERS, 1)]
    return {"base": [rear, 5], "craft": craft, "mines": [*MINES[side]]}


def fleets() -> list[dict[str, Any]]:
    """All craft as they stand at the start, for whoever fights the same battle in another way."""
    found: list[dict[str, Any]] = []
    for side in (C, D):
        placed = deployment(side)
        found.append({"side": side, "class": "space_base", "at": placed["base"]})
        found += [{"side": side, "class": item["class"], "at": item["at"]} for item in placed["craft"]]
    return found


class TimedBattle:
    """One battle of two random players; `spent` are the seconds that its `parts` took, displacements and shots."""

    def __init__(self, name: str, chance: random.Random) -> None:
        self._name = name
        self._chance = chance
        self._seq = 1
        self._dice = ChainDice(_KEY, name)
        self.parts = 0
        self.spent = 0.0
        hangar = {"hangar": {"space_base": 1, **dict.fromkeys(OTHERS, 1)}}
        create = {"players": {"ana": hangar, "bia": hangar}}
        begun = RULES.initial(self._input("operator", "operator", "create_game", create, 0))
        assert not isinstance(begun, Refusal), begun
        self._state: State = begun[0]
        self._say("ana", "issue_challenge", {"challenged": "bia"})
        self._say("bia", "accept_challenge", {"challenge": 1, "number": len(OTHERS), "time": START})
        self._say("ana", "agree_time", {"challenge": 1, "time": START})
        for player, side in (("ana", C), ("bia", D)):
            self._say(player, "deploy", deployment(side))
            self._say(player, "ready", {})
        self._say("clock", "start_battle", {}, "clock", START)

    def play(self) -> None:
        """To the end, or to a number of parts."""
        while not RULES.over(self._state) and self.parts < MOST_PARTS:
            player = "ana" if self._state.to_move == C else "bia"
            craft = self._chance.choice(self._state.living(self._state.to_move or ""))
            ends = [] if self._state.moved_this_move else moves_of(self._state, craft)
            if ends:
                self._timed(player, "move_craft", {"craft": craft.id, "to": self._chance.choice(ends)["to"]})
                continue
            targets = [name for name, told in targets_of(self._state, craft).items() if told["allowed"]]
            if targets:
                self._timed(player, "fire", {"craft": craft.id, "target": self._chance.choice(targets)})
            else:
                self._say(player, "end_move", {})

    def _timed(self, player: str, type: str, payload: dict[str, Any]) -> None:
        self.spent += self._say(player, type, payload)
        self.parts += 1

    def _say(
        self, actor: str, type: str, payload: dict[str, Any], role: Role = "player", at: int | None = None
    ) -> float:
        """Seconds that deciding and evolving took."""
        given = self._input(actor, role, type, payload, at)
        self._dice.given(given)
        started = perf_counter()
        decided = RULES.decide(self._state, given, self._dice)
        assert not isinstance(decided, Refusal), decided
        for event in decided:
            if event.type != RESOLVED:
                self._state = RULES.evolve(self._state, event)
        return perf_counter() - started

    def _input(self, actor: str, role: Role, type: str, payload: dict[str, Any], at: int | None = None) -> Input:
        self._seq += 1
        started = max(self._seq, self._state.move_started_at or 0) if self._seq > 2 else 0
        return Input(
            f"i{self._seq}", self._name, actor, role, type, payload, "", started if at is None else at, self._seq
        )
