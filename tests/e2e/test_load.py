"""The load that docs/operators.md describes: its commands are run against an installation, and nothing fails."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.test_docs import ROOT, blocks
from tests.faults.waiting import eventually
from warledger.demo.installation import Installation

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

ASKED = {
    "GET game", "GET /map", "GET /orders", "GET /roster", "GET /reports",
    "POST join", "POST place", "POST energize", "POST set_order", "POST set_order, respond-async",
}  # fmt: skip


def test_players_of_locust_join_order_and_look_and_no_request_fails(house: Installation, tmp_path: Path) -> None:
    [block] = blocks(ROOT / "docs" / "operators.md", "sh load")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    before, locust = block.split("locust ", 1)

    def run(commands: str) -> None:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands.replace("http://127.0.0.1:8080", house.operator.url)],
            cwd=tmp_path,
            env={**os.environ, **house.environment, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    asked: set[str] = set()

    def all_is_asked() -> bool:
        """What is asked in the time of one run is up to chance and the machine: run it until all was asked by all."""
        run(f"locust {locust}")
        with (tmp_path / "load_stats.csv").open() as file:
            rows = {row["Name"]: row for row in csv.DictReader(file)}
        assert rows.pop("Aggregated")["Failure Count"] == "0"
        asked.update(name for name, row in rows.items() if int(row["Request Count"]))
        return asked >= ASKED and len(house.operator.get("/games/rush/roster")["players"]) == 20

    run(before)
    eventually(all_is_asked, "20 players have asked for everything", 120)
    assert asked == ASKED
    players = house.operator.get("/games/rush/roster")["players"]
    assert {player["status"] for player in players.values()} == {"active"}
