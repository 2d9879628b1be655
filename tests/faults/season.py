"""A war that goes on and on, in this process over real files: its clock, its resolver and its projector are stepped."""

import shutil
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from services.resolver.bootstrap import build as build_resolver
from services.resolver.projector.bootstrap import build as build_projector
from services.resolver.settings import CreditPolicy, Pace
from shared.config import from_environment, make_keys
from shared.documents.sqlite import SqliteDocuments
from shared.events import Submitted, input_id
from shared.log import Draft
from shared.log.sqlite import SqliteLog
from shared.rules import rules_of
from shared.rules.interface import Role
from shared.signing import Keyring, Signer
from shared.views import Views, ids
from warledger.maps import map_named

GAME = "season"
PLAYERS = tuple(f"player-{number}" for number in range(8))
START = 1_800_000_000_000
_LONGEST_SECONDS = 60.0
_PACE = Pace(credit=CreditPolicy(gap_ms=10**12), tick_again_ms=0, retry_ms=0, idle_ms=0)
"""The clock jumps from deadline to deadline: that is no outage, and pauses by it would be wrong."""


class HandClock:
    """A clock that the season sets."""

    def __init__(self, now: int) -> None:
        self.time = now

    def now(self) -> int:
        return self.time


class Season:
    """Two teams that stand and defend: the war never ends, and each turn brings as much as the one before."""

    def __init__(self, folder: Path, turn: int = 0, now: int = START, said: int = 0) -> None:
        self.folder = folder
        self.turn = turn
        self.clock = HandClock(now)
        self._said = said
        self._settings = from_environment({"WARLEDGER_DATA": str(folder)})
        make_keys(self._settings)
        key = self._settings.key("orders")
        self._log = SqliteLog(
            self._settings.log_folder,
            Signer("orders", key),
            Keyring({"orders": key, "ticks": self._settings.key("ticks")}),
            self.clock,
        )
        self._documents = SqliteDocuments(self._settings.docs_folder)
        self._views = Views(self._documents)
        self.restart()

    def restart(self) -> None:
        """Other processes take over, as after `kill -9`: nothing was stored on the way out."""
        self._resolver = build_resolver(self._settings, self.clock, _PACE)
        self._projector = build_projector(self._settings)

    def copy(self, folder: Path) -> "Season":
        """The same season in another folder, as it stands."""
        shutil.copytree(self.folder, folder)
        return Season(folder, self.turn, self.clock.time, self._said)

    def begin(self) -> None:
        """Create the war and open its first turn."""
        board = map_named("small-eight")
        names = sorted(board.territories)
        teams = {"red": {"name": "Red", "territories": names[:4]}, "blue": {"name": "Blue", "territories": names[4:]}}
        create = {"map": board.document(), "teams": teams, "config": {"recruitment_turns": 0}}
        said = [self._input("op", "create_game", {"game": "gxc", "rules": rules_of("gxc").version, "create": create})]
        for number, player in enumerate(PLAYERS):
            team, other = number % 2, number // 2
            said.append(self._input(player, "join", {"team": ("red", "blue")[team]}))
            said.append(self._input(player, "place", {"territory": names[4 * team + other]}))
        said.append(self._input("op", "start_game", {}))
        self.say(said)
        self.turn = 1

    def play_to(self, turn: int) -> None:
        """Play and close turns until this one is open."""
        while self.turn < turn:
            self.order()
            self.clock.time = self._deadline() + 1
            self.turn += 1
            self._step_until(lambda: self._shown()["turn"] == self.turn)

    def order(self) -> None:
        """Everybody logs in and gives an order."""
        energized = [self._input(player, "energize", {}) for player in PLAYERS]
        self.say([*energized, *(self._input(player, "set_order", {"defend": 1 + self.turn % 9}) for player in PLAYERS)])

    def say(self, said: Sequence[Submitted]) -> None:
        """Append inputs and step until the last is judged and shown. Raises AssertionError for a refusal."""
        self.append(said)
        self.until_judged(said[-1])

    def append(self, said: Sequence[Submitted]) -> None:
        """Append inputs."""
        self.clock.time += 1
        self._log.append("orders", [Draft(GAME, item.value(), {"ce_id": item.id}) for item in said])

    def until_judged(self, last: Submitted) -> None:
        """Step until this input is accepted and shown."""
        self._step_until(lambda: self._views.judgement(GAME, last.id) is not None)
        found = self._views.judgement(GAME, last.id)
        assert found is not None
        assert (found.verdict, found.detail) == ("accepted", None)

    def restart_seconds(self) -> float:
        """From the start of new processes until a command that waits is judged and shown."""
        waiting = self._input(PLAYERS[0], "set_order", {"defend": 1})
        self.append([waiting])
        started = time.perf_counter()
        self.restart()
        self.until_judged(waiting)
        return time.perf_counter() - started

    def sizes(self) -> dict[str, int]:
        """Bytes of each database, what waits in its write-ahead log included."""
        found = {}
        for path in sorted((*self._settings.log_folder.glob("*.db"), *self._settings.docs_folder.glob("*.db"))):
            connection = sqlite3.connect(path)
            pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
            connection.close()
            found[path.name] = int(pages * size)
        return found

    def close(self) -> None:
        """Stop everything and close every file."""
        self._resolver.close()
        self._projector.close()
        self._log.close()
        self._documents.close()

    def _input(self, actor: str, type: str, payload: dict[str, Any]) -> Submitted:
        self._said += 1
        role: Role = "operator" if actor == "op" else "player"
        return Submitted(input_id(GAME, actor, str(self._said)), GAME, actor, role, type, payload, f"{self._said:032x}")

    def _step_until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + _LONGEST_SECONDS
        while not done():
            assert time.monotonic() < end, self._resolver.ready_fault() or self._projector.ready_fault()
            self._resolver.round(0)
            self._projector.round(0)

    def _deadline(self) -> int:
        return int(self._shown()["turn_deadline"])

    def _shown(self) -> dict[str, Any]:
        """The game's own public fields."""
        head = self._views.head(GAME)
        assert head is not None
        found = self._views.one(head, "game", "game", ids.PUBLIC)
        assert found is not None
        return dict(found.fields)
