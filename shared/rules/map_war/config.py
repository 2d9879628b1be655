"""The configuration of a game (MAP, section 2): keys, defaults and the values that each key takes; amounts in cents."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from shared.rules.config_values import (
    DAY,
    PlainKeys,
    fault_of_duration,
    fault_of_integer,
    fault_of_keys,
    milliseconds_of,
    unknown_key,
)
from shared.rules.interface import Json

MOST = 1_000_000
"""Largest count or number of turns that a key takes."""
MOST_CENTS = 1_000_000_000
"""Largest amount that a key takes."""
MOST_FACTOR = 1_000
"""Largest number by which a key multiplies a price."""
MOST_STOCK = 1_000_000_000_000
"""Largest stock, and largest debt, of a good in cents; what goes beyond is lost, and the ledger says so.

With the bounds of the keys every price and every entry has at most 10^15, so that each integer in an event is exact for
every reader of JSON (2^53).
"""
MOST_UNIT_VALUE = 10_000
MOST_SHARE = 10
"""A sale brings at most so many times the value of what is sold."""

MULTIPLICATIVE, ADDITIVE = "multiplicative", "additive"
DESTROYED, CAPTURED = "destroyed", "captured"
ZONE, NATION = "zone", "nation"
BUYER, BANK = "buyer", "bank"
GOODS = ("currency", "resources", "food", "technology")
"""Stocks of a nation, in the order in which ledgers have them."""


@dataclass(frozen=True, slots=True)
class Config:
    """One field a key; units and meanings stand in the rules beside the keys."""

    turn_days: int | Mapping[str, int] = 7
    fix_days: int | Mapping[str, int] = 4
    start_stock: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(GOODS, 0))
    home_resource_bonus: int = 100
    land_claim_cost: Mapping[str, int] = field(default_factory=lambda: {"currency": 500, "resources": 0})
    sea_claim_cost: Mapping[str, int] = field(default_factory=lambda: {"currency": 500, "resources": 500})
    non_adjacent_factor: int = 3
    defense_multiplier: int = 1
    defense_build_resources: Mapping[str, tuple[int, ...]] = field(
        default_factory=lambda: {"land": (200, 500, 1100), "water": (200, 400, 700)}
    )
    reduction_mode: str = MULTIPLICATIVE
    max_support_armies: int = 4
    max_support_ships: int = 1
    captured_armies: str = DESTROYED
    pollution_affects_tech: bool = True
    riot_base_pct: int = 5
    riot_step_pct: int = 5
    barbaria_spread_pct: int = 10
    barbaria_spread_per: str = ZONE
    rulerless_protection_turns: int = 4
    decay_riots: int = 2
    decay_spread: int = 1
    npc_ownerless_pct: int = 2
    inactive_turns_to_rulerless: int | None = 3
    trade_food_pct: int = 15
    trade_currency_pct: int = 10
    trade_resource_pct: int = 10
    trade_currency_cap: int = 10_000
    trade_resource_cap: int = 8_000
    sale_food: tuple[int, ...] = (3, 4)
    sale_resource: tuple[int, ...] = (2, 3)
    sale_zone: tuple[int, ...] = (2, 3)
    unit_value: int = 100
    sale_payer: str = BUYER
    open_submissions: bool = True
    late_join: bool = False

    @property
    def turn_ms(self) -> int:
        """Length of a turn in milliseconds."""
        return milliseconds_of(self.turn_days, DAY)

    @property
    def fix_ms(self) -> int:
        """Length of the correction window in milliseconds."""
        return milliseconds_of(self.fix_days, DAY)

    def canonical(self) -> dict[str, Json]:
        """All keys with their values, as the canonical state has them."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        for name, value in values.items():
            if isinstance(value, Mapping):
                values[name] = {key: list(part) if isinstance(part, tuple) else part for key, part in value.items()}
            elif isinstance(value, tuple):
                values[name] = list(value)
        return values


