"""`warledger lag`: how far resolver and projector are behind what is stored."""

import sys
import time
from collections.abc import Sequence
from typing import Any

import click

from shared.adapters import open_claims
from warledger.lagging import SERVICES, Lag, lags
from warledger.local import known_keys, local_documents, settings
from warledger.output import DIFFERENCE, as_json, show, show_table

COLUMNS = {
    "service": "service", "topic": "topic", "partition": "partition", "records": "records", "seconds": "seconds",
    "games": "games",
}  # fmt: skip
_NAMED = 5
"""Games that a line of text names."""


@click.command()
@click.option("--max-seconds", type=click.FloatRange(0), help="End with 1 if something waits longer, or is held back.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    help="Records counted in a partition of a topic; of more it says `at least`.",
)
def lag(max_seconds: float | None, limit: int) -> None:
    """Say how many records wait for resolver and projector, and for how long, per partition and game.

    The resolver is behind by the inputs that are stored and not judged, the projector by the records of the journal
    that the views do not show. Inputs of a quarantined game wait for its release, and are no lag. Ends with 0, however
    much waits, unless --max-seconds is given. What an open transaction holds back cannot be counted; it is named.
    """
    found = settings()
    now = time.time_ns() // 1_000_000
    log = open_claims(found, known_keys(found))
    try:
        with local_documents(found) as documents:
            measured = list(lags(log, documents, limit))
    finally:
        log.close()
    behind = [item for item in measured if item.records or item.hold is not None]
    rows = [_row(item, now) for item in behind]
    if rows:
        show_table(rows, COLUMNS)
    held = [item.hold for item in behind if item.hold is not None]
    if held and not as_json():
        click.echo("\n".join(map(str, held)))
    for service in SERVICES:
        _show_total(service, [item for item in behind if item.service == service], now)
    longest = max((item.seconds(now) for item in behind), default=0.0)
    if max_seconds is not None and (held or longest > max_seconds):
        sys.exit(DIFFERENCE)


def _row(lag: Lag, now: int) -> dict[str, Any]:
    place = {"service": lag.service, "topic": lag.place.topic, "partition": lag.place.partition}
    seconds = round(lag.seconds(now), 1)
    if as_json():
        counted = {"records": lag.records, "at_least": lag.more, "seconds": seconds, "games": lag.games}
        return {**place, **counted, "held_back_since_offset": None if lag.hold is None else lag.hold.offset}
    most = sorted(lag.games.items(), key=lambda item: (-item[1], item[0]))
    named = ", ".join(f"{game} {count}" for game, count in most[:_NAMED])
    rest = f" and {len(most) - _NAMED} more games" if len(most) > _NAMED else ""
    return {**place, "records": _amount(lag.records, lag.more), "seconds": seconds, "games": named + rest}


def _show_total(service: str, behind: Sequence[Lag], now: int) -> None:
    records, more = sum(item.records for item in behind), any(item.more for item in behind)
    seconds = round(max((item.seconds(now) for item in behind), default=0.0), 1)
    total = {"service": service, "records": records, "at_least": more, "seconds": seconds}
    show(total, f"{service}: {_amount(records, more)} records behind, {seconds} seconds")


def _amount(records: int, more: bool) -> str:
    return f"at least {records}" if more else str(records)
