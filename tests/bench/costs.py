"""What a command, a close and a page cost each process, and how many bytes they leave: the numbers of docs/scaling.md.

    python -m tests.bench.costs            measures and prints; about four minutes, on Linux
    python -m tests.bench.costs --record   writes docs/scaling.json and the tables of docs/scaling.md as well

Wars of bots are played over HTTP on the world map, on files and on servers, and measured from the third turn on, when
all fight. Counted is the processor time of each process from the first request until the views show the last, less what
it takes when nothing happens; the bots are another process. Bytes are those of values of records and of documents.
"""

import argparse
import os
import platform
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path

import orjson

from shared.adapters import open_documents, open_log
from shared.canonical import canonical
from shared.documents import STORES, Documents
from shared.log import CHRONICLE, PARTITIONS, TURNS, Log, Mark, TopicPartition
from shared.log.kafka_place import parse_place
from shared.log.kafka_topics import apply
from shared.log.reading import ends, standing, stretch
from shared.views import ids
from shared.views.writer import ViewWriter
from tests.bench import scaling
from tests.bench.kafka_house import await_
from tests.bench.processors import seconds_of_group
from tests.servers import KafkaServer, MongoServer, fresh_kafka_url, fresh_mongo_url
from warledger.demo.gxc import War, areas_of
from warledger.demo.installation import Installation, installation
from warledger.demo.rush import AT_ONCE, Given
from warledger.maps import map_named
from warledger.servers.opening import open_kafka, open_mongo

GAMES = 10
PLAYERS = 100
"""Of each game."""
TEAMS = 6
FIRST, LAST = 3, 5
"""Turns that are measured; before them nobody attacks."""
PAGES = 400
_IDLE_SECONDS = 4.0
_TOPICS = {"input": "orders", "journal": TURNS, "chronicle": CHRONICLE}

Groups = Mapping[str, int]
"""Name of a process -> its process group."""
Costs = dict[str, float]


class House:
    """A running installation whose processes are watched."""

    def __init__(self, house: Installation, servers: Groups) -> None:
        self.house = house
        ours = ("gateway", "orders", "resolver", "projector")
        self._groups = {**{name: house.services.children[name].process.pid for name in ours}, **servers}
        self._log = open_log(house.settings)
        self._documents = open_documents(house.settings)
        self._views = ViewWriter(self._documents)
        time.sleep(1.0)  # what starts is busy for a moment
        before = self._spent()
        time.sleep(_IDLE_SECONDS)
        self._idle = {name: (spent - before[name]) / _IDLE_SECONDS for name, spent in self._spent().items()}

    def cost(self, step: Callable[[], int]) -> Costs:
        """Processor seconds by process of a step and of its views, and how many there were (`count`)."""
        before, started = self._spent(), time.monotonic()
        count = step()
        self._await_views()
        took = time.monotonic() - started
        spent = {name: max(0.0, now - before[name] - took * self._idle[name]) for name, now in self._spent().items()}
        return {**spent, "count": count}

    def bytes_written(self, step: Callable[[], Costs]) -> tuple[Costs, Costs]:
        """The cost of a step, and the bytes that it wrote to each topic."""
        before = ends(self._log, _places())
        cost = step()
        return cost, _bytes_since(self._log, before)

    def stored(self) -> Counter[str]:
        """Bytes of the bodies of all view documents and snapshots, by collection."""
        return _stored(self._documents)

    def close(self) -> None:
        self._log.close()
        self._documents.close()

    def _spent(self) -> Costs:
        return {name: seconds_of_group(leader) for name, leader in self._groups.items()}

    def _await_views(self) -> None:
        """Until the views show the last record of the journal, twice: what is acknowledged may not be judged yet."""
        for _ in range(2):
            time.sleep(0.3)
            places = [TopicPartition(TURNS, number) for number in range(PARTITIONS)]
            # The ends of partitions would not do: in Kafka marks of transactions stand behind the last record.
            last = {record.partition: record.offset for record in standing(self._log, places, last=50)}
            await_(partial(self._shown, last), "the views show the journal", nap=0.1)

    def _shown(self, last: Mapping[int, int]) -> bool:
        found = self._views.checkpoints(ids.FIRST_GENERATION, last)
        return all(number in found and found[number]["offset"] > offset for number, offset in last.items())


def _places() -> list[TopicPartition]:
    return [TopicPartition(topic, number) for topic in _TOPICS.values() for number in range(PARTITIONS)]


def _bytes_since(log: Log, before: Mapping[TopicPartition, int]) -> Costs:
    names = {topic: name for name, topic in _TOPICS.items()}
    found: Costs = dict.fromkeys(_TOPICS, 0)
    for place, end in ends(log, _places()).items():
        for record in stretch(log, place, Mark(before[place], 0), end):
            found[names[place.topic]] += len(record.value)
    return found


def _stored(documents: Documents) -> Counter[str]:
    found: Counter[str] = Counter()
    for collection in (*STORES["views"], "snapshots"):
        found[collection] = sum(len(canonical(item.body)) + len(item.id) for item in documents.find(collection, ""))
    return found


def _give(commands: Iterable[Given]) -> int:
    given = list(commands)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return sum(1 for _ in pool.map(lambda command: command[1](), given))


