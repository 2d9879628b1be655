"""Map War 3: weekly nation-building on a map of land and sea zones (docs/rules/map-war.md)."""

from shared.rules.map_war.rules import RULES

__all__ = ["RULES"]
