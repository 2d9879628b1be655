"""Events of older versions reach readers as the newest one; what is stored stays as it was."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest

from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import HostedGame
from shared.events import JournalEvent, split_type
from shared.host_events import HOST_EVENTS, QUARANTINED
from shared.log import Mark
from shared.schemas import stored
from shared.upcasters import UPCASTERS, upcast, upcast_event

RECORDED = Path(__file__).parent / "recorded"


def recorded(path: Path) -> list[JournalEvent]:
    lines = path.read_bytes().splitlines()
    return [JournalEvent(e["n"], e["type"], e["data"], tuple(e["to"])) for e in map(orjson.loads, lines)]


def test_a_recorded_quarantine_of_version_1_is_read_as_the_newest() -> None:
    (old,) = recorded(RECORDED / "game.quarantined.v1.jsonl")
    new = upcast_event(old)
    assert (new.n, new.to, new.type) == (old.n, old.to, QUARANTINED)
    assert new.data["positions"] == {"orders": {"offset": 17, "at": 0}, "votes": {"offset": 4, "at": 0}}
    assert new.data["cause"] == old.data["cause"]


def test_upcasting_leaves_the_stored_event_alone() -> None:
    path = RECORDED / "game.quarantined.v1.jsonl"
    (old,) = recorded(path)
    upcast_event(old)
    assert old.line() + b"\n" == path.read_bytes()


def test_the_host_folds_an_event_of_version_1() -> None:
    (old,) = recorded(RECORDED / "game.quarantined.v1.jsonl")
    game = fold(HostedGame("g1", n=old.n - 1), old)
    assert game.quarantined is not None
    assert game.quarantined.marks == {"orders": Mark(17, 0), "votes": Mark(4, 0)}


@pytest.mark.parametrize("old", sorted(UPCASTERS))
def test_every_upcaster_goes_one_step_and_has_a_recorded_line(old: str) -> None:
    name = split_type(old)
    lines = recorded(RECORDED / f"{name.name}.v{name.version}.jsonl")
    assert lines
    for event in lines:
        assert event.type == old
        jsonschema.validate(event.data, stored(old))
        type, data = upcast(event.type, event.data, {old: UPCASTERS[old]})
        assert split_type(type) == (name.game, name.name, name.version + 1)
        jsonschema.validate(data, stored(type))


def test_every_older_version_of_a_host_event_has_an_upcaster() -> None:
    for event in HOST_EVENTS.values():
        for version in range(1, event.version):
            assert f"warledger.host.{event.name}.v{version}" in UPCASTERS


def test_several_steps_are_taken_one_at_a_time() -> None:
    steps = {
        "warledger.toy.a.v1": lambda data: {"x": data["x"] * 10},
        "warledger.toy.a.v2": lambda data: {**data, "y": data["x"] + 1},
    }
    assert upcast("warledger.toy.a.v1", {"x": 2}, steps) == ("warledger.toy.a.v3", {"x": 20, "y": 21})
    untouched: Mapping[str, Any] = {"x": 2}
    assert upcast("warledger.toy.b.v1", untouched, steps) == ("warledger.toy.b.v1", untouched)
