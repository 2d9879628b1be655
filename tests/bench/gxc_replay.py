"""A turn decided again and compared with its journal, as `warledger replay` does, against its first resolution."""

import gc
import random
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judging import Context, judge, judge_clock
from services.resolver.hosting.secrets import MasterKey, RecordedSecrets
from services.resolver.hosting.snapshots import decode, encode
from services.resolver.replay import decide_again
from shared.events import JournalEvent, Submitted, input_id, pack, unpack
from shared.rules.interface import Role
from tests.bench.gxc_workload import commands, creation
from tests.bench.rows import ratios

GAME = "bench"
PLAYERS, TERRITORIES = 10_000, 1_000
_AT = 1_800_000_000_000


def replay_ratios(runs: int) -> list[float]:
    """Seconds of deciding again and comparing through those of judging the close, both in the host: decided, evolved,
    made to lines, hashed and certified."""
    with tempfile.TemporaryDirectory() as name:
        key = Path(name) / "master.key"
        key.touch(mode=0o600)
        key.write_text("5e" * 32)
        context = Context(MasterKey(key), lambda _sha256: None)
        before, journal = _before_the_close(context)
    close: list[JournalEvent] = []

    def first() -> float:
        game = _game(before)
        due = game.due()
        assert due is not None
        started = process_time()
        judged = judge_clock(game, due, context)
        spent = process_time() - started
        # As a log gives them back.
        close[:] = [event for record in pack(GAME, judged.events) for event in unpack(record).events]
        return spent

    def again() -> float:
        game = _game(before)
        if not close:
            first()
        recorded = Context(RecordedSecrets([*journal, *close]), lambda _sha256: None)
        started = process_time()
        differences = list(decide_again(game, close, recorded))
        spent = process_time() - started
        if differences:
            raise ValueError(differences[0].cause)
        return spent

    first()
    return [1 / ratio for ratio in ratios(first, again, runs)]


def _game(snapshot: bytes) -> HostedGame:
    game = decode(snapshot)
    gc.collect()
    return game


def _before_the_close(context: Context) -> tuple[bytes, list[JournalEvent]]:
    """Snapshot of a game with all orders of its first turn in, and the events that began its chain of seeds."""
    chance = random.Random(1)
    create, board, teams = creation(TERRITORIES, chance)
    said: list[tuple[str, Role, str, dict[str, Any]]] = [
        ("op", "operator", "create_game", {"game": "gxc", "rules": "1", "create": create})
    ]
    said += commands(PLAYERS, board, teams, chance)
    game: HostedGame | None = None
    began: list[JournalEvent] = []
    for number, (actor, role, type, payload) in enumerate(said):
        given = Submitted(input_id(GAME, actor, str(number)), GAME, actor, role, type, payload, f"{number:032x}")
        judged = judge(game, given, _AT + number, context)
        if judged.verdict != "accepted":
            raise ValueError(f"{type} of {actor}: {judged.events[0].data}")
        game = judged.game
        if not began:
            began = list(judged.events)
    assert game is not None
    return encode(game), began
