"""The events of one command and what they have done so far, on a fork of the state, which stays as it is (ENG-1)."""

from collections.abc import Mapping, Sequence

from shared.rules.exgenhoca.evolve import evolve
from shared.rules.exgenhoca.state import ACTIVE, ENDED, Player, State
from shared.rules.interface import PUBLIC, Event, Json, resolved


class Play:
    """Whoever emits an event sees its consequences in `state` at once."""

    __slots__ = ("events", "state")

    def __init__(self, state: State, events: Sequence[Event] = ()) -> None:
        """A play of a state that begins with these events."""
        self.state = state.fork()
        self.events: list[Event] = []
        for event in events:
            self.events.append(event)
            evolve(self.state, event)

    def emit(self, type_: str, data: Mapping[str, Json], to: tuple[str, ...] = PUBLIC) -> None:
        event = Event(type_, data, to)
        self.events.append(event)
        evolve(self.state, event)

    def mark(self, label: str) -> None:
        """The end of a resolution."""
        self.events.append(resolved(label))

    def player(self, seat: int) -> Player:
        """The player of a seat as she is now."""
        return self.state.players[seat - 1]

    def active(self) -> list[Player]:
        """Active players by seat."""
        return [player for player in self.state.players if player.status == ACTIVE]

    @property
    def over(self) -> bool:
        return self.state.phase == ENDED
