"""GXC: a territory game of teams whose players each have energy of their own (docs/rules/gxc.md)."""

from shared.rules.gxc.rules import RULES

__all__ = ["RULES"]
