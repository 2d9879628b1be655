"""Small wars for end-to-end tests."""

from itertools import count
from typing import Any

from warledger.api import Client
from warledger.demo.installation import Installation
from warledger.maps import map_named

_numbers = count(1)


def small_war(house: Installation, **config: Any) -> str:
    """A running war of red and blue on eight territories; attacks are allowed from the first turn. Returns its id."""
    board = map_named("small-eight")
    territories = sorted(board.territories)
    teams = {
        "red": {"name": "Red", "territories": territories[:4]},
        "blue": {"name": "Blue", "territories": territories[4:]},
    }
    game = f"small-{next(_numbers)}"
    creation = {"map": board.document(), "teams": teams, "config": {"recruitment_turns": 0, **config}}
    # A house that has just started judges when it has taken over what it owns.
    operator = house.operator
    operator.judged(operator.post("/games", {"id": game, "game": "gxc", "create": creation}))
    operator.judged(operator.command(game, "start_game"))
    return game


def enlisted(house: Installation, game: str, team: str, territory: str) -> Client:
    """A new player who joined a team and stands on a territory, energized."""
    number = next(_numbers)
    name, password = f"recruit {number}", f"password {number}"
    house.operator.post("/accounts", {"name": name, "password": password})
    token = house.operator.post("/tokens", {"name": name, "password": password}).body["token"]
    player = house.operator.as_token(token)
    player.judged(player.command(game, "join", {"team": team}))
    player.judged(player.command(game, "place", {"territory": territory}))
    player.judged(player.command(game, "energize"))
    return player
