"""The GXC demo: teams and players on the world map, turns decided one after the other, everything over HTTP."""

import random
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any, TypeVar

from shared.maps.model import Map
from shared.maps.starts import team_starts
from warledger.api import Client
from warledger.demo.gxc_bots import Situation, order_of
from warledger.maps import TEAM_NAMES

GAME = "war"
RECRUITMENT_TURNS = 2
_AT_ONCE = 8
_SEED = 1
T = TypeVar("T")


@dataclass(slots=True)
class War:
    """One war of bots. `say` prints progress; every request goes through the gateway."""

    operator: Client
    board: Map
    teams: int
    turns: int
    say: Callable[[str], None]
    players: dict[str, Client] = field(default_factory=dict)
    team_of: dict[str, str] = field(default_factory=dict)

    def play(self, players: list[tuple[str, Client]]) -> None:
        """Create the game, let everybody join, and play it to its end."""
        self.players = dict(players)
        areas = {TEAM_NAMES[index]: area for index, area in team_starts(self.board, self.teams).items()}
        self._create(areas)
        self._join(areas)
        self.operator.command(GAME, "start_game")
        for turn in range(1, self.turns + 1):
            self._turn(turn)

    def _create(self, areas: Mapping[str, list[str]]) -> None:
        teams = {name: {"name": name.capitalize(), "territories": area} for name, area in areas.items()}
        config = {"recruitment_turns": RECRUITMENT_TURNS, "last_turn": self.turns, "base_energy": 12}
        creation = {"map": self.board.document(), "teams": teams, "config": config}
        self.operator.post("/games", {"id": GAME, "game": "gxc", "create": creation})

    def _join(self, areas: Mapping[str, list[str]]) -> None:
        names = list(areas)
        chance = random.Random(_SEED)
        for index, player in enumerate(self.players):
            self.team_of[player] = names[index % len(names)]
        places = {player: chance.choice(areas[self.team_of[player]]) for player in self.players}
        self._each(lambda p: self.players[p].command(GAME, "join", {"team": self.team_of[p]}, key="join"))
        self._each(lambda p: self.players[p].command(GAME, "place", {"territory": places[p]}, key="place"))

    def _turn(self, turn: int) -> None:
        started = monotonic()
        self._each(lambda p: self.players[p].command(GAME, "energize", key=f"energize-{turn}", wait=False))
        seen = {team: self._team_view(team, turn) for team in set(self.team_of.values())}
        self._each(lambda p: self._order(p, turn, seen[self.team_of[p]]))
        closed = self.operator.command(GAME, "close_turn", {"turn": turn}, key=f"close-{turn}")
        if closed.status != 201:
            self._wait_for(turn + 1)
        self.say(self._line(turn, monotonic() - started))

    def _team_view(self, team: str, turn: int) -> Mapping[str, Any]:
        """What a team sees once all its players have energized."""
        members = [player for player, of in self.team_of.items() if of == team]
        client = self.players[members[0]]
        for _ in range(500):
            view = {**client.get(f"/games/{GAME}/map"), **client.get(f"/games/{GAME}/orders")}
            if all(self._is_ready(view["players"].get(player, {}), turn) for player in members):
                return view
            sleep(0.02)
        raise TimeoutError(f"team {team} did not see its players energized in turn {turn}")

    @staticmethod
    def _is_ready(player: Mapping[str, Any], turn: int) -> bool:
        """Energized, or not able to: an eliminated player gives no orders."""
        return player.get("energized_turn") == turn or player.get("status") not in ("active", None)

    def _order(self, player: str, turn: int, view: Mapping[str, Any]) -> None:
        own = view["players"][player]
        if own.get("status") != "active":
            return
        territories = view["territories"]
        situation = Situation(
            {id: item.get("owner") for id, item in territories.items()},
            {id: int(item.get("energy") or 0) for id, item in territories.items()},
            turn > RECRUITMENT_TURNS,
        )
        chance = random.Random(f"{_SEED}/{turn}/{self.team_of[player]}/{own['location']}/{own['energy']}")
        order = order_of(self.board, self.team_of[player], own, situation, chance)
        self.players[player].command(GAME, "set_order", order, key=f"order-{turn}", wait=False)

    def _wait_for(self, turn: int) -> None:
        for _ in range(1500):
            game = self.operator.get(f"/games/{GAME}")
            if game["phase"] == "ended" or game["turn"] >= turn:
                return
            sleep(0.02)
        raise TimeoutError(f"turn {turn} did not open")

    def _line(self, turn: int, seconds: float) -> str:
        territories = self.operator.get(f"/games/{GAME}/map")["territories"].values()
        counts: dict[str, int] = {}
        for item in territories:
            counts[item["owner"] or "nobody"] = counts.get(item["owner"] or "nobody", 0) + 1
        ranking = "  ".join(f"{team} {count}" for team, count in sorted(counts.items(), key=lambda x: (-x[1], x[0])))
        newest = self.operator.get(f"/games/{GAME}/certificates")["certificates"][-1]
        return f"turn {turn:2}  {seconds:4.1f} s  {ranking}   seed {newest['seed'][:12]}…"

    def _each(self, do: Callable[[str], T]) -> None:
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            _all(pool.map(do, self.players))


def _all(results: Iterable[object]) -> None:
    """Run through the results, so that a failure is raised here."""
    for _ in results:
        pass
