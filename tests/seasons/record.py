"""Records a season for tests/seasons: `python -m tests.seasons.record NAME` writes NAME.jsonl, never over an old one.

A name is a game, a hyphen and what tells it from other seasons of that game: `gxc-1`, `exgenhoca-1`.

A season is kept for good: it shows that what was decided once is decided the same way today. Record a new one for a new
rules version or a new kind of event; do not replace one whose replay fails.
"""

import hashlib
import random
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import orjson

from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judging import Context, Judged, judge, judge_clock
from services.resolver.hosting.secrets import MasterKey
from shared.canonical import canonical, sha256_hex
from shared.events import JournalEvent, Submitted, input_id, salt_of
from shared.export import write_export
from shared.rules.interface import Role
from tests.seasons import exgenhoca

FOLDER = Path(__file__).parent
BOARD = Path(__file__).parents[2] / "shared" / "maps" / "data" / "small-twelve.json"
BEGIN = 1_767_225_600_000
"""1 January 2026, 00:00 UTC."""
HOUR = 3_600_000
TURNS = 6
TEXT_HASH = hashlib.sha256(b"a text and its salt").hexdigest()
PLAYERS = {f"{team}-{number}": team for team in ("blue", "green", "red") for number in range(1, 7)}


class Season:
    """A game that is played by whim."""

    def __init__(self, game: str, context: Context, store: dict[str, bytes]) -> None:
        self.id = game
        self.context = context
        self.store = store
        self.random = random.Random(game)
        self.at = BEGIN
        self.game: HostedGame | None = None
        self.journal: list[JournalEvent] = []
        self.count = 0

    @property
    def hosted(self) -> HostedGame:
        assert self.game is not None
        return self.game

    def say(self, actor: str, type: str, **payload: Any) -> str:
        """Give a command a little later than the last one, after the deadlines before it; returns the verdict."""
        self.at += self.random.randrange(1, 90_000)
        role: Role = "operator" if actor == "operator" else "player"
        self.count += 1
        id = input_id(self.id, actor, str(self.count))
        salt = salt_of(b"season", actor=actor, game=self.id, id=id, payload=payload, role=role, type=type)
        submitted = Submitted(id, self.id, actor, role, type, payload, salt)
        if self.game is not None:
            self.run_clock(self.at - 1)
        verdict = self._keep(judge(self.game, submitted, self.at, self.context)).verdict
        if self.random.randrange(20) == 0:
            self._keep(judge(self.game, submitted, self.at + 1, self.context))  # delivered twice
        return verdict

    def run_clock(self, until: int) -> None:
        """Close what is due up to and with `until`."""
        while (due := self.hosted.due()) is not None and due.at <= until:
            self._keep(judge_clock(self.hosted, due, self.context))

    def close(self) -> None:
        """Let the turn's deadline pass."""
        due = self.hosted.due()
        assert due is not None
        self.run_clock(due.at)
        self.at = due.at

    def _keep(self, judged: Judged) -> Judged:
        self.game = judged.game
        self.journal += judged.events
        return judged

    def state(self) -> dict[str, Any]:
        assert self.hosted.rules is not None
        return self.hosted.rules.encode(self.hosted.state)


def play(season: Season) -> None:
    """A war of three teams on twelve territories."""
    board = {"territories": _territories()}
    names = sorted(board["territories"])
    text = canonical(board)
    season.store[sha256_hex(text)] = text
    teams = {
        team: {"name": team.title(), "territories": names[index * 4 : index * 4 + 4]}
        for index, team in enumerate(("blue", "green", "red"))
    }
    config = {"recruitment_turns": 1, "last_turn": TURNS, "first_commander_nominations": 2}
    create = {"map": {"sha256": sha256_hex(text)}, "teams": teams, "config": config}
    season.say("operator", "create_game", game="gxc", create={**create, "config": {"base_energy": -1}})
    season.say("operator", "create_game", game="gxc", rules="1", create=create)
    for player, team in PLAYERS.items():
        season.say(player, "join", team=team)
        season.say(player, "place", territory=season.random.choice(teams[team]["territories"]))
    season.say("operator", "set_schedule", zone="Europe/Lisbon", times=["12:00", "21:30"])
    season.say("operator", "start_game")
    for turn in range(1, TURNS + 1):
        _turn(season, turn)
        season.close()
    season.say("red-1", "chat", channel="all", message="m-last", hash=TEXT_HASH)
    season.say("red-1", "energize")


def _turn(season: Season, turn: int) -> None:
    for player, team in PLAYERS.items():
        if season.random.randrange(8):
            season.say(player, "energize")
        state = season.state()
        mine = state["players"][player]
        if mine["status"] == "active":
            season.say(player, "set_order", **_order(season, state, mine, team))
        if turn == 1 and player.endswith(("-1", "-2")):
            season.say(player, "nominate", kind="commander", target=f"{team}-3")
        if turn == 2:
            season.say(player, "vote", poll=f"{team}-1", choice=season.random.choice(["yes", "yes", "no"]))
        if player.endswith("-4"):
            season.say(
                player, "chat", channel="team", message=f"m-{turn}-{team}", hash=hashlib.sha256(b"x").hexdigest()
            )
    if turn == 3:
        season.say("blue-3", "activate_shield")
        season.say("operator", "remove_player", player="green-6", reason="two accounts")
        season.say("green-6", "energize")
    if turn == 4:
        season.say("operator", "set_deadline", deadline=None, reason="pause")
        season.at += 30 * HOUR
        season.say("operator", "set_deadline", deadline=season.at + 2 * HOUR, reason="operator")
        season.say("operator", "suspend_bonus", team="red", bonus="conquer")


def _order(season: Season, state: Mapping[str, Any], mine: Mapping[str, Any], team: str) -> dict[str, Any]:
    """An order of any kind; not every one is legal."""
    pick = season.random
    here = mine["location"]
    neighbours = state["territories"][here]["neighbours"]
    foreign = [name for name in neighbours if state["territories"][name]["owner"] != team] or neighbours
    energy = mine["energy"]
    attack = {"target": pick.choice(foreign), "energy": pick.randrange(1, energy + 2)} if pick.randrange(3) else None
    left = max(0, energy - (attack["energy"] if attack else 0))
    order: dict[str, Any] = {"defend": pick.randrange(left + 1)}
    if attack:
        order["attack"] = attack
    elif pick.randrange(2):
        own = [name for name, item in state["territories"].items() if item["owner"] == team]
        order["move_to"] = pick.choice(sorted(own))
    return order


def _territories() -> dict[str, Any]:
    drawn = orjson.loads(BOARD.read_bytes())["territories"]
    return {
        name: {key: item[key] for key in ("name", "neighbours", "centroid", "special")} for name, item in drawn.items()
    }


PLAYS: Mapping[str, Callable[[Season], None]] = {"gxc": play, "exgenhoca": exgenhoca.play}
"""Game -> what is played."""


def main(name: str) -> None:
    """Record the season of this name."""
    path = FOLDER / f"{name}.jsonl"
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder) / "master.key"
        key.write_text("00" * 32)
        key.chmod(0o600)
        store: dict[str, bytes] = {}
        season = Season(name, Context(MasterKey(key), store.get), store)
        PLAYS[name.split("-")[0]](season)
    with path.open("xb") as file:
        file.writelines(write_export(name, "journal", season.journal))


if __name__ == "__main__":
    main(sys.argv[1])
