"""One war of GXC as its bots see it: what each player says in each turn, from what her team is shown over HTTP."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any

from shared.maps.model import Map
from shared.maps.starts import team_starts
from warledger.api import Answer, Client
from warledger.demo.gxc_bots import Situation, order_of
from warledger.demo.rush import Given
from warledger.maps import TEAM_NAMES

RECRUITMENT_TURNS = 2
_SEED = 1
_WITHIN = 60.0
"""Seconds that a view may take to show what was judged."""
_LOOK_SECONDS = 0.02


@dataclass(slots=True)
class War:
    """One war of bots; every request goes through the gateway. Commands are given by who takes them from here."""

    operator: Client
    game: str
    board: Map
    turns: int
    areas: Mapping[str, list[str]]
    """Team -> its territories at the start."""
    players: Mapping[str, Client]
    team_of: dict[str, str] = field(default_factory=dict)

    def create(self) -> Answer:
        """Create the game; its receipt."""
        teams = {name: {"name": name.capitalize(), "territories": area} for name, area in self.areas.items()}
        config = {"recruitment_turns": RECRUITMENT_TURNS, "last_turn": self.turns, "base_energy": 12}
        creation = {"map": self.board.document(), "teams": teams, "config": config}
        return self.operator.post("/games", {"id": self.game, "game": "gxc", "create": creation})

    def joins(self) -> Iterator[Given]:
        """Every player joins, the teams in turn."""
        names = list(self.areas)
        for index, player in enumerate(self.players):
            team = self.team_of[player] = names[index % len(names)]
            yield self._said(player, "join", {"team": team}, "join")

    def places(self) -> Iterator[Given]:
        """Every player who has joined takes a place in her team's area."""
        chance = random.Random(_SEED)
        for player, team in self.team_of.items():
            yield self._said(player, "place", {"territory": chance.choice(self.areas[team])}, "place")

    def energizes(self, turn: int) -> Iterator[Given]:
        """Every player earns the energy of the turn."""
        for player in self.players:
            yield self._said(player, "energize", {}, f"energize-{turn}")

    def orders(self, turn: int) -> Iterator[Given]:
        """The order of every player who can give one, from what her team sees once all its players have energized."""
        seen = {team: self._team_view(team, turn) for team in sorted(set(self.team_of.values()))}
        for player, team in self.team_of.items():
            own = seen[team]["players"][player]
            if own.get("status") == "active":
                yield self._said(player, "set_order", self._order(team, own, turn, seen[team]), f"order-{turn}")

    def close(self, turn: int) -> Answer:
        """Close the turn; the receipt."""
        return self.operator.command(self.game, "close_turn", {"turn": turn}, key=f"close-{turn}", wait=False)

    def reaches(self, turn: int) -> bool:
        """Wait until the views show this turn, or the end, which is False. Raises TimeoutError."""
        end = monotonic() + _WITHIN
        while (game := self.operator.get(f"/games/{self.game}"))["phase"] != "ended":
            if game["turn"] >= turn:
                return True
            if monotonic() > end:
                raise TimeoutError(f"turn {turn} of {self.game} did not open")
            sleep(_LOOK_SECONDS)
        return False

    def standing(self) -> str:
        """Territories by team, and the seed of the last turn."""
        territories = self.operator.get(f"/games/{self.game}/map")["territories"].values()
        counts = Counter(item["owner"] or "nobody" for item in territories)
        ranking = "  ".join(f"{team} {count}" for team, count in sorted(counts.items(), key=lambda x: (-x[1], x[0])))
        newest = self.operator.get(f"/games/{self.game}/certificates")["certificates"][-1]
        return f"{ranking}   seed {newest['seed'][:12]}…"

    def _said(self, player: str, type: str, payload: Mapping[str, Any], key: str) -> Given:
        client = self.players[player]
        return self.game, lambda: client.command(self.game, type, payload, key=key, wait=False)

    def _team_view(self, team: str, turn: int) -> Mapping[str, Any]:
        """What a team sees once all its players have energized. Raises TimeoutError."""
        members = [player for player, of in self.team_of.items() if of == team]
        client = self.players[members[0]]
        end = monotonic() + _WITHIN
        while True:
            view = _all_orders(client, self.game)
            if all(_is_ready(view["players"].get(player, {}), turn) for player in members):
                return {**client.get(f"/games/{self.game}/map"), **view}
            if monotonic() > end:
                raise TimeoutError(f"team {team} of {self.game} did not see its players energized in turn {turn}")
            sleep(_LOOK_SECONDS)

    def _order(self, team: str, own: Mapping[str, Any], turn: int, view: Mapping[str, Any]) -> dict[str, Any]:
        territories = view["territories"]
        situation = Situation(
            {id: item.get("owner") for id, item in territories.items()},
            {id: int(item.get("energy") or 0) for id, item in territories.items()},
            turn > RECRUITMENT_TURNS,
        )
        chance = random.Random(f"{_SEED}/{turn}/{team}/{own['location']}/{own['energy']}")
        return order_of(self.board, team, own, situation, chance)


def _all_orders(client: Client, game: str) -> dict[str, Any]:
    """The page of orders with all players, of whom it tells a thousand at a time."""
    view: dict[str, Any] = client.get(f"/games/{game}/orders")
    while (after := view["next"]) is not None:
        page = client.get(f"/games/{game}/orders?after={after}")
        view = {**view, "players": {**view["players"], **page["players"]}, "next": page["next"]}
    return view


def _is_ready(player: Mapping[str, Any], turn: int) -> bool:
    """Energized, or not able to: an eliminated player gives no orders."""
    return player.get("energized_turn") == turn or player.get("status") not in ("active", None)


def areas_of(board: Map, teams: int) -> dict[str, list[str]]:
    """Team -> its territories at the start. Raises MapError for more teams than territories."""
    return {TEAM_NAMES[index]: area for index, area in team_starts(board, teams).items()}
