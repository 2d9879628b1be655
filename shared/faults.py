"""Named steps at which a test can kill a process.

`WARLEDGER_FAULT=resolver.after_commit` kills at that step, `resolver.after_commit:3` when it is reached the third time.
`WARLEDGER_FAULT_FILE` names a file in which such a text may appear while the process runs: the process that reaches the
step adds `.struck` to its name and dies. So the processes of an installation can be killed one after the other.
Every step costs one comparison while neither variable is set; nothing else arms a step outside tests.
"""

import os
import signal
from collections.abc import Mapping

POINTS: Mapping[str, str] = {
    "gateway.before_forward": "a write is read and allowed, no intake knows it yet",
    "gateway.after_forward": "an intake has made an input durable, the client has no answer yet",
    "intake.after_text": "the text of a message is stored, the input that names it is not",
    "intake.before_append": "an input is complete, not yet appended",
    "intake.after_append": "an input is appended, its sender has no receipt yet",
    "log.joining": "a process is about to join its group, which waits for it if it is a member",
    "log.assigned": "the group has given partitions to a process, which knows nothing of it yet",
    "log.taking_over": "the former owner of a partition is fenced, the new one has not read where that one stood",
    "log.before_end": "the records of a transaction are written, its end is not asked for",
    "log.ending": "the end of a transaction is asked for, whoever asked has no answer",
    "resolver.taken_over": "a partition is taken over, nothing of it read yet",
    "resolver.while_judging": "an input is judged, nothing written yet",
    "resolver.after_tick": "a tick is appended, the close not yet made",
    "resolver.before_close": "all inputs in time are judged, the close is not",
    "resolver.before_commit": "an outcome is complete, not yet committed",
    "resolver.after_commit": "an outcome is committed, nothing has followed from it yet",
    "resolver.mid_snapshot": "chunks of a snapshot are stored, its manifest is not",
    "resolver.after_snapshot": "a snapshot is complete",
    "projector.before_documents": "a batch is folded, nothing of it written",
    "projector.after_documents": "documents of a batch are written, its feeds are not",
    "projector.before_counters": "feeds and judgements are written, the counters are not",
    "projector.before_heads": "the counters are written, readers still see the state before",
    "projector.before_checkpoint": "readers see the batch, the checkpoint does not",
    "projector.mid_rebuild": "a part of a new generation is filled",
    "projector.before_flip": "a new generation is complete, readers see the old one",
    "projector.after_flip": "readers see the new generation, the old one is still there",
}
"""Step -> what has happened when it is reached. Both intakes have the steps `intake.`; those of `log.` are in Kafka."""

VARIABLE = "WARLEDGER_FAULT"
FILE_VARIABLE = "WARLEDGER_FAULT_FILE"
STRUCK = ".struck"


class UnknownPoint(ValueError):
    """WARLEDGER_FAULT, its file, or a call of `point` names no step of the table."""


def _armed(text: str) -> dict[str, int]:
    armed = {}
    for item in filter(None, text.split(",")):
        name, _, times = item.partition(":")
        if name not in POINTS or not (times or "1").isdigit():
            raise UnknownPoint(f"{VARIABLE}={text!r}: expected STEP or STEP:NTH, a step of {', '.join(POINTS)}")
        armed[name] = int(times or "1")
    return armed


class _File:
    """The file of WARLEDGER_FAULT_FILE as this process sees it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._seen: tuple[int, int] | None = None
        self._left: dict[str, int] = {}

    def strikes(self, name: str) -> bool:
        """Whether this is the step and the time that the file names; then nobody else is struck by it."""
        try:
            status = os.stat(self._path)
            if (status.st_ino, status.st_mtime_ns) != self._seen:
                with open(self._path) as file:
                    self._left = _armed(file.read().strip())
                self._seen = (status.st_ino, status.st_mtime_ns)
            if name not in self._left:
                return False
            self._left[name] -= 1
            if self._left[name] > 0:
                return False
            os.rename(self._path, self._path + STRUCK)
        except FileNotFoundError:
            return False
        return True


_counts = _armed(os.environ.get(VARIABLE, ""))
_file = _File(os.environ[FILE_VARIABLE]) if os.environ.get(FILE_VARIABLE) else None


def point(name: str) -> None:
    """Mark a step. If it is armed and reached for the nth time, the process dies as by `kill -9`."""
    if _counts or _file is not None:
        _reached(name)


def _reached(name: str) -> None:
    if name not in POINTS:
        raise UnknownPoint(f"{name!r} is no step of the table")
    if _file is not None and _file.strikes(name):
        _die()
    if name not in _counts:
        return
    _counts[name] -= 1
    if _counts[name] == 0:
        _die()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def arm(text: str) -> None:
    """Arm steps as the variable would; an empty text disarms all. Raises UnknownPoint."""
    _counts.clear()
    _counts.update(_armed(text))
