"""`warledger topics` where the log is in files."""

from pathlib import Path

import pytest

from tests.unit.warledger.running import call, rows


@pytest.mark.parametrize("command", ["apply", "status"])
def test_a_log_in_files_has_no_topics(command: str, tmp_path: Path) -> None:
    done = call(tmp_path, "topics", command)

    assert done.exit_code == 0
    assert done.stdout == f"the event log is in files, {tmp_path}/log: it has no topics, there is nothing to do\n"
    assert rows(tmp_path, "topics", command) == [{"log": f"{tmp_path}/log", "topics": 0, "mended": 0, "drift": 0}]
