"""Installations whose services have the switches of `tests.faults.service`."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any

from tests.faults import service
from tests.faults.waiting import eventually
from tests.storage import FOLDERS, Storage
from warledger.api import Client
from warledger.demo.installation import Installation, installation
from warledger.processes import MODULES

TURN_MS = 3_600_000
ROOT = Path(__file__).parents[2]


@contextmanager
def switched(
    folder: Path, *, turn_ms: int = TURN_MS, pace: Mapping[str, Any] | None = None, storage: Storage = FOLDERS
) -> Iterator[Installation]:
    """A running installation with the toy game, the resolver's pace as given, and the file `read-only` as a switch."""
    extra = {
        **storage,
        "PYTHONPATH": str(ROOT),
        "FAULTS_READ_ONLY": str(folder / "read-only"),
        "FAULTS_TOY": str(turn_ms),
        "FAULTS_PACE": json.dumps(pace or {}),
    }
    with installation(folder / "data", extra, dict.fromkeys(MODULES, service.MODULE)) as house:
        yield house


def probe(house: Installation, name: str, path: str = "/readyz") -> tuple[int, str]:
    """Status and body of a path of a service's own port; 0 while nobody answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{house.settings.ports[name]}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
    except (OSError, HTTPException):
        return 0, ""


def toy_game(house: Installation, id: str, *, start: bool = True) -> None:
    """Create a toy game and open its first turn."""
    house.operator.post("/games", {"id": id, "game": "toy", "rules": "1", "create": {"names": []}})
    # A house that has just started judges when it has taken over what it owns.
    eventually(lambda: house.operator.request("GET", f"/games/{id}").status == 200, f"{id} is created")
    if start:
        house.operator.judged(house.operator.command(id, "start"))


def order(client: Client, game: str, name: str) -> int:
    """Give an order that is not waited for; the status of the answer."""
    return client.command(game, "order", {"name": name}, wait=False).status


def judged_order(client: Client, game: str, name: str) -> int:
    """Give an order that must be accepted, however long the machine takes; the milliseconds until it was judged."""
    started = time.monotonic()
    client.judged(client.command(game, "order", {"name": name}))
    return int((time.monotonic() - started) * 1000)
