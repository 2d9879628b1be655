"""The same Idempotency-Key at once, at several gateways with several workers: one input, one answer."""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle
from typing import Any

import pytest

from shared.adapters import open_log
from shared.events import input_id, read_submitted
from shared.host_events import ACCEPTED, REJECTED, REPEATED
from shared.log import Draft
from shared.signing import Signer
from tests.counts import Counts
from tests.e2e.wars import enlisted, small_war
from tests.faults.proof import input_records, journal_of, judgements
from tests.faults.waiting import eventually
from warledger.api import Answer, Client, Unreachable
from warledger.demo.installation import Installation, free_ports

GROUP = "idempotency"
AT_ONCE = 12

ROUNDS = pytest.mark.parametrize(
    "rounds",
    [pytest.param(6, marks=pytest.mark.slow), pytest.param(150, marks=[pytest.mark.faults, pytest.mark.timeout(600)])],
)


@pytest.fixture(scope="module")
def gateways(besieged: Installation) -> Iterator[list[str]]:
    """The addresses of two gateways of one installation, each with two workers."""
    with second_gateway(besieged) as other:
        yield [besieged.settings.urls["gateway"], other]


@contextmanager
def second_gateway(house: Installation) -> Iterator[str]:
    """Another gateway process on a port of its own."""
    port = free_ports()["WARLEDGER_GATEWAY_PORT"]
    environment = {**os.environ, **house.environment, "WARLEDGER_ROLE": "gateway", "WARLEDGER_GATEWAY_PORT": port}
    process = subprocess.Popen([sys.executable, "-m", "services.gateway"], env=environment)
    url = f"http://127.0.0.1:{port}"
    try:
        eventually(lambda: is_ready(url), "the second gateway is ready")
        yield url
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise


def is_ready(url: str) -> bool:
    """Whether a gateway answers."""
    try:
        return Client(url).request("GET", "/readyz").status == 200
    except Unreachable:
        return False


def settled(client: Client, answer: Answer) -> Answer:
    """The final answer to a write: what its Location says in the end, if it was answered before it was judged."""
    if answer.status != 202:
        return answer
    place = answer.headers["Location"]
    eventually(lambda: client.request("GET", place).status != 202, "the input is judged")
    return client.request("GET", place)


def at_once(player: Client, gateways: list[str], game: str, key: str, bodies: list[Any]) -> list[Answer]:
    """The final answers to these bodies, all sent at once under one key, over connections of their own."""
    token = player.token
    assert token is not None

    def send(given: tuple[Any, str]) -> Answer:
        body, url = given
        client = Client(url, token)
        answer = client.request("POST", f"/games/{game}/commands", body, headers={"Idempotency-Key": key})
        return settled(client, answer)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(send, zip(bodies, cycle(gateways))))


def order(defend: int) -> dict[str, Any]:
    """The body of a valid order."""
    return {"type": "set_order", "payload": {"defend": defend}}


def told(answer: Answer) -> tuple[Any, ...]:
    """What an answer says of its input, in whichever of its forms."""
    body = answer.body
    return body["id"], body["hash"], body["at"], str(body["outcome"])


def check_judged(house: Installation, game: str, actor: str, key: str, wanted: dict[str, int]) -> None:
    """The records of one key are judged so in the end: an answer waits for the first judgement, not for repetitions."""
    id = input_id(game, actor, key)
    eventually(lambda: judgements_of(house, game, id).total() >= sum(wanted.values()), "all repetitions are judged")
    assert judgements_of(house, game, id) == wanted


def account_of(player: Client) -> str:
    """The account id of a player."""
    return str(player.get("/accounts/me")["id"])


@ROUNDS
def test_the_same_request_many_times_at_once_is_one_input_with_one_answer(
    besieged: Installation, gateways: list[str], counts: Counts, rounds: int
) -> None:
    game = small_war(besieged)
    player = enlisted(besieged, game, "red", "dunmere")
    actor = account_of(player)
    for number in range(rounds):
        key = f"same-{number}"
        answers = at_once(player, gateways, game, key, [order(1 + number % 9)] * AT_ONCE)
        assert {answer.status for answer in answers} <= {200, 201}
        assert len({told(answer) for answer in answers}) == 1
        check_judged(besieged, game, actor, key, {ACCEPTED: 1, REPEATED: AT_ONCE - 1})
    counts.add(GROUP, "requests under one key at once", rounds * AT_ONCE)
    counts.add(GROUP, "inputs accepted of them", rounds)


