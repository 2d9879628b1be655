"""Random games of Map War 3 in which everything happens: rich nations trade, lose no ruler and are not closed early."""

from collections.abc import Iterator
from random import Random
from typing import Any

from shared.rules.map_war import RULES
from shared.scenarios.table import Judgement, Table
from tests.rules.conformance.players.map_war import READINGS, a_map, orders, trade

WEEK_MS = 7 * 86_400_000
NAMES = ("ana", "bia", "cai")
KEPT = ("turn_days", "fix_days", "inactive_turns_to_rulerless", "late_join")
"""Readings that these games do not vary: their turns are closed by submissions or after a week."""


def a_game(seed: int) -> Table:
    """A game of three players and an NPC in turn 2, on a random map of 8 to 25 zones."""
    random = Random(seed)
    zones = a_map(random, random.randint(8, 25))
    config: dict[str, Any] = {key: random.choice(of) for key, of in READINGS.items() if key not in KEPT}
    config["start_stock"] = {"currency": 200_000, "resources": 90_000, "food": 20_000, "technology": 6_000}
    start = random.sample(sorted(zones), len(NAMES) + 1)
    npcs = [{"id": "nix", "zone": start[-1], "name": "Nix", "color": "#334455"}]
    table = Table(RULES, f"{seed:064x}")
    created = table.create({"map": {"zones": zones}, "players": list(NAMES), "npcs": npcs, "config": config})
    assert created.refusal is None, created.refusal
    table.say("start", "operator", "operator", "start_game", {}, 1000)
    for number, (name, zone) in enumerate(zip(NAMES, start, strict=False)):
        payload = {"zone": zone, "name": name, "color": f"#0000{number + 1:02X}"}
        table.say(f"start-{name}", name, "player", "choose_start", payload, 1001 + number)
    return table


def turns(table: Table, seed: int, count: int) -> Iterator[list[Judgement]]:
    """Play so many turns; gives the judgements of each, the closes among them."""
    random, at = Random(seed + 1), 2000
    for number in range(count):
        judged: list[Judgement] = []
        for name in random.sample(NAMES, len(NAMES)):
            if RULES.over(table.state):
                return
            canonical = RULES.encode(table.state)
            nation = canonical["nations"][name]
            if nation["kind"] == "player" and nation["status"] == "active":
                for deal in range(random.randrange(3)):
                    at += 1
                    move = trade(random, RULES.encode(table.state), name)
                    judged += table.say(f"{number}-{name}-{deal}", name, "player", move.type, move.payload, at)
                at += 1
                payload = {**orders(random, canonical, name), "turn": canonical["turn"]}
                judged += table.say(f"{number}-{name}", name, "player", "submit_turn", payload, at)
        if RULES.over(table.state):
            yield judged
            return
        deadline = RULES.due(table.state)
        if deadline is not None and deadline.payload["turn"] <= number + 2:
            at = deadline.at
            judged += table.run_clock(at)
            if table.state.phase == "fix" and (fix := RULES.due(table.state)) is not None:
                at = fix.at
                judged += table.run_clock(at)
        yield judged
