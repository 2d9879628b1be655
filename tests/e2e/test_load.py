"""The load that docs/operators.md describes: its commands are run against an installation, and nothing fails."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.test_docs import ROOT, blocks
from warledger.demo.installation import Installation

pytestmark = pytest.mark.slow

ASKED = {
    "GET game", "GET /map", "GET /orders", "GET /roster", "GET /reports",
    "POST join", "POST place", "POST energize", "POST set_order", "POST set_order, respond-async",
}  # fmt: skip


def test_players_of_locust_join_order_and_look_and_no_request_fails(house: Installation, tmp_path: Path) -> None:
    [block] = blocks(ROOT / "docs" / "operators.md", "sh load")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.replace("http://127.0.0.1:8080", house.operator.url)],
        cwd=tmp_path,
        env={**os.environ, **house.environment, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with (tmp_path / "load_stats.csv").open() as file:
        rows = {row["Name"]: row for row in csv.DictReader(file)}
    assert {name for name, row in rows.items() if int(row["Request Count"])} == {*ASKED, "Aggregated"}
    assert rows["Aggregated"]["Failure Count"] == "0"
    players = house.operator.get("/games/rush/roster")["players"]
    assert len(players) == 20
    assert {player["status"] for player in players.values()} == {"active"}
