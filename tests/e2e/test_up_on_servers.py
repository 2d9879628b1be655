"""What `warledger up` wants of servers before it starts anything."""

import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from shared.adapters import open_documents, open_log
from shared.belonging import OtherLog, claim
from shared.config import ConfigError, from_environment
from shared.log import Draft
from shared.signing import Signer
from warledger.commands.up import prepare

pytestmark = [pytest.mark.servers, pytest.mark.slow]


def run(folder: Path, storage: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    """A command on an installation."""
    environment = {**os.environ, **storage, "WARLEDGER_DATA": str(folder)}
    command = [sys.executable, "-m", "warledger", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, check=False)


def test_without_topics_nothing_starts_and_the_command_that_makes_them_is_named(
    tmp_path: Path, fresh_kafka_url: str, fresh_mongo_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    storage = {"WARLEDGER_LOG": fresh_kafka_url, "WARLEDGER_DOCS": fresh_mongo_url}
    refused = run(tmp_path, storage, "up")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "`warledger topics apply`" in refused.stderr
    assert not any(tmp_path.iterdir())
    away = run(tmp_path, {**storage, "WARLEDGER_LOG": "kafka://127.0.0.1:1/none"}, "up")
    assert away.returncode == 3, away.stderr

    assert run(tmp_path, storage, "topics", "apply").returncode == 0
    settings = from_environment({**storage, "WARLEDGER_DATA": str(tmp_path / "first")})
    prepare(settings)
    elsewhere = from_environment({**storage, "WARLEDGER_DATA": str(tmp_path / "second")})
    with pytest.raises(ConfigError, match="the same keys on all of them: copy the folder"):
        prepare(elsewhere)  # nothing stands in the log yet: only the operator in the documents tells
    files = from_environment({"WARLEDGER_DOCS": fresh_mongo_url, "WARLEDGER_DATA": str(tmp_path / "files")})
    with pytest.raises(ConfigError, match="another installation takes another database"):
        prepare(files)
    shutil.copytree(settings.keys, elsewhere.keys)
    prepare(elsewhere)
    shutil.rmtree(elsewhere.keys)

    log = open_log(settings, signer=Signer("orders", settings.key("orders")))
    log.append("orders", [Draft("spring", b"an order", {})])
    log.close()
    with pytest.raises(ConfigError, match="the same keys on all of them: copy the folder"):
        prepare(elsewhere)
    documents = {"WARLEDGER_DOCS": f"{fresh_mongo_url}x", "WARLEDGER_DATA": str(tmp_path / "second")}
    with pytest.raises(ConfigError, match=r"was written with it; .* the same keys on all of them: copy the folder"):
        prepare(from_environment({**storage, **documents}))
    assert not elsewhere.keys.exists()

    shutil.copytree(settings.keys, elsewhere.keys)
    other = from_environment({**storage, **documents})
    with pytest.raises(SystemExit, match="2"):
        prepare(other)
    assert f"holds records, and {fresh_mongo_url}x knows no account" in capsys.readouterr().err
    prepare(other, new_documents=True)
    prepare(other)


def test_a_log_in_a_folder_is_kept_from_the_documents_of_one_in_kafka(
    tmp_path: Path, fresh_kafka_url: str, fresh_mongo_url: str
) -> None:
    storage = {"WARLEDGER_LOG": fresh_kafka_url, "WARLEDGER_DOCS": fresh_mongo_url}
    assert run(tmp_path / "first", storage, "topics", "apply").returncode == 0
    settings = from_environment({**storage, "WARLEDGER_DATA": str(tmp_path / "first")})
    prepare(settings)
    other = from_environment({"WARLEDGER_DOCS": fresh_mongo_url, "WARLEDGER_DATA": str(tmp_path / "other")})
    with closing(open_documents(settings)) as documents:
        with closing(open_log(settings)) as log:
            claim(log, documents, "snapshots")
            claim(log, documents, "snapshots")
        with (
            closing(open_log(other)) as log,
            pytest.raises(OtherLog, match=r"belong to the log kafka:.*leads to sqlite:"),
        ):
            claim(log, documents, "snapshots")

    shutil.copytree(settings.keys, other.keys)
    refused = run(tmp_path / "other", {"WARLEDGER_DOCS": fresh_mongo_url}, "up")

    assert (refused.returncode, refused.stdout) == (2, "")
    assert "belong to the log kafka:" in refused.stderr
