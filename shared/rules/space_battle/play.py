"""The events of one command and what they have done so far, on a fork of the state, which stays as it is (ENG-1)."""

from collections.abc import Mapping

from shared.rules.interface import PUBLIC, Dice, Event, Json, resolved
from shared.rules.space_battle.evolve import evolve
from shared.rules.space_battle.state import ENDED, State


class Play:
    """Whoever emits an event sees its consequences in `state` at once."""

    __slots__ = ("dice", "events", "state")

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state.fork()
        self.dice = dice
        self.events: list[Event] = []

    def emit(self, type_: str, data: Mapping[str, Json], to: tuple[str, ...] = PUBLIC) -> None:
        event = Event(type_, data, to)
        self.events.append(event)
        evolve(self.state, event)

    def mark(self, label: str) -> None:
        """The end of a resolution."""
        self.events.append(resolved(label))

    @property
    def over(self) -> bool:
        return self.state.phase == ENDED
