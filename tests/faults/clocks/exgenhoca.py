"""Exgenhoca Wars: rounds (EXG-49)."""

from tests.faults.clocks import Clocked

CLOCKS = {"rounds": Clocked(frozenset({"round_closed"}), said=((0, ("set_policy", {"defence_rerolls": 1})),))}
