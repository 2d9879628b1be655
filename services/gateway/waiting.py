"""One poller thread a process tells all waiting requests and streams when the views of their game have moved.

The thread starts at the first watch, so after the fork. It looks when the document store was written to, or four times
a second, and reads the heads of all watched games at once.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Generic, TypeVar

import structlog

from shared.documents import DocumentsUnavailable
from shared.metrics import DOCUMENTS_FAILED

T = TypeVar("T")

log = structlog.get_logger()

LOOK_SECONDS = 0.25
_SICK_SECONDS = 0.5


class Watch(Generic[T]):
    """What those who wait for a game see of it: `version` grows with every move of its head, `mark` was seen last."""

    def __init__(self) -> None:
        self.version = 0
        self.watchers = 0
        self.mark: T | None = None
        self.moved = threading.Condition()

    def wait(self, seen: int, seconds: float) -> bool:
        """Return True once the version differs from `seen`, False after `seconds`."""
        with self.moved:
            return self.moved.wait_for(lambda: self.version != seen, seconds)

    def move(self) -> None:
        """Wake everybody who waits."""
        with self.moved:
            self.version += 1
            self.moved.notify_all()


class HeadWatch(Generic[T]):
    """Watches heads. `marks` gives a comparable mark for each game that has a head; `nudged` waits for a write."""

    def __init__(self, marks: Callable[[Iterable[str]], Mapping[str, T]], nudged: Callable[[float], None]) -> None:
        self._marks = marks
        self._nudged = nudged
        self._games: dict[str, Watch[T]] = {}
        self._lock = threading.Lock()
        self._wanted = threading.Event()
        self._thread: threading.Thread | None = None
        self.stopping = False

    @contextmanager
    def on(self, game: str) -> Iterator[Watch[T]]:
        """Watch a game. Each move after this call is told: who takes the version first and reads then loses nothing."""
        with self._lock:
            watch = self._games.setdefault(game, Watch[T]())
            watch.watchers += 1
            self._wanted.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._poll, name="heads", daemon=True)
                self._thread.start()
        try:
            yield watch
        finally:
            with self._lock:
                watch.watchers -= 1
                if watch.watchers == 0:
                    del self._games[game]

    def fault(self) -> str | None:
        """Why nobody is woken here any more, None while all is well."""
        thread = self._thread
        if thread is None or thread.is_alive() or self.stopping:
            return None
        return "the thread that tells waiting requests and streams of new heads has died; restart this process"

    def stop(self) -> None:
        """Wake all waiters; streams end, requests answer with what is there."""
        self.stopping = True
        for watch in self._watched().values():
            watch.move()
        self._wanted.set()

    def _poll(self) -> None:
        while not self.stopping:
            watched = self._watched()
            if not watched:
                self._wanted.wait()
                continue
            try:
                self._look(watched)
                self._nudged(LOOK_SECONDS)
            except DocumentsUnavailable as error:
                DOCUMENTS_FAILED.inc()
                log.warning("views_unavailable", reason=str(error))
                time.sleep(_SICK_SECONDS)
            except Exception as error:  # whatever it is: without this thread nobody here is woken any more
                log.error("heads_not_read", exc_info=error)
                time.sleep(_SICK_SECONDS)

    def _look(self, watched: Mapping[str, Watch[T]]) -> None:
        marks = self._marks(watched)
        for game, watch in watched.items():
            mark = marks.get(game)
            if mark is not None and mark != watch.mark:
                watch.mark = mark
                watch.move()

    def _watched(self) -> dict[str, Watch[T]]:
        with self._lock:
            if not self._games:
                self._wanted.clear()
            return dict(self._games)
