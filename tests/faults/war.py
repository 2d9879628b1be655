"""Small games on an installation, and a load of bots on them."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from shared.rules import rules_of
from tests.faults.loads import PACKAGES, load_of
from tests.faults.proof import Acknowledged
from tests.faults.waiting import eventually
from warledger.demo.installation import Installation

Answer = Mapping[str, Any]
GXC = "gxc"


def by_turns(games: Sequence[str], first: str = GXC) -> dict[str, str]:
    """Game -> what it is played by: every game that is listed in turn, from this one on."""
    start = PACKAGES.index(first)
    return {game: PACKAGES[(start + number) % len(PACKAGES)] for number, game in enumerate(games)}


def open_wars(
    house: Installation,
    games: Sequence[str],
    players: int,
    turn_seconds: int = 3600,
    packages: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Create and start the games; every player takes her place in each. Returns the tokens of the players.

    `packages` says what a game is played by (tests/faults/loads), GXC if it is not named there.
    """
    people = house.players(players)
    for game in games:
        load = load_of((packages or {}).get(game, GXC))
        creation = load.create([account for account, _ in people], turn_seconds)
        house.operator.post("/games", {"id": game, "game": load.game, "create": creation})
        # A house that has just started judges when it has taken over what it owns.
        eventually(partial(_is_there, house, game), f"{game} is created")
        load.enter(game, people)
        if "start_game" in rules_of(load.game).commands:
            house.operator.command(game, "start_game")
    return {name: client.token or "" for name, client in people}


def _is_there(house: Installation, game: str) -> bool:
    return house.operator.request("GET", f"/games/{game}").status == 200


class Load:
    """Bots at work."""

    def __init__(self, process: "subprocess.Popen[bytes]", out: Path) -> None:
        self.process = process
        self._out = out

    def answers(self) -> list[Answer]:
        """Every definite answer so far."""
        if not self._out.exists():
            return []
        return [json.loads(line) for line in self._out.read_text().splitlines(keepends=True) if line.endswith("\n")]

    def acknowledged(self) -> list[Acknowledged]:
        """The receipts of everything that a client was told is stored."""
        answers = [answer for answer in self.answers() if answer["id"] is not None]
        return [Acknowledged(item["id"], item["game"], item["hash"], item["status"]) for item in answers]

    def ask_to_end(self) -> None:
        """The bots bring to an end what they have begun."""
        self.process.send_signal(signal.SIGTERM)


@contextmanager
def load(
    house: Installation,
    folder: Path,
    players: Mapping[str, str],
    games: Sequence[str],
    *,
    pause_ms: int,
    close_ms: int,
    crowd_ms: int = 0,
    packages: Mapping[str, str] | None = None,
) -> Iterator[Load]:
    """Bots that play these games until they are told to end; `packages` as for `open_wars`, the rest as for bots.py."""
    out = folder / "answers.jsonl"
    plan = {
        "url": house.settings.urls["gateway"],
        "operator": house.operator.token,
        "players": dict(players),
        "games": {game: (packages or {}).get(game, GXC) for game in games},
        "out": str(out),
        "pause_ms": pause_ms,
        "close_ms": close_ms,
        "crowd_ms": crowd_ms,
    }
    path = folder / "plan.json"
    path.write_text(json.dumps(plan))
    process = subprocess.Popen([sys.executable, "-m", "tests.faults.bots", str(path)])
    try:
        yield Load(process, out)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
