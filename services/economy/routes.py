"""POST /quotes: what the gateway asks about prices, for whom it stands in the signed call."""

from flask import Blueprint, Response, request

from services.economy.quotes import Quotes
from shared.calls import read_call
from shared.clock import Clock
from shared.errors import Problem
from shared.quotes import QUOTES, answers_body, read_questions
from shared.web import json_body


def quote_routes(quotes: Quotes, call_key: bytes, clock: Clock) -> Blueprint:
    """The routes of quotes."""
    routes = Blueprint("quotes", __name__)

    @routes.post(QUOTES)
    def quote() -> Response:
        caller = read_call(call_key, request.headers, QUOTES, request.get_data(), clock.now())
        if caller is None:
            raise Problem("unauthenticated", "only the gateway calls here, with a signed header")
        answers = quotes.answers(read_questions(caller, json_body()))
        return Response(answers_body(answers), content_type="application/json")

    return routes
