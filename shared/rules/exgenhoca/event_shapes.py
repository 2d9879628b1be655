"""Forms that several event types share."""

from collections.abc import Mapping

from shared.rules.exgenhoca.config import EFFECTS
from shared.rules.exgenhoca.state import CHOICES, NEXT, OFF
from shared.rules.shapes import Array, Choice, Id, Integer, Maybe, Object, OneOf, Shape, Text

ID = Id()
COUNT = Integer(0)
SEAT = Integer(1)
ROUND = Integer(0)
TIME = Integer()
EFFECT = Choice(EFFECTS)
PENDING = Choice(CHOICES)
SCOPE: Mapping[str, Shape] = {"scope": Maybe(Text(64)), "draws": COUNT}
"""Where it was drawn and with how many draws; null and 0 where nothing was (ENG-10)."""

ITEM = Object({"effect": EFFECT, "usable_from": ROUND, "usable_to": Maybe(ROUND)})
INVENTORY = Array(ITEM)
WINDOW = Maybe(Object({"from": ROUND, "to": ROUND}))
PENALTIES = Object(
    {
        "minus_attack": COUNT,
        "minus_defence": COUNT,
        "fewer_attacks_next": COUNT,
        "skip_next": COUNT,
        "stored_continent_loss": COUNT,
        "no_repeat": WINDOW,
        "continents_off": WINDOW,
    }
)
POLICY = Object(
    {
        "defence_plus5": OneOf((Choice((OFF, NEXT)), Array(ID))),
        "defence_rerolls": COUNT,
        "sa_give": Array(ID),
    }
)
CENTROID = Object({"x": Integer(), "y": Integer()})
