"""/accounts and /tokens."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Blueprint, Response, request

from services.gateway.accounts import Account, folded
from services.gateway.context import Context
from services.gateway.identity import require
from services.gateway.limits import Limit, network_of
from services.gateway.operations import Answer, Operation, Parameter, documented
from services.gateway.schemas.accounts import (
    AccountChange,
    AccountName,
    AccountView,
    NewAccount,
    TokenRequest,
    TokenView,
)
from services.gateway.schemas.reading import read
from services.gateway.tokens import DEFAULT_SECONDS
from shared.errors import Problem
from shared.rules.shapes import ID
from shared.web import json_body, json_response

TAG = "accounts"
_PRIVATE = {"Cache-Control": "no-store"}
_ALL = Parameter("all", "query", "`true` revokes every token of the account", {"type": "string", "enum": ["true"]})
_GONE = Answer("Done; nothing comes back")


def accounts_routes(context: Context) -> Blueprint:
    """The routes of accounts and tokens."""
    routes = Blueprint("accounts", __name__)
    accounts, tokens = context.accounts, context.tokens

    @routes.post("/accounts")
    @documented(
        Operation(
            TAG,
            "Make an account",
            {201: Answer("The account; POST /tokens gives a token", AccountView)},
            NewAccount,
            problems=("name_taken", "too_many_requests"),
        )
    )
    def register() -> Response:
        body = read(NewAccount, json_body())
        with _counted(context, (context.limits.registration, _address())):
            made = accounts.create(body["name"], "player", body["password"], body.get("email"))
        return json_response(_account(made), status=201, headers={"Location": "/accounts/me", **_PRIVATE})

    @routes.get("/accounts/me")
    @documented(Operation(TAG, "The account behind the token", {200: Answer("The account", AccountView)}, scope="read"))
    def me() -> Response:
        return json_response(_account(_own(context)), headers=_PRIVATE)

    @routes.get("/accounts/<account>")
    @documented(
        Operation(
            TAG,
            "The name behind the opaque id of a player",
            {200: Answer("The name", AccountName)},
            scope="read",
            problems=("not_found",),
        )
    )
    def name_of(account: str) -> Response:
        require(tokens, "read")
        found = accounts.get(account) if ID.match(account) else None
        if found is None:
            raise Problem("not_found", "there is no such account, or it was deleted")
        return json_response({"id": found.id, "name": found.name}, headers=_PRIVATE)

    @routes.patch("/accounts/me")
    @documented(
        Operation(
            TAG,
            "Change name, e-mail address or password",
            {200: Answer("The account after the change", AccountView)},
            AccountChange,
            scope="play",
            problems=("name_taken", "bad_credentials", "too_many_requests"),
        )
    )
    def change() -> Response:
        identity = require(tokens, "play")
        changes = read(AccountChange, json_body())
        guessed = [(context.limits.login_account, identity.account)] if "password" in changes else []
        with _counted(context, *guessed):
            changed = accounts.change(identity.account, changes)
        if "password" in changes:
            tokens.revoke_all(identity.account, but=identity.token)
        return json_response(_account(changed), headers=_PRIVATE)

    @routes.delete("/accounts/me")
    @documented(
        Operation(
            TAG,
            "Remove everything personal, also the texts of messages; opaque id and hashes stay in the log",
            {204: _GONE},
            scope="play",
        )
    )
    def remove() -> Response:
        identity = require(tokens, "play")
        context.conversations.forget(identity.account)
        accounts.remove(identity.account)
        tokens.revoke_all(identity.account)
        return Response(status=204)

    @routes.post("/tokens")
    @documented(
        Operation(
            TAG,
            "Log in: a new bearer token",
            {201: Answer("The token, shown this once", TokenView)},
            TokenRequest,
            problems=("bad_credentials", "forbidden", "too_many_requests"),
        )
    )
    def log_in() -> Response:
        body = read(TokenRequest, json_body())
        account = _log_in(context, body["name"], body["password"])
        issued = tokens.issue(account.id, account.role, body.get("scope"), body.get("expires_in", DEFAULT_SECONDS))
        shown = {
            "token": issued.token,
            "account": account.id,
            "scope": issued.scope,
            "expires_at": issued.expires_at,
        }
        return json_response(shown, status=201, headers=_PRIVATE)

    @routes.delete("/tokens")
    @documented(Operation(TAG, "Revoke the token presented", {204: _GONE}, scope="read", parameters=(_ALL,)))
    def log_out() -> Response:
        identity = require(tokens, "read")
        if request.args.get("all") == "true":
            tokens.revoke_all(identity.account)
        else:
            tokens.revoke(identity)
        return Response(status=204)

    return routes


def _log_in(context: Context, name: str, password: str) -> Account:
    """The account; every attempt counts beforehand, an honest one is given back."""
    keys = ((context.limits.login_address, _address()), (context.limits.login_account, folded(name)))
    with _counted(context, *keys):
        account = context.accounts.log_in(name, password)
    if account is None:
        raise Problem("bad_credentials", "no account has this name and this password")
    for limit, key in keys:
        context.attempts.give_back(limit, key)
    return account


@contextmanager
def _counted(context: Context, *keys: tuple[Limit, str]) -> Iterator[None]:
    """Count an attempt; one that there was no time to look at is given back."""
    for limit, key in keys:
        context.attempts.take(limit, key)
    try:
        yield
    except Problem as problem:
        if problem.code == "too_many_requests":
            for limit, key in keys:
                context.attempts.give_back(limit, key)
        raise


def _own(context: Context) -> Account:
    identity = require(context.tokens, "read")
    account = context.accounts.get(identity.account)
    if account is None:
        raise Problem("unauthenticated", "the account was deleted")
    return account


def _account(account: Account) -> dict[str, Any]:
    return {
        "id": account.id,
        "name": account.name,
        "role": account.role,
        "email": account.email,
        "created_at": account.created_at,
    }


def _address() -> str:
    return network_of(request.remote_addr or "")
