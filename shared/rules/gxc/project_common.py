"""Pieces that the projections of GXC's events share."""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.interface import Event, Write
from shared.rules.projecting import PUBLIC

Data = Mapping[str, Any]
SHELVES = 127
"""A prime, so that whatever ids have in common does not put them on the same shelves."""
CLOSES = "closes"
"""Id of the document of a team that has the energies which closes of turns left."""
PLACES = "places-"
"""Beginning of the ids of documents for where players stand; only closes and operators change them."""
_PLACES = 3
OWNER = "|owner"
BOARD = "board"
"""Id of the document that has strengths and owners of all territories: an opening tells all strengths at once, and only
closes and operators change owners. It stands behind the shelves of form 5, whose ids are numbers."""


def shelf_of(player: str) -> str:
    """Id of the document in which a player's last energize stands together with that of others.

    So many that no command rewrites a large document. What only closes change of everybody stands in few: a close of
    100,000 players in 12 teams writes 12 documents for energies, one of 50 as many.
    """
    return f"{int.from_bytes(player.encode(), 'big') % SHELVES:03}"


def place_of(player: str) -> str:
    """Id of the document that has where she stands."""
    return f"{PLACES}{int.from_bytes(player.encode(), 'big') % _PLACES}"


def streak_key(player: str) -> str:
    """Where a shelf of form 4 has the turn that she last energized in, and her streak then; no id has a `|`."""
    return f"{player}|streak"


def empire_key(team: str) -> str:
    """Where the game's document has the size of a team's empire; no id has a `|`."""
    return f"{team}|empire"


def conquests_key(team: str) -> str:
    """Where the game's document has whether a team conquered in the last turn, and its conquests; no id has a `|`."""
    return f"{team}|conquests"


def owner_write(owners: Mapping[str, str | None]) -> Write:
    """Owners of territories since the game began, beside the strengths that an opening tells.

    So a close writes no document for each territory that it gives to another team.
    """
    return Write("strength", BOARD, PUBLIC, {owner_key(territory): owner for territory, owner in owners.items()})


def owner_key(territory: str) -> str:
    """Where strengths have the owner of a territory; no id has a `|`."""
    return f"{territory}{OWNER}"


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
