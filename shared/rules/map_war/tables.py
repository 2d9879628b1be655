"""The numbers of the rules as data (MAP-21 to MAP-29, MAP-38, MAP-51, MAP-59): amounts in cents, 1.00 = 100.

A row is that of the present level and replaces the one below (MAP-27). `needs` is the technology required to start a
level and to keep it (MAP-28); `cost` is the total in currency over `turns` turns. Level n is row n - 1.
"""

from collections.abc import Mapping
from typing import NamedTuple

CITY, INDUSTRY, AGRICULTURE = "city", "industry", "agriculture"
COMMERCE, DEFENSE, RESEARCH = "commerce", "defense", "research"
STRUCTURES = (CITY, INDUSTRY, AGRICULTURE, COMMERCE, DEFENSE, RESEARCH)
"""In the order of `levels` (MAP-15)."""
PLACE: Mapping[str, int] = {structure: number for number, structure in enumerate(STRUCTURES)}
BY_NAME = tuple(sorted(STRUCTURES))
"""In the order in which the resolution takes the structures of a zone."""

Levels = tuple[int, int, int, int, int, int]
NOTHING_BUILT: Levels = (0, 0, 0, 0, 0, 0)


class Row(NamedTuple):
    """One level of a structure: yields and upkeep a turn, pollution emitted, piece points, and what it takes."""

    cost: int
    turns: int
    needs: int = 0
    currency: int = 0
    resources: int = 0
    food: int = 0
    technology: int = 0
    eats: int = 0
    uses: int = 0
    """Resources of its upkeep."""
    pollution: int = 0
    absorbs: int = 0
    points: int = 0


class Price(NamedTuple):
    """Currency and resources in cents."""

    currency: int
    resources: int


_CITY = (
    Row(500, 1, 200, currency=100, technology=10, eats=200, uses=100),
    Row(1100, 2, 400, currency=200, technology=19, eats=500, uses=200),
    Row(2400, 3, 700, currency=400, technology=36, eats=1100, uses=500),
    Row(5300, 4, 1300, currency=800, technology=68, eats=2400, uses=1100),
    Row(11700, 5, 2300, currency=1600, technology=129, eats=5300, uses=2400),
    Row(25700, 6, 4100, currency=3200, technology=245, eats=11700, uses=5300, absorbs=2),
)
_INDUSTRY = (
    Row(1000, 1, 300, resources=300, pollution=2),
    Row(2200, 2, 700, resources=600, pollution=4),
    Row(4800, 3, 1500, resources=1200, pollution=6),
    Row(10600, 4, 3200, resources=2400, pollution=8),
)
_AGRICULTURE = (
    Row(500, 1, food=500, technology=4),
    Row(1100, 2, food=2500, technology=10),
    Row(2400, 3, food=12500, technology=25, pollution=2),
)
_COMMERCE = (
    Row(500, 1, 200, currency=300, technology=10),
    Row(900, 2, 400, currency=700, technology=18),
    Row(1600, 3, 1000, currency=1500, technology=32),
    Row(2900, 4, 2000, currency=3300, technology=58),
    Row(5200, 5, 4000, currency=7300, technology=104),
)
_DEFENSE_ON_LAND = (
    Row(500, 1, 500, technology=13, eats=200, points=200),
    Row(1100, 2, 900, technology=29, eats=500, points=300),
    Row(2400, 3, 1600, technology=63, eats=1100, points=600),
)
_DEFENSE_ON_WATER = (
    Row(400, 1, 300, technology=7, eats=200, points=200),
    Row(900, 2, 700, technology=15, eats=400, points=300),
    Row(2000, 3, 1500, technology=34, eats=700, points=600),
)
_RESEARCH = (
    Row(800, 1, technology=49, eats=300, uses=200),
    Row(1400, 2, 2300, technology=88, eats=600, uses=400),
    Row(2600, 3, 3000, technology=158, eats=1100, uses=700),
    Row(4700, 4, 4200, technology=284, eats=2000, uses=1500, absorbs=1),
    Row(8500, 5, 6300, technology=511, eats=3700, uses=2800, absorbs=3),
    Row(15300, 6, 10100, technology=920, eats=6800, uses=5000, absorbs=7),
)

