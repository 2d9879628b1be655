"""Pieces that the projections of GXC's events share."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from shared.rules.interface import Event, Write

PUBLIC, OPERATORS = "public", ""
Data = Mapping[str, Any]
Projection = Callable[[Event], Iterable[Write]]


def game_write(**fields: Any) -> Write:
    return Write("game", "game", PUBLIC, fields)


def turn_id(turn: int) -> str:
    """Id of what is kept of a turn: ascending ids are ascending turns."""
    return f"{turn:08}"


def nomination_id(data: Data) -> str:
    """Id of a nomination record within its team; no kind holds a hyphen."""
    return f"{data['kind']}-{data['target']}"


def team_of(data: Data) -> str:
    """The audience of the team that an event names."""
    return f"team:{data['team']}"


def team_writes(event: Event, **fields: Any) -> Iterator[Write]:
    """A write of the team's document for those whom the event is for."""
    for audience in event.to:
        yield Write("team", event.data["team"], audience, fields)
