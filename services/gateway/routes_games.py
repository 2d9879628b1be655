"""/games: everything that is read of games, and the texts that are removed from them."""

from flask import Blueprint, Response, request

from services.gateway.answers import after_id, conditional, known, number, wanted
from services.gateway.context import Context
from services.gateway.identity import identify, require
from services.gateway.operations import (
    IF_NONE_MATCH,
    PAGING,
    UNCHANGED,
    Answer,
    Operation,
    Parameter,
    documented,
)
from services.gateway.reads import PLAYERS_A_PAGE
from services.gateway.schemas.games import GameList, GameView, Question, View
from services.gateway.schemas.messages import MessageList
from services.gateway.schemas.notices import NoticeList
from services.gateway.schemas.reading import read
from services.gateway.schemas.turns import CertificateList, TurnView
from services.gateway.schemas.writes import JudgementView
from services.gateway.spoken import place
from services.gateway.summaries import page_names, page_summary, tells_of_players
from shared.web import json_body, json_response

TAG = "games"
SVG = "image/svg+xml"
HTML = "text/html"
JSON = "application/json"
MOST_A_PAGE = 1000

_CHANNEL = Parameter(
    "channel",
    "query",
    "Messages of one channel alone: `public`, or one that messages to the viewer name, like `team:red`",
    {"type": "string"},
)
_PLAYERS = (
    Parameter(
        "after",
        "query",
        "Where to go on in a game of many players: `next` of the page before, an id; players come by ascending id, and "
        "who asks is always among them",
        {"type": "string", "maxLength": 64},
    ),
    Parameter(
        "limit",
        "query",
        "Players a page",
        {"type": "integer", "minimum": 1, "maximum": PLAYERS_A_PAGE, "default": PLAYERS_A_PAGE},
    ),
)
_LAYER = Parameter(
    "layer",
    "query",
    "Which picture of the map, such as `control`; its page links to all, and the refusal of another name lists them",
    {"type": "string", "maxLength": 64},
)
_OLDER = Parameter("after", "query", "Where to go on: `next` of the page before", {"type": "string"})
_HASH = Parameter("hash", "query", "Hash of the receipt: 202 until it is judged", {"type": "string"})


