"""`warledger keys make`: keys where the processes of an installation run apart."""

import json
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shared.config import ConfigError, from_environment
from shared.log import Draft
from shared.log.sqlite import SqliteLog
from shared.signing import Signer
from warledger.cli import cli
from warledger.keyrings import READ_BY, share_keys


def make(folder: Path) -> Result:
    """Make the keys of the installation in `folder`, and share them."""
    arguments = ["--json", "--data", str(folder / "data"), "keys", "make", "--share", str(folder / "shared")]
    return CliRunner().invoke(cli, arguments, env={"WARLEDGER_DATA": str(folder / "data")})


def shared(folder: Path) -> dict[str, set[str]]:
    """Keyring -> the keys that it holds."""
    return {ring.name: {path.stem for path in ring.iterdir()} for ring in (folder / "shared").iterdir()}


def test_each_process_gets_the_keys_that_it_reads(tmp_path: Path) -> None:
    assert make(tmp_path).exit_code == 0
    assert shared(tmp_path) == {ring: set(names) for ring, names in READ_BY.items()}
    keys = tmp_path / "data" / "keys"
    for path in (tmp_path / "shared").glob("*/*.key"):
        assert path.read_bytes() == (keys / path.name).read_bytes()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    assert len(make(tmp_path).output.splitlines()) > 10
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.key")}
    again = make(tmp_path)
    assert (again.exit_code, again.output) == (0, "")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.key")} == before


def test_what_was_made_is_said(tmp_path: Path) -> None:
    said = {json.loads(line)["made"] for line in make(tmp_path).output.splitlines()}
    assert said == {str(path) for path in tmp_path.rglob("*.key")}


def test_another_key_in_the_place_of_a_shared_one_is_refused(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "shared" / "polls" / "salt.key").write_text("00" * 32)
    with pytest.raises(ConfigError, match=r"polls/salt.key is another key"):
        share_keys(from_environment({"WARLEDGER_DATA": str(tmp_path / "data")}), tmp_path / "shared")


def test_no_key_is_made_for_a_log_that_was_signed_with_another(tmp_path: Path) -> None:
    make(tmp_path)
    log = SqliteLog(tmp_path / "data" / "log", Signer("orders", bytes(32)), None)
    log.append("orders", [Draft("g1", b"{}", {})])
    log.close()
    (tmp_path / "data" / "keys" / "polls.key").unlink()
    refused = make(tmp_path)
    assert isinstance(refused.exception, ConfigError)
    assert "polls.key: the key is missing" in str(refused.exception)
    assert not (tmp_path / "data" / "keys" / "polls.key").exists()
