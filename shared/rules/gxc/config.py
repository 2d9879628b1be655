"""The configuration of a game (GXC, section 2): keys, defaults and the values that each key takes."""

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
from shared.rules.interface import Json

MOST = 1_000_000
"""Largest amount, count or turn that a key takes; far beyond play, and sums stay small integers."""

NORMAL = "normal"
DEFENDER_PCT: Mapping[str, int] = {NORMAL: 55, "fortified": 70, "no_cover": 45, "medical": 40, "radioactive": 65}


@dataclass(frozen=True, slots=True)
class Config:
    """One field a key; units and meanings stand in the rules beside the keys."""

    turn_hours: int | Mapping[str, int] = 24
    recruitment_turns: int = 3
    last_turn: int | None = None
    base_energy: int = 10
    reliability_turns: int = 5
    reliability_bonus: int = 5
    conquer_bonus: int = 5
    empire_size: int = 5
    empire_bonus: int = 2
    empire_step: int = 1
    duel_mode: str = "per_energy"
    defender_pct: Mapping[str, int] = field(default_factory=lambda: dict(DEFENDER_PCT))
    attacker_pair_pct: int = 50
    attacker_order: str = "shuffle"
    assault_order: str = "shuffle"
    multi_attack: str = "melee_first"
    reserve_defends: str = "always"
    idle_policy: str = "defend_all"
    special_requires_start: bool = True
    first_commander_nominations: int = 2
    commander_nominations: int = 5
    impeach_nominations: int = 5
    spy_nominations: int = 1
    self_nomination: bool = False
    shield_max_territories: int = 3
    shield_turns: int = 3
    shield_solo_commanders: int = 2
    shield_vote_pct: int = 50
    shield_public: bool = True
    eliminated_may_join: bool = False
    late_join_until_turn: int | None = None
    team_choice: str = "free"
    public_energy: bool = True

    @property
    def turn_ms(self) -> int:
        """Length of a turn in milliseconds."""
        return milliseconds_of(self.turn_hours)

    def defender_pct_on(self, special: str | None) -> int:
        """Chance in per cent of a defender who has the effect of this special territory (GXC-41, GXC-87 to GXC-90)."""
        return self.defender_pct.get(special or NORMAL, self.defender_pct[NORMAL])

    def canonical(self) -> dict[str, Json]:
        """All keys with their values, as the canonical state has them."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        values["defender_pct"] = dict(self.defender_pct)
        if not isinstance(self.turn_hours, int):
            values["turn_hours"] = dict(self.turn_hours)
        return values


CHOICES: Mapping[str, tuple[str, ...]] = {
    "duel_mode": ("per_energy", "single_roll"),
    "attacker_order": ("shuffle", "energy_desc", "seq"),
    "assault_order": ("shuffle", "id"),
    "multi_attack": ("melee_first", "shared_siege"),
    "reserve_defends": ("always", "after_attack_defeat"),
    "idle_policy": ("defend_all", "none"),
    "team_choice": ("free", "assigned"),
}
BOOLEANS = ("special_requires_start", "self_nomination", "shield_public", "eliminated_may_join", "public_energy")
RANGES: Mapping[str, tuple[int, int]] = {
    "recruitment_turns": (0, MOST),
    "last_turn": (1, MOST),
    "base_energy": (0, MOST),
    "reliability_turns": (1, MOST),
    "reliability_bonus": (0, MOST),
    "conquer_bonus": (0, MOST),
    "empire_size": (1, MOST),
    "empire_bonus": (0, MOST),
    "empire_step": (0, MOST),
    "attacker_pair_pct": (0, 100),
    "first_commander_nominations": (1, 1000),
    "commander_nominations": (1, 1000),
    "impeach_nominations": (1, 1000),
    "spy_nominations": (1, 1000),
    "shield_max_territories": (0, 1000),
    "shield_turns": (1, MOST),
    "shield_solo_commanders": (0, MOST),
    "shield_vote_pct": (1, 100),
    "late_join_until_turn": (0, MOST),
}
MAY_BE_NULL = frozenset({"last_turn", "late_join_until_turn"})
PLAIN = PlainKeys(RANGES, CHOICES, BOOLEANS, MAY_BE_NULL)
KEYS = tuple(item.name for item in fields(Config))


def fault_of(given: Mapping[str, Any]) -> str | None:
    """What is wrong with a configuration, as one sentence that names the key and what would be right; else None."""
    return fault_of_keys(given, _fault_of_key)


def config_of(given: Mapping[str, Any]) -> Config:
    """The configuration with its defaults; `given` must be without fault."""
    values = dict(given)
    values["defender_pct"] = {**DEFENDER_PCT, **values.get("defender_pct", {})}
    return Config(**values)


def _fault_of_key(key: str, value: Any) -> str | None:
    place = f"config.{key}"
    if PLAIN.decides(key, value):
        return PLAIN.fault(place, key, value)
    if key == "turn_hours":
        return fault_of_duration(place, value)
    if key == "defender_pct":
        return _fault_of_defender_pct(place, value)
    return unknown_key(key, KEYS)


def _fault_of_defender_pct(place: str, value: Any) -> str | None:
    if not isinstance(value, Mapping) or not set(value) <= set(DEFENDER_PCT):
        return f"{place} must be an object with keys among {', '.join(DEFENDER_PCT)}"
    for kind, pct in value.items():
        if found := fault_of_integer(f"{place}.{kind}", pct, 0, 100):
            return found
    return None
