"""The demo of Exgenhoca Wars: bots attack one after the other, and every attack is answered at once, over HTTP."""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from warledger.api import Client, Refused
from warledger.demo.exgenhoca_bots import choose

GAME = "war"
_SEED = 1
_MOST_A_ROUND = 60
"""Commands of one player in a round that are more than any rights allow."""


@dataclass(slots=True)
class Campaign:
    """One game of bots. `say` prints progress; every request goes through the gateway."""

    operator: Client
    rounds: int
    say: Callable[[str], None]
    players: list[tuple[str, Client]] = field(default_factory=list)

    def play(self, players: list[tuple[str, Client]]) -> None:
        """Create the game with these accounts by seat, start it, and play it to its end."""
        self.players = players
        create = {"players": [account for account, _ in players], "config": {"max_rounds": self.rounds}}
        created = self.operator.post("/games", {"id": GAME, "game": "exgenhoca", "create": create})
        self.operator.judged(created)
        self.operator.judged(self.operator.command(GAME, "start_game"))
        while (game := self._game())["phase"] == "running":
            self._round(game["round"])

    def _round(self, number: int) -> None:
        """Every bot uses its rights; the rules close the round with the last one, else a game master does."""
        started = monotonic()
        for seat, (_, client) in enumerate(self.players, 1):
            self._play(seat, client, number)
        game = self._game()
        if game["phase"] == "running" and game["round"] == number:
            self.operator.judged(self.operator.command(GAME, "close_round", {"round": number}))
        self.say(self._line(number, monotonic() - started))

    def _play(self, seat: int, client: Client, number: int) -> None:
        chance = random.Random(f"{_SEED}/{number}/{seat}")
        for _ in range(_MOST_A_ROUND):
            view = {**client.get(f"/games/{GAME}/map"), **client.get(f"/games/{GAME}/orders")}
            own = view["players"][view["you"]["player"]]
            if view["phase"] != "running" or view["round"] != number or own["status"] != "active":
                return
            choice = choose(view, _advice(client, "reach"), _advice(client, "items"), chance)
            if choice is None:
                return
            client.judged(client.command(GAME, choice.type, choice.payload))

    def _game(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.operator.get(f"/games/{GAME}")
        return found

    def _line(self, number: int, seconds: float) -> str:
        attacks = self.operator.get(f"/games/{GAME}/reports")["attacks"]
        made = [item for id, item in attacks.items() if id.startswith(f"{number}-")]
        places = self.operator.get(f"/games/{GAME}/map")["territories"].values()
        held = Counter(place["owner"] for place in places if place["owner"] is not None)
        standing = "  ".join(
            f"seat {seat} {count}" for seat, count in sorted(held.items(), key=lambda x: (-x[1], x[0]))
        )
        taken = sum(item["taken"] for item in made)
        return f"round {number:2}  {seconds:4.1f} s  {len(made):2} attacks, {taken:2} taken   {standing}"


def _advice(client: Client, type: str) -> Mapping[str, Any] | None:
    """The rules' answer to a question; None if they have none."""
    try:
        found: Mapping[str, Any] = client.post(f"/games/{GAME}/advice", {"type": type}).body
    except Refused:
        return None
    return found


def ranking_of(game: Mapping[str, Any]) -> str:
    """The end of a game in a line."""
    points = game["points"]
    seats = ", ".join(
        f"{rank}. seat {seat} ({points[str(seat)]} points)" for rank, seat in enumerate(game["ranking"], 1)
    )
    return f"{seats}; ended by {game['end_reason'].replace('_', ' ')}"