ON_LAND: Mapping[str, tuple[Row, ...]] = {
    CITY: _CITY,
    INDUSTRY: _INDUSTRY,
    AGRICULTURE: _AGRICULTURE,
    COMMERCE: _COMMERCE,
    DEFENSE: _DEFENSE_ON_LAND,
    RESEARCH: _RESEARCH,
}
AT_SEA: Mapping[str, tuple[Row, ...]] = {INDUSTRY: _INDUSTRY[:2], DEFENSE: _DEFENSE_ON_WATER}
"""Structures of a seabase; industry there is the oil rig (MAP-24)."""

BASE = Row(0, 0, currency=100, technology=5, eats=100)
"""MAP-21: a zone where nothing stands and nothing is being built."""

LARGEST_FIELD = 2
"""Highest `city_max` of a zone with agriculture (MAP-24)."""
SMALLEST_MARKET = 3
"""Lowest `city_max` of a zone with commerce."""
SMALLEST_CAMPUS = 5
"""Lowest `city_max` of a zone with research (MAP-25)."""
CITY_OF_RESEARCH = 4
"""City level that the first level of research needs."""

STANDARD = Price(1000, 300)
"""Conquest of a bare zone (MAP-38)."""
CONQUEST: Mapping[str, tuple[Price, ...]] = {
    CITY: (
        Price(400, 100),
        Price(700, 200),
        Price(1200, 400),
        Price(2100, 700),
        Price(3800, 1200),
        Price(7100, 2100),
    ),
    INDUSTRY: (Price(700, 200), Price(1200, 400), Price(2100, 700), Price(3800, 1200)),
    AGRICULTURE: (Price(700, 200), Price(400, 100), Price(200, 0)),
    COMMERCE: (Price(1200, 400),) * 5,
    DEFENSE: (Price(3800, 1200), Price(7100, 2100), Price(13600, 3800)),
    RESEARCH: (Price(2100, 700),) * 6,
}
"""MAP-38, by level."""

PIECE_POINTS = 600
"""Points of which a piece is made (MAP-51)."""
MOST_ARMIES = 4
"""Armies of one zone (MAP-52)."""
MOST_ABOARD = 2
"""Armies of one ship (MAP-52)."""
MOST_LOST = 80
"""Most per cent that pollution takes (MAP-55)."""
INDUSTRY_SUFFERS, DEFENSE_SUFFERS = 10, 20
"""Pollution from which industry and defense lose production (MAP-55)."""
DEBT_OF_A_PERCENT = 500
"""Resources of debt that cost one per cent of efficiency (MAP-61)."""


def rows_of(sea: bool, structure: str) -> tuple[Row, ...]:
    """The levels that a structure may have on this kind of zone; empty where it may not stand."""
    return (AT_SEA if sea else ON_LAND).get(structure, ())


def row_of(sea: bool, structure: str, level: int) -> Row:
    """The row of a level from 1."""
    return rows_of(sea, structure)[level - 1]


def highest_level(sea: bool, city_max: int, structure: str) -> int:
    """The highest level of a structure in a zone; 0 where it may not stand (MAP-24 to MAP-26)."""
    match structure:
        case "city":
            return city_max
        case "agriculture" if city_max > LARGEST_FIELD:
            return 0
        case "commerce" if city_max < SMALLEST_MARKET:
            return 0
        case "research" if city_max < SMALLEST_CAMPUS:
            return 0
    return len(rows_of(sea, structure))


def instalment(cost: int, step: int, steps: int) -> int:
    """MAP-31: instalment `step` of `steps`, from 1, in cents."""
    return cost * step // steps - cost * (step - 1) // steps
