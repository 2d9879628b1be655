"""Exgenhoca Wars: a forum war game of secret objectives, answered attack by attack (docs/rules/exgenhoca.md)."""

from shared.rules.exgenhoca.rules import RULES

__all__ = ["RULES"]