def games_routes(context: Context) -> Blueprint:
    """The routes of games."""
    routes = Blueprint("games", __name__)
    reads, tokens = context.reads, context.tokens

    @routes.get("/games")
    @documented(
        Operation(
            TAG, "The games", {200: Answer("A page of games", GameList)}, parameters=PAGING, problems=("malformed",)
        )
    )
    def games() -> Response:
        after, limit = after_id(), number("limit", 100, 1, MOST_A_PAGE)
        return json_response(reads.games(after, limit, identify(tokens)))

    @routes.get("/games/<game>")
    @documented(
        Operation(
            TAG,
            "One game; as text/html a page to look at",
            {200: Answer("The game", GameView, other=(HTML,)), 304: UNCHANGED},
            parameters=(_LAYER, IF_NONE_MATCH),
            problems=("malformed", "not_acceptable"),
        )
    )
    def game_(game: str) -> Response:
        if wanted(JSON, HTML) == HTML:
            return conditional(context.pages.game(game, identify(tokens), known(), request.args.get("layer")), HTML)
        return conditional(reads.game(game, identify(tokens), known()))

    @routes.post("/games/<game>/advice")
    @documented(
        Operation(
            TAG,
            "Ask the rules: quotes, reach, chances, faults of a draft, from what this viewer sees",
            {200: Answer("The answer; its form is that of the question's type", View)},
            Question,
            problems=("unknown_id",),
        )
    )
    def advice(game: str) -> Response:
        return json_response(reads.advice(game, identify(tokens), read(Question, json_body())))

    @routes.get("/games/<game>/map")
    @documented(
        Operation(
            TAG,
            "The map; as image/svg+xml a drawing; with `layer` that layer, as JSON the table of what its drawing shows",
            {
                200: Answer(
                    "What this viewer sees of the map; with `layer` its layer, title, layers, columns and rows",
                    View,
                    other=(SVG,),
                ),
                304: UNCHANGED,
            },
            parameters=(_LAYER, IF_NONE_MATCH),
            problems=("malformed", "not_acceptable"),
        )
    )
    def map_(game: str) -> Response:
        layer = request.args.get("layer")
        if wanted(JSON, SVG) == SVG:
            return conditional(context.pages.drawing(game, identify(tokens), known(), layer), SVG)
        if layer is not None:
            return conditional(context.pages.layer(game, identify(tokens), known(), layer))
        return conditional(reads.page(game, "map", identify(tokens), known()))

    for name in page_names():
        if name != "map":
            _page_route(routes, context, name)

    @routes.get("/games/<game>/turns/<int:n>")
    @documented(
        Operation(
            TAG,
            "What is known of one turn, round or year: its certificates and its report",
            {200: Answer("The turn", TurnView), 304: UNCHANGED},
            parameters=(*PAGING, IF_NONE_MATCH),
            problems=("malformed",),
        )
    )
    def turn(game: str, n: int) -> Response:
        after, limit = number("after", 0, 0, 10**12), number("limit", MOST_A_PAGE, 1, MOST_A_PAGE)
        return conditional(context.proofs.turn(game, n, identify(tokens), after, limit, known()))

    @routes.get("/games/<game>/inputs/<id>")
    @documented(
        Operation(
            TAG,
            "What became of an input, to its actor and to operators",
            {
                200: Answer("The judgement", JudgementView),
                202: Answer("Not judged yet (only if `hash` is given)", JudgementView),
            },
            scope="read",
            parameters=(_HASH,),
            problems=("key_reused",),
        )
    )
    def input_(game: str, id: str) -> Response:
        status, body = reads.input(game, id, require(tokens, "read"), request.args.get("hash"))
        return json_response(body, status=status, headers={"Cache-Control": "private, no-cache"})

    @routes.get("/games/<game>/messages")
    @documented(
        Operation(
            TAG,
            "What was said, as far as this viewer may read it: chat, mail and battle plans, in the order of time",
            {200: Answer("A page of messages", MessageList), 304: UNCHANGED},
            parameters=(_CHANNEL, *PAGING, IF_NONE_MATCH),
            problems=("malformed",),
        )
    )
    def messages(game: str) -> Response:
        after, limit = place(request.args.get("after", "")), number("limit", 100, 1, MOST_A_PAGE)
        channel = request.args.get("channel")
        return conditional(context.conversations.page(game, identify(tokens), channel, after, limit, known()))

    @routes.get("/games/<game>/notices")
    @documented(
        Operation(
            TAG,
            "What concerned this player herself, the newest first: attacks on her, pending choices, reminders",
            {200: Answer("A page of notices", NoticeList), 304: UNCHANGED},
            scope="read",
            parameters=(_OLDER, PAGING[1], IF_NONE_MATCH),
            problems=("malformed",),
        )
    )
    def notices(game: str) -> Response:
        after, limit = request.args.get("after", ""), number("limit", 100, 1, MOST_A_PAGE)
        return conditional(context.notices.page(game, require(tokens, "read"), after, limit, known()))

    @routes.delete("/games/<game>/messages/<message>")
    @documented(
        Operation(
            TAG,
            "Remove the text of a message, as a moderator; its hash stays in the log",
            {204: Answer("Done; nothing comes back")},
            scope="operate",
        )
    )
    def unsay(game: str, message: str) -> Response:
        require(tokens, "operate")
        context.conversations.remove(game, message)
        return Response(status=204)

    @routes.get("/games/<game>/certificates")
    @documented(
        Operation(
            TAG,
            "The certificates of the game's resolutions: seeds, digests, hashes",
            {200: Answer("A page of certificates", CertificateList), 304: UNCHANGED},
            parameters=(*PAGING, IF_NONE_MATCH),
            problems=("malformed",),
        )
    )
    def certificates(game: str) -> Response:
        after, limit = number("after", 0, 0, 10**9), number("limit", 100, 1, MOST_A_PAGE)
        return conditional(context.proofs.listed(game, after, limit, known()))

    return routes


def _page_route(routes: Blueprint, context: Context, name: str) -> None:
    paged = tells_of_players(name)

    @documented(
        Operation(
            TAG,
            f"{name.capitalize()}: {page_summary(name)}",
            {200: Answer("What this viewer sees of it", View), 304: UNCHANGED},
            parameters=(*(_PLAYERS if paged else ()), IF_NONE_MATCH),
            problems=("malformed",) if paged else (),
        )
    )
    def page(game: str) -> Response:
        after, limit = (after_id(), number("limit", PLAYERS_A_PAGE, 1, PLAYERS_A_PAGE)) if paged else ("", 1)
        return conditional(context.reads.page(game, name, identify(context.tokens), known(), after, limit))

    routes.add_url_rule(f"/games/<game>/{name}", f"page_{name}", page)
