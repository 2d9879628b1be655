"""From the options of `warledger game create` to the creation of a game, without its configuration: one form a game."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from shared.maps import land_war, nation_war
from shared.maps.land_war import seas_of
from shared.maps.model import Map
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
    return {"map": land_war.document_of(board, seas)}, f"{_zones(board, seas)}, for all who join"


def of_nations(options: Options) -> Creation:
    """Land and sea of a map, for the players named and whoever joins. Raises MapError."""
    board = map_named(options.map_name)
    seas = seas_of(board)
    named = f"{len(options.players)} players and " if options.players else ""
    creation = {"map": nation_war.document_of(board, seas), "players": list(options.players)}
    return creation, f"{_zones(board, seas)}, for {named}all who join"


def _zones(board: Map, seas: Mapping[str, Any]) -> str:
    return f"{len(board.territories)} lands and {len(seas)} seas"


CREATIONS: Mapping[str, Callable[[Options], Creation]] = {
    "gxc": of_teams,
    "exgenhoca": of_players,
    "forces": of_zones,
    "space-battle": of_hangars,
    "map-war": of_nations,
}
"""By game."""


def creation_of(kind: str, options: Options) -> Creation:
    """The creation of a game of this kind. Whoever names a hangar or players means no map, unless they rule nations on
    it. Raises MapError."""
    if options.hangar:
        return of_hangars(options)
    form = CREATIONS.get(kind, of_teams)
    return of_players(options) if options.players and form is not of_nations else form(options)
