"""The removal of old generations: in a thread of its own, so that the live views never wait for it."""

import threading
import time
from collections.abc import Iterable

import structlog

from shared.documents import Documents, DocumentsUnavailable
from shared.views.generations import Removal

SLICE = 100
"""Documents that are removed in one step."""
SHARE = 0.1
"""Share of its time that the removal keeps the document store busy."""
IDLE_SECONDS = 0.5
CLOSE_SECONDS = 2.0

_logger = structlog.get_logger()


class Sweeper:
    """Removes the generations that it is told of, one after the other, while this process is the one to do it."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._old: list[int] = []
        """Generations of which something may be left."""
        self._removal: Removal | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.chosen = False
        """Whether it falls to this process; the others keep in mind what is to be done."""

    def add(self, generations: Iterable[int]) -> None:
        """Readers do not see these any more."""
        self._old += [generation for generation in generations if generation not in self._old]

    def step(self) -> bool:
        """Remove a slice; False if nothing is to be done here. Raises DocumentsUnavailable."""
        if not self._old or not self.chosen:
            self._removal = None  # another process goes on; what this one has found may be gone then
            return False
        if self._removal is None:
            self._removal = Removal(self._documents, self._old[0])
        if self._removal.step(SLICE):
            _logger.info("old generation removed", generation=self._old.pop(0))
            self._removal = None
        return True

    def start(self) -> None:
        """Step after step in a thread, until `close`."""
        self._thread = threading.Thread(target=self._run, name="sweeper", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread. What is left is removed by another process, or by the next one."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)

    def _run(self) -> None:
        pause = IDLE_SECONDS
        while not self._stop.wait(pause):
            began = time.monotonic()
            try:
                busy = self.step()
            except DocumentsUnavailable:
                busy = False  # the loop tells of it
            except Exception as error:
                _logger.error("old generation not removed", exc_info=error)
                busy = False
            pause = (time.monotonic() - began) * (1 / SHARE - 1) if busy else IDLE_SECONDS
