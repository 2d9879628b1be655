"""The events of one command and what they have done so far, on a fork of the state, which stays as it is (ENG-1)."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import repeat

from shared.rules.forces.events import to_player
from shared.rules.forces.evolve import APPLY
from shared.rules.forces.state import Player, State
from shared.rules.interface import PUBLIC, Event, Json, resolved

_event = partial(tuple.__new__, Event)
"""An event of its fields in their order, made without a call of Python."""


class Play:
    """Whoever emits an event sees its consequences in `state` at once."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state.fork()
        self.events: list[Event] = []

    def emit(self, type_: str, data: Mapping[str, Json], to: tuple[str, ...] = PUBLIC) -> None:
        self.events.append(Event(type_, data, to))
        APPLY[type_](self.state, data)

    def tell(self, type_: str, data: Mapping[str, Json]) -> None:
        """A public event that changes nothing, or whose consequences whoever tells it has seen to already."""
        self.events.append(Event(type_, data, PUBLIC))

    def tell_all(self, type_: str, all_data: Iterable[Mapping[str, Json]]) -> None:
        """`tell` for each of many."""
        self.events += map(_event, zip(repeat(type_), all_data, repeat(PUBLIC), repeat(0)))

    def mark(self, label: str) -> None:
        """The end of a resolution."""
        self.events.append(resolved(label))

    def player(self, seat: int) -> Player:
        """The player of a seat as she is now."""
        return self.state.seats[seat - 1]

    def to_purse(self, player: Player) -> tuple[str, ...]:
        """Who is told of a player's credits and incomes (FOR-80, FOR-109)."""
        return PUBLIC if self.state.config.credits_public else to_player(player.id)
