"""Somebody honest: her commands must be answered in time whatever others do meanwhile."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from warledger.api import Client

LONGEST_MS = 8_000
"""Of nine in ten, and of each where they are few: a machine may stall for a moment. A write waits for its judgement for
two seconds at most; the rest is for a busy machine. Shorter than what a server gives to a client who sends slowly:
nobody waits for such a one."""
_PAUSE_SECONDS = 0.1


class Witness:
    """Sends a valid command again and again and keeps how long each took."""

    def __init__(self, player: Client, game: str) -> None:
        self._player = player
        self._game = game
        self._number = 0

    def order(self) -> int:
        """Give one order; returns the milliseconds to its answer. Raises AssertionError for any answer but success."""
        self._number += 1
        body = {"type": "set_order", "payload": {"defend": 1 + self._number % 5}}
        began = time.monotonic()
        answer = self._player.request("POST", f"/games/{self._game}/commands", body)
        assert answer.status in (201, 202), answer
        return int((time.monotonic() - began) * 1000)

    @contextmanager
    def ordering(self) -> Iterator[list[int]]:
        """Order all the time meanwhile; afterwards the list holds the milliseconds of each answer."""
        took: list[int] = []
        faults: list[BaseException] = []
        over = threading.Event()

        def go() -> None:
            try:
                while not over.is_set():
                    took.append(self.order())
                    over.wait(_PAUSE_SECONDS)
            except BaseException as fault:
                faults.append(fault)

        thread = threading.Thread(target=go)
        thread.start()
        try:
            yield took
        finally:
            over.set()
            thread.join()
        assert not faults, faults
        assert took
        assert sorted(took)[len(took) * 9 // 10] <= LONGEST_MS, took
