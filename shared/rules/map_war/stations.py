"""Where armies stand, on land by zone and aboard by ship: how many a place holds is asked often (MAP-52)."""


class Stations:
    """Numbers of armies, ascending. Places without one are absent; a tuple is replaced, never changed in place."""

    __slots__ = ("aboard", "on_land")

    def __init__(self) -> None:
        self.on_land: dict[int, tuple[int, ...]] = {}
        self.aboard: dict[int, tuple[int, ...]] = {}

    def copy(self) -> "Stations":
        """Stations of their own."""
        new = Stations()
        new.on_land = self.on_land.copy()
        new.aboard = self.aboard.copy()
        return new

    def enter(self, army: int, zone: int, ship: int | None) -> None:
        """An army is there: aboard the ship, or on land in the zone."""
        places, key = self._place(zone, ship)
        places[key] = tuple(sorted((*places.get(key, ()), army)))

    def leave(self, army: int, zone: int, ship: int | None) -> None:
        """An army is no longer there."""
        places, key = self._place(zone, ship)
        left = tuple(item for item in places[key] if item != army)
        if left:
            places[key] = left
        else:
            del places[key]

    def _place(self, zone: int, ship: int | None) -> tuple[dict[int, tuple[int, ...]], int]:
        return (self.on_land, zone) if ship is None else (self.aboard, ship)
