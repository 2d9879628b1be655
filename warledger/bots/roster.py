"""The bots by name."""

from collections.abc import Callable, Mapping

from warledger.bots.bot import Bot
from warledger.bots.planner import PlannerBot
from warledger.bots.random_bot import RandomBot

BOTS: Mapping[str, Callable[[str], Bot]] = {"random": RandomBot, "planner": PlannerBot}
"""Name -> what makes one from a seed; the weaker first."""
