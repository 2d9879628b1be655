"""The demo of Exgenhoca Wars: bots attack one after the other, and every attack is answered at once, over HTTP."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from warledger.api import Client
from warledger.bots.play import Player
from warledger.bots.roster import BOTS

GAME = "war"
_SEED = 1


@dataclass(slots=True)
class Campaign:
    """One game of bots. `say` prints progress; every request goes through the gateway."""

    operator: Client
    rounds: int
    say: Callable[[str], None]
    players: list[Player] = field(default_factory=list)

    def play(self, players: list[tuple[str, Client]]) -> None:
        """Create the game with these accounts by seat, start it, and play it to its end."""
        names = [bot_of(seat) for seat in range(1, len(players) + 1)]
        self.players = [
            Player(client, GAME, BOTS[name](f"{_SEED}/{seat}"))
            for seat, (name, (_, client)) in enumerate(zip(names, players, strict=True), 1)
        ]
        self.say("bots: " + ", ".join(f"seat {seat} {name}" for seat, name in enumerate(names, 1)))
        create = {"players": [account for account, _ in players], "config": {"max_rounds": self.rounds}}
        created = self.operator.post("/games", {"id": GAME, "game": "exgenhoca", "create": create})
        self.operator.judged(created)
        self.operator.judged(self.operator.command(GAME, "start_game"))
        while (game := self._game())["phase"] == "running":
            self._round(game["round"])

    def _round(self, number: int) -> None:
        """The bots act in turn, a command each, until the last has used or passed its rights: then the round closes."""
        started = monotonic()
        while (game := self._game())["phase"] == "running" and game["round"] == number:
            for player in self.players:
                player.act()
        self.say(self._line(number, monotonic() - started))

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


def bot_of(seat: int) -> str:
    """The stronger bot and the simple one in turn."""
    return tuple(BOTS)[seat % len(BOTS)]


def ranking_of(game: Mapping[str, Any]) -> str:
    """The end of a game in a line."""
    points = game["points"]
    seats = ", ".join(
        f"{rank}. seat {seat} ({points[str(seat)]} points)" for rank, seat in enumerate(game["ranking"], 1)
    )
    return f"{seats}; ended by {game['end_reason'].replace('_', ' ')}"
