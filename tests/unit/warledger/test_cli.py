"""The command line: exit codes and what a bad file is told."""

import fcntl
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from services.gateway.tokens import Tokens
from shared.clock import SystemClock
from shared.documents.sqlite import SqliteDocuments
from warledger.cli import cli
from warledger.demo.installation import free_ports

pytestmark = pytest.mark.slow

SCENARIOS = Path(__file__).parents[2] / "scenarios" / "gxc"


def run(
    *arguments: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """The command as a user starts it."""
    return subprocess.run(
        [sys.executable, "-m", "warledger", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment,
        check=False,
        timeout=200,
    )


def test_every_command_has_help_with_a_sentence() -> None:
    waiting = [(name, command) for name, command in cli.commands.items()]
    while waiting:
        name, command = waiting.pop()
        assert command.name == name.rpartition(" ")[2]
        assert command.help, name
        assert command.get_short_help_str(), name
        waiting += [(f"{name} {sub}", item) for sub, item in getattr(command, "commands", {}).items()]


def test_a_scenario_that_holds_ends_with_0() -> None:
    file = next(SCENARIOS.glob("e05-*.json"))
    done = CliRunner().invoke(cli, ["scenario", "run", str(file)])
    assert (done.exit_code, done.output.startswith("ok ")) == (0, True), done.output


def test_json_may_stand_before_or_behind_the_command() -> None:
    file = str(next(SCENARIOS.glob("e05-*.json")))
    before = CliRunner().invoke(cli, ["--json", "scenario", "run", file])
    behind = CliRunner().invoke(cli, ["scenario", "run", "--json", file])
    assert before.output == behind.output
    assert orjson.loads(before.output)["passed"] is True


def test_a_scenario_that_fails_ends_with_1_and_shows_step_expected_and_actual(tmp_path: Path) -> None:
    text = next(SCENARIOS.glob("e05-*.json")).read_text()
    changed = tmp_path / "changed.json"
    changed.write_text(text.replace('"bad_amount"', '"not_adjacent"'))
    done = CliRunner().invoke(cli, ["scenario", "run", str(changed)])
    assert done.exit_code == 1
    assert "step " in done.output
    assert "not_adjacent" in done.output
    assert "bad_amount" in done.output


@pytest.mark.parametrize("text", ["", "{", "[]", '{"about": "x"}', '{"about": "x", "game": "gxc", "stepz": []}'])
def test_a_malformed_scenario_ends_with_2_and_names_file_and_line(tmp_path: Path, text: str) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text(text)
    done = CliRunner().invoke(cli, ["scenario", "run", str(broken)])
    assert done.exit_code == 2
    assert f"{broken}:1:" in done.output


def test_a_broken_map_ends_with_2_and_names_the_place(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"type": "Topology", "objects": {}}')
    done = run("map", "import", str(broken), "--name", "x", "--out", str(tmp_path / "out.json"))
    assert done.returncode == 2
    assert str(broken) in done.stderr
    assert not (tmp_path / "out.json").exists()


def test_a_broken_setting_ends_with_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARLEDGER_GATEWAY_PORT", "http")
    done = run("game", "list", cwd=tmp_path)
    assert (done.returncode, "expected an integer" in done.stderr) == (2, True)


def test_a_map_that_is_not_there_ends_with_2_wherever_it_is_named(tmp_path: Path) -> None:
    for arguments in (["demo", "--map", "none.json"], ["game", "create", "x", "--map", "none.json"]):
        done = run("--data", str(tmp_path), *arguments, cwd=tmp_path)
        assert (done.returncode, "none.json" in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def test_an_export_that_is_none_ends_with_2(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text("no export\n")
    done = run("verify", str(broken))
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stdout + done.stderr


def test_a_file_that_cannot_be_written_ends_with_2_and_makes_no_folder(tmp_path: Path) -> None:
    done = run("map", "show", "small-eight", "--out", str(tmp_path / "none" / "x.svg"))
    assert (done.returncode, "No such file" in done.stderr, "Traceback" in done.stderr) == (2, True, False)
    assert not (tmp_path / "none").exists()


def test_an_installation_runs_once_and_says_which_port_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        environment = {**os.environ, **free_ports(), "WARLEDGER_ORDERS_PORT": str(port)}
        done = run("--data", str(tmp_path), "up", environment=environment)
    assert done.returncode == 2
    assert f"127.0.0.1:{port} for orders: Address already in use; set WARLEDGER_ORDERS_PORT" in done.stderr


def test_a_second_supervisor_of_an_installation_is_refused(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    with (tmp_path / "logs" / "supervisor.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = run("--data", str(tmp_path), "up", environment={**os.environ, **free_ports()})
    assert (done.returncode, "running already" in done.stderr) == (2, True)


def test_the_token_that_account_create_prints_is_whole_and_works(tmp_path: Path) -> None:
    done = run(
        "--data", str(tmp_path), "account", "create", "tina", "--operator", environment={**os.environ, "COLUMNS": "80"}
    )
    heading, line = done.stdout.splitlines()
    name, id, role, token = line.split("\t")
    assert (heading, name, role) == ("name\tid\trole\ttoken", "tina", "operator")
    documents = SqliteDocuments(tmp_path / "docs")
    try:
        assert Tokens(documents, SystemClock()).check(token).account == id
    finally:
        documents.close()


def test_a_log_that_cannot_be_read_ends_with_3(tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "journal.db").write_text("this is no database, it only has its name")
    done = run("--data", str(tmp_path), "replay", "war")
    assert (done.returncode, "Traceback" in done.stderr) == (3, False), done.stderr


@pytest.mark.parametrize("service", ["orders", "polls", "economy", "gateway", "resolver", "resolver.projector"])
def test_a_service_with_a_broken_setting_ends_with_2_and_one_sentence(service: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"services.{service}"],
        env={**os.environ, "WARLEDGER_DATA": str(tmp_path), "WARLEDGER_THREADS": "none"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "WARLEDGER_THREADS='none': expected an integer from 1 to 256\n")


@pytest.mark.parametrize("service", ["orders", "polls", "economy", "gateway", "resolver"])
def test_a_service_without_its_keys_ends_with_2(service: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"services.{service}"],
        env={**os.environ, "WARLEDGER_DATA": str(tmp_path), "WARLEDGER_ROLE": "gateway"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "makes the keys" in done.stderr) == (2, True), done.stderr


def test_a_server_that_is_not_there_ends_with_3(tmp_path: Path) -> None:
    done = run("--url", "http://127.0.0.1:9", "game", "list", cwd=tmp_path)
    assert (done.returncode, "warledger up" in done.stderr) == (3, True)


def test_a_game_that_the_log_does_not_hold_ends_with_2(tmp_path: Path) -> None:
    done = run("--data", str(tmp_path), "replay", "nowhere")
    assert (done.returncode, "holds no game nowhere" in done.stderr) == (2, True)
