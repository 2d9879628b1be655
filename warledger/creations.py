"""From the options of `warledger game create` to the creation of a game, without its configuration: one form a game."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from shared.maps.land_war import document_of, seas_of
from shared.maps.starts import team_starts
from warledger.maps import TEAM_NAMES, map_named


class Options(NamedTuple):
    """What was asked for: a map by name, how many teams, the accounts by seat, what each of them owns by class."""

    map_name: str
    teams: int
    players: tuple[str, ...]
    hangar: Mapping[str, int]


Creation = tuple[dict[str, Any], str]
"""The creation, and what is said of it."""


def of_teams(options: Options) -> Creation:
    """Teams on a map, each with a connected area of equal size. Raises MapError."""
    board = map_named(options.map_name)
    named = {
        TEAM_NAMES[index]: {"name": TEAM_NAMES[index].capitalize(), "territories": area}
        for index, area in team_starts(board, options.teams).items()
    }
    said = f"{len(board.territories)} territories, teams {', '.join(named)}"
    return {"map": board.document(), "teams": named}, said


def of_players(options: Options) -> Creation:
    """Players by seat, on the board of the rules."""
    return {"players": list(options.players)}, f"{len(options.players)} players"


def of_hangars(options: Options) -> Creation:
    """Players who own the same spacecraft each."""
    owned = {player: {"hangar": dict(options.hangar)} for player in options.players}
    return {"players": owned}, f"{len(options.players)} players"


def of_zones(options: Options) -> Creation:
    """Land and water of a map, for whoever joins. Raises MapError."""
    board = map_named(options.map_name)
    seas = seas_of(board)
    return {"map": document_of(board, seas)}, f"{len(board.territories)} lands and {len(seas)} seas, for all who join"


CREATIONS: Mapping[str, Callable[[Options], Creation]] = {
    "gxc": of_teams,
    "exgenhoca": of_players,
    "forces": of_zones,
    "space-battle": of_hangars,
}
"""By game."""


def creation_of(kind: str, options: Options) -> Creation:
    """The creation of a game of this kind; whoever names a hangar or players means no map. Raises MapError."""
    if options.hangar:
        return of_hangars(options)
    return of_players(options) if options.players else CREATIONS.get(kind, of_teams)(options)
