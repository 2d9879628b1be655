"""Passing a command on to the intake whose table has its type."""

import secrets
from collections.abc import Mapping
from typing import Any

import orjson

from services.gateway.connections import AnswerLost, Connections, Unreached
from shared.calls import Caller, call_headers
from shared.canonical import canonical
from shared.clock import Clock
from shared.commands import WRITERS, Ruleset, commands_of
from shared.errors import Problem
from shared.rules.interface import Command

SERVICE_OF_TOPIC: Mapping[str, str] = {topic: service for service, topic in WRITERS.items()}
_AGAIN = {"Retry-After": "1"}


def command_of(ruleset: Ruleset, type: str) -> Command:
    """The command of this type in the table of these rules, or in the host's. Raises Problem `unknown_command`."""
    for topic in SERVICE_OF_TOPIC:
        if command := commands_of(topic).get(type, {}).get(ruleset):
            return command
    known = sorted({name for topic in SERVICE_OF_TOPIC for name, by in commands_of(topic).items() if ruleset in by})
    raise Problem("unknown_command", f"{ruleset} has no command of this type; known: {', '.join(known) or 'none'}")


class Intakes:
    """The intake services, reached over kept-alive connections made at the first call."""

    def __init__(self, urls: Mapping[str, str], call_key: bytes, clock: Clock) -> None:
        self._urls = urls
        self._key = call_key
        self._clock = clock
        self._open: dict[str, Connections] = {}

    def submit(
        self,
        caller: Caller,
        *,
        game: str,
        ruleset: Ruleset,
        command: Command,
        payload: Mapping[str, Any],
        key: str | None,
        traceparent: str,
    ) -> dict[str, Any]:
        """Hand a command over; returns the receipt once it is durable.

        Raises the intake's Problem, `unavailable` when it cannot be reached, `outcome_unknown` when no answer came.
        """
        key = key or secrets.token_hex(16)
        kind, rules = ruleset
        submission = {"game": game, "kind": kind, "rules": rules, "type": command.type, "payload": payload, "key": key}
        body = canonical(submission)
        try:
            status, headers, answer = self._post(SERVICE_OF_TOPIC[command.topic], caller, body, traceparent)
        except AnswerLost as error:
            again = {"idempotency_key": key}
            raise Problem("outcome_unknown", f"no answer came: {error}", headers=_AGAIN, fields=again) from None
        if status == 202:
            return answer
        if status == 401 or "code" not in answer:
            raise Problem("internal", f"the intake answered {status}; its key of calls must be the gateway's")
        kept = {"Retry-After": headers["retry-after"]} if "retry-after" in headers else {}
        raise Problem(answer["code"], answer["detail"], status=status, headers=kept)

    def _post(
        self, service: str, caller: Caller, body: bytes, traceparent: str
    ) -> tuple[int, Mapping[str, str], dict[str, Any]]:
        try:
            reply = self._connections(service).post("/commands", body, self._headers(caller, body, traceparent))
        except Unreached:
            reason = f"the {service} service cannot be reached; nothing was stored"
            raise Problem("unavailable", reason, headers=_AGAIN) from None
        return reply.status, reply.headers, _object(reply.body)

    def _headers(self, caller: Caller, body: bytes, traceparent: str) -> dict[str, str]:
        signed = call_headers(self._key, caller, body, self._clock.now())
        return {**signed, "Content-Type": "application/json", "traceparent": traceparent}

    def close(self) -> None:
        """Close what is idle."""
        for connections in self._open.values():
            connections.close()

    def _connections(self, service: str) -> Connections:
        if service not in self._urls:
            raise Problem("unavailable", f"this installation has no {service} service", headers=_AGAIN)
        return self._open.setdefault(service, Connections(self._urls[service]))


def _object(data: bytes) -> dict[str, Any]:
    try:
        parsed = orjson.loads(data)
    except orjson.JSONDecodeError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
