"""What the demo knows of each game: how many play it how long, who plays, and how its end is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import click

from shared.maps.model import Map
from shared.rules.exgenhoca.objectives import MOST_SEATS
from shared.rules.forces.config import MOST_PLAYERS
from warledger.api import Client
from warledger.demo.exgenhoca import GAME, Campaign, ranking_of
from warledger.demo.forces import LandWar
from warledger.demo.forces import ranking_of as ranking_of_forces
from warledger.demo.gxc import War, areas_of
from warledger.demo.gxc_wars import Wars
from warledger.demo.map_war import MOST_PLAYERS as MOST_NATIONS
from warledger.demo.map_war import Nations
from warledger.demo.map_war import ranking_of as ranking_of_nations
from warledger.demo.space_battle import CRAFT, Duel
from warledger.demo.space_battle import ranking_of as result_of
from warledger.maps import map_named


class Wanted(NamedTuple):
    """What the options say. `teams` and `board` are for games of teams on a map; `players` are those of one game."""

    players: int
    turns: int
    teams: int
    map_name: str
    games: int = 1

    @property
    def names(self) -> list[str]:
        """The ids of the games: `war`, or `war-1` and so on."""
        return [GAME] if self.games == 1 else [f"{GAME}-{number}" for number in range(1, self.games + 1)]

    @property
    def board(self) -> Map:
        """The map with this name. Fails for a name without one."""
        return map_named(self.map_name)


Accounts = list[tuple[str, Client]]


@dataclass(frozen=True, slots=True)
class Show:
    """One game as the demo plays it: under the names of what is wanted, over HTTP, to its end.

    `players` and `turns` hold if none are named, `most` is the most players of a game. `about` is the first line,
    `play` creates and plays with these accounts, as many for each game, `ranking` tells the roster of an ended game in
    a line. `goes_on`: a second war waits for people, who are told how to play it. `games` is how many it plays at once.
    """

    players: int
    most: int
    turns: int
    about: Callable[[Wanted], str]
    play: Callable[[Client, Wanted, Accounts], None]
    ranking: Callable[[Mapping[str, Any]], str]
    goes_on: bool = False
    games: int = 1


def _about_gxc(wanted: Wanted) -> str:
    board = wanted.board
    areas_of(board, wanted.teams)  # a map that is too small is told before anything is started
    places = f"{board.name}: {len(board.territories)} territories"
    wars = f"{wanted.games} wars, in each " if wanted.games > 1 else ""
    return f"{wars}{wanted.players} players in {wanted.teams} teams on {places}, {wanted.turns} turns"


def _play_gxc(operator: Client, wanted: Wanted, accounts: Accounts) -> None:
    board, size = wanted.board, wanted.players
    areas = areas_of(board, wanted.teams)
    wars = [
        War(operator, name, board, wanted.turns, areas, dict(accounts[number * size : (number + 1) * size]))
        for number, name in enumerate(wanted.names)
    ]
    Wars(operator, wars, click.echo).play()


def _ranking_of_gxc(game: Mapping[str, Any]) -> str:
    return ", ".join(f"{item['rank']}. {item['team']}" for item in game["ranking"])


def _about_exgenhoca(wanted: Wanted) -> str:
    return f"{wanted.players} players with secret objectives, at most {wanted.turns} rounds"


def _play_exgenhoca(operator: Client, wanted: Wanted, accounts: Accounts) -> None:
    Campaign(operator, wanted.turns, click.echo).play(accounts)


def _about_forces(wanted: Wanted) -> str:
    board = wanted.board
    lands = f"{board.name}: {len(board.territories)} lands"
    return f"{wanted.players} players share out {lands}; bots buy for {wanted.turns} years"


def _play_forces(operator: Client, wanted: Wanted, accounts: Accounts) -> None:
    LandWar(operator, wanted.board, wanted.turns, click.echo).play(accounts)


def _about_space_battle(wanted: Wanted) -> str:
    return f"two fleets of a base and {CRAFT} craft each; {wanted.turns} moves in a row without a shot are a draw"


def _play_space_battle(operator: Client, wanted: Wanted, accounts: Accounts) -> None:
    Duel(operator, wanted.turns, click.echo).play(accounts)


def _about_map_war(wanted: Wanted) -> str:
    board = wanted.board
    return f"{wanted.players} nations on {board.name}: {len(board.territories)} lands; {wanted.turns} turns"


def _play_map_war(operator: Client, wanted: Wanted, accounts: Accounts) -> None:
    Nations(operator, wanted.board, wanted.turns, click.echo).play(accounts)


SHOWS: Mapping[str, Show] = {
    "gxc": Show(120, 5000, 12, _about_gxc, _play_gxc, _ranking_of_gxc, goes_on=True, games=1_000),
    "exgenhoca": Show(6, MOST_SEATS, 40, _about_exgenhoca, _play_exgenhoca, ranking_of),
    "forces": Show(8, MOST_PLAYERS, 15, _about_forces, _play_forces, ranking_of_forces),
    "space-battle": Show(2, 2, 30, _about_space_battle, _play_space_battle, result_of),
    "map-war": Show(8, MOST_NATIONS, 12, _about_map_war, _play_map_war, ranking_of_nations),
}
"""By game, the first the one that is played if none is named."""
