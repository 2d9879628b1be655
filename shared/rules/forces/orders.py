"""The submissions of all active players at the opening of a resolution; a missing one is empty (FOR-76).

They are carried out as they were stored, whatever departures have changed on the board since (FOR-39).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, repeat
from typing import Any, NamedTuple

from shared.rules.forces.state import State, Submission


class Item(NamedTuple):
    """An item of a submission with its place in the list."""

    seat: int
    number: int
    given: Mapping[str, Any]


Move = tuple[int, int, Mapping[str, Any]]
"""Seat, place in the list and what was given of a move: there are so many that none is an object of its own."""


class Orders:
    """Items in the order in which they are carried out: seats ascending, then as listed (FOR-64, FOR-104)."""

    __slots__ = ("_given", "purchases", "seats")

    def __init__(self, state: State) -> None:
        nothing = Submission()
        self._given = [(player.seat, player.submission or nothing) for player in state.active()]
        self.seats: Sequence[int] = [seat for seat, _ in self._given]
        self.purchases: Sequence[Item] = [
            Item(seat, number, item)
            for seat, submission in self._given
            for number, item in enumerate(submission.purchases)
        ]

    def moves(self) -> Iterator[Move]:
        for seat, submission in self._given:
            yield from zip(repeat(seat), count(), submission.moves)
