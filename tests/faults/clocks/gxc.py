"""GXC: turns (GXC-13, GXC-70)."""

from tests.faults.clocks import Clocked

CLOCKS = {"turns": Clocked(frozenset({"turn_closed"}), said=((0, ("energize", {})),))}
