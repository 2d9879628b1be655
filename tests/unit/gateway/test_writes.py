"""A write is judged within its wait, or stored and told where its judgement will be; repeats give the first answer."""

import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from services.gateway.forwarding import Handover, Intakes, command_of
from services.gateway.rulesets import RULESET_SECONDS
from services.gateway.writes import Submission
from shared import rules as registry
from shared.calls import Caller
from shared.canonical import canonical, sha256_hex
from shared.clock import SystemClock
from shared.commands import Ruleset, commands_of
from shared.documents import Document
from shared.errors import Problem
from shared.events import input_id
from shared.rules.interface import Registration
from shared.rules.shapes import Id, Object
from shared.views import ids
from tests.unit.gateway.house import House, Player
from tests.unit.gateway.test_accounts_api import code

GXC = Ruleset("gxc", "1")
UNSTORED = {"map": {"sha256": "0" * 64}, "teams": {}}
"""A creation of the right form whose data is not stored."""


@pytest.fixture(scope="module")
def game(house: House, operator: Player) -> str:
    return house.war(operator)


@pytest.fixture
def red(house: House, game: str) -> Player:
    return house.recruit(game, "red", "dunmere")


def test_an_accepted_command_is_answered_with_receipt_and_outcome(red: Player, game: str) -> None:
    answer = red.command(game, "set_order", {"defend": 3})
    assert answer.status_code == 201
    body = answer.get_json()
    assert body["hash"] == sha256_hex(canonical(body["input"]))
    assert (body["input"]["actor"], body["input"]["payload"]) == (red.account, {"defend": 3})
    assert [event["type"] for event in body["outcome"]] == ["warledger.gxc.order_set.v1"]
    assert answer.headers["Location"] == f"/games/{game}/inputs/{body['id']}?hash={body['hash']}"


def test_a_refused_command_names_code_rule_and_what_is_legal(red: Player, game: str) -> None:
    answer = red.command(game, "set_order", {"attack": {"target": "elmgate", "energy": 0}})
    assert code(answer) == (422, "bad_amount")
    body = answer.get_json()
    assert body["rule"] == "GXC-33"
    assert body["detail"]
    assert body["receipt"]["hash"] == sha256_hex(canonical(body["receipt"]["input"]))


def test_an_outcome_holds_only_what_its_actor_may_see(red: Player, game: str) -> None:
    events = red.command(game, "set_order", {"defend": 1}).get_json()["outcome"]
    assert all("player" in event["data"] and event["data"]["player"] == red.account for event in events)


def test_the_same_key_gives_the_first_answer_to_the_byte(red: Player, game: str) -> None:
    first = red.command(game, "set_order", {"defend": 2}, Idempotency_Key="once")
    again = red.command(game, "set_order", {"defend": 2}, Idempotency_Key="once")
    assert (first.status_code, first.data) == (again.status_code, again.data)
    assert first.get_json()["id"] == input_id(game, red.account, "once")


def test_the_same_key_gives_the_first_refusal_too(red: Player, game: str) -> None:
    payload = {"attack": {"target": "elmgate", "energy": 0}}
    first = red.command(game, "set_order", payload, Idempotency_Key="bad")
    again = red.command(game, "set_order", payload, Idempotency_Key="bad")
    assert (first.status_code, first.data) == (again.status_code, again.data) == (422, first.data)


def test_the_same_key_for_another_request_is_refused(red: Player, game: str) -> None:
    red.command(game, "set_order", {"defend": 2}, Idempotency_Key="mine")
    answer = red.command(game, "set_order", {"defend": 3}, Idempotency_Key="mine")
    assert code(answer) == (422, "key_reused")


def test_another_players_key_means_nothing(house: House, red: Player, game: str) -> None:
    other = house.recruit(game, "red", "cliffe")
    first = red.command(game, "set_order", {"defend": 2}, Idempotency_Key="shared")
    second = other.command(game, "set_order", {"defend": 3}, Idempotency_Key="shared")
    assert (first.status_code, second.status_code) == (201, 201)


def test_the_same_key_at_once_is_one_input_with_one_answer(red: Player, house: House, game: str) -> None:
    def send(_: int) -> tuple[int, bytes]:
        twin = Player(house.app, red.token, red.account)
        answer = twin.command(game, "set_order", {"defend": 4}, Idempotency_Key="race")
        return answer.status_code, answer.data

    with ThreadPoolExecutor(4) as pool:
        answers = set(pool.map(send, range(4)))
    assert len(answers) == 1
    assert next(iter(answers))[0] == 201