_PERCENT = (0, 100)
RANGES: Mapping[str, tuple[int, int]] = {
    "home_resource_bonus": (0, MOST_CENTS),
    "non_adjacent_factor": (1, MOST_FACTOR),
    "defense_multiplier": (1, MOST_FACTOR),
    "max_support_armies": (0, 100),
    "max_support_ships": (0, 100),
    "riot_base_pct": _PERCENT,
    "riot_step_pct": _PERCENT,
    "barbaria_spread_pct": _PERCENT,
    "rulerless_protection_turns": (0, MOST),
    "decay_riots": (1, MOST),
    "decay_spread": (1, MOST),
    "npc_ownerless_pct": _PERCENT,
    "inactive_turns_to_rulerless": (1, MOST),
    "trade_food_pct": (0, 1000),
    "trade_currency_pct": (0, 1000),
    "trade_resource_pct": (0, 1000),
    "trade_currency_cap": (0, MOST_CENTS),
    "trade_resource_cap": (0, MOST_CENTS),
    "unit_value": (0, MOST_UNIT_VALUE),
}
CHOICES: Mapping[str, tuple[str, ...]] = {
    "reduction_mode": (MULTIPLICATIVE, ADDITIVE),
    "captured_armies": (DESTROYED, CAPTURED),
    "barbaria_spread_per": (ZONE, NATION),
    "sale_payer": (BUYER, BANK),
}
BOOLEANS = ("pollution_affects_tech", "open_submissions", "late_join")
PLAIN = PlainKeys(RANGES, CHOICES, BOOLEANS, frozenset({"inactive_turns_to_rulerless"}))
KEYS = tuple(item.name for item in fields(Config))
_FRACTIONS = ("sale_food", "sale_resource", "sale_zone")
_PRICES = ("land_claim_cost", "sea_claim_cost")
_LEVELS_OF_DEFENSE = 3


def fault_of(given: Mapping[str, Any]) -> str | None:
    """What is wrong with a configuration, as one sentence that names the key and what would be right; else None."""
    return fault_of_keys(given, _fault_of_key)


def config_of(given: Mapping[str, Any]) -> Config:
    """The configuration with its defaults; `given` must be without fault."""
    values, default = dict(given), Config()
    for key in ("start_stock", *_PRICES):
        values[key] = {**getattr(default, key), **_price_of(values.get(key, {}))}
    lists = {**default.defense_build_resources, **values.get("defense_build_resources", {})}
    values["defense_build_resources"] = {name: tuple(levels) for name, levels in lists.items()}
    for key in _FRACTIONS:
        values[key] = tuple(values.get(key, getattr(default, key)))
    return Config(**values)


def _price_of(value: Any) -> Mapping[str, int]:
    """A claim cost may be given in currency alone."""
    return {"currency": value} if isinstance(value, int) else value


def _fault_of_key(key: str, value: Any) -> str | None:
    place = f"config.{key}"
    if PLAIN.decides(key, value):
        return PLAIN.fault(place, key, value)
    if key in ("turn_days", "fix_days"):
        return fault_of_duration(place, value, DAY)
    if key == "start_stock":
        return _fault_of_amounts(place, value, GOODS)
    if key in _PRICES:
        if type(value) is int:
            return fault_of_integer(place, value, 0, MOST_CENTS)
        return _fault_of_amounts(place, value, ("currency", "resources"))
    if key == "defense_build_resources":
        return _fault_of_defense(place, value)
    if key in _FRACTIONS:
        return _fault_of_fraction(place, value)
    return unknown_key(key, KEYS)


def _fault_of_amounts(place: str, value: Any, known: tuple[str, ...]) -> str | None:
    if not isinstance(value, Mapping) or not set(value) <= set(known):
        return f"{place} must be an object with keys among {', '.join(known)}"
    for name, amount in value.items():
        if found := fault_of_integer(f"{place}.{name}", amount, 0, MOST_CENTS):
            return found
    return None


def _fault_of_defense(place: str, value: Any) -> str | None:
    if not isinstance(value, Mapping) or not set(value) <= {"land", "water"}:
        return f"{place} must be an object with keys among land, water"
    for name, levels in value.items():
        if not isinstance(levels, list | tuple) or len(levels) != _LEVELS_OF_DEFENSE:
            return f"{place}.{name} must be a list of {_LEVELS_OF_DEFENSE} amounts, one a level"
        for number, amount in enumerate(levels):
            if found := fault_of_integer(f"{place}.{name}.{number}", amount, 0, MOST_CENTS):
                return found
    return None


def _fault_of_fraction(place: str, value: Any) -> str | None:
    legal = (
        f"{place} must be a fraction [n, d] of at most {MOST_SHARE}, of integers 0 <= n <= {MOST} and 1 <= d <= {MOST}"
    )
    if not isinstance(value, list | tuple) or len(value) != len(("n", "d")):
        return legal
    upper, lower = value
    if fault_of_integer(place, upper, 0, MOST) or fault_of_integer(place, lower, 1, MOST):
        return legal
    return None if upper <= MOST_SHARE * lower else legal
