"""The configuration of a game (EXG, section 2): keys, defaults and the values that each key takes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from shared.rules.config_values import (
    PlainKeys,
    fault_of_duration,
    fault_of_integer,
    fault_of_keys,
    milliseconds_of,
    unknown_key,
)
from shared.rules.exgenhoca.objectives import SETS, fault_of_objectives
from shared.rules.interface import Json

MOST = 1_000_000
"""Largest amount, count or round that a key takes; far beyond play, and sums stay small integers."""

PRIZES = ("P1", "P2", "P3", "P4", "P5", "P6", "P7")
PENALTIES = ("N1", "N2", "N3", "N4", "N5", "N6", "N7")
EFFECTS = (*PRIZES, *PENALTIES)
"""In the order in which they are placed (EXG-18)."""

CONTINENT_POINTS: Mapping[str, int] = {
    "asia": 7,
    "north_america": 5,
    "europe": 5,
    "africa": 3,
    "south_america": 2,
    "oceania": 2,
}
SCORING: Mapping[str, int] = {"objective": 20, "last_survivor": 15, "elimination": 5, "territory": 1, "active": 3}
"""Section 14; `continents` stands beside these."""


@dataclass(frozen=True, slots=True)
class Config:
    """One field a key; units and meanings stand in the rules beside the keys."""

    shared_territories: int = 28
    round_hours: int | Mapping[str, int] = 24
    first_round_attacks: int = 1
    territories_per_extra_attack: int = 5
    cooldown_rounds: int = 2
    inactive_in_a_row: int = 2
    inactive_total: int = 5
    window_rounds: int = 5
    continent_loss_rounds: int = 3
    dice: int = 3
    europe_on_defence: bool = False
    effects: tuple[str, ...] = EFFECTS
    objective_set: str | Mapping[str, Any] = "compact"
    inventory_public: bool = True
    max_rounds: int | None = None
    scoring: Mapping[str, Any] = field(default_factory=lambda: scoring_of({}))

    @property
    def round_ms(self) -> int:
        """Length of a round in milliseconds."""
        return milliseconds_of(self.round_hours)

    def canonical(self) -> dict[str, Json]:
        """All keys with their values, as the canonical state has them."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        values["effects"] = list(self.effects)
        values["scoring"] = {**self.scoring, "continents": dict(self.scoring["continents"])}
        if not isinstance(self.round_hours, int):
            values["round_hours"] = dict(self.round_hours)
        if not isinstance(self.objective_set, str):
            values["objective_set"] = {id_: dict(given) for id_, given in self.objective_set.items()}
        return values


BOOLEANS = ("europe_on_defence", "inventory_public")
RANGES: Mapping[str, tuple[int, int]] = {
    "shared_territories": (1, MOST),
    "first_round_attacks": (1, MOST),
    "territories_per_extra_attack": (1, MOST),
    "cooldown_rounds": (0, MOST),
    "inactive_in_a_row": (1, MOST),
    "inactive_total": (1, MOST),
    "window_rounds": (1, MOST),
    "continent_loss_rounds": (1, MOST),
    "dice": (3, 3),
    "max_rounds": (1, MOST),
}
MAY_BE_NULL = frozenset({"max_rounds"})
PLAIN = PlainKeys(RANGES, booleans=BOOLEANS, may_be_null=MAY_BE_NULL)
KEYS = tuple(item.name for item in fields(Config))


def fault_of(given: Mapping[str, Any]) -> str | None:
    """What is wrong with a configuration, as one sentence that names the key and what would be right; else None."""
    return fault_of_keys(given, _fault_of_key)


def config_of(given: Mapping[str, Any]) -> Config:
    """The configuration with its defaults; `given` must be without fault."""
    values = dict(given)
    values["scoring"] = scoring_of(values.get("scoring", {}))
    values["effects"] = tuple(values.get("effects", EFFECTS))
    return Config(**values)


def scoring_of(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table of section 14 with other values put in."""
    return {**SCORING, **given, "continents": {**CONTINENT_POINTS, **given.get("continents", {})}}


def _fault_of_key(key: str, value: Any) -> str | None:
    place = f"config.{key}"
    if PLAIN.decides(key, value):
        return PLAIN.fault(place, key, value)
    match key:
        case "round_hours":
            return fault_of_duration(place, value)
        case "effects":
            return _fault_of_effects(place, value)
        case "objective_set":
            if isinstance(value, str) and value in SETS:
                return None
            return fault_of_objectives(place, value)
        case "scoring":
            return _fault_of_scoring(place, value)
    return unknown_key(key, KEYS)


def _fault_of_effects(place: str, value: Any) -> str | None:
    if isinstance(value, list | tuple) and all(isinstance(item, str) and item in EFFECTS for item in value):
        return None
    return f"{place} must be a list of effects, each one of {', '.join(EFFECTS)}"


def _fault_of_scoring(place: str, value: Any) -> str | None:
    known = (*SCORING, "continents")
    if not isinstance(value, Mapping) or not set(value) <= set(known):
        return f"{place} must be an object with keys among {', '.join(known)}"
    continents = value.get("continents", {})
    if not isinstance(continents, Mapping):
        return f"{place}.continents must be an object of points by continent"
    points = {**{key: value[key] for key in value if key != "continents"}}
    for key, number in (*points.items(), *((f"continents.{item}", continents[item]) for item in continents)):
        if found := fault_of_integer(f"{place}.{key}", number, 0, MOST):
            return found
    return None
