"""`make demo` in small, in folders and on servers: a war of bots, verified and replayed; the curl session it prints."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
from kafka.admin import KafkaAdminClient
from pymongo import MongoClient

from tests.servers import KafkaServer, MongoServer
from tests.storage import EVERYWHERE, PATIENT
from warledger.demo.installation import free_ports

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


Demo = tuple[Path, str]
"""Folder of a finished demo, and what it printed."""


def output_of(folder: Path, *arguments: str, **variables: str) -> str:
    """What a demo with these arguments prints, its data in `folder`, once it has ended without a fault."""
    done = subprocess.run(
        [BIN / "warledger", "demo", *arguments, "--folder", str(folder)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def played(folder: Path, *options: str, **variables: str) -> Demo:
    arguments = ["--players", "24", "--teams", "3", "--turns", "4", "--map", "small-twelve"]
    return folder, output_of(folder, *arguments, *options, **variables)


@pytest.fixture(scope="module")
def demo_in_folders(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return played(tmp_path_factory.mktemp("demo") / "data")


@pytest.fixture(scope="module")
def demo_on_servers(
    tmp_path_factory: pytest.TempPathFactory, kafka_server: KafkaServer, mongo_server: MongoServer
) -> Demo:
    given = {"WARLEDGER_LOG": f"kafka://{kafka_server.brokers}", "WARLEDGER_DOCS": f"{mongo_server.url}/warledger"}
    return played(tmp_path_factory.mktemp("demo-on-servers") / "data", "--servers", **given)


@pytest.fixture(params=EVERYWHERE)
def demo(request: pytest.FixtureRequest) -> Demo:
    found: Demo = request.getfixturevalue("demo_in_folders" if request.param == "folders" else "demo_on_servers")
    return found


def test_the_demo_shows_turns_ranking_certificates_and_verdicts(demo: Demo) -> None:
    folder, printed = demo
    assert len(re.findall(r"^turn +\d+ .* seed [0-9a-f]{12}", printed, re.MULTILINE)) == 4
    assert re.search(r"^ranking: 1\. \w+", printed, re.MULTILINE)
    assert re.search(r"^4 certificates; the last, turn:4: digest [0-9a-f]{64}$", printed, re.MULTILINE)
    assert re.search(r"^verify_turn.py .*all holds$", printed, re.MULTILINE)
    assert "every turn decided again, no difference" in printed
    assert (folder / "war.svg").read_text().startswith("<svg")


def test_the_war_of_the_demo_has_fights_and_captures(demo: Demo) -> None:
    folder, _ = demo
    lines = (folder / "war.jsonl").read_bytes().splitlines()[1:-1]
    types = [orjson.loads(line)["event"]["type"] for line in lines]
    assert types.count("warledger.gxc.battle.v1") > 3
    assert types.count("warledger.gxc.captured.v1") > 0
    assert types.count("warledger.host.input.rejected.v1") == 0


def test_one_byte_changed_in_the_export_is_found(demo: Demo, tmp_path: Path) -> None:
    folder, _ = demo
    changed = tmp_path / "changed.jsonl"
    text = (folder / "war.jsonl").read_text()
    place = text.index('"defend":') + len('"defend":')
    changed.write_text(text[:place] + ("8" if text[place] != "8" else "9") + text[place + 1 :])
    done = subprocess.run(
        [BIN / "warledger", "verify", str(changed)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1, done.stdout


def test_wars_at_the_same_time_are_all_verified_and_every_command_acknowledged_is_judged(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    arguments = ["--players", "12", "--games", "2", "--teams", "3", "--turns", "3", "--map", "small-twelve"]
    said = output_of(folder, *arguments)
    assert len(re.findall(r"^turn +\d .* 2 wars: 48 commands, acknowledged", said, re.MULTILINE)) == 3
    assert re.search(r"^in all turns 144 commands, acknowledged [\d,]+/s, judged [\d,]+/s$", said, re.MULTILINE)
    assert f"verify_turn.py: 2 of 2 journals in {folder} hold" in said
    assert "replay: 6 turns decided again, 0 journals differ" in said
    # Creation, start, three closes of each war; all joined, took a place, energized and ordered.
    assert f"commands in the journals: {2 * (5 + 2 * 12 + 2 * 36):,} accepted, 0 rejected" in said
    assert {path.name for path in folder.glob("*.jsonl")} == {"war-1.jsonl", "war-2.jsonl"}


def test_bots_play_exgenhoca_to_the_end_and_every_attack_verifies(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    arguments = ["exgenhoca", "--players", "4", "--turns", "3"]
    said = output_of(folder, *arguments)
    assert re.search(r"^round +1 .* [4-9] attacks", said, re.MULTILINE)
    assert re.search(r"^ranking: 1\. seat \d \(\d+ points\).*; ended by", said, re.MULTILINE)
    assert re.search(r"^verify_turn.py .*all holds$", said, re.MULTILINE)
    assert "every turn decided again, no difference" in said
    assert "Oriente Médio" in (folder / "war.svg").read_text()


def test_bots_fight_over_land_to_the_end_and_every_year_verifies(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    arguments = ["forces", "--players", "3", "--turns", "3", "--map", "small-twelve"]
    said = output_of(folder, *arguments)
    assert re.search(r"^2000 .* seat 1 \d", said, re.MULTILINE)
    assert re.search(r"^ranking: 1\. seat \d.*; ended by", said, re.MULTILINE)
    assert re.search(r"^verify_turn.py .*all holds$", said, re.MULTILINE)
    assert "every turn decided again, no difference" in said
    assert "capital" in (folder / "war.svg").read_text()
    assert "troop" in (folder / "war-forces.svg").read_text()
    assert f"the same as tables: {folder / 'war.txt'}, {folder / 'war-forces.txt'}" in said
    assert "troop" in (folder / "war-forces.txt").read_text()


def test_bots_fight_a_space_battle_to_the_end_and_it_verifies(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    arguments = ["space-battle", "--turns", "5"]
    said = output_of(folder, *arguments)
    assert re.search(r"^moves +1 to +10 .* \d+ shots", said, re.MULTILINE)
    assert re.search(r"^ranking: .*(in move \d+)$", said, re.MULTILINE)
    assert re.search(r"^2 certificates; the last, end: ", said, re.MULTILINE)
    assert re.search(r"^verify_turn.py .*all holds$", said, re.MULTILINE)
    assert "every turn decided again, no difference" in said
    assert re.search(r">[CD]:\w+<", (folder / "war.svg").read_text())
    assert re.search(r"^\d+-\d .* [CD]:\w+$", (folder / "war.txt").read_text(), re.MULTILINE)


def test_bots_play_map_war_to_the_end_and_every_turn_verifies(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    arguments = ["map-war", "--players", "4", "--turns", "5"]
    said = output_of(folder, *arguments)
    assert re.search(r"^turn +5 .* deals +[1-9]\d*, pollution +\d+, pieces +\d+ +Nation \d", said, re.MULTILINE)
    assert re.search(r"^turn +6 .* Nation \d", said, re.MULTILINE)
    assert re.search(
        r"^in turn 6 all but the leader abandoned .*:\nNation \d is the last with a player", said, re.MULTILINE
    )
    assert re.search(r"^ranking: 1\. Nation \d, 2\. \w+.*; ended in turn 6$", said, re.MULTILINE)
    assert re.search(r"^verify_turn.py .*all holds$", said, re.MULTILINE)
    assert "every turn decided again, no difference" in said
    assert "Pollution" in (folder / "war-pollution.svg").read_text()
    assert "Water" in (folder / "war-pieces.svg").read_text()
    assert all((folder / f"war{layer}.txt").exists() for layer in ("", "-pollution", "-pieces"))


@pytest.mark.servers
def test_the_demo_on_servers_leaves_nothing_there(
    demo_on_servers: Demo, kafka_server: KafkaServer, mongo_server: MongoServer
) -> None:
    folder, printed = demo_on_servers
    assert list(folder.parent.iterdir()) == [folder]
    assert "To go on by hand" not in printed
    found = re.search(r"^topics and database of this demo: (\S+)$", printed, re.MULTILINE)
    assert found is not None
    admin = KafkaAdminClient(bootstrap_servers=kafka_server.brokers)
    client: MongoClient[Any] = MongoClient(mongo_server.url)
    try:
        assert [name for name in admin.list_topics() if name.startswith(found[1])] == []
        assert [name for name in client.list_database_names() if name == found[1]] == []
    finally:
        admin.close()
        client.close()


def test_the_curl_session_that_the_demo_prints_works(demo_in_folders: Demo) -> None:
    _, printed = demo_in_folders
    commands = [line.strip() for line in printed.splitlines() if line.startswith("  ")]
    ports = free_ports()
    gateway = ports["WARLEDGER_GATEWAY_PORT"]
    script = "\n".join(commands).replace("127.0.0.1:8080", f"127.0.0.1:{gateway}").replace(".venv/bin/", f"{BIN}/")
    wait = f"until curl -sf http://127.0.0.1:{gateway}/readyz >/dev/null; do sleep 0.1; done\nsleep 0.5\n"
    script = script.replace(" up &\n", f" up &\n{wait}")
    done = subprocess.run(
        ["bash", "-c", "set -euo pipefail\ntrap 'kill $(jobs -p); wait' EXIT\n" + script],
        env={**os.environ, **ports, **PATIENT},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"code":' not in done.stdout
    assert "closed turn 1 of next" in done.stdout
