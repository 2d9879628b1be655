"""A war moves between two installations while both of them run, with its players, over the command line."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path

import pytest

from services.resolver.hosting.game import Chain
from services.resolver.hosting.secrets import MasterKey
from shared.canonical import canonical
from shared.documents import COLLECTIONS
from shared.host_events import CHAIN_STARTED, CREATED
from shared.log import CHRONICLE, DEAD_LETTERS, INPUT_TOPICS, PARTITIONS, TURNS, TopicPartition
from shared.log.reading import standing
from tests.e2e.wars import enlisted, small_war
from tests.unit.tools.loading import PATH as VERIFIER
from warledger.api import Client
from warledger.demo.installation import Installation, installation
from warledger.journals import journal
from warledger.local import local_documents, local_log

pytestmark = pytest.mark.slow
PATIENCE = 60.0


def run(house: Installation, *arguments: str) -> str:
    """A command on an installation; what it printed."""
    environment = {**os.environ, **house.environment}
    done = subprocess.run(
        [sys.executable, "-m", "warledger", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=200,
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
    with installation(tmp_path / "far") as far:
        travels([house, far], tmp_path)


@pytest.mark.servers
@pytest.mark.timeout(600)
def test_a_war_moves_from_folders_to_servers_and_back(
    house: Installation, house_on_servers: Installation, tmp_path: Path
) -> None:
    """Back is another house of folders: the first one keeps what has left it, set down."""
    with installation(tmp_path / "far") as far:
        travels([house, house_on_servers, far], tmp_path)


def travels(houses: Sequence[Installation], folder: Path) -> None:
    """A war begins in the first house, moves to each other one in turn, and is played on there."""
    first = houses[0]
    game = small_war(first)
    red = enlisted(first, game, "red", "dunmere")
    enlisted(first, game, "blue", "elmgate")
    judged(red, game, "set_order", {"attack": {"target": "elmgate", "energy": 10}})
    judged(first.operator, game, "close_turn", {"turn": 1})
    judged(red, game, "energize", {})
    for turn, (source, target) in enumerate(pairwise(houses), 2):
        place = folder / str(turn)
        place.mkdir()
        moves(source, target, game, place)
        red = logged_in(red, target)
        wait_for(red, game)
        judged(red, game, "set_order", {"defend": 1})
        judged(target.operator, game, "close_turn", {"turn": turn})
        verifies_over_the_seam(target, game, place, turn - 1)
        judged(red, game, "energize", {})
        assert "0 faults" in run(target, "doctor", "--min-free", "0")
        for visited in (source, target):
            assert leaks(visited, game) == []


def moves(source: Installation, target: Installation, game: str, folder: Path) -> None:
    """Carry a game and its people over, while another game is played where they come to."""
    other = small_war(target)
    bystander = enlisted(target, other, "red", "dunmere")
    run(source, "export", game, "--freeze", "--out", str(folder / "war.jsonl"))
    run(source, "account", "export", "--game", game, "--out", str(folder / "people.jsonl"))
    run(target, "import", str(folder / "war.jsonl"))
    run(target, "account", "import", str(folder / "people.jsonl"))
    judged(bystander, other, "set_order", {"defend": 1})


def logged_in(player: Client, house: Installation) -> Client:
    """The same player with a token of another house, for the same password."""
    me = player.get("/accounts/me")
    number = me["name"].rpartition(" ")[2]
    visitor = Client(house.settings.urls["gateway"])
    token = visitor.post("/tokens", {"name": me["name"], "password": f"password {number}"}).body["token"]
    moved = visitor.as_token(token)
    assert moved.get("/accounts/me")["id"] == me["id"]
    return moved


def verifies_over_the_seam(house: Installation, game: str, folder: Path, seams: int) -> None:
    """The journal is the one that moved in, byte for byte, and what was played since; all of it is decided so again."""
    run(house, "replay", game)
    run(house, "export", game, "--out", str(folder / "again.jsonl"))
    *moved_out, _end = (folder / "war.jsonl").read_bytes().splitlines()
    assert (folder / "again.jsonl").read_bytes().splitlines()[: len(moved_out)] == moved_out
    verify: list[str | Path] = [sys.executable, "-I", "-S", VERIFIER, str(folder / "again.jsonl")]
    done = subprocess.run(verify, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("(reason: import; key id") == seams


def wait_for(client: Client, game: str) -> None:
    """Wait until the views show a game."""
    end = time.monotonic() + PATIENCE
    while client.request("GET", f"/games/{game}").status != 200:
        assert time.monotonic() < end, f"{game} is not shown"
        time.sleep(0.05)


def leaks(house: Installation, game: str) -> list[str]:
    """What of an installation, its logs included, holds its master key or a seed that is not revealed."""
    settings = house.settings
    master = MasterKey(settings.secret_file)
    with local_log(settings) as log:
        events = [event for event in journal(log, game) if event.type in (CREATED, CHAIN_STARTED)]
    last = events[-1].data
    if last["key_id"] != master.key_id:
        return ["the chain of another house"]
    own = Chain(game, last["chain"], last["salt"], last["key_id"])
    seeds = [master.seed(own, index) for index in (*range(4, 20), 1024)]
    secrets = [settings.secret_file.read_bytes().strip(), *seeds, *(seed.hex().encode() for seed in seeds)]
    secrets.append(bytes.fromhex(settings.secret_file.read_text()))
    files = [path for path in settings.keys.parent.rglob("*") if path.is_file() and settings.keys not in path.parents]
    assert any(path.suffix == ".log" for path in files)
    stored = chain(((str(path), path.read_bytes()) for path in files), on_servers(house))
    return [name for name, content in stored if any(secret in content for secret in secrets)]


def on_servers(house: Installation) -> Iterator[tuple[str, bytes]]:
    """Every record and every document of a house that keeps them on servers."""
    topics = (*INPUT_TOPICS, TURNS, CHRONICLE, DEAD_LETTERS)
    if not house.settings.log_is_local:
        with local_log(house.settings) as log:
            for record in standing(log, [TopicPartition(topic, n) for topic in topics for n in range(PARTITIONS)]):
                yield f"{record.topic} {record.partition} {record.offset}", record.value
    if not house.settings.docs_is_local:
        with local_documents(house.settings) as documents:
            for collection in COLLECTIONS:
                for document in documents.find(collection, ""):
                    yield f"{collection} {document.id}", canonical(dict(document.body))
