"""The `id:` of an event of a stream: how many entries of each of its reader's feeds she has, `public=12;team:red=3`."""

import re
from collections.abc import Mapping

from shared.views import ids

_OPERATORS = "*"
_ENTRY = re.compile(r"([A-Za-z0-9_:*-]{1,140})=([0-9]{1,15})\Z")


def event_id(counts: Mapping[str, int]) -> str:
    """The id of these counts; notices are named once there are any."""
    named = (name for name in sorted(counts) if counts[name] or not name.startswith(ids.NOTICES))
    return ";".join(f"{audience or _OPERATORS}={counts[audience]}" for audience in named)


def read_event_id(text: str) -> dict[str, int] | None:
    """The counts of an id; None for what is none."""
    counts = {}
    for part in text.split(";"):
        found = _ENTRY.match(part)
        if found is None:
            return None
        counts["" if found[1] == _OPERATORS else found[1]] = int(found[2])
    return counts
