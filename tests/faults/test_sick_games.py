"""A sick game stands still alone, says why, and loses nothing: rules that raise, a torn journal, a torn snapshot."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.host_events import QUARANTINED
from shared.log import partition_of
from shared.log.sqlite_schema import table_of
from shared.views import generations
from tests.counts import Counts
from tests.faults.houses import TURN_MS, judged_order, order, probe, switched, toy_game
from tests.faults.proof import check_judged_once, check_proofs, check_views, journal_of, judgements
from tests.faults.toy import with_toy
from tests.faults.waiting import eventually
from tests.storage import PATIENT
from warledger.api import Client
from warledger.demo.installation import Installation
from warledger.local import local_documents

pytestmark = pytest.mark.slow
PLACES = {partition_of(game) for game in ("sick", "torn", "blurred")}
NEIGHBOUR = next(f"well-{number}" for number in range(999) if partition_of(f"well-{number}") == partition_of("sick"))
ELSEWHERE = next(f"far-{number}" for number in range(999) if partition_of(f"far-{number}") not in PLACES)
GAMES = ("sick", "torn", "blurred", NEIGHBOUR, ELSEWHERE)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("sick")
    # No snapshot by time: from one, a resolver does not read the record any more that was torn.
    seldom = {"snapshot_ms": 3_600_000}
    with pytest.MonkeyPatch.context() as patch, switched(folder, pace=seldom, storage=PATIENT) as running:
        patch.setattr("shared.rules.GAMES", with_toy(TURN_MS))
        for game in GAMES:
            toy_game(running, game)
        yield running


@pytest.fixture(scope="module")
def ana(house: Installation) -> Client:
    ((_, client),) = house.players(1)
    return client


def verdicts(house: Installation, game: str) -> list[str]:
    """Verdicts and types of the judged inputs of players."""
    found = judgements(journal_of(house, game))
    return [
        f"{item['input']['type']} {item.get('code', 'accepted')}" for item in found if item["input"]["role"] == "player"
    ]


def release(house: Installation, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """`warledger game release`, as an operator types it."""
    command = [sys.executable, "-m", "warledger", "game", "release", *arguments]
    environment = {**os.environ, **house.environment}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, check=False)


def others_go_on(ana: Client, counts: Counts, *games: str) -> None:
    """Each of these games judges an order within the second; a busy machine gets more tries."""
    for game in games:
        took: list[int] = []

        def goes_on(game: str = game, took: list[int] = took) -> bool:
            took.append(judged_order(ana, game, "goes on"))
            return min(took) < 1_000

        eventually(goes_on, f"{game} judges an order within the second", 60)
        counts.largest("sick games", "ms until another game was judged", min(took))


def test_rules_that_raise_stop_their_game_alone_and_a_release_judges_what_waited(
    house: Installation, ana: Client, counts: Counts
) -> None:
    judged_order(ana, "sick", "before")
    assert ana.command("sick", "fail", {"how": "raise"}, wait=False).status == 202
    others_go_on(ana, counts, NEIGHBOUR, ELSEWHERE)
    assert order(ana, "sick", "waits") == 202
    assert ana.command("sick", "chat", {"text": "so do I"}, wait=False).status == 202
    assert verdicts(house, "sick") == ["order accepted"]
    assert probe(house, "resolver") == (
        200,
        "ok\ngame sick is quarantined; `warledger game release sick` when its cause is mended\n",
    )
    assert house.operator.get("/games/sick")["quarantined"] is True
    (quarantined,) = [event for event in journal_of(house, "sick") if event.type == QUARANTINED]
    assert "the rules fell over" in quarantined.data["cause"]

    again = release(house, "sick")
    assert (again.returncode, "its rules failed again" in again.stderr) == (1, True), again.stderr
    done = release(house, "sick", "--rules", "2", "--shift", "60000")
    assert (done.returncode, done.stdout) == (0, "released sick\n"), done.stderr

    judged = ["order accepted", "fail accepted", "order accepted", "chat accepted"]
    eventually(lambda: verdicts(house, "sick") == judged, "what waited is judged")
    eventually(lambda: probe(house, "resolver") == (200, "ok\n"), "the resolver has nothing to say")
    judged_order(ana, "sick", "plays on")
    assert "not_quarantined" in release(house, "sick").stderr
    counts.add("sick games", "inputs that waited and were judged", 3)
    check_judged_once(house, GAMES, [])
    check_views(house)


def take_down(house: Installation, number: signal.Signals, *names: str) -> None:
    """End services; the supervisor starts them again when it looks next."""
    for name in names:
        process = house.services.children[name].process
        process.send_signal(number)
        process.wait()


def take_up(house: Installation) -> None:
    """Let the supervisor start what is down."""
    running = house.services.children.values()
    alive = lambda: all(child.process.poll() is None for child in running)  # noqa: E731
    eventually(alive, "everything runs", meanwhile=house.services.watch)


def flip(file: Path, value: bytes) -> None:
    """Change the first byte of this value where it stands in the file, or change it back."""
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    data = file.read_bytes()
    place = data.index(value[1:]) - 1
    with file.open("r+b") as opened:
        opened.seek(place)
        opened.write(bytes([data[place] ^ 0x80]))


def first_record(house: Installation, game: str) -> bytes:
    """The stored bytes of a game's first journal record."""
    with sqlite3.connect(house.settings.log_folder / "journal.db") as connection:
        table = table_of("turns", partition_of(game))
        (value,) = connection.execute(f"SELECT value FROM {table} WHERE key = ? ORDER BY offset", (game,)).fetchone()
    connection.close()
    return bytes(value)


