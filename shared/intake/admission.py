"""From a signed call to a stored input: who may, is it well-formed, then append (design, Inputs and judgements)."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shared.calls import Caller
from shared.canonical import sha256_hex
from shared.clock import Clock
from shared.commands import CREATE_GAME, Ruleset, commands_of
from shared.creation import fault_of_creation
from shared.documents import Documents, DocumentsUnavailable
from shared.errors import Problem
from shared.events import MAX_EVENT_BYTES, Submitted, input_id, salt_of
from shared.faults import point
from shared.intake import texts
from shared.intake.schemas import read_submission
from shared.log import Coordinates, Draft, Log, LogUnavailable, TooLarge
from shared.metrics import APPEND_REFUSED, APPENDED
from shared.rules import UnknownRules, rules_of
from shared.rules.interface import Command
from shared.rules.shapes import Object, fault

MAX_INPUT_BYTES = MAX_EVENT_BYTES - 8_192
"""An input travels inside the event that judges it, beside its time and hash."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the sender gets: the input as stored, its hash, and where and when the log took it."""

    submitted: Submitted
    hash: str
    at: int
    traceparent: str

    def body(self) -> dict[str, Any]:
        """The receipt as JSON. Offsets stay inside: they would tell how much others send."""
        item = self.submitted
        return {
            "id": item.id,
            "game": item.game,
            "hash": self.hash,
            "at": self.at,
            "input": {
                "actor": item.actor,
                "game": item.game,
                "id": item.id,
                "payload": item.payload,
                "role": item.role,
                "salt": item.salt,
                "type": item.type,
            },
        }


@dataclass(frozen=True, slots=True)
class Admission:
    """One intake: its topic and what it needs."""

    topic: str
    log: Log
    documents: Documents
    salt_key: bytes
    clock: Clock

    def admit(self, caller: Caller, body: dict[str, Any], traceparent: str) -> Receipt:
        """Judge the form, then append; durable when it returns.

        Raises Problem: `malformed`, `unknown_command`, `unknown_rules`, `forbidden`, `too_long`, `too_large`,
        `unavailable`; in each case nothing was stored.
        """
        try:
            return self._admit(caller, read_submission(body), traceparent)
        except Problem as problem:
            APPEND_REFUSED.labels(self.topic, problem.code).inc()
            raise

    def _admit(self, caller: Caller, submission: Mapping[str, Any], traceparent: str) -> Receipt:
        command = self._command(submission["type"], Ruleset(submission["kind"], submission["rules"]))
        if caller.role not in command.roles:
            raise Problem("forbidden", f"{command.type} is a command of {' and '.join(sorted(command.roles))}")
        payload = submission["payload"]
        if found := fault(self._form(command), payload):
            raise Problem("malformed", found)
        if command.type == CREATE_GAME:
            _check_creation(payload)
        texts.check_lengths(command, payload)
        game = submission["game"]
        key = submission.get("key")
        identity = input_id(game, caller.actor, key) if key else os.urandom(16).hex()
        if command.texts:
            payload = self._without_texts(command, payload, identity, game, caller.actor)
            point("intake.after_text")
        return self._append(caller, game, identity, command.type, payload, traceparent)

    def _command(self, type: str, ruleset: Ruleset) -> Command:
        command = commands_of(self.topic).get(type, {}).get(ruleset)
        if command is None:
            known = ", ".join(sorted(name for name, by in commands_of(self.topic).items() if ruleset in by))
            raise Problem("unknown_command", f"{ruleset} has no command {type!r} here; known: {known or 'none'}")
        return command

    @staticmethod
    def _form(command: Command) -> Object:
        """The form that a client may send: the texts themselves, not their place holders."""
        if not command.texts:
            return command.payload
        fields = {name: of for name, of in command.payload.fields.items() if name not in ("message", "hash")}
        return Object(fields, (command.payload.optional - set(command.texts)) & set(fields))

    def _without_texts(
        self, command: Command, payload: Mapping[str, Any], identity: str, game: str, actor: str
    ) -> Mapping[str, Any]:
        try:
            return texts.take_out(
                command,
                payload,
                message=identity,
                game=game,
                actor=actor,
                salt_key=self.salt_key,
                documents=self.documents,
            )
        except DocumentsUnavailable as error:
            raise _unavailable(str(error)) from None

    def _append(
        self, caller: Caller, game: str, identity: str, type: str, payload: Mapping[str, Any], traceparent: str
    ) -> Receipt:
        salt = salt_of(
            self.salt_key, actor=caller.actor, game=game, id=identity, payload=payload, role=caller.role, type=type
        )
        submitted = Submitted(identity, game, caller.actor, caller.role, type, payload, salt)
        value = submitted.value()
        if len(value) > MAX_INPUT_BYTES:
            raise Problem("too_large", f"an input has at most {MAX_INPUT_BYTES} bytes; this one has {len(value)}")
        point("intake.before_append")
        place = self._store(Draft(game, value, _headers(submitted, self.topic, traceparent)))
        point("intake.after_append")
        APPENDED.labels(self.topic).inc()
        return Receipt(submitted, sha256_hex(value), place.at, traceparent)

    def _store(self, draft: Draft) -> Coordinates:
        try:
            return self.log.append(self.topic, [draft])[0]
        except TooLarge as error:
            raise Problem("too_large", str(error)) from None
        except LogUnavailable as error:
            raise _unavailable(str(error)) from None


def _check_creation(payload: Mapping[str, Any]) -> None:
    try:
        rules = rules_of(payload["game"], payload.get("rules"))
    except UnknownRules as error:
        raise Problem("unknown_rules", str(error)) from None
    if found := fault_of_creation(rules, payload["create"], "payload.create"):
        raise Problem("malformed", found)


def _unavailable(reason: str) -> Problem:
    return Problem("unavailable", f"nothing was stored: {reason}", headers={"Retry-After": "1"})


def _headers(submitted: Submitted, topic: str, traceparent: str) -> dict[str, str]:
    """CloudEvents 1.0 attributes in binary mode, with the trace context."""
    return {
        "ce_specversion": "1.0",
        "ce_id": submitted.id,
        "ce_source": f"/warledger/{topic}",
        "ce_type": f"warledger.command.{submitted.type}.v1",
        "ce_subject": submitted.game,
        "content-type": "application/json",
        "traceparent": traceparent,
    }
