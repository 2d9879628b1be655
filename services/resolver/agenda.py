"""What the clock has to do in all games of a partition, in one heap. Pure; a change costs O(log n), idleness nothing.

A game has at most one appointment of each kind: the deadline of its rules, and the reminder before it.
"""

import heapq
from typing import NamedTuple

DEADLINE = "deadline"
REMINDER = "reminder"


class Appointment(NamedTuple):
    """What a game's clock does next: its time, since when it was known, and whether an outage was credited with it.

    `since` is the `at` of the judgement that set it, or the stamp of the credit.
    """

    at: int
    since: int
    credited: bool = False


class Due(NamedTuple):
    """The earliest appointment of all; at the same time the games follow one another by id, and then the kinds."""

    at: int
    game: str
    kind: str = DEADLINE


class Agenda:
    """One appointment a game and kind, the earliest first. Replaced ones stay in the heap until they come to its top or
    outnumber the others."""

    def __init__(self) -> None:
        self._heap: list[Due] = []
        self._current: dict[tuple[str, str], Appointment] = {}

    def __len__(self) -> int:
        return len(self._current)

    def of(self, game: str, kind: str = DEADLINE) -> Appointment | None:
        """The appointment of this kind that a game has."""
        return self._current.get((game, kind))

    def put(self, game: str, appointment: Appointment, kind: str = DEADLINE) -> None:
        """Set the appointment of this kind of a game."""
        before = self._current.get((game, kind))
        self._current[game, kind] = appointment
        if before is None or before.at != appointment.at:
            heapq.heappush(self._heap, Due(appointment.at, game, kind))
            if len(self._heap) > 64 + 2 * len(self._current):
                self._heap = [Due(item.at, *key) for key, item in self._current.items()]
                heapq.heapify(self._heap)

    def drop(self, game: str, kind: str = DEADLINE) -> None:
        """The clock has nothing of this kind to do for this game any more."""
        self._current.pop((game, kind), None)

    def judged(self, game: str, due: int | None, at: int, *, credit: bool = False) -> None:
        """A judgement at `at` left the game with this deadline; `credit` if it was the clock's credit."""
        if due is None:
            self.drop(game)
            return
        before = self._current.get((game, DEADLINE))
        if credit:
            self.put(game, Appointment(due, at, credited=True))
        elif before is None or before.at != due:
            self.put(game, Appointment(due, at))

    def next(self) -> Due | None:
        """The earliest appointment."""
        heap = self._heap
        while heap:
            first = heap[0]
            current = self._current.get((first.game, first.kind))
            if current is not None and current.at == first.at:
                return first
            heapq.heappop(heap)
        return None

    def earliest_need(self, window_ms: int) -> int | None:
        """The earliest time whose silence matters to any deadline: the start of the first credit window."""
        deadlines = (item for (_, kind), item in self._current.items() if kind == DEADLINE)
        starts = [max(item.at - window_ms, item.since) for item in deadlines]
        return min(starts, default=None)
