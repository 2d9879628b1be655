"""Passing a command on to the intake whose table has its type."""

import secrets
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import orjson

from services.gateway.breaker import Breaker, Refused
from services.gateway.connections import AnswerLost, Connections, Reply, Unreached
from shared.calls import GATEWAY, Caller, call_headers
from shared.canonical import canonical
from shared.clock import Clock
from shared.commands import HOST_COMMANDS, HOST_RULESET, WRITERS, Ruleset, commands_of
from shared.errors import Problem
from shared.grouping import Grouping
from shared.intake.admission import SCOPE_GAME, Call
from shared.intake.batch import BATCHES, COMMANDS, MOST_IN_BATCH, Answered, calls_body, read_answers
from shared.lean import caught
from shared.rules.interface import Command

SERVICE_OF_TOPIC: Mapping[str, str] = {topic: service for service, topic in WRITERS.items()}
LONGEST_TOGETHER = 4_096
"""Bytes of a command that may go with others; a longer one goes alone, so that it delays nobody. What is sent of it is
longer by names and key; MOST_IN_BATCH of them are shorter than any limit of an intake (config.LEAST_BODY_BYTES)."""
_UNAVAILABLE = 503
_AGAIN = {"Retry-After": "1"}


def command_of(ruleset: Ruleset, type: str) -> Command:
    """The command of this type in the table of these rules, or in the host's. Raises Problem `unknown_command`."""
    for topic in SERVICE_OF_TOPIC:
        if command := commands_of(topic).get(type, {}).get(ruleset):
            return command
    known = sorted({name for topic in SERVICE_OF_TOPIC for name, by in commands_of(topic).items() if ruleset in by})
    raise Problem("unknown_command", f"{ruleset} has no command of this type; known: {', '.join(known) or 'none'}")


def chosen(ruleset: Ruleset, type: str) -> tuple[Ruleset, Command]:
    """Whose command a type is in a game by these rules, the host's own first, and which. Raises `unknown_command`."""
    if type in HOST_COMMANDS:
        ruleset = HOST_RULESET
    return ruleset, command_of(ruleset, type)


class Handover(NamedTuple):
    """A command for an intake; `key` is None if the client named none."""

    caller: Caller
    game: str
    ruleset: Ruleset
    command: Command
    payload: Mapping[str, Any]
    key: str | None
    traceparent: str

    @property
    def service(self) -> str:
        """The intake that takes it."""
        return SERVICE_OF_TOPIC[self.command.topic]

    def call(self) -> Call:
        """The command as it is sent."""
        kind, rules = self.ruleset
        named = {"game": self.game, "kind": kind, "rules": rules, "type": self.command.type, "key": self.key}
        return Call(self.caller, named | {"payload": self.payload}, self.traceparent)


class _Arrived(NamedTuple):
    """Calls that came together, and when."""

    calls: Sequence[Call]
    at: float


def _weight(arrived: _Arrived) -> int:
    return len(arrived.calls)


