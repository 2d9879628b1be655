"""What must hold of every installation when the storm is over, whatever happened to it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shared.adapters import open_documents, open_log
from shared.commands import WRITERS
from shared.config import Settings
from shared.events import CLOCK_ACTOR, JournalEvent, read_submitted, unpack
from shared.host_events import ACCEPTED, REJECTED, REPEATED
from shared.log import CHRONICLE, INPUT_TOPICS, PARTITIONS, TICKS, TURNS, Record, TopicPartition, partition_of
from shared.log.reading import standing
from shared.views import generations
from shared.views.dump import lines
from tests.faults.waiting import eventually
from warledger.commands.journal import export_game, replay_game, verify_file
from warledger.demo.installation import Installation
from warledger.journals import dead_letters
from warledger.local import local_log

JUDGED_ONCE = (ACCEPTED, REJECTED)
SIGNERS = (*WRITERS, TICKS)


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """An input that a client was told is stored: the answer's status, and what its receipt said."""

    id: str
    game: str
    hash: str
    status: int


def input_records(house: Installation) -> list[Record]:
    """Every input on every topic: no ticks, and nothing that lies among the dead letters."""
    log = open_log(house.settings, keys={name: house.settings.key(name) for name in SIGNERS})
    places = [TopicPartition(topic, number) for topic in INPUT_TOPICS for number in range(PARTITIONS)]
    try:
        buried = {(letter.topic, letter.partition, letter.offset) for letter in dead_letters(log, None)}
        return [record for record in standing(log, places) if not record.tick and record[:3] not in buried]
    finally:
        log.close()


def journal_of(house: Installation, game: str, topic: str = TURNS) -> list[JournalEvent]:
    """The journal of a game, or its chronicle."""
    return journals_of(house, [game], topic)[game]


def journals_of(house: Installation, games: Iterable[str], topic: str = TURNS) -> dict[str, list[JournalEvent]]:
    """The journals of several games, or their chronicles."""
    return journals_in(house.settings, games, topic)


def journals_in(settings: Settings, games: Iterable[str], topic: str = TURNS) -> dict[str, list[JournalEvent]]:
    """The same, where nothing may run."""
    wanted: dict[str, list[JournalEvent]] = {game: [] for game in games}
    places = {TopicPartition(topic, partition_of(game)) for game in wanted}
    with local_log(settings) as log:
        for record in standing(log, places):
            if record.key in wanted:
                wanted[record.key] += unpack(record.value).events
    return wanted


def judgements(events: Iterable[JournalEvent], *types: str) -> list[Mapping[str, Any]]:
    """Data of the judgements of players' and operators' inputs, in their order."""
    wanted = types or (*JUDGED_ONCE, REPEATED)
    return [e.data for e in events if e.type in wanted and e.data["input"]["actor"] != CLOCK_ACTOR]


def check_judged_once(house: Installation, games: Iterable[str], acknowledged: Iterable[Acknowledged]) -> int:
    """Every acknowledged input has one judgement, every record one; positions have no gaps. Returns the judgements."""
    records = Counter(read_submitted(record.value).id for record in input_records(house))
    first: dict[str, Mapping[str, Any]] = {}
    every: Counter[str] = Counter()
    games = list(games)
    chronicles = journals_of(house, games, CHRONICLE)
    for game, events in journals_of(house, games).items():
        assert [event.n for event in events] == list(range(1, len(events) + 1)), f"{game}: positions with gaps"
        public = chronicles[game]
        assert [event.n for event in public] == list(range(1, len(public) + 1)), f"{game}: chronicle with gaps"
        for data in judgements(events, *JUDGED_ONCE):
            id = data["input"]["id"]
            assert id not in first, f"{game}: input {id} was judged twice"
            first[id] = data
        every.update(data["input"]["id"] for data in judgements(events))
    assert every == records, "each record has one judgement, and no judgement is without a record"
    for receipt in acknowledged:
        assert receipt.id in first, f"input {receipt.id} was acknowledged with {receipt.status} and is not judged"
        assert first[receipt.id]["hash"] == receipt.hash, f"input {receipt.id} was judged with another content"
    return every.total()


def check_proofs(house: Installation, games: Iterable[str], folder: Path) -> int:
    """A replay decides the same, and tools/verify_turn.py finds every hash right. Returns the number of events."""
    events = 0
    for game in games:
        assert replay_game(house.settings, game) == [], f"{game}: a replay differs"
        path = folder / f"{game}.jsonl"
        events += export_game(house.settings, game, path)
        code, printed = verify_file(path)
        assert code == 0, f"{game}: {printed}"
    return events


def check_views(house: Installation) -> int:
    """The live views equal those of a rebuild (decision 0005 says in what). Returns the number of documents."""
    documents = open_documents(house.settings)
    try:
        live = generations.active(documents)
        shown = list(lines(documents, live))
        wanted = generations.request_rebuild(documents)
        eventually(lambda: generations.active(documents) == wanted, "the views are rebuilt", 240)
        rebuilt = list(lines(documents, wanted))
    finally:
        documents.close()
    assert rebuilt == shown, [pair for pair in zip(shown, rebuilt, strict=False) if pair[0] != pair[1]][:3]
    return len(shown)
