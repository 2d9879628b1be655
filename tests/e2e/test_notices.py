"""Notices over HTTP while resolver and projector are killed: each comes exactly once, in the list and in the stream."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson
import pytest
import urllib3

from shared import faults
from shared.events import JournalEvent, split_type
from shared.export import read_export
from shared.host_notices import HOST_NOTICES
from shared.rules import rules_of
from shared.rules.interface import Event
from shared.rules.notices import given_by, notices_of
from tests.e2e.deadlines import deadline_soon
from tests.e2e.exgenhoca import Table
from tests.e2e.test_gateway import lines, token_of
from tests.faults.waiting import eventually
from warledger.commands.journal import export_game, replay_game
from warledger.demo.installation import Installation, installation

pytestmark = pytest.mark.slow
KILLED_AT = (
    "projector.after_documents",
    "resolver.before_commit",
    "projector.before_heads",
    "resolver.after_commit",
    "projector.before_checkpoint",
)
LEAD = {"seconds": 2}


class Killed:
    """An installation whose processes die at the steps that a file names."""

    def __init__(self, house: Installation, file: Path) -> None:
        self.house = house
        self._file = file
        self._struck = Path(f"{file}{faults.STRUCK}")

    def arm(self, step: str) -> None:
        fresh = self._file.with_suffix(".new")
        fresh.write_text(step)
        fresh.rename(self._file)

    def await_death(self) -> None:
        """Until it has struck, restarting what has died."""
        eventually(self._struck.exists, "somebody died", 120, meanwhile=self.watch)
        self._struck.unlink()

    def watch(self) -> None:
        for child in self.house.services.children.values():
            child.deaths = 0
        self.house.services.watch()


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[Killed]:
    file = tmp_path / "fault"
    with installation(tmp_path / "data", {faults.FILE_VARIABLE: str(file)}) as house:
        yield Killed(house, file)


class Reminded(Table):
    """A game of six players who are reminded shortly before each deadline."""

    def __init__(self, house: Installation) -> None:
        self.house = house
        self.id = "reminded"
        self.seats = house.players(6)
        config = {"first_round_attacks": 5, "cooldown_rounds": 0, "effects": []}
        create = {"players": [account for account, _ in self.seats], "config": config}
        body = {"id": self.id, "game": "exgenhoca", "create": create, "reminders": [LEAD]}
        house.operator.judged(house.operator.post("/games", body))
        house.operator.judged(house.operator.command(self.id, "start_game"))


class Listener(threading.Thread):
    """Reads a player's stream to the end."""

    def __init__(self, table: Table, seat: int, after: str) -> None:
        super().__init__(daemon=True)
        url = table.house.settings.urls["gateway"]
        self._lines = lines(f"{url}/games/{table.id}/stream?after={quote(after)}", token_of(table.clients[seat - 1]))
        self.heard: list[tuple[str, dict[str, Any]]] = []
        """Id of the event and the notice."""
        self.start()

    def run(self) -> None:
        fields: dict[str, str] = {}
        for line in self._until_the_end():
            name, _, value = line.partition(": ")
            fields[name] = value
            if not line:
                if fields.get("event") == "notice":
                    self.heard.append((fields["id"], orjson.loads(fields["data"])))
                fields = {}

    def _until_the_end(self) -> Iterator[str]:
        with suppress(urllib3.exceptions.HTTPError):
            yield from self._lines

    def first(self, count: int) -> list[dict[str, Any]]:
        """All that it has heard once there are so many notices."""
        eventually(lambda: len(self.heard) >= count, f"the stream has told {count} notices")
        return [notice for _, notice in self.heard]


def of_the_journal(journal: list[JournalEvent], audiences: set[str]) -> list[tuple[str, dict[str, Any]]]:
    """Code and data of what concerns these audiences, derived from the journal anew."""
    own = notices_of(rules_of("exgenhoca"))
    found = []
    for event in journal:
        type = split_type(event.type)
        rows = HOST_NOTICES if type.game == "host" else own
        for given in given_by(Event(type.name, event.data, event.to), rows):
            if given.audience in audiences:
                found.append((given.code, dict(given.data)))
    return found


def attack_somebody(killed: Killed, table: Table, seat: int) -> None:
    """Attack a territory that somebody owns, so that she has a notice; wait until it is judged and shown."""
    owners = table.house.operator.get(f"/games/{table.id}/map")["territories"]
    target = next(name for name in table.targets(seat) if owners[name]["owner"])
    client = table.clients[seat - 1]
    receipt = client.command(table.id, "attack", {"target": target}, wait=False)
    killed.await_death()
    location = str(receipt.headers["Location"])
    eventually(lambda: client.request("GET", location).status == 200, "it is judged", 120, meanwhile=killed.watch)


def test_every_notice_comes_exactly_once_whoever_is_killed(killed: Killed, tmp_path: Path) -> None:
    table = Reminded(killed.house)
    listeners = [Listener(table, seat, "start") for seat in range(1, 7)]
    for number, step in enumerate(KILLED_AT):
        killed.arm(step)
        attack_somebody(killed, table, 1 + number)

    eventually(lambda: not killed.house.services.ready(0.2), "all are ready", 120, meanwhile=killed.watch)
    deadline_soon(table.house.operator, table.id, 6_000)  # no reminder whose time has passed by then is given
    killed.arm("resolver.before_commit")  # of the reminder: nobody else says anything
    killed.await_death()
    eventually(lambda: table.game()["round"] == 2, "the round is closed", 120, meanwhile=killed.watch)
    table.house.operator.command(table.id, "set_deadline", {"deadline": None, "reason": "pause"})

    whole = tmp_path / "whole.jsonl"
    export_game(killed.house.settings, table.id, whole)
    with whole.open("rb") as file:
        journal = list(read_export(file).events)
    attacked = 0
    for seat, (account, client) in enumerate(table.seats, 1):
        expected = of_the_journal(journal, {f"seat:{seat}", f"player:{account}"})
        listed = client.get(f"/games/{table.id}/notices")["notices"][::-1]
        assert [(item["code"], item["data"]) for item in listed] == expected
        assert len({item["id"] for item in listed}) == len(listed)
        listener = listeners[seat - 1]
        assert listener.first(len(listed)) == listed
        assert [item["code"] for item in listed].count("deadline_near") == 1, "she has attacks left, and is waited for"
        attacked += sum(item["code"] == "territory_attacked" for item in listed)
        middle = len(listed) // 2
        resumed = Listener(table, seat, listener.heard[middle][0])
        assert resumed.first(len(listed) - middle - 1) == listed[middle + 1 :]
    assert attacked == len(KILLED_AT)
    assert not replay_game(killed.house.settings, table.id)