class Intakes:
    """The intake services, reached over kept-alive connections made at the first call.

    Commands that are under way at the same time go in one request (shared/intake/batch.py). While an intake cannot
    store, one of them tries it and the others are refused at once.
    """

    def __init__(self, urls: Mapping[str, str], call_key: bytes, clock: Clock) -> None:
        self._urls = urls
        self._key = call_key
        self._clock = clock
        self._open: dict[str, Connections] = {}
        self._groups: dict[str, Grouping[_Arrived, list[Answered]]] = {}
        self._breakers: dict[str, Breaker] = {}

    def submit_all(self, service: str, given: Sequence[Handover]) -> list[dict[str, Any] | Exception]:
        """Hand over commands that came together, all of them for this intake and, if there are several, none longer
        than LONGEST_TOGETHER; for each the receipt once it is durable, or why there is none.

        That is the intake's Problem, `unavailable` when it cannot be reached, `outcome_unknown` when no answer came, be
        it from the intake or to the intake from the log; another exception for an answer that is none.
        """
        keyed = [item if item.key else item._replace(key=secrets.token_hex(16)) for item in given]
        keys = [str(item.key) for item in keyed]
        try:
            answers = self._send(service, [item.call() for item in keyed])
        except Problem as problem:
            return [problem] * len(keys)
        except AnswerLost as error:
            return [_unknown(f"no answer came: {error}", key) for key in keys]
        except Refused:
            return [_unavailable(f"the {service} service cannot store anything now; nothing was sent to it")] * len(
                keys
            )
        except Unreached:
            return [_unavailable(f"the {service} service cannot be reached; nothing was stored")] * len(keys)
        return [
            answer.body if answer.status == 202 else caught(_refused, answer, key)
            for answer, key in zip(answers, keys, strict=True)
        ]

    def ask(self, service: str, path: str, body: bytes, traceparent: str) -> Reply:
        """What a service answers to a call of the gateway itself that may be made twice. Raises Unreached, AnswerLost,
        or Problem `unavailable` where there is no such service."""
        return self._post(service, path, GATEWAY, body, traceparent)

    def close(self) -> None:
        """Close what is idle."""
        for connections in self._open.values():
            connections.close()

    def _send(self, service: str, calls: Sequence[Call]) -> list[Answered]:
        """Send what came together, with others that are under way. Raises Refused, Unreached or AnswerLost."""
        breaker = self._breakers.get(service) or self._breakers.setdefault(service, Breaker())
        arrived = _Arrived(calls, breaker.arrive())
        if len(calls) == 1 and len(canonical(calls[0].body)) > LONGEST_TOGETHER:
            return self._exchange(service, breaker, [arrived])[0]
        found = self._groups.get(service)
        if found is None:
            made = Grouping[_Arrived, list[Answered]](
                lambda all: self._exchange(service, breaker, all), MOST_IN_BATCH, _weight
            )
            found = self._groups.setdefault(service, made)
        return found(arrived)

    def _exchange(self, service: str, breaker: Breaker, arrived: Sequence[_Arrived]) -> list[list[Answered]]:
        with breaker.exchange(arrived[-1].at) as succeed:
            answers = self._together(service, [call for item in arrived for call in item.calls])
            # A game whose partition takes nothing closes the way to no other.
            if any(answer.status != _UNAVAILABLE or SCOPE_GAME.items() <= answer.body.items() for answer in answers):
                succeed()
            left = iter(answers)
            return [list(islice(left, len(item.calls))) for item in arrived]

    def _together(self, service: str, calls: Sequence[Call]) -> list[Answered]:
        if len(calls) == 1:
            [(caller, body, traceparent)] = calls
            return [_answered(self._post(service, COMMANDS, caller, canonical(body), traceparent))]
        reply = self._post(service, BATCHES, GATEWAY, calls_body(calls), calls[0].traceparent)
        answers = read_answers(reply.body, len(calls)) if reply.status == 200 else None
        return answers or [_answered(reply)] * len(calls)

    def _post(self, service: str, path: str, caller: Caller, body: bytes, traceparent: str) -> Reply:
        if service not in self._urls:
            raise _unavailable(f"this installation has no {service} service")
        connections = self._open.get(service) or self._open.setdefault(service, Connections(self._urls[service]))
        return connections.post(path, body, self._headers(caller, path, body, traceparent))

    def _headers(self, caller: Caller, path: str, body: bytes, traceparent: str) -> dict[str, str]:
        signed = call_headers(self._key, caller, path, body, self._clock.now())
        return {**signed, "Content-Type": "application/json", "traceparent": traceparent}


def _unknown(reason: str, key: str) -> Problem:
    """The key is the client's or, where it named none, ours: only with it a second sending is a repeat."""
    return Problem("outcome_unknown", reason, headers=_AGAIN, fields={"idempotency_key": key})


def _unavailable(reason: str) -> Problem:
    return Problem("unavailable", reason, headers=_AGAIN)


def _refused(answer: Answered, key: str) -> Problem:
    """What an intake's refusal is to the client."""
    status, body, again = answer
    if status == 401 or "code" not in body:
        return Problem("internal", f"the intake answered {status}; its key of calls must be the gateway's")
    if body["code"] == "outcome_unknown":
        return _unknown(body["detail"], key)
    return Problem(body["code"], body["detail"], status=status, headers={} if again is None else {"Retry-After": again})


def _answered(reply: Reply) -> Answered:
    return Answered(reply.status, _object(reply.body), reply.headers.get("retry-after"))


def _object(data: bytes) -> dict[str, Any]:
    try:
        parsed = orjson.loads(data)
    except orjson.JSONDecodeError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
