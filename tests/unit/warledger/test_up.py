"""`warledger up`: what it refuses to start with, what it says of a sick service, and when it ends."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shared.config import SERVICES, from_environment, make_keys
from shared.documents import Document
from shared.documents.sqlite import SqliteDocuments
from shared.log import Draft
from shared.log.sqlite import SqliteLog
from shared.signing import Signer
from tests.unit.warledger.running import PATIENCE, eventually
from warledger.commands.up import await_ready, prepare, supervisor
from warledger.demo.installation import free_ports
from warledger.processes import Supervisor

pytestmark = pytest.mark.slow


@contextmanager
def toys(folder: Path, **given: str) -> Iterator[Supervisor]:
    """Toys in place of all services, started."""
    environment = {"WARLEDGER_DATA": str(folder), **free_ports(), **given}
    modules = dict.fromkeys(SERVICES, "tests.unit.warledger.toy_service")
    services = supervisor(from_environment(environment), environment, modules)
    services.start()
    try:
        yield services
    finally:
        services.stop()


@contextmanager
def up(folder: Path, *options: str) -> Iterator["subprocess.Popen[str]"]:
    """The command as a user starts it, on free ports."""
    command = [sys.executable, "-m", "warledger", "--data", str(folder), "up", *options]
    environment = {**os.environ, **free_ports()}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def refused(folder: Path, *options: str) -> str:
    """What the command says that starts nothing."""
    with up(folder, *options) as running:
        _, err = running.communicate(timeout=200)
    assert running.returncode == 2, err
    assert not (folder / "logs").exists()
    return err


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """The folder of a house in which orders wait for their judgement."""
    settings = from_environment({"WARLEDGER_DATA": str(tmp_path)})
    make_keys(settings)
    log = SqliteLog(settings.log_folder, Signer("orders", settings.key("orders")))
    log.append("orders", [Draft("spring", b"an order", {})])
    log.close()
    return tmp_path


def test_what_is_not_ready_is_said_and_the_others_run_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    wanted = "not ready: resolver: partition 3 is stopped; what is ready runs on"
    with toys(tmp_path, TOY_SICK="resolver") as services:

        def stopping() -> bool:
            said.append(capsys.readouterr().err)
            return wanted in "".join(said) or time.monotonic() > end

        end = time.monotonic() + PATIENCE
        assert not await_ready(services, stopping, within=0.5)
        assert all(child.process.poll() is None for child in services.children.values())
        assert [child.name for child in services.children.values() if not child.served] == ["resolver"]
    assert wanted in "".join(said)


def test_what_dies_while_another_is_not_ready_is_started_again(tmp_path: Path) -> None:
    with toys(tmp_path, TOY_SICK="resolver") as services:
        eventually(lambda: len(services.faults(lambda: False)) == 1, "all but the resolver are ready")
        killed = services.children["gateway"].process
        killed.kill()
        again = services.children["gateway"]
        assert not await_ready(services, lambda: again.process is not killed, within=0.1)
        assert not services.failing()


def test_a_service_that_keeps_ending_at_its_start_ends_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with toys(tmp_path, TOY_DIES="polls") as services, pytest.raises(SystemExit) as ended:
        await_ready(services, lambda: False)
    assert ended.value.code == 3
    assert "not ready: polls keeps ending: the rules of this toy are to end" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_all_is_ready_is_obeyed(tmp_path: Path, number: signal.Signals) -> None:
    with up(tmp_path) as running:
        last = tmp_path / "logs" / "projector.log"
        eventually(lambda: last.exists() or running.poll() is not None, "the last service is started")
        running.send_signal(number)
        out, err = running.communicate(timeout=200)
    assert (running.returncode, "stopped" in out, "Traceback" in err) == (0, True, False), out + err
    assert "ready in" not in out


def test_a_house_with_inputs_is_not_started_without_its_key(played: Path) -> None:
    (played / "keys" / "orders.key").unlink()
    err = refused(played)
    assert f"{played / 'keys' / 'orders.key'}: the key is missing" in err
    assert "put it back from the backup" in err
    assert not (played / "keys" / "orders.key").exists()


def test_a_house_with_inputs_is_not_started_with_the_key_of_another_one(played: Path) -> None:
    (played / "keys" / "orders.key").write_text("cd" * 32)
    err = refused(played)
    assert "none of the last 1 inputs of orders was signed with" in err
    assert "put the right file back before the services start" in err


def test_documents_of_another_log_are_refused_before_anything_is_made(tmp_path: Path) -> None:
    documents = SqliteDocuments(tmp_path / "docs")
    documents.insert("checkpoints", Document("log", 1, {"log": "sqlite:another"}))
    documents.close()
    err = refused(tmp_path)
    assert "the views in these documents belong to the log sqlite:another" in err
    assert "set WARLEDGER_DOCS to another database or folder" in err
    assert not (tmp_path / "keys").exists()


def test_lost_signing_keys_are_made_anew_when_that_is_asked_for_and_the_master_key_is_not(played: Path) -> None:
    settings = from_environment({"WARLEDGER_DATA": str(played)})
    (played / "keys" / "orders.key").unlink()
    prepare(settings, new_keys=True)
    assert len(settings.key("orders")) == 32

    settings.secret_file.unlink()
    assert "for a lost master key see `warledger game renew-chain" in refused(played, "--new-keys")
    assert not settings.secret_file.exists()


def test_documents_without_an_account_are_no_place_for_a_log_that_was_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = from_environment({"WARLEDGER_DATA": str(tmp_path), "WARLEDGER_LOG": "kafka://127.0.0.1:1/spring"})
    used = [False]
    for look in ("refuse_other_topics", "refuse_other_documents"):
        monkeypatch.setattr(f"warledger.commands.up.{look}", lambda _settings: None)
    monkeypatch.setattr("warledger.commands.up._has_records", lambda _settings: used[0])
    token = settings.keys / "operator.token"

    prepare(settings)
    first = token.read_text()
    used[0] = True
    prepare(settings)
    assert token.read_text() == first

    shutil.rmtree(settings.docs_folder)
    with pytest.raises(SystemExit, match="2"):
        prepare(settings)
    said = capsys.readouterr().err
    assert said.startswith("kafka://127.0.0.1:1/spring holds records, and sqlite://")
    assert "`warledger up --new-documents` starts with these" in said
    assert not settings.docs_folder.exists()

    prepare(settings, new_documents=True)
    assert token.read_text() != first
