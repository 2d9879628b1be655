"""Commands that are under way at the same time go to the intake in one request, each with its own answer."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import orjson
import pytest

from services.gateway.connections import AnswerLost, Reply
from services.gateway.forwarding import LONGEST_TOGETHER, Handover, Intakes, command_of
from shared.calls import Caller
from shared.clock import SystemClock
from shared.commands import Ruleset
from shared.config import LEAST_BODY_BYTES
from shared.errors import Problem
from shared.intake.batch import BATCHES, MOST_IN_BATCH
from shared.intake.schemas import LONGEST_RULES, LONGEST_TYPE
from shared.server.groups import MOST_TOGETHER
from shared.tracing import traceparent_of

GXC = Ruleset("gxc", "1")
ACTORS = tuple(f"player-{number}" for number in range(8))


class Recorded(Intakes):
    """Intakes that note what is posted. The first post waits until all the others wait behind it."""

    def __init__(self, answer: Callable[[str, bytes], Reply]) -> None:
        super().__init__({"orders": "http://127.0.0.1:1"}, b"k" * 32, SystemClock())
        self.answer = answer
        self.posts: list[tuple[str, bytes]] = []
        self.awaited = 0

    def _post(self, service: str, path: str, caller: Caller, body: bytes, traceparent: str) -> Reply:
        self.posts.append((path, body))
        while self.awaited and len(self._groups[service]._waiting) < self.awaited:
            threading.Event().wait(0.001)
        self.awaited = 0
        return self.answer(path, body)

    def give(self, actor: str, payload: dict[str, object] | None = None) -> str:
        """Give a command; returns the actor of the receipt, or the code of the problem."""
        return str(*said(self.submit_all("orders", [handover(actor, payload)])))

    def give_at_once(self, actors: Sequence[str]) -> list[str]:
        """The first goes alone; while it is under way the others come."""
        self.awaited = len(actors) - 1
        with ThreadPoolExecutor(len(actors)) as pool:
            return list(pool.map(self.give, actors))


def handover(actor: str, payload: dict[str, object] | None = None) -> Handover:
    return Handover(Caller(actor, "player"), "g", GXC, command_of(GXC, "set_order"), payload or {"defend": 1}, None, "")


def said(answers: Sequence[dict[str, object] | Exception]) -> list[object]:
    """The actor of each receipt, or the code of each problem; of another exception its type."""
    found: list[object] = []
    for answer in answers:
        if isinstance(answer, Exception):
            found.append(answer.code if isinstance(answer, Problem) else type(answer).__name__)
        else:
            found.append(answer["actor"])
    return found


def receipts(path: str, body: bytes) -> Reply:
    """What an intake answers: a receipt with the actor of each command."""
    if path == BATCHES:
        actors = [item["actor"] for item in orjson.loads(body)["commands"]]
        return Reply(200, {}, orjson.dumps({"answers": [(202, {"actor": actor}, None) for actor in actors]}))
    return Reply(202, {}, orjson.dumps({"actor": "alone"}))


def test_commands_under_way_together_are_one_request_and_each_gets_her_receipt() -> None:
    intakes = Recorded(receipts)
    found = intakes.give_at_once(ACTORS)
    assert [path for path, _ in intakes.posts] == ["/commands", BATCHES]
    assert found.count("alone") == 1
    assert all(answer in (actor, "alone") for actor, answer in zip(ACTORS, found, strict=True))


def test_commands_that_came_together_are_one_request_and_each_gets_her_receipt() -> None:
    intakes = Recorded(receipts)
    assert said(intakes.submit_all("orders", [handover(actor) for actor in ACTORS])) == list(ACTORS)
    [(path, body)] = intakes.posts
    keys = {item["body"]["key"] for item in orjson.loads(body)["commands"]}
    assert (path, len(keys)) == (BATCHES, len(ACTORS))


def test_of_commands_that_came_together_each_is_refused_for_itself() -> None:
    answers = [
        (202, {"actor": "ana"}, None),
        (403, {"code": "forbidden", "detail": "not for you"}, None),
        (503, {"code": "outcome_unknown", "detail": "no answer from Kafka"}, "1"),
    ]
    intakes = Recorded(lambda path, body: Reply(200, {}, orjson.dumps({"answers": answers})))
    found = intakes.submit_all("orders", [handover(actor) for actor in ACTORS[:3]])
    assert said(found) == ["ana", "forbidden", "outcome_unknown"]
    unknown, [(_, body)] = found[2], intakes.posts
    assert isinstance(unknown, Problem)
    assert unknown.fields["idempotency_key"] == orjson.loads(body)["commands"][2]["body"]["key"]


def test_commands_that_came_together_hear_all_of_them_that_no_intake_is_there() -> None:
    intakes = Intakes({}, b"k" * 32, SystemClock())
    assert said(intakes.submit_all("orders", [handover("ana"), handover("bia")])) == ["unavailable"] * 2


def test_one_command_goes_as_it_always_did() -> None:
    intakes = Recorded(receipts)
    assert intakes.give("ana") == "alone"
    assert [path for path, _ in intakes.posts] == ["/commands"]


def test_a_long_command_delays_nobody() -> None:
    intakes = Recorded(receipts)
    intakes.give("ana", {"defend": 1, "note": "x" * LONGEST_TOGETHER})
    assert not intakes._groups


def test_the_longest_batch_is_shorter_than_any_limit_of_an_intake() -> None:
    """What comes is measured as it is received; what is sent is longer by what every command carries."""
    intakes = Recorded(receipts)
    command = replace(command_of(GXC, "set_order"), type="t" * LONGEST_TYPE)
    given = Handover(
        Caller("a" * 64, "operator"),
        "g" * 64,
        Ruleset("k" * 64, "1" * LONGEST_RULES),
        command,
        {"note": "\x01" * (LONGEST_TOGETHER // len("\\u0001"))},
        "-" * 64,
        traceparent_of(None),
    )
    intakes.submit_all("orders", [given] * MOST_IN_BATCH)
    [(path, body)] = intakes.posts
    assert path == BATCHES
    assert LONGEST_TOGETHER * MOST_IN_BATCH < len(body) < LEAST_BODY_BYTES


def test_no_more_come_together_from_the_server_than_a_batch_takes() -> None:
    assert MOST_TOGETHER <= MOST_IN_BATCH


def test_an_answer_that_is_none_is_a_fault_for_one_alone() -> None:
    answers: list[object] = [
        (202, {"actor": "ana"}, None),
        (409, {"code": "forbidden"}, None),
        "what?",
        (202, [], None),
    ]
    intakes = Recorded(lambda path, body: Reply(200, {}, orjson.dumps({"answers": answers})))
    found = intakes.submit_all("orders", [handover(actor) for actor in ACTORS[:4]])
    assert said(found) == ["ana", "KeyError", "internal", "internal"]


@pytest.mark.parametrize("reply", [Reply(200, {}, b"{}"), Reply(401, {}, b'{"code": "unauthenticated"}')])
def test_an_intake_that_does_not_know_the_gateway_is_a_fault_of_the_server(reply: Reply) -> None:
    intakes = Recorded(lambda path, body: reply if path == BATCHES else receipts(path, body))
    assert sorted(intakes.give_at_once(ACTORS[:3])) == ["alone", "internal", "internal"]


def test_an_answer_that_does_not_come_leaves_it_open_for_all_of_the_batch() -> None:
    def lost(path: str, body: bytes) -> Reply:
        if path == BATCHES:
            raise AnswerLost("closed")
        return receipts(path, body)

    assert sorted(Recorded(lost).give_at_once(ACTORS[:3])) == ["alone", "outcome_unknown", "outcome_unknown"]


def test_what_the_log_left_open_is_answered_with_the_key_to_repeat_it_under() -> None:
    reply = Reply(503, {"retry-after": "1"}, b'{"code": "outcome_unknown", "detail": "no answer from Kafka"}')
    intakes = Recorded(lambda path, body: reply)
    [unknown] = intakes.submit_all("orders", [handover("ana")])
    ((_, body),) = intakes.posts
    assert isinstance(unknown, Problem)
    assert unknown.detail == "no answer from Kafka"
    assert unknown.fields["idempotency_key"] == orjson.loads(body)["key"]
    assert unknown.headers["Retry-After"] == "1"


def test_who_waits_while_an_intake_cannot_store_is_refused_with_the_one_that_tried() -> None:
    intakes = Recorded(lambda path, body: Reply(503, {}, b'{"code": "unavailable", "detail": "the log is away"}'))
    assert intakes.give_at_once(ACTORS) == ["unavailable"] * len(ACTORS)
    assert [path for path, _ in intakes.posts] == ["/commands"]
    intakes.answer = receipts
    assert intakes.give("ana") == "alone"


def test_a_game_whose_partition_takes_nothing_closes_the_way_to_no_other() -> None:
    def one_game_alone(path: str, body: bytes) -> Reply:
        if path == BATCHES:
            return receipts(path, body)
        return Reply(503, {}, b'{"code": "unavailable", "detail": "it takes nothing", "scope": "game"}')

    found = Recorded(one_game_alone).give_at_once(ACTORS)
    assert found.count("unavailable") == 1
    assert all(answer in (actor, "unavailable") for actor, answer in zip(ACTORS, found, strict=True))
