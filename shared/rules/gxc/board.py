"""The map of a game: it never changes after creation (GXC-14). Territories are dense integers in canonical order."""

from collections.abc import Mapping, Sequence

from shared.rules.interface import Json

HIGH_GROUND, LOW_GROUND = "high_ground", "low_ground"
FORTIFIED, NO_COVER = "fortified", "no_cover"
MEDICAL, RADIOACTIVE, TRANSPORT = "medical", "radioactive", "transport"
SPECIALS = (HIGH_GROUND, LOW_GROUND, FORTIFIED, NO_COVER, MEDICAL, RADIOACTIVE, TRANSPORT)
"""Kinds of special territory (GXC-84 to GXC-91)."""


class Board:
    """Territories 0, 1, ... in the canonical order of their ids; everything else is a column over that number."""

    __slots__ = ("by_x", "ids", "index", "names", "names_of", "neighbours", "special", "transport", "watched", "x", "y")

    def __init__(
        self,
        ids: Sequence[str],
        names: Sequence[str],
        neighbours: Sequence[tuple[int, ...]],
        centroids: Sequence[tuple[int, int]],
        special: Sequence[str | None],
    ) -> None:
        self.ids = tuple(ids)
        self.index: Mapping[str, int] = {item: number for number, item in enumerate(self.ids)}
        self.names = tuple(names)
        self.names_of: tuple[str | None, ...] = (*self.ids, None)
        """Territory -> its id; NOBODY, which is the last one, has none."""
        self.neighbours = tuple(neighbours)
        self.x = tuple(x for x, _ in centroids)
        self.y = tuple(y for _, y in centroids)
        self.by_x: Sequence[int] = sorted(range(len(self.x)), key=self.x.__getitem__)
        """All territories from the lowest x on."""
        self.special = tuple(special)
        self.watched = HIGH_GROUND in self.special or LOW_GROUND in self.special
        """Whether anybody can have the sight of GXC-85 or GXC-86."""
        self.transport = TRANSPORT in self.special
        """Whether any move can be free (GXC-91)."""

    def entry(self, territory: int) -> dict[str, Json]:
        """Everything but the owner, with the names of the canonical state."""
        return {
            "name": self.names[territory],
            "neighbours": [self.ids[item] for item in self.neighbours[territory]],
            "centroid": {"x": self.x[territory], "y": self.y[territory]},
            "special": self.special[territory],
        }
