"""The map of a game: territories, their neighbours, and the outlines that draw them.

A `Map` is what `warledger map import` makes and what a map file holds; its `territories` are, to the letter, the
`map.territories` of GXC's `create_game` (GXC-14). Units: integers, "map units", x to the right, y downwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from shared.canonical import canonical, sha256_hex

# GXC-14, in the order in which legends list them.
SPECIALS = (
    "high_ground",
    "low_ground",
    "fortified",
    "no_cover",
    "medical",
    "radioactive",
    "transport",
)

TERRITORY_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

# No coordinate of a map file may be larger; squared distances (GXC-57) then stay far below 64 bits.
LARGEST_COORDINATE = 1_000_000

Ring = tuple[int, ...]
"""A closed line as x0, y0, x1, y1, ... in map units; the last point is joined to the first."""


class MapError(Exception):
    """A map, outline or links file that cannot be used.

    `file` is its name, `place` says where in it (a territory, a path, or line and column), `reason` says what is
    wrong and what would have been right. GXC's code for the same fault in a command is `bad_map`.
    """

    def __init__(self, file: str, place: str, reason: str) -> None:
        super().__init__(f"{file}: {place}: {reason}")
        self.file = file
        self.place = place
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Territory:
    """One territory; `neighbours` is sorted, `x` and `y` are its centroid, `special` is of `SPECIALS` or None."""

    name: str
    neighbours: tuple[str, ...]
    x: int
    y: int
    special: str | None = None


@dataclass(frozen=True, eq=False)
class Map:
    """A checked map; two maps are equal when their files are (see `digest`).

    `territories` is in canonical order (ENG-2). `shapes` may lack territories or be empty: these are drawn as discs.
    `wraps` says that the right edge continues at the left one, as on a map of the whole world. `water` are those
    that are sea, each with what lies beside it, lands and waters; `neighbours` joins lands alone.
    """

    name: str
    width: int
    height: int
    territories: Mapping[str, Territory]
    licence: str = ""
    source: str = ""
    sea_links: Sequence[tuple[str, str]] = ()
    shapes: Mapping[str, Sequence[Ring]] = field(default_factory=dict)
    wraps: bool = False
    water: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def territories_document(self) -> dict[str, object]:
        """Return the `map.territories` of GXC's `create_game`."""
        return {
            territory_id: {
                "name": territory.name,
                "neighbours": list(territory.neighbours),
                "centroid": {"x": territory.x, "y": territory.y},
                "special": territory.special,
            }
            for territory_id, territory in self.territories.items()
        }

    def document(self) -> dict[str, object]:
        """Return the whole map file as JSON values; water is said by the zones of a creation, not by the file."""
        return {
            "name": self.name,
            "licence": self.licence,
            "source": self.source,
            "width": self.width,
            "height": self.height,
            "wraps": self.wraps,
            "territories": self.territories_document(),
            "sea_links": [list(link) for link in self.sea_links],
            "shapes": {territory_id: [list(ring) for ring in rings] for territory_id, rings in self.shapes.items()},
        }

    @cached_property
    def canonical(self) -> bytes:
        """The map file in canonical JSON (ENG-7), without a line feed at its end."""
        return canonical(self.document())

    @cached_property
    def digest(self) -> str:
        """Hex SHA-256 of `canonical`."""
        return sha256_hex(self.canonical)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and (self.digest, self.water) == (other.digest, other.water)

    def __hash__(self) -> int:
        return hash(self.digest)
