"""The configuration of a War Room (section 2): keys, defaults and the values that each key takes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from shared.rules.config_values import (
    SECOND,
    PlainKeys,
    fault_of_duration,
    fault_of_integer,
    fault_of_keys,
    milliseconds_of,
    unknown_key,
)
from shared.rules.interface import Json
from shared.rules.space_battle.tables import CLASSES, MOST, CraftClass, classes_of, fault_of_table, table_form

LINEAR, COMPOUND = "linear", "compound"
REJECT, WASTE = "reject", "waste"
DESTROY, DAMAGE = "destroy", "damage"
DEFENDER, RANDOM = "defender", "random"
CANCEL, SURRENDER = "cancel", "surrender"
LARGEST_GRID = 26
"""Most columns or rows: a whole battle fits into one event."""
Duration = int | Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Config:
    """One field a key; units and meanings stand in the rules beside the keys."""

    rows: int = 9
    columns: int = 13
    challenger_ranks: tuple[int, ...] = (1, 2)
    defender_ranks: tuple[int, ...] = (12, 13)
    base_row: int = 5
    mine_ranks: tuple[int, ...] = (4, 5, 6, 7, 8, 9, 10)
    mines_per_player: int = 3
    challenge_fleet: int = 8
    move_seconds: Duration = 60
    warning_seconds: Duration = 5
    falloff_pct: int = 10
    falloff_mode: str = LINEAR
    out_of_range: str = REJECT
    mine_effect: str = DESTROY
    mine_power: int = 100
    shots_detonate_mines: bool = False
    first_mover: str = DEFENDER
    forfeits_until_surrender: int = 3
    quiet_moves_draw: int | None = None
    deploy_seconds: Duration = 600
    no_show: str = CANCEL
    challenge_expires_hours: Duration = 72
    surrender_experience: int = -10
    win_experience: int = 0
    base_loss_forfeits_fleet: bool = False
    classes: Mapping[str, CraftClass] = field(default_factory=lambda: CLASSES)

    @property
    def move_ms(self) -> int:
        """Length of a move in milliseconds."""
        return milliseconds_of(self.move_seconds, SECOND)

    @property
    def warning_ms(self) -> int:
        """How long before the end of a move the warning comes, in milliseconds."""
        return milliseconds_of(self.warning_seconds, SECOND)

    @property
    def deploy_ms(self) -> int:
        """The grace behind the start time, in milliseconds."""
        return milliseconds_of(self.deploy_seconds, SECOND)

    @property
    def expires_ms(self) -> int:
        """How long a challenge may stay without a time, in milliseconds."""
        return milliseconds_of(self.challenge_expires_hours)

    def ranks(self, side: str) -> tuple[int, ...]:
        """The columns in which a side deploys."""
        return self.challenger_ranks if side == "C" else self.defender_ranks

    def base_square(self, side: str) -> tuple[int, int]:
        """SPB-26: on the base row of the column that is farthest from the enemy."""
        return (min(self.challenger_ranks) if side == "C" else max(self.defender_ranks)), self.base_row

    @property
    def most_craft(self) -> int:
        """Free squares of two ranks beside the base (SPB-22)."""
        return self.rows * min(len(self.challenger_ranks), len(self.defender_ranks)) - 1

    def canonical(self) -> dict[str, Json]:
        """All keys with their values, as the canonical state has them."""
        values: dict[str, Json] = {item.name: getattr(self, item.name) for item in fields(self)}
        for key in LISTS:
            values[key] = list(values[key])
        for key in DURATIONS:
            if not isinstance(values[key], int):
                values[key] = dict(values[key])
        values["classes"] = table_form(self.classes)
        return values


KEYS = tuple(item.name for item in fields(Config))
LISTS = ("challenger_ranks", "defender_ranks", "mine_ranks")
DURATIONS = ("move_seconds", "warning_seconds", "deploy_seconds", "challenge_expires_hours")
BOOLEANS = ("shots_detonate_mines", "base_loss_forfeits_fleet")
READINGS: Mapping[str, tuple[str, ...]] = {
    "falloff_mode": (LINEAR, COMPOUND),
    "out_of_range": (REJECT, WASTE),
    "mine_effect": (DESTROY, DAMAGE),
    "first_mover": (DEFENDER, RANDOM),
    "no_show": (CANCEL, SURRENDER),
}
RANGES: Mapping[str, tuple[int, int]] = {
    "rows": (1, LARGEST_GRID),
    "columns": (2, LARGEST_GRID),
    "base_row": (1, LARGEST_GRID),
    "mines_per_player": (0, LARGEST_GRID * LARGEST_GRID),
    "challenge_fleet": (1, MOST),
    "falloff_pct": (0, 100),
    "mine_power": (1, MOST),
    "forfeits_until_surrender": (0, MOST),
    "quiet_moves_draw": (1, MOST),
    "surrender_experience": (-MOST, MOST),
    "win_experience": (-MOST, MOST),
}
LONGEST_WARNING = 3_600
"""Most seconds that a warning may come before the end of a move."""
PLAIN = PlainKeys(RANGES, READINGS, BOOLEANS, frozenset({"quiet_moves_draw"}))


def fault_of(given: Mapping[str, Any]) -> str | None:
    """What is wrong with a configuration, as one sentence that names the key and what would be right; else None."""
    return fault_of_keys(given, _fault_of_key) or _fault_of_grid(config_of(given))


def config_of(given: Mapping[str, Any]) -> Config:
    """The configuration with its defaults; each key of `given` must be without fault."""
    values = dict(given)
    for key in LISTS:
        if key in values:
            values[key] = tuple(values[key])
    if "classes" in values:
        values["classes"] = classes_of(values["classes"])
    return Config(**values)


def _fault_of_key(key: str, value: Any) -> str | None:
    place = f"config.{key}"
    if PLAIN.decides(key, value):
        return PLAIN.fault(place, key, value)
    if key in LISTS:
        return _fault_of_columns(place, value)
    match key:
        case "move_seconds" | "deploy_seconds":
            return fault_of_duration(place, value, SECOND)
        case "warning_seconds":
            return _fault_of_warning(place, value)
        case "challenge_expires_hours":
            return fault_of_duration(place, value)
        case "classes":
            return fault_of_table(place, value)
    return unknown_key(key, KEYS)


def _fault_of_warning(place: str, value: Any) -> str | None:
    """A part of a move: shorter than the shortest duration, down to none."""
    if isinstance(value, Mapping):
        return fault_of_duration(place, value, SECOND)
    return fault_of_integer(place, value, 0, LONGEST_WARNING)


def _fault_of_columns(place: str, value: Any) -> str | None:
    if isinstance(value, list | tuple) and all(type(item) is int for item in value) and len(set(value)) == len(value):
        return None
    return f"{place} must be a list of columns, each named once"


def _fault_of_grid(config: Config) -> str | None:
    """What several keys must agree on: everything lies on the grid, and no rank belongs to both."""
    for key in LISTS:
        if not all(1 <= column <= config.columns for column in getattr(config, key)):
            return f"config.{key} must be columns from 1 to {config.columns}"
    for key in ("challenger_ranks", "defender_ranks"):
        if not getattr(config, key):
            return f"config.{key} must name at least one column"
    if set(config.challenger_ranks) & set(config.defender_ranks):
        return "config.defender_ranks must have no column of config.challenger_ranks"
    if config.most_craft < 1:
        return "config.rows and ranks must leave each side a square besides that of its base"
    if config.base_row > config.rows:
        return f"config.base_row must be an integer from 1 to {config.rows}"
    if config.warning_ms > config.move_ms:
        return "config.warning_seconds must not be longer than config.move_seconds"
    return None
