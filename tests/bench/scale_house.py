"""Large GXC games in an installation of processes: filled as an intake does it, closed at a deadline, timed by logs."""

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from shared.canonical import canonical, sha256_hex
from shared.documents import Document
from shared.events import split_type, unpack
from shared.log import PARTITIONS, START, TURNS, TopicPartition, partition_of
from shared.views import ids
from shared.views.writer import ViewWriter
from tests.bench.gxc_workload import commands, creation, order_of
from tests.bench.kafka_house import Command, House, Line, await_

CREATOR = "operator"
A_CALL = 5_000
"""Commands that are appended at once, ten times as many as a busy intake has under way."""
NAP = 0.5
"""Seconds between two looks, which take processor time of those who are looked at; their logs tell what is timed."""


class Closed(NamedTuple):
    """Seconds from a deadline to the last commit of a close, and to the last view."""

    judged: float
    shown: float


class Installation:
    """Folders, a resolver and, unless nobody looks, a projector."""

    def __init__(self, folder: Path, stack: ExitStack, *, projected: bool = True) -> None:
        folder.mkdir(exist_ok=True)
        self.house = House(folder, {})
        stack.callback(self.house.close)
        self.resolver = stack.enter_context(self.house.process("services.resolver", "resolver"))
        self.projector = (
            stack.enter_context(self.house.process("services.resolver.projector", "projector")) if projected else None
        )
        self._reader = self.house.log.reader()
        stack.callback(self._reader.close)
        self._views = ViewWriter(self.house.documents)
        self._given = self._closes = 0

    def create(self, games: Mapping[str, Mapping[str, Any]]) -> None:
        """Create these games; their maps are stored beside, as the gateway stores large ones."""
        made: list[tuple[str, Command]] = []
        for game, create in games.items():
            text = canonical(create["map"])
            self.house.documents.write("blobs", [Document(sha256_hex(text), 1, {"text": text.decode()})])
            payload = {"game": "gxc", "rules": "1", "create": {**create, "map": {"sha256": sha256_hex(text)}}}
            made.append((game, (CREATOR, "operator", "create_game", payload)))
        self.give(made)

    def give(self, given: Iterable[tuple[str, Command]]) -> None:
        """Append these, many at once: each append waits for the disk."""
        self._given += self.house.give_each(given, A_CALL)

    def settle(self) -> None:
        """Wait until everything that was given is judged and shown."""
        wanted = self._given + self._closes
        await_(lambda: self.resolver.metric("warledger_inputs_judged_total") >= wanted, f"{wanted} inputs judged", NAP)
        await_(self._all_shown, "the views of all", NAP)

    def close(self, games: Sequence[str], ahead: float) -> Closed:
        """Give all these games the same deadline, so many seconds ahead, and wait until their closes are shown."""
        deadline = int(1000 * (time.time() + ahead))
        said = {"deadline": deadline, "reason": "operator"}
        self.give((game, (CREATOR, "operator", "set_deadline", said)) for game in games)
        if time.time() * 1000 > deadline:
            raise RuntimeError("the deadline was set after it had passed; give it more time ahead")
        self._closes += len(games)
        await_(lambda: self.resolver.metric("warledger_closes_total") >= self._closes, "all closes", NAP)
        self.settle()
        begun = deadline / 1000
        committed = self.resolver.lines("committed", begun)
        judged = max(line.at for line in committed if "closes" in line.said)
        if self.projector is None:
            return Closed(judged - begun, judged - begun)
        await_(lambda: _events(self._shown_since(begun)) >= _events(committed), "the lines of the last views")
        return Closed(judged - begun, self._shown_since(begun)[-1].at - begun)

    def _shown_since(self, begun: float) -> list[Line]:
        return [] if self.projector is None else self.projector.lines("projected", begun)

    def _all_shown(self) -> bool:
        if self.projector is None:
            return True
        reached = self._views.checkpoints(ids.FIRST_GENERATION, range(PARTITIONS))
        ends = {number: self._reader.end(TopicPartition(TURNS, number)) for number in range(PARTITIONS)}
        return all(end == 0 or (number in reached and reached[number]["offset"] >= end) for number, end in ends.items())


def _events(lines: Iterable[Line]) -> int:
    return sum(line.said["events"] for line in lines)


class War:
    """A game of many players, who all energize and give an order each turn."""

    def __init__(self, installation: Installation, name: str, players: int, territories: int, seed: int = 1) -> None:
        self.name = name
        self._installation = installation
        self._chance = random.Random(seed)
        self.create, self._board, teams = creation(territories, self._chance)
        self._owner = {territory: team for team, owned in teams.items() for territory in owned}
        self._first = list(commands(players, self._board, teams, self._chance))
        placed = (command for command in self._first if command[2] == "place")
        self._place = {actor: payload["territory"] for actor, _, _, payload in placed}
        self._reader = installation.house.log.reader()
        self._reader.assign({TopicPartition(TURNS, partition_of(name)): START})

    def first_turn(self) -> Iterator[tuple[str, Command]]:
        """Everything up to the close of the first turn."""
        given, self._first = self._first, []
        return ((self.name, command) for command in given)

    def next_turn(self) -> Iterator[tuple[str, Command]]:
        """Energy and orders of the turn that is open, by where the journal says that everybody stands."""
        self._follow()
        for player, place in self._place.items():
            yield self.name, (player, "player", "energize", {})
            order = order_of(self._board, self._owner, place, self._chance)
            yield self.name, (player, "player", "set_order", order)

    def end(self) -> None:
        """Stop reading."""
        self._reader.close()

    def _follow(self) -> None:
        while records := self._reader.poll(0):
            for record in records:
                for event in unpack(record.value).events:
                    name = split_type(event.type).name
                    if name in ("moved", "moved_in", "retreated"):
                        self._place[event.data["player"]] = event.data["to"]
                    elif name == "captured":
                        self._owner[event.data["territory"]] = event.data["to"]
                    elif name == "players_out":
                        for player in event.data["players"]:
                            self._place.pop(player, None)
