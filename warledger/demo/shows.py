"""What the demo knows of each game: how many play it how long, who plays, and how its end is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import click

from shared.maps.model import Map
from shared.rules.exgenhoca.objectives import MOST_SEATS
from warledger.api import Client
from warledger.demo.exgenhoca import Campaign, ranking_of
from warledger.demo.gxc import War
from warledger.maps import map_named


class Wanted(NamedTuple):
    """What the options say. `teams` and `board` are for games of teams on a map."""

    players: int
    turns: int
    teams: int
    map_name: str

    @property
    def board(self) -> Map:
        """The map with this name. Fails for a name without one."""
        return map_named(self.map_name)


Accounts = list[tuple[str, Client]]


@dataclass(frozen=True, slots=True)
class Show:
    """One game as the demo plays it: as the game `war` (`GAME`), over HTTP, to its end.

    `players` and `turns` hold if none are named, `most` is the most players. `about` is the first line, `play` creates
    and plays with these accounts, `ranking` tells the view of the ended game in a line. `goes_on`: a second war waits
    for people, who are told how to play it.
    """

    players: int
    most: int
    turns: int
    about: Callable[[Wanted], str]
    play: Callable[[Client, Wanted, Accounts], None]
    ranking: Callable[[Mapping[str, Any]], str]
    goes_on: bool = False


def _about_gxc(wanted: Wanted) -> str:
    board = wanted.board
    places = f"{board.name}: {len(board.territories)} territories"
    return f"{wanted.players} players in {wanted.teams} teams on {places}, {wanted.turns} turns"


def _play_gxc(operator: Client, wanted: Wanted, accounts: Accounts) -> None:
    War(operator, wanted.board, wanted.teams, wanted.turns, click.echo).play(accounts)


def _ranking_of_gxc(game: Mapping[str, Any]) -> str:
    return ", ".join(f"{item['rank']}. {item['team']}" for item in game["ranking"])


def _about_exgenhoca(wanted: Wanted) -> str:
    return f"{wanted.players} players with secret objectives, at most {wanted.turns} rounds"


def _play_exgenhoca(operator: Client, wanted: Wanted, accounts: Accounts) -> None:
    Campaign(operator, wanted.turns, click.echo).play(accounts)


SHOWS: Mapping[str, Show] = {
    "gxc": Show(120, 5000, 12, _about_gxc, _play_gxc, _ranking_of_gxc, goes_on=True),
    "exgenhoca": Show(6, MOST_SEATS, 40, _about_exgenhoca, _play_exgenhoca, ranking_of),
}
"""By game, the first the one that is played if none is named."""
