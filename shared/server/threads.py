"""Between the event loop and the threads of a worker: jobs one way, calls the other, as cheap as they can be.

gunicorn's own (an executor with futures, a system call for every job that is done) took as long as parsing a request.
"""

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

import structlog

log = structlog.get_logger()

_BYTES_READ = 4096


class Threads:
    """At most so many threads; one more is begun for a job that finds none idle. They end with the process, never by
    what a job raises."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._begun = 0
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._idle: deque[None] = deque()
        """An entry for each thread that waits for a job; once all threads are begun it may hold more, which is nothing
        to anybody."""

    def submit(self, job: Callable[..., None], *arguments: Any) -> None:
        """Let a thread do the job, in the order of submission; called by one thread alone."""
        self._jobs.put(partial(job, *arguments))
        if self._idle:
            self._idle.pop()
        elif self._begun < self._most:
            self._begun += 1
            threading.Thread(target=self._run, name=f"request-{self._begun}", daemon=True).start()

    def shutdown(self, wait: bool = False) -> None:
        """Nothing to do: gunicorn's worker calls it before the process ends."""

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            try:
                job()
            except BaseException as error:
                with suppress(Exception):
                    log.error("job_failed", exc_info=error)
            self._idle.append(None)


class Calls:
    """Calls that threads leave for the event loop; a byte in a pipe stands for all that are there when it is read.

    Has the methods of gunicorn's PollableMethodQueue.
    """

    def __init__(self) -> None:
        self._queue: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._ends = (-1, -1)
        self._rung = False

    def init(self) -> None:
        """Open the pipe."""
        self._ends = os.pipe()
        for end in self._ends:
            os.set_blocking(end, False)

    def fileno(self) -> int:
        """What the event loop waits for."""
        return self._ends[0]

    def close(self) -> None:
        """Close the pipe."""
        ends, self._ends = self._ends, (-1, -1)
        for end in ends:
            os.close(end)

    def defer(self, callback: Callable[..., object], *arguments: Any) -> None:
        """Let the event loop call this."""
        self._queue.put(partial(callback, *arguments))
        if not self._rung:
            self._rung = True
            with suppress(OSError):  # closed: the process ends
                os.write(self._ends[1], b"!")

    def run_callbacks(self, _pipe: object) -> None:
        """Make all calls that are there."""
        os.read(self._ends[0], _BYTES_READ)
        self._rung = False  # before the queue is emptied: whoever comes after that rings again
        while True:
            try:
                callback = self._queue.get_nowait()
            except Empty:
                return
            callback()


class Settings:
    """gunicorn's settings as attributes: its parser looks 21 of them up for every request, each through three calls."""

    def __init__(self, settings: Any) -> None:
        self._settings = settings

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._settings, name)
        setattr(self, name, value)
        return value
