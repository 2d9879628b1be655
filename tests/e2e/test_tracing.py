"""One trace id from a request through topics, journal and views into the log lines of every process."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from shared.adapters import open_log
from shared.events import unpack
from shared.log import START, TURNS, Record, TopicPartition, partition_of
from shared.log.reading import ends, stretch
from shared.tracing import read_traceparent, trace_id
from tests.e2e.test_gateway import lines, token_of
from tests.e2e.wars import enlisted, small_war
from tests.faults.waiting import eventually
from tests.hostile.logs import logs_of
from tests.storage import EVERYWHERE, PATIENT, chosen
from warledger.api import Answer, Client
from warledger.demo.installation import Installation, installation
from warledger.journals import journal

pytestmark = pytest.mark.slow
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
GIVEN = f"00-{TRACE}-00f067aa0ba902b7-01"
STATE = "vendor=opaque-text-of-somebody"


@pytest.fixture(scope="module", params=EVERYWHERE)
def talkative(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation that says everything."""
    folder = tmp_path_factory.mktemp("traced") / "data"
    with installation(folder, {"WARLEDGER_LOG_LEVEL": "debug", **PATIENT, **chosen(request)}) as running:
        yield running


def give(player: Client, game: str, defend: int, **headers: str) -> Answer:
    """An order, with some headers."""
    body = {"type": "set_order", "payload": {"defend": defend}}
    return player.request("POST", f"/games/{game}/commands", body, headers=headers)


def said(house: Installation) -> list[dict[str, Any]]:
    """Every log line of every process."""
    return [json.loads(line) for text in logs_of(house).values() for line in text.splitlines()]


def records(house: Installation, topic: str, game: str) -> list[Record]:
    """The records of a game's partition of a topic."""
    place = TopicPartition(topic, partition_of(game))
    log = open_log(house.settings)
    try:
        return list(stretch(log, place, START, ends(log, [place])[place]))
    finally:
        log.close()


def lines_about(house: Installation, input: str) -> dict[str, list[Mapping[str, Any]]]:
    """Service -> its lines about one input."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for line in said(house):
        if line.get("input") == input:
            found.setdefault(line["service"], []).append(line)
    return found


def test_one_trace_leads_from_the_request_to_the_view_and_through_every_log(talkative: Installation) -> None:
    house = talkative
    game = small_war(house)
    ana = enlisted(house, game, "red", "dunmere")
    bia = enlisted(house, game, "red", "dunmere")
    streams = {
        name: lines(f"{ana.url}/games/{game}/stream", token_of(who)) for name, who in (("ana", ana), ("bia", bia))
    }
    for stream in streams.values():
        while next(stream) != "event: opened":
            pass

    answer = give(ana, game, 2, traceparent=GIVEN, tracestate=STATE)

    assert answer.status == 201
    assert answer.headers["traceparent"] == GIVEN
    input = answer.body["id"]
    (stored,) = [record for record in records(house, "orders", game) if record.headers["ce_id"] == input]
    assert stored.headers["traceparent"] == GIVEN
    batches = [(record, unpack(record.value)) for record in records(house, TURNS, game)]
    (origin,) = [origin for _, batch in batches for origin in batch.origins if origin.traceparent == GIVEN]
    assert origin.offset == stored.offset
    for reader in (ana, house.operator):
        assert reader.get(f"/games/{game}/inputs/{input}")["traceparent"] == GIVEN
    told = next(line for line in streams["ana"] if line.startswith("data:") and input in line)
    assert json.loads(told.removeprefix("data: "))["traceparent"] == GIVEN

    eventually(lambda: len(lines_about(house, input)) == 4, "all four processes have said it")
    for service, about in lines_about(house, input).items():
        assert {(line["game"], line["trace"]) for line in about} == {(game, TRACE)}, service

    order = next(line for line in streams["bia"] if line.startswith("data:") and "order" in line)
    assert TRACE not in order
    for stream in streams.values():
        stream.close()
    log = open_log(house.settings)
    assert TRACE.encode() not in b"".join(event.line() for event in journal(log, game))
    log.close()
    assert TRACE not in str(house.operator.request("GET", f"/games/{game}/chronicle").body)
    kept = [*records(house, "orders", game), *records(house, TURNS, game), *records(house, "chronicle", game)]
    assert not [record for record in kept if STATE in str(record)]
    assert not [record for record in records(house, "chronicle", game) if TRACE in str(record)]


@pytest.mark.parametrize(
    "given", ["", "00-zz", f"00-{'0' * 32}-00f067aa0ba902b7-01", f"ff-{TRACE}-00f067aa0ba902b7-01"]
)
def test_what_is_no_trace_context_is_replaced_by_a_new_one(talkative: Installation, given: str) -> None:
    game = small_war(talkative)
    player = enlisted(talkative, game, "red", "dunmere")

    answer = give(player, game, 2, traceparent=given)

    made = answer.headers["traceparent"]
    assert read_traceparent(made) == made != given
    assert player.get(f"/games/{game}/inputs/{answer.body['id']}")["traceparent"] == made
    assert given not in [trace_id(made), made]


def test_every_line_is_json_with_service_level_time_and_event(talkative: Installation) -> None:
    house = talkative
    game = small_war(house)
    enlisted(house, game, "red", "dunmere")
    found = said(house)
    assert {line["service"] for line in found} >= {"gateway", "orders", "resolver", "projector"}
    for line in found:
        assert line.keys() >= {"service", "level", "time", "event"}, line
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", line["time"]), line
        assert line["level"] in ("debug", "info", "warning", "error"), line


def test_at_info_a_write_has_a_line_where_it_was_answered_judged_and_shown(house: Installation) -> None:
    game = small_war(house)
    player = enlisted(house, game, "red", "dunmere")
    before = {name: text.count("\n") for name, text in logs_of(house).items()}

    for _ in range(40):
        player.get(f"/games/{game}/map")
    answer = give(player, game, 1, traceparent=GIVEN)

    input = answer.body["id"]
    eventually(lambda: set(lines_about(house, input)) == {"gateway", "resolver", "projector"}, "all three have said it")
    new = [line for name, text in logs_of(house).items() for line in text.splitlines()[before.get(name, 0) :]]
    assert len(new) < 40, new
