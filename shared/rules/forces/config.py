"""The configuration of a game (FOR, section 2): keys, defaults and the values that each key takes."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from shared.rules.config_values import (
    PlainKeys,
    fault_of_duration,
    fault_of_integer,
    fault_of_keys,
    milliseconds_of,
    unknown_key,
)
from shared.rules.interface import Json

FEWEST_PLAYERS, MOST_PLAYERS = 2, 16
MOST = 1_000_000_000
"""Largest amount that a key takes; far beyond play, and sums stay below 53 bits."""
LATEST_YEAR = 1_000_000

SOURCE, SNAKE = "source", "snake"
JOIN, SHUFFLE = "join", "shuffle"
FIRST_INCOME = "first_income"
ZONES_AND_FORCES, ZONES_ALONE = "zones_and_forces", "zones"
NEUTRAL, CAPTOR = "neutral", "captor"
RANDOM, CHEAPEST, OWNER_FIRST = "random", "cheapest", "owner_first"
ATTACK_ODDS, DEFENSE_ODDS = "attack", "defense"
CONTINUE, SHARED = "continue", "shared"
CONDITIONS = ("capitals", "income", "zones", "cash")
"""Early victories in their fixed priority (FOR-72, FOR-73)."""

Duration = int | Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class Config:
    """One field a key; what each means stands in the rules beside the keys."""

    players: tuple[int, int] = (FEWEST_PLAYERS, MOST_PLAYERS)
    auto_pick: bool = False
    draft_pattern: str = SOURCE
    seat_order: str = JOIN
    first_year: int = 2000
    starting_credits: str | int = FIRST_INCOME
    capital_loss_eliminates: bool = False
    elimination: str = ZONES_AND_FORCES
    eliminated_land: str = NEUTRAL
    refund_unproduced: bool = False
    casualty_rule: str = RANDOM
    neutral_odds: str = ATTACK_ODDS
    early_victory: tuple[tuple[str, int], ...] = ()
    """(condition, value), in the order in which they were given."""
    victory_tie: str = CONTINUE
    pick_hours: Duration = None
    capital_hours: Duration = None
    year_hours: Duration = None
    credits_public: bool = True

    def canonical(self) -> dict[str, Json]:
        """All keys with their values, as the canonical state has them."""
        values: dict[str, Json] = {item.name: getattr(self, item.name) for item in fields(self)}
        values["players"] = list(self.players)
        values["early_victory"] = [{"condition": condition, "value": value} for condition, value in self.early_victory]
        for key in DURATIONS:
            if isinstance(values[key], Mapping):
                values[key] = dict(values[key])
        return values


DURATIONS = ("pick_hours", "capital_hours", "year_hours")
PLAIN = PlainKeys(
    ranges={"first_year": (0, LATEST_YEAR)},
    choices={
        "draft_pattern": (SOURCE, SNAKE),
        "seat_order": (JOIN, SHUFFLE),
        "elimination": (ZONES_AND_FORCES, ZONES_ALONE),
        "eliminated_land": (NEUTRAL, CAPTOR),
        "casualty_rule": (RANDOM, CHEAPEST, OWNER_FIRST),
        "neutral_odds": (ATTACK_ODDS, DEFENSE_ODDS),
        "victory_tie": (CONTINUE, SHARED),
    },
    booleans=("auto_pick", "capital_loss_eliminates", "refund_unproduced", "credits_public"),
    may_be_null=frozenset(DURATIONS),
)
KEYS = tuple(item.name for item in fields(Config))


def fault_of(given: Mapping[str, Any]) -> str | None:
    """What is wrong with a configuration, as one sentence that names the key and what would be right; else None."""
    return fault_of_keys(given, _fault_of_key)


def config_of(given: Mapping[str, Any]) -> Config:
    """The configuration with its defaults; `given` must be without fault."""
    values = dict(given)
    if "players" in values:
        least, most = values["players"]
        values["players"] = (least, most)
    values["early_victory"] = tuple((item["condition"], item["value"]) for item in values.get("early_victory", ()))
    return Config(**values)


def deadline_of(duration: Duration, opened_at: int) -> int | None:
    """When what opens at a time is closed by the clock; None for a duration of null (FOR-76, FOR-77)."""
    return None if duration is None else opened_at + milliseconds_of(duration)


def _fault_of_key(key: str, value: Any) -> str | None:
    place = f"config.{key}"
    if PLAIN.decides(key, value):
        return PLAIN.fault(place, key, value)
    if key in DURATIONS:
        found = fault_of_duration(place, value)
        return None if found is None else f"{found}, or null for no deadline"
    match key:
        case "players":
            return _fault_of_players(place, value)
        case "starting_credits":
            if value == FIRST_INCOME:
                return None
            found = fault_of_integer(place, value, 0, MOST)
            return None if found is None else f"{found}, or {FIRST_INCOME}"
        case "early_victory":
            return _fault_of_victories(place, value)
    return unknown_key(key, KEYS)


def _fault_of_players(place: str, value: Any) -> str | None:
    """FOR-108."""
    pair = isinstance(value, list | tuple) and len(value) == 2 and all(type(item) is int for item in value)
    if pair and FEWEST_PLAYERS <= value[0] <= value[1] <= MOST_PLAYERS:
        return None
    return f"{place} must be a list of least and most players, {FEWEST_PLAYERS} <= least <= most <= {MOST_PLAYERS}"


def _fault_of_victories(place: str, value: Any) -> str | None:
    if not isinstance(value, list | tuple):
        return f"{place} must be a list of objects with condition and value"
    named: list[str] = []
    for number, item in enumerate(value):
        if not isinstance(item, Mapping) or set(item) != {"condition", "value"}:
            return f"{place}.{number} must be an object with condition and value"
        if not isinstance(item["condition"], str) or item["condition"] not in CONDITIONS:
            return f"{place}.{number}.condition must be one of {', '.join(CONDITIONS)}"
        if item["condition"] in named:
            return f"{place}.{number}.condition must be named once; {item['condition']} was named before"
        named.append(item["condition"])
        if found := fault_of_integer(f"{place}.{number}.value", item["value"], 1, MOST):
            return found
    return None
