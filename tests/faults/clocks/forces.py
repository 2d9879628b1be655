"""FORCES: picks, capitals and years, with deadlines and without (FOR-76, FOR-77)."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.faults.clocks import Clocked
from tests.faults.loads import Said

ZONES: Mapping[str, Any] = {
    zone: {
        "kind": "land",
        "income": 3,
        "neighbours": [neighbour],
        "start_forces": {"troop": 1, "tank": 0, "factory": True},
    }
    for zone, neighbour in (("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"))
}
SHORTEST = {"seconds": 10}
KEYS = ("pick_hours", "capital_hours", "year_hours")
SAID: Sequence[tuple[int, Said]] = ((0, ("submit_turn", {})),)

CLOCKS = {
    "picks-and-years": Clocked(
        frozenset({"zone_picked", "capitals_revealed", "year_resolved"}),
        {"map": {"zones": ZONES}, "config": {"auto_pick": False, **dict.fromkeys(KEYS, SHORTEST)}},
        SAID,
    ),
    "without-deadlines": Clocked(
        frozenset(), {"map": {"zones": ZONES}, "config": {"auto_pick": False, **dict.fromkeys(KEYS)}}, SAID
    ),
}
