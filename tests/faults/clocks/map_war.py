"""Map War 3: the turn of choosing, turns, and the window in which a faulty submission is mended (MAP-81, MAP-106)."""

from tests.faults.clocks import Clocked

AT_SEA = "z003"
STARTS = ("z000", "z004")

CLOCKS = {
    "turns-and-corrections": Clocked(
        frozenset({"turn_closed", "fix_opened", "items_dropped"}),
        said=(
            *(
                (number, ("choose_start", {"zone": zone, "name": "Nation", "color": f"#12345{number}"}))
                for number, zone in enumerate(STARTS)
            ),
            (0, ("submit_turn", {"builds": [{"zone": AT_SEA, "structure": "city"}]})),
        ),
    )
}
