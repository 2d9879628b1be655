"""The bot of Space Battle: it deploys at random, fires the best shot there is, and moves to get one."""

import random
from collections.abc import Mapping
from typing import Any

from warledger.bots.bot import Command, Sight, View

Square = list[int]
FIRST = ("dreadnought", "battleship", "cruiser", "destroyer", "frigate", "corvette", "fighter", "scout")
"""What is deployed first."""
_DESTROYS, _SHIELD_DOWN = 1_000_000, 1_000


class GunnerBot:
    """Plays whichever side it has; knows nothing of the other's mines, and keeps away from its own."""

    def __init__(self, seed: str) -> None:
        """The same seed makes the same choices from the same views."""
        self._chance = random.Random(seed)

    def choose(self, sight: Sight, /) -> Command | None:
        view = sight.view
        side = view.get("you", {}).get("side")
        if side is None:
            return None
        if view["phase"] == "deploying":
            return self._prepare(view, side)
        if view["phase"] != "running" or view["to_move"] != side:
            return None
        reach = sight.ask("reach")
        return None if reach is None else self._part(view, reach)

    def _prepare(self, view: View, side: str) -> Command | None:
        if view["ready"][side]:
            return None
        if any(item["side"] == side for item in view.get("craft", {}).values()):
            return Command("ready", {})
        return Command("deploy", self._deployment(view, side))

    def _deployment(self, view: View, side: str) -> dict[str, Any]:
        config, player = view["config"], view["players"][view["you"]["player"]]
        ranks = config["challenger_ranks" if side == "C" else "defender_ranks"]
        base = [min(ranks) if side == "C" else max(ranks), config["base_row"]]
        free = [[column, row] for column in ranks for row in range(1, config["rows"] + 1) if [column, row] != base]
        number = next(item["number"] for item in view["challenges"].values() if item["status"] == "deploying")
        kinds = [kind for kind in FIRST for _ in range(player["hangar"].get(kind, 0))][:number]
        squares = self._chance.sample(free, number)
        field = [[column, row] for column in config["mine_ranks"] for row in range(1, config["rows"] + 1)]
        craft = [
            {"id": f"{kind[:2]}{count}", "class": kind, "at": at}
            for count, (kind, at) in enumerate(zip(kinds, squares, strict=True), 1)
        ]
        return {"base": base, "craft": craft, "mines": self._chance.sample(field, config["mines_per_player"])}

    def _part(self, view: View, reach: View) -> Command:
        shot = self._best_shot(reach)
        if view["moved_this_move"]:
            return shot or Command("end_move", {})
        if shot is None and (move := self._approach(view, reach)):
            return move
        return shot or Command("end_move", {})

    def _best_shot(self, reach: View) -> Command | None:
        """The shot that does most: destroy, bring a shield down, or else damage; never at the own side."""
        best: tuple[int, float, Command] | None = None
        for craft, item in reach["craft"].items():
            for target, told in item["targets"].items():
                if told["allowed"] and told["hit"][0] != craft[0]:
                    worth = told["damage"] + _DESTROYS * told["destroys"] + _SHIELD_DOWN * told["shield_down"]
                    found = worth, self._chance.random(), Command("fire", {"craft": craft, "target": target})
                    if worth and (best is None or found[:2] > best[:2]):
                        best = found
        return None if best is None else best[2]

    def _approach(self, view: View, reach: View) -> Command | None:
        """Some craft with shots comes nearer to an enemy, over no mine that is known."""
        enemies = [item for item in view["craft"].values() if item["alive"] and item["id"] not in reach["craft"]]
        moves = [
            (_nearest(move["to"], enemies), self._chance.random(), craft, move["to"])
            for craft, item in reach["craft"].items()
            if view["craft"][craft]["shots_left"]
            for move in item["moves"]
            if not move["mines"]
        ]
        if not moves:
            return None
        _, _, craft, to = min(moves)
        return Command("move_craft", {"craft": craft, "to": to})


def _nearest(square: Square, enemies: list[Mapping[str, Any]]) -> int:
    """How far the nearest of them is."""
    return min(max(abs(square[0] - int(item["col"])), abs(square[1] - int(item["row"]))) for item in enemies)
