"""Forms that several event types and the canonical state share."""

from shared.rules.shapes import Array, Choice, Id, Integer, Keyed

ID = Id()
FULL_ID = Id(("C:", "D:"))
COUNT = Integer(0)
CHALLENGE = Integer(1)
TIME = Integer()
SIDE = Choice(("C", "D"))
SQUARE = Array(Integer(), 2)
"""Column and row."""
PLAYERS = Array(ID, 2)
"""The challenger and the challenged."""
HANGAR = Keyed(COUNT)
"""Craft owned per class."""
