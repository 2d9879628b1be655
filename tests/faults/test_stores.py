"""A full, read-only or locked store: 503 with Retry-After, nothing acknowledged is not stored, mended by itself."""

import random
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from shared.config import SERVICES
from tests.counts import Counts
from tests.faults.houses import TURN_MS, judged_order, probe, switched, toy_game
from tests.faults.proof import check_judged_once, check_proofs, check_views, input_records, journal_of, judgements
from tests.faults.rest import come_to_rest
from tests.faults.stores import FAULTS, FILES, processes
from tests.faults.toy import with_toy
from tests.faults.waiting import eventually
from tests.faults.war import by_turns, load, open_wars
from warledger.api import Answer, Client
from warledger.demo.installation import Installation

every_fault = pytest.mark.parametrize("fault", FAULTS)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with pytest.MonkeyPatch.context() as patch, switched(tmp_path_factory.mktemp("stores")) as running:
        patch.setattr("shared.rules.GAMES", with_toy(TURN_MS))
        toy_game(running, "game")
        yield running


@pytest.fixture(scope="module")
def ana(house: Installation) -> Client:
    ((_, client),) = house.players(1)
    return client


def give(client: Client, type: str, payload: dict[str, str], key: str) -> Answer:
    return client.request(
        "POST", "/games/game/commands", {"type": type, "payload": payload}, headers={"Idempotency-Key": key}
    )


def is_unavailable(answer: Answer) -> None:
    """503 as the error table has it."""
    assert (answer.status, answer.body["code"]) == (503, "unavailable"), answer
    assert int(answer.headers["Retry-After"]) >= 1


def newest_payload(house: Installation) -> object:
    """What the input said that was judged last."""
    return judgements(journal_of(house, "game"))[-1]["input"]["payload"]


def is_judged(client: Client, receipt: Answer) -> bool:
    """Whether the judgement stands where the receipt says."""
    return client.request("GET", receipt.headers["Location"]).status == 200


@pytest.mark.slow
@every_fault
@pytest.mark.parametrize(
    ("service", "type", "payload"), [("orders", "order", {"name": "x"}), ("polls", "chat", {"text": "x"})]
)
def test_an_intake_that_cannot_store_says_so_and_stores_nothing(
    house: Installation, ana: Client, counts: Counts, fault: str, service: str, type: str, payload: dict[str, str]
) -> None:
    key = f"{fault}-{service}"
    before = len(input_records(house))
    with FAULTS[fault](house, service):
        is_unavailable(give(ana, type, payload, key))
        is_unavailable(give(ana, type, payload, key))
    assert len(input_records(house)) == before

    started = time.monotonic()
    assert ana.judged(give(ana, type, payload, key)).status in (200, 201)
    counts.largest("stores", "ms from the end of a fault to an answer", int((time.monotonic() - started) * 1000))
    assert len(input_records(house)) == before + 1
    counts.add("stores", "writes refused with 503", 2)


@pytest.mark.slow
@every_fault
def test_a_resolver_that_cannot_commit_is_not_ready_and_judges_when_it_can(
    house: Installation, ana: Client, counts: Counts, fault: str
) -> None:
    with FAULTS[fault](house, "resolver"):
        receipts = [give(ana, "order", {"name": "waits"}, f"{fault}-waits-{number}") for number in range(2)]
        assert [answer.status for answer in receipts] == [202, 202]
        eventually(lambda: probe(house, "resolver")[0] == 503, "the resolver is not ready")
        assert "journal.db" in probe(house, "resolver")[1]
        assert probe(house, "orders")[0] == 200
    for receipt in receipts:
        eventually(partial(is_judged, ana, receipt), "it is judged")
    counts.add("stores", "inputs judged after the resolver could commit again", 2)
    eventually(lambda: probe(house, "resolver") == (200, "ok\n"), "the resolver is ready")


@pytest.mark.slow
@every_fault
def test_a_projector_that_cannot_write_is_not_ready_and_shows_everything_when_it_can(
    house: Installation, ana: Client, fault: str
) -> None:
    with FAULTS[fault](house, "projector"):
        receipt = give(ana, "order", {"name": "unseen"}, f"{fault}-unseen")
        assert receipt.status == 202
        eventually(lambda: probe(house, "projector")[0] == 503, "the projector is not ready")
        assert "views.db" in probe(house, "projector")[1]
        assert ana.get("/games/game")["turn"] == 1
        eventually(lambda: newest_payload(house) == {"name": "unseen"}, "the resolver judges all the same")
    eventually(partial(is_judged, ana, receipt), "it is shown")
    eventually(lambda: probe(house, "projector") == (200, "ok\n"), "the projector is ready")


@pytest.mark.slow
@every_fault
def test_a_gateway_that_cannot_store_accounts_says_so_and_makes_none(house: Installation, fault: str) -> None:
    wanted = {"name": f"new {fault}", "password": "a long password"}
    with FAULTS[fault](house, "gateway"):
        is_unavailable(house.operator.request("POST", "/accounts", wanted))
    assert house.operator.request("POST", "/tokens", wanted).status == 401
    assert house.operator.request("POST", "/accounts", wanted).status == 201
    assert house.operator.request("POST", "/tokens", wanted).status == 201


@pytest.mark.slow
def test_after_all_these_faults_everything_adds_up(house: Installation, ana: Client, tmp_path: Path) -> None:
    judged_order(ana, "game", "the last")
    check_judged_once(house, ["game"], [])
    check_proofs(house, ["game"], tmp_path)
    check_views(house)


@pytest.mark.faults
@pytest.mark.timeout(900)
def test_forty_faults_of_stores_under_load_lose_nothing_and_end_no_process(tmp_path: Path, counts: Counts) -> None:
    games, chance = ["war-a", "war-b"], random.Random(3)
    played_by = by_turns(games, "exgenhoca")
    with switched(tmp_path, pace={"snapshot_ms": 1_000}) as house:
        players = open_wars(house, games, 6, packages=played_by)
        pids = {name: processes(house, name) for name in SERVICES}
        with load(house, tmp_path, players, games, pause_ms=100, close_ms=900, packages=played_by) as bots:
            for number in range(40):
                fault, service = sorted(FAULTS)[number % len(FAULTS)], chance.choice(sorted(FILES))
                with FAULTS[fault](house, service):
                    time.sleep(chance.random() * 4)  # so long does the fault last
                counts.add("stores", f"faults under load, {fault}")
                eventually(lambda: not house.services.ready(0.2), f"all are ready after {fault}, {service}")
            took = come_to_rest(house, bots, games)
        answers = bots.answers()
        assert {answer["status"] for answer in answers} <= {201, 202, 422}
        assert pids == {name: processes(house, name) for name in SERVICES}, "a process has ended"
        check_judged_once(house, games, bots.acknowledged())
        check_proofs(house, games, tmp_path)
        check_views(house)
    counts.add("stores", "inputs acknowledged", len(bots.acknowledged()))
    counts.add("stores", "commands sent more than once", sum(answer["tries"] > 1 for answer in answers))
    counts.largest("stores", "ms until all was judged and shown", took)
