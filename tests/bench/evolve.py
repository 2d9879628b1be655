"""A state rebuilt from the log by evolve, as a takeover without a snapshot does, against `eventsourcing` on SQLite."""

import gc
import random
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from services.resolver.games import Games
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judging import Context, Judged, judge, judge_clock
from services.resolver.hosting.secrets import MasterKey
from services.resolver.outcome import OutcomeBuilder
from services.resolver.snapshotting import Manifest, Snapshots
from shared.documents.sqlite import SqliteDocuments
from shared.events import Submitted, input_id
from shared.log import INPUT_TOPICS, START, TURNS, TopicPartition, partition_of
from shared.log.sqlite import SqliteLog
from shared.rules.gxc.state import ACTIVE
from shared.rules.interface import Role
from tests.bench.gxc_workload import commands, creation
from tests.bench.peers.environment import asked
from tests.bench.rows import Bars, Row, ratios

GAME = "bench"
PARTITION = partition_of(GAME)
PLAYERS = 1_500
TERRITORIES = 400
TURNS_PLAYED = 6
RUNS = 5
_AT = 1_800_000_000_000
_EVENTS_A_COMMIT = 2_000


def _given() -> Iterator[tuple[str, Role, str, dict[str, Any]]]:
    """Everything that somebody says up to the first close: actor, role, type and payload."""
    chance = random.Random(1)
    create, board, teams = creation(TERRITORIES, chance)
    yield "op", "operator", "create_game", {"game": "gxc", "rules": "1", "create": create}
    yield from commands(PLAYERS, board, teams, chance)


def _season(context: Context) -> Iterator[Judged]:
    """A game of several turns; after the first everybody stays where she is and defends."""
    game: HostedGame | None = None
    numbers = count()

    def say(actor: str, role: Role, type_: str, payload: dict[str, Any]) -> Judged:
        number = next(numbers)
        given = Submitted(input_id(GAME, actor, str(number)), GAME, actor, role, type_, payload, f"{number:032x}")
        judged = judge(game, given, _AT if game is None else game.last_at + 1, context)
        if judged.verdict != "accepted":
            raise ValueError(f"{type_} of {actor}: {judged.events[0].data}")
        return judged

    for actor, role, type_, payload in _given():
        made = say(actor, role, type_, payload)
        game = made.game
        yield made
    assert game is not None
    for turn in range(1, TURNS_PLAYED + 1):
        due = game.due()
        assert due is not None
        yield judge_clock(game, due, context)
        players = game.state.players
        for number, player in enumerate(players.ids):
            if turn < TURNS_PLAYED and players.status[number] == ACTIVE:
                yield say(player, "player", "energize", {})
                yield say(player, "player", "set_order", {"defend": turn})


def _write_journal(log: SqliteLog, context: Context) -> int:
    """Judge a season and commit it as the resolver does; returns the number of journal events."""
    owner = log.own(PARTITION, "bench")
    builder = OutcomeBuilder()
    events = 0
    for judged in _season(context):
        events += len(judged.events)
        builder.add(judged)
        if builder.events >= _EVENTS_A_COMMIT:
            owner.commit(builder.outcome(dict.fromkeys(INPUT_TOPICS, START)))
            builder = OutcomeBuilder()
    owner.commit(builder.outcome(dict.fromkeys(INPUT_TOPICS, START)))
    return events


def _rebuild(log: SqliteLog, snapshots: Snapshots, end: int) -> HostedGame:
    game = Games(PARTITION, log, snapshots, Manifest(0, {})).again(GAME, end)
    if game is None:
        raise ValueError("the journal is empty")
    return game


def rebuild_ratios(runs: int = RUNS) -> tuple[list[float], int]:
    """Journal events folded a second through those of the peer, which has as many; and how many that is."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        key = folder / "master.key"
        key.touch(mode=0o600)
        key.write_text("5e" * 32)
        log = SqliteLog(folder / "log")
        events = _write_journal(log, Context(MasterKey(key), lambda _sha256: None))
        snapshots = Snapshots(SqliteDocuments(folder / "docs"))
        reader = log.reader()
        end = reader.end(TopicPartition(TURNS, PARTITION))

        def ours() -> float:
            gc.collect()
            started = perf_counter()
            game = _rebuild(log, snapshots, end)
            spent = perf_counter() - started
            if game.n != events:
                raise ValueError(f"{game.n} events instead of {events}")
            return events / spent

        with asked("eventsourcing", "eventsourcing_replay.py", str(events), str(folder / "peer.db")) as theirs:
            found = ratios(ours, theirs, runs)
        log.close()
    return found, events


def rows() -> list[Row]:
    """The rebuild."""
    found, events = rebuild_ratios()
    job = "state rebuilt by evolve from the log, events/s against eventsourcing 9.5 repository.get"
    return [Row(job, Bars("min", 6, 10), found, f"{events:,} events")]