@pytest.mark.parametrize("prefer", ["respond-async", "Respond-Async", "handling=strict, respond-async; x=1"])
def test_who_prefers_not_to_wait_gets_202_at_once(red: Player, game: str, prefer: str) -> None:
    answer = red.command(game, "set_order", {"defend": 2}, Prefer=prefer)
    assert answer.status_code == 202
    found = answer_of(red, answer.headers["Location"])
    assert found["status"] == "accepted"
    assert found["hash"] == answer.get_json()["hash"]


def answer_of(player: Player, location: str) -> dict[str, Any]:
    """Poll the place of a judgement until it is there."""
    for _ in range(1000):
        answer = player.get(location)
        if answer.status_code == 200:
            body: dict[str, Any] = answer.get_json()
            return body
        assert answer.status_code == 202
        assert answer.get_json()["status"] == "pending"
        threading.Event().wait(0.005)
    raise TimeoutError(location)


def test_a_game_without_id_gets_one_and_the_same_key_creates_it_once(operator: Player) -> None:
    create: dict[str, Any] = {"map": {"territories": {}}, "teams": {}}
    first = operator.post("/games", {"game": "gxc", "create": create}, Idempotency_Key="new")
    again = operator.post("/games", {"game": "gxc", "create": create}, Idempotency_Key="new")
    assert code(first) == (422, "bad_map")
    assert first.data == again.data


def test_a_second_game_of_the_same_id_is_refused(operator: Player, game: str) -> None:
    answer = operator.post("/games", {"id": game, "game": "gxc", "create": UNSTORED})
    assert code(answer) == (422, "game_exists")


def test_data_that_is_not_stored_is_refused(operator: Player) -> None:
    assert code(operator.post("/games", {"game": "gxc", "create": UNSTORED})) == (422, "unknown_data")


def test_a_large_map_is_stored_by_its_hash_and_named_in_the_command(house: House, operator: Player) -> None:
    board = {"territories": {f"t{n}": {"neighbours": [], "centroid": {"x": n, "y": 0}} for n in range(1000)}}
    teams = {"red": {"territories": ["t0"]}, "blue": {"territories": ["t1"]}}
    answer = operator.post("/games", {"game": "gxc", "create": {"map": board, "teams": teams}})
    assert answer.status_code == 201, answer.text
    digest = sha256_hex(canonical(board))
    assert answer.get_json()["input"]["payload"]["create"]["map"] == {"sha256": digest}
    assert house.documents.get("blobs", [digest])[digest].body == {"text": canonical(board).decode()}


@pytest.fixture
def still(tmp_path: Path) -> Iterator[House]:
    """An installation where nothing is judged until `run`; its gateway has two threads and waits up to 100 ms."""
    house = House(tmp_path, WARLEDGER_THREADS="2", WARLEDGER_WAIT_MS="100")
    yield house
    house.close()


def test_what_is_not_judged_in_time_is_answered_202_and_judged_later(still: House) -> None:
    operator = still.somebody("operator")
    answer = operator.post("/games", {"id": "g", "game": "gxc", "create": UNSTORED})
    assert answer.status_code == 202
    receipt = answer.get_json()
    assert receipt["hash"] == sha256_hex(canonical(receipt["input"]))
    assert operator.get(answer.headers["Location"]).get_json()["status"] == "pending"
    still.run()
    judged = answer_of(operator, answer.headers["Location"])
    assert (judged["status"], judged["code"], judged["hash"]) == ("rejected", "unknown_data", receipt["hash"])