def test_a_journal_record_with_a_flipped_byte_stops_its_partition_alone_and_nothing_is_lost(
    house: Installation, ana: Client, tmp_path: Path, counts: Counts
) -> None:
    judged_order(ana, "torn", "before")
    journal = house.settings.log_folder / "journal.db"
    value = first_record(house, "torn")
    stopped = f"partition {partition_of('torn')}"

    take_down(house, signal.SIGKILL, "resolver")
    flip(journal, value)
    take_up(house)
    eventually(lambda: "offset 0" in probe(house, "resolver")[1], "the resolver says why")
    status, fault = probe(house, "resolver")
    assert status == 503
    assert stopped in fault
    others_go_on(ana, counts, ELSEWHERE)
    assert order(ana, "torn", "waits") == 202

    with local_documents(house.settings) as documents:
        wanted = generations.request_rebuild(documents)
        eventually(lambda: probe(house, "projector")[0] == 503, "the projector says why")
        assert probe(house, "projector")[1].startswith(f"rebuild of generation {wanted}: {stopped}")
        assert generations.active(documents) < wanted
    assert ana.get("/games/torn")["turn"] == 1

    take_down(house, signal.SIGTERM, "gateway", "streams", "projector")
    for file in house.settings.docs_folder.glob("views.db*"):
        file.unlink()
    take_up(house)
    eventually(lambda: probe(house, "projector")[1].startswith(stopped), "the projector says why")
    eventually(lambda: probe(house, "gateway")[0] == 200, "the gateway is up")
    others_go_on(ana, counts, ELSEWHERE)
    assert ana.request("GET", "/games/torn").status == 404

    take_down(house, signal.SIGKILL, "projector", "resolver")
    flip(journal, value)
    take_up(house)
    eventually(lambda: not house.services.ready(0.2), "all are ready again")
    eventually(lambda: verdicts(house, "torn") == ["order accepted"] * 2, "what waited is judged")
    judged_order(ana, "torn", "after")
    check_judged_once(house, GAMES, [])
    check_proofs(house, GAMES, tmp_path)
    check_views(house)
    counts.add("sick games", "partitions stopped by a torn record")


def test_a_snapshot_that_does_not_fit_its_hash_is_ignored_with_a_word_in_the_log(
    house: Installation, ana: Client, tmp_path: Path
) -> None:
    judged_order(ana, "blurred", "before")
    take_down(house, signal.SIGTERM, "resolver")
    with sqlite3.connect(house.settings.docs_folder / "snapshots.db") as connection:
        (body,) = connection.execute("SELECT body FROM snapshots WHERE id LIKE 'blurred|%'").fetchone()
        changed = bytearray(body)
        middle = len(changed) // 2
        changed[middle] = ord("A") if changed[middle] != ord("A") else ord("B")
        connection.execute("UPDATE snapshots SET body = ? WHERE id LIKE 'blurred|%'", (bytes(changed),))
    connection.close()
    take_up(house)

    eventually(lambda: not house.services.ready(0.2), "all are ready again")
    judged_order(ana, "blurred", "after")
    assert verdicts(house, "blurred") == ["order accepted", "order accepted"]
    log = (house.settings.keys.parent / "logs" / "resolver.log").read_text()
    assert '"event": "snapshot ignored", "game": "blurred"' in log
    check_proofs(house, ["blurred"], tmp_path)
