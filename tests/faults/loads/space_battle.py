"""Space Battle under load: two who cannot be destroyed move, fire and talk; the others have no part in the battle."""

import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from shared.rules.space_battle.tables import CLASSES, table_form
from tests.faults.loads import Said
from warledger.api import Client

MANY = 1_000_000
NUMBER = 4
KIND = "dreadnought"
BEGINS_AFTER_MS = 15_000
"""Both must have agreed by then, each command judged, in a house that has just started on a busy machine."""
SHORTEST_MOVE = 10
COLUMNS, ROWS = 13, 9


def _classes() -> Mapping[str, Any]:
    """Shields that nobody brings down, and shots for ever."""
    return {
        name: {**row, "shield": MANY, "shots": MANY, "move": min(1, row["move"])}
        for name, row in table_form(CLASSES).items()
    }


class SpaceBattleLoad:
    """See GameLoad."""

    game = "space-battle"

    def create(self, people: Sequence[str], period_seconds: int) -> Mapping[str, Any]:
        config = {
            "classes": _classes(),
            "challenge_fleet": NUMBER,
            "forfeits_until_surrender": 0,
            "move_seconds": max(SHORTEST_MOVE, period_seconds),
        }
        hangar = {"space_base": 1, KIND: NUMBER}
        return {"players": {name: {"hangar": hangar} for name in people}, "config": config}

    def enter(self, game: str, people: Sequence[tuple[str, Client]]) -> None:
        """The first two agree on a battle, which the clock starts; nobody has mines."""
        (_, one), (challenged, other) = people[:2]
        start = time.time_ns() // 1_000_000 + BEGINS_AFTER_MS
        one.judged(one.command(game, "issue_challenge", {"challenged": challenged}))
        other.judged(other.command(game, "accept_challenge", {"challenge": 1, "number": NUMBER, "time": start}))
        one.judged(one.command(game, "agree_time", {"challenge": 1, "time": start}))
        for client, rear, front in ((one, 1, 2), (other, COLUMNS, COLUMNS - 1)):
            craft = [{"id": f"c{row}", "class": KIND, "at": [front, row]} for row in range(1, NUMBER + 1)]
            client.judged(client.command(game, "deploy", {"base": [rear, 5], "craft": craft}))
            client.judged(client.command(game, "ready", {}))

    def said(self, chance: Random, people: Sequence[str]) -> Said:
        craft = f"{chance.choice('CD')}:c{chance.randint(1, NUMBER)}"
        kind = chance.randrange(8)
        if kind < 2:
            return "move_craft", {"craft": craft, "to": [chance.randint(1, COLUMNS), chance.randint(1, ROWS)]}
        if kind < 4:
            return "fire", {"craft": craft, "target": f"{chance.choice('CD')}:c{chance.randint(1, NUMBER)}"}
        if kind < 7:
            return "end_move", {}
        return "chat", {"text": f"word {chance.randrange(1000)}"}


LOAD = SpaceBattleLoad()
