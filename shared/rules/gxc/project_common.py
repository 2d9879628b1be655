"""Pieces that the projections of GXC's events share."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.rules.interface import TOGETHER, Event, Write
from shared.rules.projecting import PUBLIC

Data = Mapping[str, Any]
SHELVES = 127
"""A prime, so that whatever ids have in common does not put them on the same shelves."""
CLOSES = "closes"
"""Id of the document of a team that has the energies which closes of turns left."""
STANDING = f"{TOGETHER}standing"
"""Kind of what closes of small games leave: to everybody where players stand, to each team the energies of its own."""
STOOD = "standing"
"""Id of its one document. Ids of places come in the order of their age, for the last that tells of a player holds:
numbers (form 4), `places-0` to `places-2` (form 6), this one, `standing-0` to `standing-2`."""
_PLACES = 3
_EARLY = 32_768
"""Up to this position of the journal what closes leave may stand in one document: some 5,000 players at most can have
come until then. An event does not tell how large its game is, but a rebuild must write what live views have; so its
position tells. A game of 50 players is past it after a hundred turns, a large one before the first."""
_FEW = 32
"""Energies of so many players of a team stand with those of other teams: nobody shall read those of large ones."""
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
    """Id of the document that has where she stands, if that is not `STANDING`."""
    return f"{STOOD}-{int.from_bytes(player.encode(), 'big') % _PLACES}"


def place_writes(event: Event, places: Mapping[str, str | None]) -> Iterable[Write]:
    """Where an event of a turn leaves players; None for those who are off the map.

    Events that move players name no team, so this is public, as the log of the turn is (GXC-101).
    """
    if event.n <= _EARLY:
        return (Write(STANDING, STOOD, PUBLIC, places),)
    return [Write("location", place_of(player), PUBLIC, {player: place}) for player, place in places.items()]


def energies_write(event: Event) -> Write:
    """What a close leaves of energies in a team, each with its position, so that of two the newer is known."""
    energies = {player: [event.n, energy] for player, energy in event.data["energy"].items()}
    together = event.n <= _EARLY and len(energies) <= _FEW
    kind, id = (STANDING, STOOD) if together else ("energy", CLOSES)
    return Write(kind, id, team_of(event.data), energies)


def streak_key(player: str) -> str:
    """Where a shelf of form 4 has the turn that she last energized in, and her streak then; no id has a `|`."""
    return f"{player}|streak"


def empire_key(team: str) -> str:
    """Where the game's document has the size of a team's empire; no id has a `|`."""
    return f"{team}|empire"


def conquests_key(team: str) -> str:
    """Where the game's document has whether a team conquered in the last turn, and its conquests; no id has a `|`."""
    return f"{team}|conquests"


def eliminated_key(team: str) -> str:
    """Where the game's document has turn and step of a team's elimination; no id has a `|`."""
    return f"{team}|eliminated"


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


def opening_key(name: str) -> str:
    """Where the document of a turn has what is kept of the opening of the next."""
    return f"next|{name}"


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