def _wars(house: Installation) -> list[War]:
    """Wars that are begun; everybody has a place."""
    board = map_named("world")
    areas, people = areas_of(board, TEAMS), house.players(GAMES * PLAYERS)
    wars = [
        War(house.operator, f"war-{number}", board, LAST + 1, areas, dict(people[number::GAMES]))
        for number in range(GAMES)
    ]
    for war in wars:
        house.operator.judged(war.create())
    _give(given for war in wars for given in war.joins())
    _give(given for war in wars for given in war.places())
    for war in wars:
        house.operator.judged(house.operator.command(war.game, "start_game", wait=False))
    return wars


def _close(wars: Sequence[War], turn: int) -> int:
    """Close the turn of every war; how many players play."""
    for war in wars:
        war.close(turn)
    return sum(len(war.players) for war in wars)


def _pages(wars: Sequence[War], unchanged: bool) -> Callable[[], int]:
    """Looks at the map and the own orders, of one player after the other; `unchanged` with the tag of the last look."""
    asked = []
    for war in wars:
        for client in list(war.players.values())[: PAGES // len(wars) // 2]:
            for page in ("map", "orders"):
                path = f"/games/{war.game}/{page}"
                tag = {"If-None-Match": client.request("GET", path).headers["ETag"]} if unchanged else {}
                asked.append((client, path, tag))
    status = 304 if unchanged else 200

    def look() -> int:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            answers = pool.map(lambda item: item[0].request("GET", item[1], headers=item[2]).status, asked)
            if set(answers) != {status}:
                raise RuntimeError(f"a page was not answered with {status}")
        return len(asked)

    return look


class Tally:
    """What the measured turns cost and wrote, by work."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.spent: dict[str, Counter[str]] = defaultdict(Counter)
        self.written: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, work: str, step: Callable[[], int], *, counts: bool) -> None:
        """Do a step; one that `counts` is added."""
        cost, size = self._house.bytes_written(lambda: self._house.cost(step))
        if counts:
            self.spent[work].update(cost)
            self.written[work].update(size)

    def size(self, work: str, topic: str) -> float:
        """Bytes that one of them wrote to a topic."""
        return self.written[work][topic] / self.spent[work]["count"]

    def micro(self) -> dict[str, Costs]:
        """Microseconds of one of each work, by process."""
        return {
            work: {name: 1e6 * spent / costs["count"] for name, spent in costs.items() if name != "count"}
            for work, costs in self.spent.items()
        }


def measured(house: House) -> tuple[dict[str, Costs], Costs]:
    """Microseconds by work and process; bytes by what holds them."""
    wars, tally = _wars(house.house), Tally(house)
    kept = Counter[str]()
    for turn in range(1, LAST + 1):
        if turn == FIRST:
            kept = house.stored()
        energizes = [given for war in wars for given in war.energizes(turn)]
        tally.add("command", partial(_give, energizes), counts=turn >= FIRST)
        orders = [given for war in wars for given in war.orders(turn)]
        tally.add("command", partial(_give, orders), counts=turn >= FIRST)
        tally.add("close", partial(_close, wars, turn), counts=turn >= FIRST)
        for war in wars:
            war.reaches(turn + 1)
    grown = house.stored()
    for work in ("page", "unchanged page"):
        tally.add(work, _pages(wars, unchanged=work != "page"), counts=True)
    await_(lambda: house.stored()["snapshots"] > 0, "a snapshot is stored", nap=1.0)
    players, turns = GAMES * PLAYERS, LAST - FIRST + 1
    size = {
        "input": tally.size("command", "input"),
        "journal of a command": tally.size("command", "journal"),
        "journal of a close": tally.size("close", "journal"),
        "chronicle of a close": tally.size("close", "chronicle"),
        "views that grow": sum(grown[name] - kept[name] for name in ("feeds", "judgements")) / players / turns,
        "views that stay": sum(grown[name] for name in ("documents", "counters", "heads")) / players,
        "snapshot": house.stored()["snapshots"] / players,
    }
    return tally.micro(), size


@contextmanager
def _on_files(folder: Path) -> Iterator[House]:
    with installation(folder / "files") as running:
        house = House(running, {})
        yield house
        house.close()


@contextmanager
def _on_servers(folder: Path) -> Iterator[House]:
    with ExitStack() as stack:
        kafka, mongo = open_kafka(folder / "kafka"), open_mongo(folder / "mongo")
        for server in (kafka, mongo):
            stack.callback(server.stop)
        log, docs = fresh_kafka_url(KafkaServer(kafka.address)), fresh_mongo_url(MongoServer(mongo.address))
        apply(parse_place(log))
        extra = {"WARLEDGER_LOG": log, "WARLEDGER_DOCS": docs}
        running = stack.enter_context(installation(folder / "servers", extra))
        [broker], [store] = kafka.children, mongo.children
        house = House(running, {"Kafka": broker.pid, "documents": store.pid})
        yield house
        house.close()


def main() -> int:
    """Measure on files and on servers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write docs/scaling.json and docs/scaling.md")
    places = {"files": _on_files, "servers": _on_servers}
    parser.add_argument("--on", choices=list(places), action="append", help="measure on these alone")
    given = parser.parse_args()
    numbers = scaling.read()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        for storage in given.on or places:
            with places[storage](Path(name)) as house:
                micro, size = measured(house)
            numbers.microseconds[storage] = {work: scaling.rounded(costs) for work, costs in micro.items()}
            if storage == "files":
                numbers.bytes.update(scaling.rounded(size))
    numbers.machine = f"{os.cpu_count()} processors, Python {platform.python_version()}, a load of {load:.1f} before"
    print(orjson.dumps(asdict(numbers), option=orjson.OPT_INDENT_2).decode())
    if given.record:
        scaling.write(numbers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
