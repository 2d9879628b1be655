"""The bots by game and name."""

from collections.abc import Callable, Mapping

from warledger.bots.bot import Bot
from warledger.bots.gunner import GunnerBot
from warledger.bots.planner import PlannerBot
from warledger.bots.random_bot import RandomBot

BOTS: Mapping[str, Callable[[str], Bot]] = {"random": RandomBot, "planner": PlannerBot}
"""Those of Exgenhoca Wars: name -> what makes one from a seed; the weaker first."""
BOTS_OF: Mapping[str, Mapping[str, Callable[[str], Bot]]] = {
    "exgenhoca": BOTS,
    "space-battle": {"gunner": GunnerBot},
}
"""By game, those of each as BOTS; the last is the one that plays if none is named."""
