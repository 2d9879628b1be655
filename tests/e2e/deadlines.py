"""Deadlines that come soon: set again where a busy machine stored the command behind them."""

import time

from warledger.api import Client, Refused


def deadline_soon(operator: Client, game: str, within_ms: int) -> int:
    """Set the deadline of a game so near, and farther on a machine that is slow; returns it (UTC milliseconds).

    Raises Refused.
    """
    began = time.monotonic()
    operator.get(f"/games/{game}")
    within_ms += int(10_000 * (time.monotonic() - began))
    while True:
        deadline = time.time_ns() // 1_000_000 + within_ms
        payload = {"deadline": deadline, "reason": "operator"}
        try:
            operator.judged(operator.command(game, "set_deadline", payload))
        except Refused as refused:
            if refused.code != "bad_deadline":
                raise
            within_ms *= 2
        else:
            return deadline
