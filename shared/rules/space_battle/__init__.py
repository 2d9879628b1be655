"""Space Battle: two fleets and hidden mines on a grid, in moves of 60 seconds (docs/rules/space-battle.md)."""

from shared.rules.space_battle.rules import RULES

__all__ = ["RULES"]
