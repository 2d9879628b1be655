"""Writes to games: creation and commands."""

import secrets
from typing import Any

from flask import Blueprint, Response, g, request

from services.gateway import blobs
from services.gateway.answers import idempotency_key, respond_async
from services.gateway.context import Context
from services.gateway.creations import check_creation
from services.gateway.forwarding import Handover, chosen
from services.gateway.identity import require
from services.gateway.operations import IDEMPOTENCY_KEY, PREFER, Answer, Operation, documented
from services.gateway.routes_games import TAG
from services.gateway.schemas.reading import read
from services.gateway.schemas.writes import NewCommand, NewGame, Outcome, Receipt
from services.gateway.writes import Submission, headers_of, input_of
from shared.calls import Caller
from shared.canonical import sha256_hex
from shared.commands import CREATE_GAME, DEFAULT_REMINDERS, HOST_RULESET
from shared.errors import Problem
from shared.rules import rules_of
from shared.web import about, json_body, json_response

_WRITTEN = {
    201: Answer("Judged and accepted: the receipt and what came of it", Outcome),
    202: Answer("Stored, not yet judged: the receipt; Location says where the judgement will be", Receipt),
}
_WRITE_PROBLEMS = (
    "bad_idempotency_key",
    "unknown_command",
    "too_long",
    "too_large",
    "key_reused",
    "too_many_requests",
    "not_authorised",
    "outcome_unknown",
    "internal",
)


def command_routes(context: Context) -> Blueprint:
    """The routes of writes."""
    routes = Blueprint("commands", __name__)
    tokens = context.tokens

    @routes.post("/games")
    @documented(
        Operation(
            TAG,
            "Create a game",
            _WRITTEN,
            NewGame,
            scope="operate",
            parameters=(IDEMPOTENCY_KEY, PREFER),
            problems=(*_WRITE_PROBLEMS, "unknown_rules"),
        )
    )
    def create() -> Response:
        identity = require(tokens, "operate")
        body = read(NewGame, json_body())
        key = idempotency_key(request.environ)
        check_creation(context.documents, body["game"], body.get("rules"), body["create"])
        payload = {"game": body["game"], "create": blobs.store_large(context.documents, body["create"])}
        if "rules" in body:
            payload["rules"] = body["rules"]
        if any(command.private for command in rules_of(body["game"], body.get("rules")).commands.values()):
            payload["private_apart"] = True
        payload["reminders"] = body.get("reminders", list(DEFAULT_REMINDERS))
        game = body.get("id") or _new_id(identity.account, key)
        return _write(context, Caller(identity.account, identity.role), game, CREATE_GAME, payload)

    @routes.post("/games/<game>/commands")
    @documented(
        Operation(
            TAG,
            "Give a command",
            _WRITTEN,
            NewCommand,
            scope="play",
            parameters=(IDEMPOTENCY_KEY, PREFER),
            problems=_WRITE_PROBLEMS,
        )
    )
    def command(game: str) -> Response:
        identity = require(tokens, "play")
        body = read(NewCommand, json_body())
        return _write(context, Caller(identity.account, identity.role), game, body["type"], body["payload"])

    return routes


def _write(context: Context, caller: Caller, game: str, type: str, payload: dict[str, Any]) -> Response:
    creates = type == CREATE_GAME and "create" in payload and request.path == "/games"
    if type == CREATE_GAME and not creates:
        raise Problem("unknown_command", "a game is created by POST /games")
    ruleset, command = chosen(HOST_RULESET if creates else context.reads.rulesets.of(game), type)
    asked = request.environ
    handover = Handover(caller, game, ruleset, command, payload, idempotency_key(asked), g.traceparent)
    about(game)
    try:
        answer = context.writes.submit(Submission(handover, respond_async(asked)))
    except Problem as problem:
        about(game, input_of(problem))
        raise
    about(game, answer.body["id"])
    return json_response(answer.body, status=answer.status, headers=headers_of(answer))


def _new_id(actor: str, key: str | None) -> str:
    """An id for a game that was given none: with a key always the same one, so that a repeat creates no second game."""
    return f"g{sha256_hex(f'{actor}|{key}'.encode())[:12]}" if key else f"g{secrets.token_hex(6)}"
