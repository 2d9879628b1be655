"""What a batch of the views adds to metrics and log lines, once it is written."""

import time
from typing import Any

import structlog

from shared.metrics import PROJECTED, VIEW_LAG_SECONDS
from shared.tracing import trace_id
from shared.views.changes import Changes

_logger: Any = structlog.get_logger()


def report(changes: Changes, records: int, seconds: float, *, live: bool) -> None:
    """The changes of so many records are written now, which took so many seconds; if `live`, readers see them."""
    games = changes.games
    events = sum(game.events for game in games.values())
    PROJECTED.inc(events)
    if live:
        VIEW_LAG_SECONDS.observe(max(0.0, time.time() - changes.at / 1000))
    judged = [
        {"game": game.game, "input": input, "trace": trace_id(body["traceparent"])}
        for game in games.values()
        for input, (_, body) in game.judgements.items()
    ]
    for item in judged:
        _logger.debug("shown", **item)
    said: dict[str, object] = {
        "events": events,
        "ms": round(seconds * 1000, 1),
        "records": records,
        "judgements": len(judged),
    }
    if len(judged) == 1:
        said.update(judged[0])
    elif len(games) == 1:
        said["game"] = next(iter(games))
    _logger.info("projected", partition=changes.partition, generation=changes.generation, **said)
