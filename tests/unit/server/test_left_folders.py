"""Folders in which the workers of a service counted, of processes that were killed."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from shared.serving import clear_left


def test_what_killed_processes_of_a_service_have_left_is_removed_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", "pass"]) as ended:
        ended.wait()
    left = [f"warledger-gateway-a1_b-{pid}" for pid in (ended.pid, os.getpid())]
    kept = [f"warledger-gateway-a1_b-{os.getppid()}", f"warledger-orders-x-{ended.pid}", "warledger-gateway-mine-notes"]
    for name in (*left, *kept):
        (tmp_path / name).mkdir()
        (tmp_path / name / "counter_1.db").touch()

    clear_left("gateway")

    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)
