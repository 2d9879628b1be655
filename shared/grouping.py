"""Calls of several threads that go together: whoever finds nobody under way leads, who comes meanwhile joins the next.

One alone never waits; the more are under way, the more share what a way costs.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


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
    """`work` gives a result for each of its items, in order, or raises for all of them; at most `most` go together."""

    def __init__(self, work: Callable[[Sequence[Item]], Sequence[Result]], most: int) -> None:
        self._work = work
        self._most = most
        self._lock = threading.Lock()
        self._waiting: list[_Waiting[Item, Result]] = []
        self._led = False

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
        with self._lock:
            group, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
        failure: BaseException | None = None
        results: Sequence[Result] = ()
        try:
            results = self._work([waiting.item for waiting in group])
        except BaseException as error:
            failure = error
        self._hand_over()
        for index, waiting in enumerate(group):
            waiting.failure = failure
            waiting.result = None if failure is not None else results[index]
            waiting.done = True
            waiting.turn.release()

    def _hand_over(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting[0].turn.release()
            else:
                self._led = False
