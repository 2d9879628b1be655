"""Upcasters: an event of an older version read as the newest, one version a step.

They serve readers (projectors, analysts, and the host where it folds its own events). Hashes, replays and the rules see
the stored bytes. An upcaster is a pure function of the data of one version; it never guesses what was not recorded.
"""

from collections.abc import Callable, Mapping
from typing import Any

from shared.events import HOST, JournalEvent, event_type, split_type

Data = Mapping[str, Any]
Upcaster = Callable[[Data], Data]


def _quarantined_with_marks(data: Data) -> Data:
    """Version 1 held bare offsets. The time of a mark was not recorded: 0, as before the first record."""
    positions = {topic: {"offset": offset, "at": 0} for topic, offset in data["positions"].items()}
    return {**data, "positions": positions}


UPCASTERS: Mapping[str, Upcaster] = {event_type(HOST, "game.quarantined", 1): _quarantined_with_marks}
"""Full name of an outdated type -> the function that makes its data that of the next version."""


def upcast(type: str, data: Data, upcasters: Mapping[str, Upcaster] = UPCASTERS) -> tuple[str, Data]:
    """Type and data in the newest version; a type without upcaster is the newest already."""
    while (step := upcasters.get(type)) is not None:
        data = step(data)
        name = split_type(type)
        type = event_type(name.game, name.name, name.version + 1)
    return type, data


def upcast_event(event: JournalEvent) -> JournalEvent:
    """The event as a reader should see it; position and audiences are kept."""
    if event.type not in UPCASTERS:
        return event
    type, data = upcast(event.type, event.data)
    return JournalEvent(event.n, type, data, event.to)
