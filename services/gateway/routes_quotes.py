"""/games/{game}/quotes: what things cost, with the rows that make each price."""

from flask import Blueprint, Response, g, request

from services.gateway.context import Context
from services.gateway.identity import require
from services.gateway.operations import Answer, Operation, Parameter, documented
from services.gateway.routes_games import TAG
from services.gateway.schemas.games import View
from shared import rules as registry
from shared.quotes import Asked
from shared.rules.pricing import pricing_of
from shared.rules.shapes import Array
from shared.schemas import json_schema
from shared.web import json_response

HEADERS = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}


def quote_routes(context: Context) -> Blueprint:
    """The route of quotes."""
    routes = Blueprint("quotes", __name__)

    @routes.get("/games/<game>/quotes")
    @documented(
        Operation(
            TAG,
            "What something costs this player now, with the rows that make the price and the rule of each",
            {200: Answer("The price; without a question what the rules' price list says", View)},
            scope="read",
            parameters=_parameters(),
            problems=("malformed", "unknown_id", "not_authorised", "internal"),
        )
    )
    def quotes(game: str) -> Response:
        identity = require(context.tokens, "read")
        query = dict(request.args.lists())
        asked = Asked(game, identity.account, query)
        return json_response(context.quoting.ask(asked, g.traceparent), headers=HEADERS)

    return routes


def _parameters() -> tuple[Parameter, ...]:
    """Every part of a question that some game's prices know."""
    found: dict[str, Parameter] = {}
    for item in registry.GAMES:
        pricing = pricing_of(item.load())
        for name, shape in pricing.question.fields.items() if pricing is not None else ():
            more = "; more than one by commas, or by the name again" if isinstance(shape, Array) else ""
            found[name] = Parameter(name, "query", f"{item.game}: {name} of the question{more}", json_schema(shape))
    return tuple(found.values())
