"""A season of many turns: whoever takes over goes on as fast on its last day as on its first (design, What it must
withstand)."""

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from services.resolver.loop import Resolver
from services.resolver.projector.loop import Projector
from shared.log import Draft, partition_of
from shared.rules import rules_of
from shared.views import Views
from tests.counts import Counts
from tests.unit.resolver.house import SIGNER_OF, TOPIC_OF, House, close_houses
from warledger.maps import map_named

GAME = "season"
PLAYERS = tuple(f"player-{number}" for number in range(8))
EARLY = 90
"""The turn after which restarts are measured first in the long form; a tenth of the season."""
RESTARTS = 9
MOST_GROWTH = 1.5


class Season:
    """A war of two teams that stand and defend: it never ends, and each turn brings as much as the one before."""

    def __init__(self, folder: Path) -> None:
        self.house = House(folder)
        self.projector = self._new_projector()
        self.views = Views(self.house.documents)
        self.turn = 0

    def begin(self) -> None:
        board = map_named("small-eight")
        names = sorted(board.territories)
        teams = {"red": {"name": "Red", "territories": names[:4]}, "blue": {"name": "Blue", "territories": names[4:]}}
        create = {"map": board.document(), "teams": teams, "config": {"recruitment_turns": 0}}
        self.house.say(GAME, "op", "create_game", game="gxc", rules=rules_of("gxc").version, create=create)
        self.house.settle()
        for number, player in enumerate(PLAYERS):
            self.house.say(GAME, player, "join", team=("red", "blue")[number % 2])
            self.house.say(GAME, player, "place", territory=names[4 * (number % 2) + number // 2])
        self.house.say(GAME, "op", "start_game")
        self.settle()
        self.turn = 1

    def play_to(self, turn: int) -> None:
        """Play and close turns until this one is open."""
        while self.turn < turn:
            self.order()
            self.settle()
            self.close()

    def order(self) -> None:
        """Everybody logs in and gives an order; all in one append."""
        for type, payload in (("energize", {}), ("set_order", {"defend": 1 + self.turn % 9})):
            self.say_all(type, payload)

    def say_all(self, type: str, payload: dict[str, Any]) -> None:
        topic = TOPIC_OF.get(type, "orders")
        given = [self.house.submitted(GAME, player, type, payload) for player in PLAYERS]
        writer = self.house.log(SIGNER_OF[topic])
        writer.append(topic, [Draft(GAME, item.value(), {"ce_id": item.id}) for item in given])

    def close(self) -> None:
        """The deadline passes."""
        deadline = self.state().turn_deadline
        self.house.clock.time = deadline + 1
        self.settle()
        self.turn += 1
        assert self.state().turn == self.turn

    def settle(self) -> None:
        """Judge and show all that is there."""
        self.house.settle()
        while self.projector_lags():
            self.projector.round(0)

    def projector_lags(self) -> bool:
        head = self.views.head(GAME)
        return head is None or head.n < self.hosted_n()

    def state(self) -> Any:
        return self._hosted().state

    def hosted_n(self) -> int:
        return int(self._hosted().n)

    def _hosted(self) -> Any:
        return self.house.resolver._running[partition_of(GAME)].games.get(GAME)

    def _new_projector(self) -> Projector:
        return Projector(self.house.log("ticks"), self.house.documents, "test")
