"""A war moves between two installations while both of them run, with its players, over the command line."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from services.resolver.hosting.game import Chain
from services.resolver.hosting.secrets import MasterKey
from shared.host_events import CHAIN_STARTED, CREATED
from tests.e2e.wars import enlisted, small_war
from tests.unit.tools.loading import PATH as VERIFIER
from warledger.api import Client
from warledger.demo.installation import Installation, installation
from warledger.journals import journal
from warledger.local import local_log

pytestmark = pytest.mark.slow
PATIENCE = 30.0


def run(house: Installation, *arguments: str) -> str:
    """A command on an installation; what it printed."""
    data = house.settings.keys.parent
    environment = {**os.environ, "WARLEDGER_DATA": str(data)}
    done = subprocess.run(
        [sys.executable, "-m", "warledger", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def judged(client: Client, game: str, type: str, payload: dict[str, object]) -> None:
    """Give a command and wait until it is judged, which it must be as accepted."""
    answer = client.command(game, type, payload, wait=False)
    if answer.status == 201:
        return
    end = time.monotonic() + PATIENCE
    while (found := client.request("GET", answer.headers["Location"])).status != 200:
        assert time.monotonic() < end, found.body
        time.sleep(0.05)
    assert found.body["status"] == "accepted", found.body


def test_a_war_moves_between_two_houses_that_run(house: Installation, tmp_path: Path) -> None:
    game = small_war(house)
    red = enlisted(house, game, "red", "dunmere")
    enlisted(house, game, "blue", "elmgate")
    judged(red, game, "set_order", {"attack": {"target": "elmgate", "energy": 10}})
    judged(house.operator, game, "close_turn", {"turn": 1})
    judged(red, game, "energize", {})
    with installation(tmp_path / "far") as far:
        other = small_war(far)
        bystander = enlisted(far, other, "red", "dunmere")
        run(house, "export", game, "--freeze", "--out", str(tmp_path / "war.jsonl"))
        run(house, "account", "export", "--game", game, "--out", str(tmp_path / "people.jsonl"))
        run(far, "import", str(tmp_path / "war.jsonl"))
        run(far, "account", "import", str(tmp_path / "people.jsonl"))
        judged(bystander, other, "set_order", {"defend": 1})

        me = red.get("/accounts/me")
        number = me["name"].rpartition(" ")[2]
        visitor = Client(far.settings.urls["gateway"])
        token = visitor.post("/tokens", {"name": me["name"], "password": f"password {number}"}).body["token"]
        moved = visitor.as_token(token)
        assert moved.get("/accounts/me")["id"] == me["id"]
        wait_for(moved, game)
        judged(moved, game, "set_order", {"defend": 1})
        judged(far.operator, game, "close_turn", {"turn": 2})

        run(far, "replay", game)
        run(far, "export", game, "--out", str(tmp_path / "again.jsonl"))
        *moved_out, _end = (tmp_path / "war.jsonl").read_bytes().splitlines()
        assert (tmp_path / "again.jsonl").read_bytes().splitlines()[: len(moved_out)] == moved_out
        verify: list[str | Path] = [sys.executable, "-I", "-S", VERIFIER, str(tmp_path / "again.jsonl")]
        done = subprocess.run(verify, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout
        assert "(reason: import; key id" in done.stdout
        assert "0 faults" in run(far, "doctor", "--min-free", "0")
        for place in (house, far):
            assert leaks(place, game) == []


def wait_for(client: Client, game: str) -> None:
    """Wait until the views show a game."""
    end = time.monotonic() + PATIENCE
    while client.request("GET", f"/games/{game}").status != 200:
        assert time.monotonic() < end, f"{game} is not shown"
        time.sleep(0.05)


def leaks(house: Installation, game: str) -> list[str]:
    """Files of an installation, logs included, that hold its master key or a seed that is not revealed."""
    settings = house.settings
    master = MasterKey(settings.secret_file)
    with local_log(settings) as log:
        events = [event for event in journal(log, game) if event.type in (CREATED, CHAIN_STARTED)]
    last = events[-1].data
    if last["key_id"] != master.key_id:
        return ["the chain of another house"]
    chain = Chain(game, last["chain"], last["salt"], last["key_id"])
    seeds = [master.seed(chain, index) for index in (*range(4, 20), 1024)]
    secrets = [settings.secret_file.read_bytes().strip(), *seeds, *(seed.hex().encode() for seed in seeds)]
    secrets.append(bytes.fromhex(settings.secret_file.read_text()))
    files = [path for path in settings.keys.parent.rglob("*") if path.is_file() and settings.keys not in path.parents]
    assert any(path.suffix == ".log" for path in files)
    return [str(path) for path in files if any(secret in path.read_bytes() for secret in secrets)]
