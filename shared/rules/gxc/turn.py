"""The working values of one close: columns copied from the state, which itself stays as it is (ENG-1)."""

from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import NamedTuple

from shared.rules.gxc.state import NOBODY, State
from shared.rules.interface import Event, Json, Resolution

_DATA = itemgetter(1)
"""Of an event."""


class Capture(NamedTuple):
    """A territory that fell: its step (GXC-65), previous owner or NOBODY, new owner."""

    step: int
    territory: int
    previous: int
    owner: int


class Placing:
    """Players who stand elsewhere now for one reason, where they stood before, and where they stand.

    Their events are made when all are found: a loop that meets names besides all else has none of it in the cache.
    """

    __slots__ = ("before", "places", "players")

    def __init__(self) -> None:
        self.players: list[int] = []
        self.before: list[int] = []
        self.places: list[int] = []


class Turn:
    """Columns by player number, or by territory number where said."""

    __slots__ = (
        "arrivals",
        "attack",
        "attackers",
        "by_edge",
        "captures",
        "defence",
        "energy",
        "events",
        "location",
        "owner",
        "placings",
        "resolution",
        "state",
        "step",
        "targets",
    )

    def __init__(self, state: State, resolution: Resolution) -> None:
        players = state.players
        self.state = state
        self.resolution = resolution
        self.events: list[Event] = []
        self.owner = list(state.owner)
        """By territory."""
        self.location = list(players.location)
        self.energy = list(players.energy)
        """While there is fighting, what she has besides her two stacks."""
        self.attack = [0] * len(players.ids)
        """What is left of the attack stack."""
        self.defence = [0] * len(players.ids)
        """What is left of the defence stack."""
        self.attackers: list[int] = []
        """All attackers, canonical order."""
        self.targets: list[int] = []
        """What each of them attacks."""
        self.by_edge: dict[int, list[int]] = {}
        """Where she stands * number of territories + target -> attackers, canonical order."""
        self.step = 0
        """Duel ends and captures so far (GXC-65)."""
        self.captures: list[Capture] = []
        self.arrivals = [NOBODY] * len(players.ids)
        """Captured territory that she moves into (GXC-55)."""
        self.placings: list[Iterator[tuple[Mapping[str, Json], int, int]]] = []
        """Of the events of who stands elsewhere now: data, player, territory."""

    def place(self, placing: Placing, events: list[Event]) -> None:
        """Tell who stands elsewhere now, an event each, and keep who it is for those who fold it."""
        self.events += events
        self.placings.append(zip(map(_DATA, events), placing.players, placing.places, strict=True))
