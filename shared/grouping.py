"""Calls of several threads that go together: whoever finds nobody under way leads, who comes meanwhile joins the next.

One alone never waits; the more are under way, the more share what a way costs.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def _one(_: object) -> int:
    return 1


class _Waiting(Generic[Item, Result]):
    """One caller, and the lock on which it waits until it has a result or is to lead."""

    __slots__ = ("done", "failure", "item", "result", "turn")

    def __init__(self, item: Item) -> None:
        self.item = item
        self.result: Result | None = None
        self.failure: BaseException | None = None
        self.done = False
        self.turn = threading.Lock()
        self.turn.acquire()


class Grouping(Generic[Item, Result]):
    """`work` gives a result for each of its items, in order, or raises for all of them.

    Items go together as long as their weights (1 each, if nothing is said) are at most `most`; a heavier one goes
    alone.
    """

    def __init__(
        self, work: Callable[[Sequence[Item]], Sequence[Result]], most: int, weight: Callable[[Item], int] = _one
    ) -> None:
        self._work: Callable[[Callable[[], Sequence[Item]]], Sequence[Result]] = lambda take: work(take())
        self._most = most
        self._weight = weight
        self._lock = threading.Lock()
        self._waiting: list[_Waiting[Item, Result]] = []
        self._led = False

    @classmethod
    def late(
        cls,
        work: Callable[[Callable[[], Sequence[Item]]], Sequence[Result]],
        most: int,
        weight: Callable[[Item], int] = _one,
    ) -> "Grouping[Item, Result]":
        """A grouping whose work calls for its items, once, when it is ready for them: who comes while it waits for a
        lock then goes with it. If it raises before that, it raises for those that it would have got."""
        made: Grouping[Item, Result] = cls(lambda _: (), most, weight)
        made._work = work
        return made

    def __call__(self, item: Item) -> Result:
        """The item's result. Raises what the work raises."""
        own: _Waiting[Item, Result] = _Waiting(item)
        with self._lock:
            self._waiting.append(own)
            leads = not self._led
            self._led = True
        if not leads:
            own.turn.acquire()
        if not own.done:
            self._lead()
        if own.failure is not None:
            raise own.failure
        return own.result  # type: ignore[return-value]

    def _lead(self) -> None:
        """Do the work of what waits, the leader's own first; then let the next one lead."""
        group: list[_Waiting[Item, Result]] = []

        def take() -> list[Item]:
            group.extend(self._taken())
            return [waiting.item for waiting in group]

        failure: BaseException | None = None
        results: Sequence[Result] = ()
        try:
            results = self._work(take)
            if len(results) != len(group):
                raise ValueError(f"{len(results)} results for {len(group)} items")
        except BaseException as error:
            failure = error
            if not group:
                take()
        self._hand_over()
        for index, waiting in enumerate(group):
            waiting.failure = failure
            waiting.result = None if failure is not None else results[index]
            waiting.done = True
            waiting.turn.release()

    def _taken(self) -> list[_Waiting[Item, Result]]:
        with self._lock:
            count, weight = 0, 0
            for waiting in self._waiting:
                weight += self._weight(waiting.item)
                if count and weight > self._most:
                    break
                count += 1
            group, self._waiting = self._waiting[:count], self._waiting[count:]
        return group

    def _hand_over(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting[0].turn.release()
            else:
                self._led = False
