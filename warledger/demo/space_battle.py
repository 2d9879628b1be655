"""The demo of Space Battle: a challenge, a deployment in secret, and a battle of two bots, over HTTP."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from warledger.api import Client, Refused
from warledger.bots.gunner import FIRST, GunnerBot
from warledger.bots.play import Player
from warledger.demo.exgenhoca import GAME

CRAFT = 8
"""On each side, besides the base."""
SHOWN = 10
"""Moves to a line."""
_SEED = 1
_FAR_MS = 3_600_000
_BEGINS_AFTER_MS = 1_500
_PATIENCE_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Duel:
    """One battle of bots. `say` prints progress; every request goes through the gateway."""

    operator: Client
    quiet_moves: int
    say: Callable[[str], None]

    def play(self, players: list[tuple[str, Client]]) -> None:
        """Create the War Room of these two accounts, agree on a battle, and fight it to its end."""
        (_, one), (challenged, other) = players
        hangar = {"space_base": 1, **dict.fromkeys(FIRST, 2)}
        create = {
            "players": {account: {"hangar": hangar} for account, _ in players},
            "config": {"quiet_moves_draw": self.quiet_moves},
        }
        created = self.operator.post("/games", {"id": GAME, "game": "space-battle", "create": create})
        self.operator.judged(created)
        self._do(one, "issue_challenge", challenged=challenged)
        self._do(other, "accept_challenge", challenge=1, number=CRAFT, time=_in_ms(_FAR_MS))
        self._do(other, "request_staff_time", challenge=1)
        begins_after_ms = _BEGINS_AFTER_MS
        while not self._time_is_set(begins_after_ms):
            begins_after_ms *= 2
        bots = {"C": Player(one, GAME, GunnerBot(f"{_SEED}/C")), "D": Player(other, GAME, GunnerBot(f"{_SEED}/D"))}
        for bot in bots.values():
            while bot.act():
                pass
        self.say(f"side C challenged side D: {CRAFT} craft each; both have deployed and are ready")
        self._await_the_start()
        started, shown = monotonic(), 0
        while (game := self._game())["phase"] == "running":
            bots[game["to_move"]].act()
            if game["move_no"] > shown + SHOWN:
                shown += SHOWN
                self.say(self._line(shown, monotonic() - started))

    def _do(self, client: Client, type: str, **payload: Any) -> None:
        client.judged(client.command(GAME, type, payload))

    def _time_is_set(self, begins_after_ms: int) -> bool:
        """The game master has the battle begin soon; a time that is past when judged is refused, and set later."""
        try:
            self._do(self.operator, "set_time", challenge=1, time=_in_ms(begins_after_ms))
        except Refused as refused:
            if refused.code != "bad_time":
                raise
            return False
        return True

    def _await_the_start(self) -> None:
        end = monotonic() + _PATIENCE_SECONDS
        while self._game()["phase"] == "deploying" and monotonic() < end:
            time.sleep(0.05)

    def _game(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.operator.get(f"/games/{GAME}")
        return found

    def _line(self, number: int, seconds: float) -> str:
        seen = self.operator.get(f"/games/{GAME}/reports")
        moves = [item for item in seen["moves"].values() if number - SHOWN < item["move_no"] <= number]
        shots = sum("shot" in item for item in moves)
        left = {side: sum(item["alive"] for item in seen["craft"].values() if item["side"] == side) for side in "CD"}
        damage = {side: seen["craft"][f"{side}:base"]["damage"] for side in "CD"}
        standing = "  ".join(f"side {side} {left[side]} craft, base hit for {damage[side]}" for side in "CD")
        return f"moves {number - SHOWN + 1:3} to {number:3}  {seconds:4.1f} s  {shots:2} shots   {standing}"


def _in_ms(after: int) -> int:
    """UTC milliseconds so much later than now."""
    return time.time_ns() // 1_000_000 + after


def ranking_of(game: Mapping[str, Any]) -> str:
    """The end of a battle in a line."""
    how = f"{game['result'].replace('_', ' ')} in move {game['move_no']}"
    if game["winner"] is None:
        return f"nobody; {how}"
    return f"1. side {game['winner']}, 2. side {'D' if game['winner'] == 'C' else 'C'}; {how}"
