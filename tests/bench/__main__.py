"""`make bench [ROWS=dice,gxc]`: run the benchmarks, print the table, write build/bench.json."""

import os
import platform
import sys
from pathlib import Path

import orjson
from rich.console import Console
from rich.table import Table

from tests.bench import (
    dice,
    documents,
    documents_mongo,
    evolve,
    exgenhoca,
    forces,
    gxc,
    gxc_scale,
    http,
    kafka,
    kafka_resolvers,
    kafka_turn,
    log,
    map_war,
    quotes,
    scale,
    scale_web,
    snapshot,
    space_battle,
)
from tests.bench.rows import Row

SECTIONS = {
    "dice": dice.rows,
    "gxc": gxc.rows,
    "close": gxc_scale.rows,
    "exgenhoca": exgenhoca.rows,
    "forces": forces.rows,
    "space-battle": space_battle.rows,
    "map-war": map_war.rows,
    "log": log.rows,
    "views": documents.rows,
    "mongo": documents_mongo.rows,
    "snapshot": snapshot.rows,
    "evolve": evolve.rows,
    "http": http.rows,
    "quotes": quotes.rows,
    "kafka": kafka.rows,
    "turn": kafka_turn.rows,
    "resolvers": kafka_resolvers.rows,
    "scale": scale.rows,
}
PARTS = {
    "gateway": http.gateway_rows,
    "judgements": kafka.judgements,
    "scale-turn": scale.turn_rows,
    "scale-memory": scale.memory_rows,
    "scale-games": scale.games_rows,
    "scale-idle": scale.idle_rows,
    "scale-posts": scale_web.posts_rows,
    "scale-reads": scale_web.reads_rows,
}
"""Rows that stand in a section, to be measured by themselves."""
OUT = Path("build/bench.json")


def main() -> int:
    """Exit 1 if a row misses what it must reach."""
    chosen = [name for name in os.environ.get("ROWS", "").split(",") if name] or list(SECTIONS)
    rows = [row for name in chosen for row in {**SECTIONS, **PARTS}[name]()]
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_bytes(orjson.dumps([row.to_json() for row in rows], option=orjson.OPT_INDENT_2))
    _print(rows)
    return 1 if any(row.verdict == "MISSED" for row in rows) else 0


def _print(rows: list[Row]) -> None:
    table = Table(title=f"Python {platform.python_version()}, {os.cpu_count()} processors, medians of ratios")
    for heading in ("job", "median", "runs", "must", "goal", "reached"):
        table.add_column(heading)
    for row in rows:
        sign = "≥" if row.bars.sense == "min" else "≤"
        bars = ["" if bar is None else f"{sign} {bar:g}" for bar in (row.bars.must, row.bars.goal)]
        runs = " ".join(f"{run:.2f}" for run in sorted(row.runs))
        table.add_row(row.job + (f" ({row.note})" if row.note else ""), f"{row.value:.2f}", runs, *bars, row.verdict)
    Console(width=180).print(table)


if __name__ == "__main__":
    sys.exit(main())
