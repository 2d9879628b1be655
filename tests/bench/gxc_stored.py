"""A workload kept as bytes and read again as often as asked for, in memory as a resolver has it.

`pickle` makes a new integer wherever one stood, while a resolver has one object for each territory and player, taken
from the index of the board or of the players: what stands in the columns is read from few places. So integers go by
number here.
"""

import io
import pickle
from array import array
from typing import Any

_SMALL = range(-5, 257)
"""Integers that the interpreter has once anyway."""


class _Writer(pickle.Pickler):
    def __init__(self, out: io.BytesIO) -> None:
        super().__init__(out, protocol=pickle.HIGHEST_PROTOCOL)
        self.integers: list[int] = []
        self._numbers: dict[int, int] = {}

    def persistent_id(self, thing: Any) -> int | None:
        if type(thing) is not int or thing in _SMALL:
            return None
        number = self._numbers.setdefault(id(thing), len(self.integers))
        if number == len(self.integers):
            self.integers.append(thing)  # which keeps the object, so that no other one has its id meanwhile
        return number


class _Reader(pickle.Unpickler):
    def __init__(self, stored: bytes, integers: list[int]) -> None:
        super().__init__(io.BytesIO(stored))
        self._integers = integers

    def persistent_load(self, number: int) -> int:
        return self._integers[number]


class Stored:
    """What was given, to be read anew each time."""

    def __init__(self, given: object) -> None:
        out = io.BytesIO()
        writer = _Writer(out)
        writer.dump(given)
        self._bytes = out.getvalue()
        self._integers = array("q", writer.integers)

    def read(self) -> Any:
        """A copy that shares nothing with others, each integer as often as there was an object of it."""
        return _Reader(self._bytes, list(self._integers)).load()
