"""The web app of the gateway."""

from typing import Any
from urllib.parse import urlencode

import structlog
from flask import Blueprint, Flask, Response, redirect, request

from services.gateway.answers import away
from services.gateway.context import Context
from services.gateway.identity import identify, require
from services.gateway.lean import LeanCommands
from services.gateway.operations import Answer, Operation, Parameter, documented
from services.gateway.routes_accounts import accounts_routes
from services.gateway.routes_commands import command_routes
from services.gateway.routes_games import games_routes
from services.gateway.routes_quotes import quote_routes
from services.gateway.routes_site import site_routes
from services.gateway.summaries import unknown_game
from services.gateway.tokens import Identity
from shared.documents import DocumentsUnavailable
from shared.rules.shapes import ID
from shared.server import HUNG_UP
from shared.web import base_app, problem_response, said_of_request

SERVICE = "gateway"
_READING = ("GET", "HEAD")
_SHOWN = (200, 304)
log = structlog.get_logger()


def create_app(context: Context) -> Flask:
    """The app with all routes; what it needs is in `context`."""
    app = base_app(
        f"warledger.{SERVICE}",
        max_body_bytes=context.max_body_bytes,
        ready=lambda: _fault(context),
        admit_to_metrics=lambda: require(context.tokens, "operate"),
    )
    app.url_map.strict_slashes = True

    @app.url_value_preprocessor
    def _ids_only(_endpoint: str | None, values: dict[str, Any] | None) -> None:
        if values and "game" in values and not ID.match(values["game"]):
            raise unknown_game("with such an id")

    @app.errorhandler(DocumentsUnavailable)
    def _away(error: DocumentsUnavailable) -> Response:
        return problem_response(away(error, said_of_request()))

    @app.after_request
    def _age(response: Response) -> Response:
        """Whoever reads a game hears how old it may be while the projector cannot follow the log (RFC 9111, 5.1)."""
        game = (request.view_args or {}).get("game")
        if game is not None and request.method in _READING and response.status_code in _SHOWN:
            age = context.freshness.age(game)
            if age is not None:
                response.headers["Age"] = str(age)
        return response

    for routes in (accounts_routes, games_routes, command_routes, quote_routes, stream_routes, site_routes):
        app.register_blueprint(routes(context))
    app.wsgi_app = LeanCommands(SERVICE, context, app.wsgi_app)  # type: ignore[method-assign]
    return app


def stream_routes(context: Context) -> Blueprint:
    """The stream of a game: served here by the streams instance, redirected by any other."""
    routes = Blueprint("streams", __name__)

    @routes.get("/games/<game>/stream")
    @documented(
        Operation(
            "games",
            "Server-sent events: what this viewer may see of the game, as it happens",
            {
                200: Answer("The stream; each id counts this viewer's feed", other=("text/event-stream",)),
                307: Answer("The streams instance serves it; Location holds a ticket for the token's holder"),
            },
            parameters=_PARAMETERS,
            problems=("malformed", "too_many_streams"),
        )
    )
    def stream(game: str) -> Response:
        ticket = request.args.get("ticket")
        identity = identify(context.tokens) if ticket is None else context.tickets.take(game, ticket)
        if context.streams_url is not None:
            context.reads.rulesets.kind_of(game)
            return _elsewhere(context, game, identity)
        last = request.headers.get("Last-Event-ID") or request.args.get("after")
        if request.method == "HEAD":
            return Response(headers=_STREAM)
        hung_up = request.environ.get(HUNG_UP, lambda: False)
        return Response(context.streams.open(game, identity, last, hung_up), headers=_STREAM)

    @routes.get("/games/<game>/chronicle")
    @documented(
        Operation(
            "games",
            "The chronicle: what everybody may know of the game up to now, as verify_turn.py reads it",
            {
                200: Answer("An export in its public form, JSON lines", other=(_LINES,)),
                307: Answer("The streams instance serves it"),
            },
            problems=("too_many_streams",),
        )
    )
    def chronicle(game: str) -> Response:
        if context.streams_url is not None:
            context.reads.rulesets.kind_of(game)
            return _redirected(f"{context.streams_url}/games/{game}/chronicle")
        lines = context.proofs.chronicle(game)
        headers = {"Content-Type": _LINES, "Cache-Control": "no-cache"}
        return (
            Response(headers=headers)
            if request.method == "HEAD"
            else Response(context.streams.hold(lines), headers=headers)
        )

    return routes


_LINES = "application/x-ndjson"
_STREAM = {"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_PARAMETERS = (
    Parameter("Last-Event-ID", "header", "Go on after the event of this id", {"type": "string"}),
    Parameter("after", "query", "The same as Last-Event-ID, or `start` for the beginning", {"type": "string"}),
    Parameter("ticket", "query", "Of a redirect: stands for the token for a minute", {"type": "string"}),
)


def _elsewhere(context: Context, game: str, identity: Identity | None) -> Response:
    query = {name: item for name, item in request.args.items() if name == "after"}
    if identity is not None:
        query["ticket"] = context.tickets.issue(game, identity)
    target = f"{context.streams_url}/games/{game}/stream"
    return _redirected(f"{target}?{urlencode(query)}" if query else target)


def _redirected(location: str) -> Response:
    response = redirect(location, 307)
    response.headers["Cache-Control"] = "no-store"
    return response  # type: ignore[return-value]


def _fault(context: Context) -> str | None:
    try:
        context.reads.views.generation()
        context.documents.get("accounts", ["-"])
    except DocumentsUnavailable as error:
        return f"the document store is away: {error}"
    return context.watch.fault()
