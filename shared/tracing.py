"""W3C Trace Context: which request an input came with, from HTTP to the journal, the views and the log lines.

A traceparent is envelope: it is kept beside what it belongs to, never hashed, and shown to the sender of an input and
to operators alone. A tracestate is dropped where it arrives: it is text of other people's systems, which would stand
in topics that are kept for ever.
"""

import os
import re

_FORM = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?\Z")
_NO_TRACE = "0" * 32
_NO_SPAN = "0" * 16
_LONGEST = 512


def read_traceparent(given: str | None) -> str | None:
    """The trace context that a header holds, in version 00; None if it holds none.

    Of a later version than 00 the four fields that it shares are taken. Version ff, an id of zeros, or more behind
    version 00 is no trace context.
    """
    found = _FORM.match(given) if given is not None and len(given) <= _LONGEST else None
    if found is None:
        return None
    version, trace, span, flags, more = found.groups()
    if version == "ff" or trace == _NO_TRACE or span == _NO_SPAN or (version == "00" and more is not None):
        return None
    return f"00-{trace}-{span}-{flags}"


def traceparent_of(given: str | None) -> str:
    """The trace context that a request came with, or a new one."""
    return read_traceparent(given) or new_traceparent()


def new_traceparent() -> str:
    """A new trace context: random trace and span, sampled."""
    drawn = os.urandom(24).hex()
    return f"00-{drawn[:32]}-{drawn[32:]}-01"


def trace_id(traceparent: str | None) -> str | None:
    """The trace id, 32 hex digits: what log lines have as `trace`."""
    return traceparent[3:35] if traceparent else None
