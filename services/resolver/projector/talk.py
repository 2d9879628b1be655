"""What players said, as the views of every game list it: kind `message`, one document for each audience of the event.

An event that speaks of a text names `author`, `message` and `hash` (shared/messages.py). The id of the document is the
time of the input and the message's id, so that the messages of an audience are listed in the order of time.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.events import JournalEvent
from shared.rules.interface import Write
from shared.views import ids

MESSAGE = "message"
_NAMED = ("author", "message", "hash")


def speaks(data: Mapping[str, Any]) -> bool:
    """Whether an event with this data speaks of a text."""
    # Nearly none does, and one look tells: the rest is asked of the others.
    return "message" in data and all(isinstance(data.get(name), str) for name in _NAMED)


def message_writes(event: JournalEvent, at: int) -> Iterator[Write]:
    """The writes of an event that speaks of a text. `at` is the time of the input behind it."""
    data = event.data
    channel = event.to[0] if event.to else ids.OPERATORS
    fields = {"type": event.type, "at": at, "channel": channel, **{name: data[name] for name in _NAMED}}
    for audience in dict.fromkeys((*event.to, ids.OPERATORS)):
        yield Write(MESSAGE, f"{at:015}-{data['message']}", audience, fields)
