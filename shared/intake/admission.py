"""From a signed call to a stored input: who may, is it well-formed, then append (design, Inputs and judgements)."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import structlog

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
from shared.log import AppendedInPart, AppendUnknown, Coordinates, Draft, Log, LogUnavailable, TooLarge
from shared.metrics import APPEND_REFUSED, APPEND_SECONDS, APPENDED, APPENDED_TOGETHER, DOCUMENTS_FAILED, LOG_FAILED
from shared.rules import UnknownRules, rules_of
from shared.rules.interface import Command
from shared.rules.shapes import Object, fault
from shared.tracing import trace_id

logger: Any = structlog.get_logger()

_AGAIN = {"Retry-After": "1"}
SCOPE_GAME: Mapping[str, str] = {"scope": "game"}
"""Member of a problem: it is so for this game, and those that share its partition; the intake stores others."""
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


class Call(NamedTuple):
    """A command on its way in: who gives it, the envelope, and the trace context."""

    caller: Caller
    body: dict[str, Any]
    traceparent: str


class _Ready(NamedTuple):
    """An input whose form is in order, and the draft that stores it."""

    submitted: Submitted
    draft: Draft
    traceparent: str


@dataclass(frozen=True, slots=True)
class Admission:
    """One intake: its topic and what it needs."""

    topic: str
    log: Log
    documents: Documents
    salt_key: bytes
    clock: Clock

    def fault(self) -> str | None:
        """Why nothing can be made durable now; texts of messages go to the documents first."""
        try:
            self.log.check(self.topic)
        except LogUnavailable as error:
            LOG_FAILED.inc()
            return f"the log is away: {error}"
        if not self._has_texts():
            return None
        try:
            self.documents.get("messages", ["-"])
        except DocumentsUnavailable as error:
            DOCUMENTS_FAILED.inc()
            return f"the document store is away: {error}"
        return None

    def _has_texts(self) -> bool:
        return any(command.texts for by in commands_of(self.topic).values() for command in by.values())

    def admit(self, caller: Caller, body: dict[str, Any], traceparent: str) -> Receipt:
        """Judge the form, then append; durable when it returns.

        Raises Problem: `malformed`, `unknown_command`, `unknown_rules`, `forbidden`, `too_long`, `too_large`,
        `unavailable`; in each case nothing was stored. Or `outcome_unknown`: it may be stored, and is sent again under
        the same key (a repeat is judged as such).
        """
        [answer] = self.admit_all([Call(caller, body, traceparent)])
        if isinstance(answer, Problem):
            raise answer
        return answer

    def admit_all(self, calls: Sequence[Call]) -> list[Receipt | Problem]:
        """Judge the form of each, then append at once what is in order; an answer for each, as `admit` gives it."""
        judged = [self._judged(call) for call in calls]
        stored = iter(self._store([item for item in judged if isinstance(item, _Ready)]))
        answers = [next(stored) if isinstance(item, _Ready) else item for item in judged]
        for call, answer in zip(calls, answers, strict=True):
            if isinstance(answer, Problem):
                APPEND_REFUSED.labels(self.topic, answer.code).inc()
                logger.debug("input_refused", topic=self.topic, code=answer.code, trace=trace_id(call.traceparent))
            else:
                APPENDED.labels(self.topic).inc()
                given = answer.submitted
                logger.debug("input_appended", game=given.game, input=given.id, trace=trace_id(call.traceparent))
        return answers

    def _judged(self, call: Call) -> _Ready | Problem:
        try:
            return self._ready(call.caller, read_submission(call.body), call.traceparent)
        except Problem as problem:
            return problem

    def _ready(self, caller: Caller, submission: Mapping[str, Any], traceparent: str) -> _Ready:
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
        return self._draft(caller, game, identity, command.type, payload, traceparent)

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
            DOCUMENTS_FAILED.inc()
            logger.warning("documents_unavailable", reason=str(error))
            raise _unavailable(str(error)) from None

    def _draft(
        self, caller: Caller, game: str, identity: str, type: str, payload: Mapping[str, Any], traceparent: str
    ) -> _Ready:
        salt = salt_of(
            self.salt_key, actor=caller.actor, game=game, id=identity, payload=payload, role=caller.role, type=type
        )
        submitted = Submitted(identity, game, caller.actor, caller.role, type, payload, salt)
        value = submitted.value()
        if len(value) > MAX_INPUT_BYTES:
            raise Problem("too_large", f"an input has at most {MAX_INPUT_BYTES} bytes; this one has {len(value)}")
        return _Ready(submitted, Draft(game, value, _headers(submitted, self.topic, traceparent)), traceparent)

    def _store(self, ready: Sequence[_Ready]) -> list[Receipt | Problem]:
        if not ready:
            return []
        point("intake.before_append")
        try:
            with APPEND_SECONDS.labels(self.topic).time():
                places: Sequence[Coordinates | LogUnavailable] = self.log.append(
                    self.topic, [item.draft for item in ready]
                )
        except TooLarge as error:
            if len(ready) > 1:
                return [answer for item in ready for answer in self._store([item])]
            return [Problem("too_large", str(error))]
        except LogUnavailable as error:
            LOG_FAILED.inc()
            logger.warning("log_unavailable", topic=self.topic, inputs=len(ready), reason=str(error))
            if not isinstance(error, AppendedInPart):
                return [_not_stored(error) for _ in ready]
            places = error.outcomes
        APPENDED_TOGETHER.labels(self.topic).observe(len(ready))
        point("intake.after_append")
        return [_told(item, place) for item, place in zip(ready, places, strict=True)]


def _check_creation(payload: Mapping[str, Any]) -> None:
    try:
        rules = rules_of(payload["game"], payload.get("rules"))
    except UnknownRules as error:
        raise Problem("unknown_rules", str(error)) from None
    if found := fault_of_creation(rules, payload["create"], "payload.create"):
        raise Problem("malformed", found)


def _told(item: _Ready, place: Coordinates | LogUnavailable) -> Receipt | Problem:
    """The answer to one of those that were appended together."""
    if isinstance(place, LogUnavailable):
        return _not_stored(place, SCOPE_GAME)
    return Receipt(item.submitted, sha256_hex(item.draft.value), place.at, item.traceparent)


def _not_stored(error: LogUnavailable, fields: Mapping[str, str] | None = None) -> Problem:
    if isinstance(error, AppendUnknown):
        detail = f"it is stored or not; send it again under the same key: {error}"
        return Problem("outcome_unknown", detail, headers=_AGAIN, fields=fields)
    return _unavailable(str(error), fields)


def _unavailable(reason: str, fields: Mapping[str, str] | None = None) -> Problem:
    return Problem("unavailable", f"nothing was stored: {reason}", headers=_AGAIN, fields=fields)


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
