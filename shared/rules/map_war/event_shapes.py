"""Forms that several event types, commands and the canonical state share."""

from collections.abc import Mapping

from shared.rules.map_war.config import GOODS
from shared.rules.map_war.state import AGREEMENT, ARMY, EXCHANGE, SALE, SHIP
from shared.rules.map_war.tables import STRUCTURES
from shared.rules.shapes import Array, Boolean, Choice, Id, Integer, Keyed, Maybe, Object, Shape, Text

ID = Id()
COUNT = Integer(0)
NUMBER = Integer(1)
TURN = Integer(0)
TIME = Integer()
AMOUNT = Integer()
"""Cents."""
STRUCTURE = Choice(STRUCTURES)
PIECE_KIND = Choice((ARMY, SHIP))
DEAL_KIND = Choice((AGREEMENT, EXCHANGE, SALE))
PART: Mapping[str, Shape] = {"part": NUMBER, "parts": NUMBER}
DRAW: Mapping[str, Shape] = {
    "scope": Maybe(Text(80)),
    "draws": COUNT,
    "r": Maybe(COUNT),
    "pct": COUNT,
    "happened": Boolean(),
}
"""Where it was drawn, with how many draws, and the result against the per cent; r is null where none was needed."""

STOCKS = Object(dict.fromkeys(GOODS, AMOUNT))
ENTRY = Object({"nation": ID, "cause": Text(), **dict.fromkeys(GOODS, AMOUNT)})
LEDGER: Mapping[str, Shape] = {"ledger": Array(ENTRY), "stocks": Keyed(STOCKS)}
"""Entries that sum up to the change of each stock, and the stocks of the nations named afterwards (MAP-99)."""
PRICE = Object({"currency": COUNT, "resources": COUNT})

MOST_ITEMS = 5_000
"""Most items of a kind in a submission; how many there is room for follows from their size (sizes.py)."""
_CONQUEST = Object(
    {"zone": ID, "support": Array(NUMBER), "advance": Boolean()}, optional=frozenset({"support", "advance"})
)
_PLACE = Object({"zone": ID, "structure": STRUCTURE})
_MOVE = Object({"piece": NUMBER, "to": ID, "board": NUMBER}, optional=frozenset({"to", "board"}))
ITEMS: Mapping[str, Shape] = {
    "claims": Array(ID, MOST_ITEMS),
    "conquests": Array(_CONQUEST, MOST_ITEMS),
    "builds": Array(_PLACE, MOST_ITEMS),
    "cancels": Array(_PLACE, MOST_ITEMS),
    "moves": Array(_MOVE, MOST_ITEMS),
}
"""The parts of a submission, in the order in which their faults are counted (MAP-107)."""
ORDERS = Object(ITEMS)
BUNDLE = Object(
    {"currency": AMOUNT, "food": AMOUNT, "resources": AMOUNT, "zones": Array(ID)},
    optional=frozenset({"currency", "food", "resources", "zones"}),
)
TERMS = Object(
    {"good": Text(), "give": BUNDLE, "get": BUNDLE, "amount": AMOUNT, "zone": ID},
    optional=frozenset({"good", "give", "get", "amount", "zone"}),
)
CONSTRUCTION = Object({"level": NUMBER, "step": COUNT, "steps": NUMBER})
LEVELS = Object(dict.fromkeys(STRUCTURES, COUNT))
CENTROID = Object({"x": Integer(), "y": Integer()})
