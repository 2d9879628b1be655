"""What many players need, computed from measured costs: the tables of docs/scaling.md, from docs/scaling.json.

    python -m tests.bench.scaling          writes the tables again, after a number of the file was changed

Costs are processor microseconds, sizes bytes; `tests.bench.costs` measures them. What is assumed is in the file too.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from math import ceil, log10
from pathlib import Path

import orjson

from shared.log import PARTITIONS

DOCS = Path(__file__).parents[2] / "docs"
DATA = DOCS / "scaling.json"
PAGE = DOCS / "scaling.md"
STORAGE = "servers"
"""What is computed is for an installation on servers: one in folders ends with its machine."""
PROCESSES = ("gateway", "orders", "Kafka", "resolver", "projector", "documents")
WORKS = ("command", "close", "page", "unchanged page")
SIZES = (100, 1_000, 11_000, 100_000)
"""Players of one game."""

_DAY_SECONDS = 86_400
Cores = dict[str, float]
"""By process."""


@dataclass(slots=True)
class Numbers:
    """The file. Microseconds by storage, work and process; bytes by what holds them; and what is assumed."""

    machine: str
    microseconds: dict[str, dict[str, dict[str, float]]]
    bytes: dict[str, float]
    assumed: dict[str, float]

    def micro(self, work: str, process: str) -> float:
        """Of the storage that is computed for; 0 for a process that has no part in it."""
        return self.microseconds[STORAGE][work].get(process, 0.0)


@dataclass(frozen=True, slots=True)
class Needs:
    """What the assumed players need; the formulas stand in docs/scaling.md."""

    commands_a_second: float
    pages_a_second: float
    rush: Cores
    """While the orders come in."""
    close: Cores
    """While the turn is closed and shown."""
    even: Cores
    """All of that, spread evenly over the day."""
    written: float
    """MB a second to the brokers, at the busier of both times, every replica counted."""
    log: float
    views: float
    """TB that log and documents hold after a season, every replica counted."""

    @property
    def most(self) -> Cores:
        """The larger of both times."""
        return {name: max(self.rush[name], self.close[name]) for name in PROCESSES}


def needs(numbers: Numbers) -> Needs:
    """Compute it."""
    assumed, size = numbers.assumed, numbers.bytes
    players, busy = assumed["players"], assumed["busy"]
    rush = players * assumed["rush_share"] / assumed["rush_seconds"]
    commands, pages = rush * assumed["commands"], rush * assumed["pages"]
    reading = {
        name: (
            numbers.micro("page", name) * (1 - assumed["unchanged"])
            + numbers.micro("unchanged page", name) * assumed["unchanged"]
        )
        * pages
        for name in PROCESSES
    }
    closing = players / assumed["close_seconds"]
    rushing = {name: (commands * numbers.micro("command", name) + reading[name]) / 1e6 / busy for name in PROCESSES}
    a_day = assumed["rush_share"] * _DAY_SECONDS / assumed["rush_seconds"]
    even = {
        name: rushing[name] / a_day + players / _DAY_SECONDS * numbers.micro("close", name) / 1e6 / busy
        for name in PROCESSES
    }
    closed = {name: (closing * numbers.micro("close", name) + reading[name]) / 1e6 / busy for name in PROCESSES}
    a_command = size["input"] + size["journal of a command"]
    a_close = size["journal of a close"] + size["chronicle of a close"]
    replicas = assumed["replicas"]
    turns = players * assumed["turns"]
    return Needs(
        commands_a_second=commands,
        pages_a_second=pages,
        rush=rushing,
        close=closed,
        even=even,
        written=max(commands * a_command, closing * a_close) * replicas / 1e6,
        log=turns * (assumed["commands"] * a_command + a_close) * replicas / 1e12,
        views=(turns * size["views that grow"] + players * size["views that stay"]) * replicas / 1e12,
    )


def brokers(numbers: Numbers, need: Needs) -> int:
    """As many as there are replicas at least."""
    assumed = numbers.assumed
    by_core, by_disk = need.most["Kafka"] / assumed["server_cores"], need.written / assumed["broker_mb"]
    return max(int(assumed["replicas"]), ceil(max(by_core, by_disk)))


def shards(numbers: Numbers, need: Needs) -> int:
    """Document servers that share the games, each with its replicas."""
    return ceil(need.most["documents"] / numbers.assumed["server_cores"])


def tables(numbers: Numbers) -> dict[str, str]:
    """By name, in Markdown."""
    return {
        "costs": _costs(numbers),
        "bytes": _table(("held by", "bytes"), ((name, _n(size)) for name, size in numbers.bytes.items())),
        "assumed": _table(("assumed", "value"), ((name, f"{value:,.10g}") for name, value in numbers.assumed.items())),
        "cores": _cores(needs(numbers)),
        "machines": _machines(numbers),
        "one game": _one_game(numbers),
    }


def _costs(numbers: Numbers) -> str:
    rows = [
        (f"{work}, on {storage}", *(_n(costs.get(name)) for name in PROCESSES), _n(sum(costs.values())))
        for storage, works in numbers.microseconds.items()
        for work, costs in works.items()
    ]
    return _table(("µs of the processors", *PROCESSES, "in all"), rows)


def _cores(need: Needs) -> str:
    commands, pages = f"{need.commands_a_second:,.0f} commands/s", f"{need.pages_a_second:,.0f} pages/s"
    rows = {
        f"{commands}, {pages}": need.rush,
        f"all turns close, {pages}": need.close,
        "the same evenly over the day": need.even,
    }
    told = [
        (name, *(_n(cores[process]) for process in PROCESSES), _n(sum(cores.values()))) for name, cores in rows.items()
    ]
    return _table(("cores at", *PROCESSES, "in all"), told)


def _machines(numbers: Numbers) -> str:
    need, busy = needs(numbers), numbers.assumed["busy"]
    judged = PARTITIONS * busy * 1e6 / numbers.micro("command", "resolver")
    shown = PARTITIONS * busy * 1e6 / _shown(numbers, "command")
    rows = [
        ("gateway, cores", _n(need.most["gateway"])),
        ("intakes, cores", _n(need.most["orders"])),
        (f"games of a partition, of {PARTITIONS}", _n(numbers.assumed["games"] / PARTITIONS)),
        (f"resolvers, of {PARTITIONS} at most", str(ceil(need.most["resolver"]))),
        (f"projectors, of {PARTITIONS} at most", _projectors(numbers, need)),
        ("brokers", str(brokers(numbers, need))),
        ("written to brokers, MB/s", _n(need.written)),
        ("document shards", str(shards(numbers, need))),
        ("log after a season, TB", _n(need.log)),
        ("documents after a season, TB", _n(need.views)),
        (f"most commands/s that {PARTITIONS} resolvers judge", _n(judged)),
        (f"most commands/s that {PARTITIONS} projectors show", _n(shown)),
    ]
    return _table(("needed", "number"), rows)


def _projectors(numbers: Numbers, need: Needs) -> str:
    """How many show commands as they come and the close in time; where these are too many, how late the close is."""
    assumed = numbers.assumed
    work = assumed["players"] * _shown(numbers, "close") / 1e6 / assumed["busy"]
    commands = need.commands_a_second * _shown(numbers, "command") / 1e6 / assumed["busy"]
    needed = ceil(max(commands, work / assumed["close_seconds"]))
    if needed <= PARTITIONS:
        return str(needed)
    return f"{needed} for that; with {PARTITIONS} the last view is {_n(work / PARTITIONS)} s after the deadline"


def _one_game(numbers: Numbers) -> str:
    a_turn = numbers.assumed["commands"]
    rows = [
        (
            f"{players:,}",
            _n(players * a_turn * numbers.micro("command", "resolver") / 1e6),
            _n(players * a_turn * _shown(numbers, "command") / 1e6),
            _n(players * numbers.micro("close", "resolver") / 1e6),
            _n(players * _shown(numbers, "close") / 1e6),
        )
        for players in SIZES
    ]
    headings = ("players", "judge all commands, s", "show them, s", "close, s", "show it, s")
    return _table(headings, rows)


def _shown(numbers: Numbers, work: str) -> float:
    """Microseconds until views show it: the projector waits for the document server."""
    return numbers.micro(work, "projector") + numbers.micro(work, "documents")


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(headings), *map(list, rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _n(value: float | None) -> str:
    """A number as people read it, three digits of it."""
    if value is None:
        return ""
    return f"{_round(value):,g}" if abs(value) < 1e6 else f"{_round(value):,.0f}"


def _round(value: float) -> float:
    return round(value, 2 - int(log10(abs(value)) // 1)) if value else 0.0


def rounded(values: Mapping[str, float]) -> dict[str, float]:
    """Three digits of each: more were not measured."""
    return {name: _round(value) for name, value in values.items()}


def page(text: str, numbers: Numbers) -> str:
    """The page with these tables between its marks. Raises ValueError for a table without one."""
    for name, table in {"machine": numbers.machine, **tables(numbers)}.items():
        mark = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, count = mark.subn(lambda found, table=table: f"{found[1]}{table}\n{found[2]}", text)  # type: ignore[misc]
        if count != 1:
            raise ValueError(f"{PAGE.name} has {count} places for {name}")
    return text


def read() -> Numbers:
    """The file."""
    return Numbers(**orjson.loads(DATA.read_bytes()))


def write(numbers: Numbers) -> None:
    """The file, and the tables of the page."""
    DATA.write_bytes(orjson.dumps(asdict(numbers), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    PAGE.write_text(page(PAGE.read_text(), read()))


if __name__ == "__main__":
    write(read())
