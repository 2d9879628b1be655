"""A bounded memory of things that are dear to make: what was not asked for longest goes first."""

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class Shelf(Generic[T]):
    """Holds at most `most` things by name. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: str) -> T | None:
        """The thing of this name, if it is still here."""
        with self._lock:
            if name in self._things:
                self._things.move_to_end(name)
            return self._things.get(name)

    def put(self, name: str, thing: T) -> None:
        """Keep a thing."""
        with self._lock:
            self._things[name] = thing
            self._things.move_to_end(name)
            while len(self._things) > self._most:
                self._things.popitem(last=False)
