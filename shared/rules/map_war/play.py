"""The events of one command and what they have done so far, on a fork of the state, which stays as it is (ENG-1)."""

from collections.abc import Mapping, Sequence

from shared.rules.event_rows import parts_of
from shared.rules.interface import PUBLIC, Event, Json, resolved
from shared.rules.map_war.config import GOODS, MOST_STOCK
from shared.rules.map_war.event_shapes import LEDGER
from shared.rules.map_war.events import PART
from shared.rules.map_war.evolve import evolve
from shared.rules.map_war.state import State, Stocks


class Entry:
    """One entry of the ledger: the change of a nation's stocks, in cents, with its cause (MAP-99)."""

    __slots__ = ("cause", "change", "nation")

    def __init__(
        self, nation: str, cause: str, currency: int = 0, resources: int = 0, food: int = 0, technology: int = 0
    ) -> None:
        self.nation = nation
        self.cause = cause
        self.change = Stocks(currency, resources, food, technology)

    def form(self) -> dict[str, Json]:
        """As events have it."""
        return {"nation": self.nation, "cause": self.cause, **dict(zip(GOODS, self.change, strict=True))}


def stocks_form(stocks: Stocks) -> dict[str, Json]:
    """Stocks as events and the canonical state have them."""
    return dict(zip(GOODS, stocks, strict=True))


def _within(before: int, after: int) -> int:
    """A stock afterwards: it does not grow beyond the limit, nor a debt; what lies beyond already may come back."""
    return min(max(after, min(before, -MOST_STOCK)), max(before, MOST_STOCK))


class Play:
    """Whoever emits an event sees its consequences in `state` at once."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state.fork()
        self.events: list[Event] = []

    def emit(self, type_: str, data: Mapping[str, Json], to: tuple[str, ...] = PUBLIC) -> None:
        event = Event(type_, data, to)
        self.events.append(event)
        evolve(self.state, event)

    def emit_with_ledger(self, type_: str, data: Mapping[str, Json], entries: Sequence[Entry]) -> None:
        """Emit an event with its entries and the stocks behind them."""
        self.emit(type_, {**data, **dict(zip(LEDGER, self._booked(entries), strict=True))})

    def emit_by_zone(self, type_: str, field: str, values: Mapping[int, Json]) -> None:
        """Emit values of zones in parts, in canonical order; none at all if there are none."""
        ids = self.state.board.ids
        for part, parts, zones in parts_of(sorted(values), PART):
            data = {ids[zone]: values[zone] for zone in zones}
            self.emit(type_, {"part": part, "parts": parts, field: data})

    def mark(self, label: str) -> None:
        """The end of a resolution."""
        self.events.append(resolved(label))

    def _booked(self, entries: Sequence[Entry]) -> tuple[list[Json], dict[str, Json]]:
        before: dict[str, Stocks] = {}
        after: dict[str, Stocks] = {}
        for entry in entries:
            if entry.nation not in before:
                before[entry.nation] = after[entry.nation] = self.state.nations[entry.nation].stocks
            have = after[entry.nation]
            after[entry.nation] = Stocks(*(stock + more for stock, more in zip(have, entry.change, strict=True)))
        booked = [entry.form() for entry in entries if any(entry.change)]
        for nation, stocks in after.items():
            kept = Stocks(*map(_within, before[nation], stocks))
            if kept != stocks:
                lost = (stock - sum_ for stock, sum_ in zip(kept, stocks, strict=True))
                booked.append(Entry(nation, "limit", *lost).form())
                after[nation] = kept
        return booked, {nation: stocks_form(stocks) for nation, stocks in after.items()}
