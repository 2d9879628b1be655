"""What tests of the command line do with an installation: call it, wait for something, write past the intakes."""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
from click.testing import CliRunner, Result

from shared.log import partition_of
from warledger.cli import cli

PATIENCE = 60.0


def call(data: Path, *arguments: str) -> Result:
    """The command on the installation in `data`."""
    return CliRunner().invoke(cli, ["--data", str(data), *arguments])


def rows(data: Path, *arguments: str) -> list[dict[str, Any]]:
    """What a command prints with --json. Services in this process print their log lines in between."""
    done = call(data, *arguments, "--json")
    assert done.exit_code in (0, 1), done.output
    return [orjson.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def eventually(condition: Callable[[], bool], what: str) -> None:
    """Poll until the condition holds; fails with what was waited for."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"not within {PATIENCE} seconds: {what}"
        time.sleep(0.02)


def write_row(
    log: Path,
    topic: str,
    game: str,
    value: bytes,
    at: int,
    signature: str | None,
    *,
    key: str | None = None,
    offset: int | None = None,
) -> tuple[str, int, int]:
    """Write a record straight into an input file, in the partition of a game; returns topic, partition, offset.

    It stands at the end unless an offset says where; the file's own checks are no obstacle.
    """
    partition = partition_of(game)
    table = f"{topic}_{partition:02}"
    connection = sqlite3.connect(log / f"{topic}.db", timeout=60)
    connection.execute("PRAGMA ignore_check_constraints = 1")
    with connection:
        cursor = connection.execute(
            f"INSERT INTO {table} VALUES (?, ?, ?, ?, '{{}}', ?)",
            (offset, at, game if key is None else key, value, signature),
        )
    connection.close()
    assert cursor.lastrowid is not None
    return topic, partition, cursor.lastrowid
