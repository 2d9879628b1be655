"""The submissions of all active players at the opening of a resolution; a missing one is empty (FOR-76).

They are carried out as they were stored, whatever departures have changed on the board since (FOR-39).
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from shared.rules.forces.state import State, Submission


class Item(NamedTuple):
    """An item of a submission with its place in the list."""

    seat: int
    number: int
    given: Mapping[str, Any]


class Orders:
    """Items in the order in which they are carried out: seats ascending, then as listed (FOR-64, FOR-104)."""

    __slots__ = ("moves", "purchases", "seats")

    def __init__(self, state: State) -> None:
        nothing = Submission()
        given = [(player.seat, player.submission or nothing) for player in state.active()]
        self.seats: Sequence[int] = [seat for seat, _ in given]
        self.purchases: Sequence[Item] = [
            Item(seat, number, item) for seat, submission in given for number, item in enumerate(submission.purchases)
        ]
        self.moves: Sequence[Item] = [
            Item(seat, number, item) for seat, submission in given for number, item in enumerate(submission.moves)
        ]
