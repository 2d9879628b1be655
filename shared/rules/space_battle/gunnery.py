"""What a shot does over a distance (SPB-45, SPB-46, SPB-52)."""

from collections.abc import Mapping

from shared.rules.space_battle.config import COMPOUND, Config


def damage_of(config: Config, power: int, distance: int) -> int:
    """SPB-46, SPB-108: `distance` is at least 1; each square in between takes its part of the power, rounded down."""
    between, falloff = distance - 1, config.falloff_pct
    if config.falloff_mode == COMPOUND:
        return int(power * (100 - falloff) ** between // 100**between)
    return power * max(0, 100 - falloff * between) // 100


def damages_of(config: Config) -> Mapping[str, tuple[int, ...]]:
    """SPB-52: class -> damage by distance, in place 0 nothing; no distance on the grid lies beyond the last place."""
    farthest = max(config.rows, config.columns)
    return {
        name: (0, *(damage_of(config, row.power, distance) for distance in range(1, farthest + 1)))
        for name, row in config.classes.items()
    }