@ROUNDS
def test_another_body_under_the_same_key_is_refused_whichever_comes_first(
    besieged: Installation, gateways: list[str], counts: Counts, rounds: int
) -> None:
    game = small_war(besieged)
    player = enlisted(besieged, game, "red", "dunmere")
    actor = account_of(player)
    won: Counter[int] = Counter()
    for number in range(rounds):
        key = f"other-{number}"
        bodies = [order(1 + n % 2) for n in range(AT_ONCE)]
        random.Random(number).shuffle(bodies)
        answers = at_once(player, gateways, game, key, bodies)
        succeeded = {body["payload"]["defend"] for body, got in zip(bodies, answers, strict=True) if got.status < 300}
        assert len(succeeded) == 1
        winner = succeeded.pop()
        for body, got in zip(bodies, answers, strict=True):
            if body["payload"]["defend"] == winner:
                assert got.status in (200, 201)
            else:
                assert (got.status, got.body["code"]) == (422, "key_reused")
        check_judged(besieged, game, actor, key, {ACCEPTED: 1, REPEATED: AT_ONCE - 1})
        won[winner] += 1
    counts.add(GROUP, "requests with two bodies under one key", rounds * AT_ONCE)
    counts.add(GROUP, "of them refused as key_reused", rounds * AT_ONCE // 2)


@pytest.mark.slow
def test_a_refused_input_keeps_its_answer(besieged: Installation, gateways: list[str]) -> None:
    game = small_war(besieged)
    player = enlisted(besieged, game, "red", "dunmere")
    body = {"type": "join", "payload": {"team": "blue"}}
    answers = at_once(player, gateways, game, "refused", [body] * AT_ONCE)
    said = {(a.body.get("code"), a.body.get("detail"), a.body.get("receipt", a.body)["at"]) for a in answers}
    assert len(said) == 1
    check_judged(besieged, game, account_of(player), "refused", {REJECTED: 1, REPEATED: AT_ONCE - 1})


@pytest.mark.slow
def test_the_key_of_another_player_or_game_means_nothing(besieged: Installation, gateways: list[str]) -> None:
    games = [small_war(besieged), small_war(besieged)]
    ids = set()
    for game in games:
        for place in ("dunmere", "ashford"):
            player = enlisted(besieged, game, "red", place)
            answers = at_once(player, gateways, game, "shared-key", [order(3)] * 2)
            assert {answer.status for answer in answers} <= {200, 201}
            ids.add(answers[0].body["id"])
            check_judged(besieged, game, account_of(player), "shared-key", {ACCEPTED: 1, REPEATED: 1})
    assert len(ids) == 4


@pytest.mark.slow
def test_a_record_that_is_delivered_twice_is_repeated_and_changes_nothing(besieged: Installation) -> None:
    game = small_war(besieged)
    player = enlisted(besieged, game, "red", "dunmere")
    id = player.judged(player.command(game, "set_order", {"defend": 4})).body["id"]
    before = [player.get(f"/games/{game}/{page}") for page in ("orders", "map", "roster")]
    record = next(item for item in input_records(besieged) if read_submitted(item.value).id == id)
    log = open_log(besieged.settings, signer=Signer("orders", besieged.settings.key("orders")))
    log.append("orders", [Draft(game, record.value, record.headers)] * 2)
    log.close()
    eventually(lambda: len(repeats(besieged, game, id)) == 2, "both are judged")
    assert [data["same"] for data in repeats(besieged, game, id)] == [True, True]
    assert judgements_of(besieged, game, id)[ACCEPTED] == 1
    assert [player.get(f"/games/{game}/{page}") for page in ("orders", "map", "roster")] == before


def repeats(house: Installation, game: str, id: str) -> list[Any]:
    """The repetitions of an input in the journal."""
    return [data for data in judgements(journal_of(house, game), REPEATED) if data["input"]["id"] == id]


def judgements_of(house: Installation, game: str, id: str) -> Counter[str]:
    """How the records of one id were judged."""
    return Counter(e.type for e in journal_of(house, game) if e.data.get("input", {}).get("id") == id)


@pytest.mark.parametrize(
    "requests", [pytest.param(200, marks=pytest.mark.slow), pytest.param(4_000, marks=pytest.mark.faults)]
)
def test_what_was_acknowledged_is_what_was_accepted_rejected_and_repeated(
    besieged: Installation, gateways: list[str], counts: Counts, requests: int
) -> None:
    game = small_war(besieged)
    players = [enlisted(besieged, game, "red", place) for place in ("dunmere", "ashford", "dunmere")]
    dice = random.Random(requests)
    began = len(judgements(journal_of(besieged, game)))

    def some() -> tuple[Client, Any, dict[str, str]]:
        body = dice.choice([order(dice.randint(1, 3)), order(10**6), {"type": "energize"}, {"type": "unheard_of"}])
        headers = {"Idempotency-Key": f"k{dice.randrange(requests // 4)}"} if dice.random() < 0.8 else {}
        if dice.random() < 0.3:
            headers["Prefer"] = "respond-async"
        return Client(dice.choice(gateways), dice.choice(players).token, timeout=60), body, headers

    def send(given: tuple[Client, Any, dict[str, str]]) -> Answer:
        client, body, headers = given
        return client.request("POST", f"/games/{game}/commands", body, headers=headers)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(send, [some() for _ in range(requests)]))
    acknowledged = [answer for answer in answers if is_acknowledged(answer)]
    refused = [answer for answer in answers if not is_acknowledged(answer)]
    assert {answer.status for answer in refused} == {400}
    wanted = began + len(acknowledged)
    eventually(lambda: len(judgements(journal_of(besieged, game))) >= wanted, "every input is judged", 120)
    found = judgements(journal_of(besieged, game))
    assert len(found) == wanted
    first = Counter(data["input"]["id"] for data in judgements(journal_of(besieged, game), ACCEPTED, REJECTED))
    assert set(first.values()) == {1}
    assert set(first) == {data["input"]["id"] for data in found}
    counts.add(GROUP, "requests acknowledged", len(acknowledged))
    kinds = [event.type for event in journal_of(besieged, game) if event.type in (ACCEPTED, REJECTED, REPEATED)]
    for type, name in ((ACCEPTED, "accepted"), (REJECTED, "rejected"), (REPEATED, "repeated")):
        counts.add(GROUP, f"of them {name}", kinds[began:].count(type))


def is_acknowledged(answer: Answer) -> bool:
    """Whether an answer says that an input is stored."""
    if answer.status == 422:
        return "receipt" in answer.body or answer.body["code"] == "key_reused"
    return answer.status in (201, 202)
