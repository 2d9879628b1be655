"""What is neither account nor game: the front page, the documents, and the checker for download."""

from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, current_app

from services.gateway.answers import after_id, conditional, known
from services.gateway.context import Context
from services.gateway.openapi import build_document
from services.gateway.operations import PAGING, Answer, Operation, documented
from services.gateway.reads import Seen
from shared.canonical import sha256_hex
from shared.errors import Problem
from shared.web import json_response

TAG = "site"
CHECKER = Path(__file__).parents[2] / "tools" / "verify_turn.py"
_HTML = "text/html"


def _page(summary: str, media: str = _HTML, **more: Any) -> Operation:
    answers = {200: Answer(summary, other=(media,)), 304: Answer("Unchanged since the ETag given")}
    return Operation(TAG, summary, answers, **more)


def site_routes(context: Context) -> Blueprint:
    """The routes of the site."""
    routes = Blueprint("site", __name__)

    @routes.get("/")
    @documented(_page("The front page: the games, and where to go", parameters=PAGING[:1], problems=("malformed",)))
    def index() -> Response:
        return _fixed(context.pages.index(after_id()), _HTML)

    @routes.get("/docs")
    @documented(_page("This API, to read"))
    def docs() -> Response:
        return _fixed(context.pages.reference(_document(current_app._get_current_object())), _HTML)  # type: ignore[attr-defined]

    @routes.get("/docs/errors")
    @documented(_page("Every error code, to read"))
    def errors() -> Response:
        return _fixed(context.pages.errors(), _HTML)

    @routes.get("/openapi.json")
    @documented(
        Operation(TAG, "This API as OpenAPI 3.1", {200: Answer("The document", media=(), other=("application/json",))})
    )
    def openapi() -> Response:
        return json_response(_document(current_app._get_current_object()))  # type: ignore[attr-defined]

    @routes.get("/verify_turn.py")
    @documented(
        Operation(
            TAG,
            "The checker of seeds, digests and hashes: one file of Python that needs nothing else",
            {200: Answer("The file", other=("text/x-python",)), 304: Answer("Unchanged since the ETag given")},
            problems=("not_found",),
        )
    )
    def checker() -> Response:
        try:
            return _fixed(CHECKER.read_text(), "text/x-python")
        except FileNotFoundError:
            raise Problem("not_found", "tools/verify_turn.py is not part of this installation") from None

    return routes


@cache
def _document(app: Flask) -> dict[str, Any]:
    return build_document(app)


def _fixed(text: str, media: str) -> Response:
    tag = sha256_hex(text.encode())[:32]
    return conditional(Seen(tag, None if known()(tag) else text), media)
