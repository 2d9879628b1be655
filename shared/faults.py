"""Named steps at which a test can kill a process.

`WARLEDGER_FAULT=resolver.after_commit` kills at that step, `resolver.after_commit:3` when it is reached the third time.
Every step costs one comparison while no fault is armed. The table is what the fault tests walk through: whoever marks a
step in another process adds it here.
"""

import os
import signal
from collections.abc import Mapping

POINTS: Mapping[str, str] = {
    "resolver.taken_over": "a partition is taken over, nothing of it read yet",
    "resolver.while_judging": "an input is judged, nothing written yet",
    "resolver.after_tick": "a tick is appended, the close not yet made",
    "resolver.before_close": "all inputs in time are judged, the close is not",
    "resolver.before_commit": "an outcome is complete, not yet committed",
    "resolver.after_commit": "an outcome is committed, nothing has followed from it yet",
    "resolver.mid_snapshot": "chunks of a snapshot are stored, its manifest is not",
    "resolver.after_snapshot": "a snapshot is complete",
}
"""Step -> what has happened when it is reached."""

VARIABLE = "WARLEDGER_FAULT"


class UnknownPoint(ValueError):
    """WARLEDGER_FAULT, or a call of `point`, names no step of the table."""


def _armed(text: str) -> dict[str, int]:
    armed = {}
    for item in filter(None, text.split(",")):
        name, _, times = item.partition(":")
        if name not in POINTS or not (times or "1").isdigit():
            raise UnknownPoint(f"{VARIABLE}={text!r}: expected STEP or STEP:NTH, a step of {', '.join(POINTS)}")
        armed[name] = int(times or "1")
    return armed


_counts = _armed(os.environ.get(VARIABLE, ""))


def point(name: str) -> None:
    """Mark a step. If it is armed and reached for the nth time, the process dies as by `kill -9`."""
    if _counts:
        _reached(name)


def _reached(name: str) -> None:
    if name not in POINTS:
        raise UnknownPoint(f"{name!r} is no step of the table")
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
