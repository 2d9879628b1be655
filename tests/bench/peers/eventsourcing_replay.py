# mypy: ignore-errors
"""Events per second of the eventsourcing library: repository.get of one aggregate from a SQLite file.

Runs in the peer's environment: `python eventsourcing_replay.py EVENTS FILE` fills the file, then prints a rate for each
line that it reads, so that the two sides take turns.
"""

import sys
import time

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

_BATCH = 1_000


class War(Aggregate):
    """A war that keeps the last order of each player."""

    @event("Created")
    def __init__(self, name: str) -> None:
        self.name = name
        self.orders: dict[str, tuple[str | None, str | None, int, int]] = {}
        self.judged = 0

    @event("OrderAccepted")
    def order(
        self, id: str, player: str, move_to: str | None, target: str | None, energy: int, defend: int, at: int
    ) -> None:
        self.orders[player] = (move_to, target, energy, defend)
        self.judged += 1


def _order(war: War, number: int) -> None:
    player, target = f"p{number % 5_000:06d}", f"t{number % 997:05d}"
    war.order(f"{number:032x}", player, None, target, number % 20 + 1, number % 10, 1_800_000_000_000 + number)


def main(events: int, file: str) -> None:
    app = Application({"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": file})
    war = War("bench")
    for number in range(events - 1):
        _order(war, number)
        if number % _BATCH == 0:
            app.save(war)
    app.save(war)
    for _ in sys.stdin:
        started = time.perf_counter()
        found: War = app.repository.get(war.id)
        spent = time.perf_counter() - started
        if found.version != events:
            raise SystemExit(f"{found.version} events instead of {events}")
        print(events / spent, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
