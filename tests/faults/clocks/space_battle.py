"""Space Battle: the start, moves with their warnings, and challenges that expire (SPB-24, SPB-56)."""

from tests.faults.clocks import Clocked

CLOCKS = {
    "moves": Clocked(
        frozenset({"battle_started", "time_warning", "move_forfeited"}),
        {"config": {"move_seconds": 10, "warning_seconds": 4}},
        ((0, ("move_craft", {"craft": "C:c1", "to": [1, 1]})),),
    )
}