def test_a_game_keeps_the_commands_of_its_rules_when_newer_ones_are_installed(
    red: Player, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = registry.rules_of("gxc").commands["set_order"]
    changed = replace(order, payload=Object({"stance": Id()}))
    newer = Registration("gxc", "2", lambda: SimpleNamespace(commands={"set_order": changed}))
    monkeypatch.setattr("shared.commands.GAMES", (*registry.GAMES, newer))
    commands_of.cache_clear()
    try:
        assert red.command(game, "set_order", {"defend": 2}).status_code == 201
    finally:
        monkeypatch.undo()
        commands_of.cache_clear()


def test_a_game_that_was_released_with_other_rules_takes_their_commands_a_moment_later(
    still: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("services.gateway.rulesets.time", SimpleNamespace(monotonic=lambda: now[0]))
    facts = {"game": "g", "at": 1, "kind": "gxc", "rules": "1", "created_at": 1, "quarantined": False}
    for position, rules in enumerate(("1", "2"), 1):
        still.documents.write("heads", [Document(ids.head(1, "g"), position, {**facts, "rules": rules})])
        now[0] += RULESET_SECONDS
        assert still.context.reads.rulesets.of("g") == ("gxc", rules)


def test_a_command_that_reaches_the_log_before_its_game_is_answered(house: House, red: Player) -> None:
    """The gateway refuses it before the log; a call that was made all the same is judged, and its waiter is told."""
    command = command_of(GXC, "energize")
    handover = Handover(Caller(red.account, "player"), "nowhere", GXC, command, {}, "early", "")
    with pytest.raises(Problem, match="there is no game nowhere") as refused:
        house.context.writes.submit(Submission(handover, respond_async=False))
    assert (refused.value.code, refused.value.status) == ("unknown_game", 422)
    judged = red.get(f"/games/nowhere/inputs/{input_id('nowhere', red.account, 'early')}")
    assert (judged.status_code, judged.get_json()["code"]) == (200, "unknown_game")
    assert code(red.get("/games/nowhere")) == (404, "unknown_game")


def test_at_most_half_of_the_threads_wait(tmp_path: Path) -> None:
    house = House(tmp_path, WARLEDGER_THREADS="2", WARLEDGER_WAIT_MS="5000")
    try:
        operator = house.somebody("operator")
        body = {"game": "gxc", "create": UNSTORED}
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(operator.post, "/games", {**body, "id": "first"})
            while not house.context.watch._games:
                threading.Event().wait(0.001)
            second = house.somebody("operator").post("/games", {**body, "id": "second"})
            assert second.status_code == 202
            assert not waiting.done()
            house.context.watch.stop()
            assert waiting.result().status_code == 202
    finally:
        house.close()


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """A socket that listens; nothing accepts."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


@pytest.fixture
def intakes(house: House, server: socket.socket) -> Iterator[Intakes]:
    """Intakes behind that socket."""
    made = Intakes(
        {"orders": f"http://127.0.0.1:{server.getsockname()[1]}"}, house.settings.key("calls"), SystemClock()
    )
    yield made
    made.close()


def submit(intakes: Intakes, type: str = "energize") -> dict[str, Any]:
    """One command without an Idempotency-Key."""
    handover = Handover(Caller("ana", "player"), "g", GXC, command_of(GXC, type), {}, None, "")
    [answer] = intakes.submit_all(handover.service, [handover])
    if isinstance(answer, Exception):
        raise answer
    return answer


def answering(server: socket.socket, *answers: bytes) -> tuple[threading.Thread, list[bytes]]:
    """Accept a connection for each answer, take one request, send the answer and close."""
    bodies: list[bytes] = []

    def serve() -> None:
        for answer in answers:
            connection, _ = server.accept()
            with connection:
                bodies.append(body_of(connection))
                connection.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    return thread, bodies


def body_of(connection: socket.socket) -> bytes:
    """The body of the one request that comes."""
    data = b""
    while True:
        data += connection.recv(65536)
        head, end, body = data.partition(b"\r\n\r\n")
        length = re.search(rb"Content-Length: (\d+)", head)
        if end and length and len(body) == int(length[1]):
            return body


RECEIPT = b'HTTP/1.1 202 Accepted\r\nContent-Length: 11\r\n\r\n{"id": "x"}'


def test_an_intake_that_cannot_be_reached_means_nothing_was_stored(intakes: Intakes, server: socket.socket) -> None:
    server.close()
    with pytest.raises(Problem) as refused:
        submit(intakes)
    assert (refused.value.status, refused.value.code) == (503, "unavailable")
    assert refused.value.headers["Retry-After"] == "1"


def test_a_connection_that_was_closed_meanwhile_is_replaced(intakes: Intakes, server: socket.socket) -> None:
    thread, bodies = answering(server, RECEIPT, RECEIPT)
    assert submit(intakes) == {"id": "x"}
    assert submit(intakes) == {"id": "x"}
    thread.join()
    assert len(bodies) == 2


def test_a_lost_answer_is_no_promise_and_gives_a_key_to_try_again_with(intakes: Intakes, server: socket.socket) -> None:
    thread, bodies = answering(server, b"", b"")
    with pytest.raises(Problem) as refused:
        submit(intakes)
    thread.join()
    assert (refused.value.status, refused.value.code) == (503, "outcome_unknown")
    assert bodies[0] == bodies[1]
    assert refused.value.fields["idempotency_key"].encode() in bodies[0]


def test_an_intake_that_does_not_know_the_gateway_is_a_fault(intakes: Intakes, server: socket.socket) -> None:
    thread, _ = answering(server, b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}")
    with pytest.raises(Problem) as refused:
        submit(intakes)
    thread.join()
    assert (refused.value.status, refused.value.code) == (500, "internal")


def test_a_service_that_is_not_installed_is_unavailable(intakes: Intakes) -> None:
    with pytest.raises(Problem, match="unavailable"):
        submit(intakes, "chat")
