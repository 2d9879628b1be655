"""FORCES: land war in simultaneous yearly turns (docs/rules/forces.md)."""

from shared.rules.forces.rules import RULES

__all__ = ["RULES"]
