"""The demo of FORCES: bots share out a world with seas, choose capitals unseen, and submit year by year, over HTTP."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any

from shared.maps.land_war import document_of, seas_of
from shared.maps.model import Map
from warledger.api import Client
from warledger.demo.forces_bots import Bot

GAME = "war"
FIRST_YEAR = 2000
_SEED = "1"
_WITHIN = 60.0
_LOOK_SECONDS = 0.02
CASH = 1_000
"""Credits that win: when the bots buy no more, somebody has them soon."""


@dataclass(slots=True)
class LandWar:
    """One game of bots. `say` prints progress; every request goes through the gateway."""

    operator: Client
    board: Map
    years: int
    say: Callable[[str], None]
    players: list[Client] = field(default_factory=list)

    def play(self, accounts: list[tuple[str, Client]]) -> None:
        """Create the game, deal the zones, and play it to its end; the bots buy for so many years."""
        self.players = [client for _, client in accounts]
        land = len(self.board.territories)
        config = {
            "auto_pick": True,
            "first_year": FIRST_YEAR,
            "early_victory": [{"condition": "zones", "value": 1 + land // 2}, {"condition": "cash", "value": CASH}],
        }
        create = {"map": document_of(self.board, seas_of(self.board)), "config": config}
        self.operator.judged(self.operator.post("/games", {"id": GAME, "game": "forces", "create": create}))
        for client in self.players:
            client.judged(client.command(GAME, "join"))
        self.operator.judged(self.operator.command(GAME, "start_game"))
        for client in self.players:
            capital = self._bot(client, buys=False).capital()
            client.judged(client.command(GAME, "choose_capital", {"zone": capital}))
        year = FIRST_YEAR
        while self._reaches(year):
            self._year(year)
            year += 1

    def _year(self, year: int) -> None:
        """Everybody submits what suits her in the year; the last submission resolves it."""
        started = monotonic()
        for client in self.players:
            view = self._view(client)
            if view["phase"] == "year" and view["players"][view["you"]["player"]]["status"] == "active":
                bot = Bot(view, _SEED, buys=year < FIRST_YEAR + self.years)
                client.judged(client.command(GAME, "submit_turn", {"year": year, **bot.submission()}))
        self.say(self._line(year, monotonic() - started))

    def _reaches(self, year: int) -> bool:
        """Wait until the views show this year, or the end, which is False. Raises TimeoutError."""
        end = monotonic() + _WITHIN
        while (game := self.operator.get(f"/games/{GAME}"))["phase"] != "ended":
            if game["phase"] == "year" and game["year"] >= year:
                return True
            if monotonic() > end:
                raise TimeoutError(f"the year {year} did not open")
            sleep(_LOOK_SECONDS)
        return False

    def _bot(self, client: Client, *, buys: bool) -> Bot:
        return Bot(self._view(client), _SEED, buys=buys)

    def _view(self, client: Client) -> dict[str, Any]:
        return {**client.get(f"/games/{GAME}/map"), **client.get(f"/games/{GAME}/orders")}

    def _line(self, year: int, seconds: float) -> str:
        zones = self.operator.get(f"/games/{GAME}/map")["zones"].values()
        held = Counter(zone["owner"] for zone in zones if zone["owner"] is not None)
        standing = "  ".join(
            f"seat {seat} {count}" for seat, count in sorted(held.items(), key=lambda x: (-x[1], x[0]))
        )
        return f"{year}  {seconds:4.1f} s   {standing}"


def ranking_of(game: Mapping[str, Any]) -> str:
    """The end of a game in a line."""
    ranks = ", ".join(
        f"{number}. {' and '.join(f'seat {seat}' for seat in rank)}" for number, rank in enumerate(game["ranking"], 1)
    )
    return f"{ranks}; ended by {game['condition'].replace('_', ' ')}"
