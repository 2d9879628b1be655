"""The HTML pages and the drawings of maps: rendered here, read-only, without script."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from services.gateway import pictures, presenting
from services.gateway.boards import Boards
from services.gateway.errors_table import error_groups
from services.gateway.layers import layer_named
from services.gateway.names import accounts_in
from services.gateway.notices import Notices
from services.gateway.presenting import Cell, Moment, Table
from services.gateway.proofs import Proofs
from services.gateway.reads import Audience, Known, Reads, Seen
from services.gateway.summaries import PHASE, period_of, rules_at
from services.gateway.surface import surface_of
from services.gateway.telling import Names, table_of_sheet, told
from services.gateway.tokens import Identity
from shared.errors import Problem
from shared.events import split_type
from shared.maps.model import Map
from shared.rules.interface import Layer, Parts, Sentence, sentences_of, sheets_of
from shared.views import Certificate, FeedEntry, Head

_HERE = Path(__file__).parent
_GAMES_A_PAGE = 200
_REPORT_LINES = 60
_TAGS = ("accounts", "games", "site", "health")


class Report(NamedTuple):
    """What everybody may know of the last resolution, as lines."""

    title: str
    lines: list[str]
    more: bool
    link: str


class GamePage(NamedTuple):
    """What the page of a game shows."""

    id: str
    title: str
    lead: str
    facts: list[tuple[str, Cell]]
    drawing: str | None
    layer: Layer
    layers: tuple[Layer, ...]
    notices: list[str]
    ranking: Table | None
    report: Report | None
    sheets: list[Table]
    tables: list[Table]
    certificate: Mapping[str, Any] | None


class Pages:
    """The pages of the gateway."""

    def __init__(self, reads: Reads, proofs: Proofs, boards: Boards, notices: Notices) -> None:
        self._reads = reads
        self._notices = notices
        self._proofs = proofs
        self._boards = boards
        self._reference: str | None = None

    def index(self, after: str = "") -> str:
        """The front page."""
        found = self._reads.games(after, _GAMES_A_PAGE)
        games = [
            {
                "id": game["id"],
                "kind": game["kind"],
                "rules": game["rules"],
                "phase": presenting.words(str(game.get("phase", ""))),
                "period": _numbered(game["period"]),
                "deadline": _deadline(game["period"]),
            }
            for game in found["games"]
        ]
        return _render("index.html", games=games, more=found["next"])

    def game(self, game: str, identity: Identity | None, known: Known, layer: str | None = None) -> Seen:
        """The page of a game, with a layer of its map. Raises Problem `malformed` for one that there is not."""

        def body(head: Head, audience: Audience) -> str:
            return _render("game.html", page=self._page(head, audience, layer_named(rules_at(head).parts, layer)))

        return self._reads.tagged(game, identity, known, body, "html", part=layer or "", named=True, noticed=True)

    def drawing(self, game: str, identity: Identity | None, known: Known, layer: str | None = None) -> Seen:
        """A layer of the map as SVG. Raises Problem `malformed` for one that the map does not have, `not_acceptable`
        for a game without a map to draw."""

        def body(head: Head, audience: Audience) -> str:
            found = layer_named(rules_at(head).parts, layer)
            view, board = self._map(head, audience)
            if board is None:
                raise Problem("not_acceptable", "this game has no map that can be drawn; application/json is available")
            return _drawing(head, board, view, found)

        return self._reads.tagged(game, identity, known, body, "svg", part=layer or "", named=True)

    def layer(self, game: str, identity: Identity | None, known: Known, layer: str) -> Seen:
        """A layer of the map as a table in JSON, be there a drawing or not. Raises Problem `malformed` for one that the
        map does not have, `not_acceptable` for a game without places."""

        def body(head: Head, audience: Audience) -> dict[str, Any]:
            parts = rules_at(head).parts
            found = layer_named(parts, layer)
            view, board = self._map(head, audience)
            if not presenting.places_of(view, parts):
                raise Problem("not_acceptable", "this game has no map")
            return pictures.layer_view(board, view, parts, found)

        return self._reads.tagged(game, identity, known, body, part=f"layer {layer}", named=True)

    def _map(self, head: Head, audience: Audience) -> tuple[dict[str, Any], Map | None]:
        """What a viewer sees of a map, and the map, if it can be drawn."""
        view = surface_of(self._reads, head, audience)
        return view, self._boards.of(head, presenting.places_of(view, rules_at(head).parts))

    def reference(self, document: dict[str, Any]) -> str:
        """The API reference; the document of a process never changes."""
        if self._reference is None:
            self._reference = _reference_of(document)
        return self._reference

    def errors(self) -> str:
        """The table of error codes."""
        groups = error_groups()
        first = {row.code: group.title for group in reversed(groups) for row in group.codes}
        return _render("errors.html", groups=groups, first=first)

    def _page(self, head: Head, audience: Audience, layer: Layer) -> GamePage:
        view = surface_of(self._reads, head, audience, sheets_of(rules_at(head)).kinds)
        parts = _parts_now(head, view)
        board = self._boards.of(head, presenting.places_of(view, parts))
        newest = self._proofs.certificates.newest(head)
        return GamePage(
            id=head.game,
            title=head.game,
            lead=_lead(head, view),
            facts=presenting.facts_of(view, parts),
            drawing=_drawing(head, board, view, layer) if board else None,
            layer=layer,
            layers=parts.layers,
            notices=self._notices.lines(head, audience),
            ranking=presenting.standing(view, parts),
            report=self._report(head, newest, view),
            sheets=self._sheets(head, view),
            tables=pictures.tables(view, parts, board),
            certificate=None if newest is None else {"k": newest.k, **newest.fields},
        )

    def _report(self, head: Head, newest: Certificate | None, view: Mapping[str, Any]) -> Report | None:
        """The public outcomes of the last resolution, as lines. Raises HeadMoved."""
        if newest is None:
            return None
        events, more = self._proofs.last_outcomes(head, newest.k, _REPORT_LINES)
        players = self._reads.names.of(accounts_in([event.data for event in events]))
        rules = rules_at(head)
        names = Names(presenting.place_names(view, rules.parts), presenting.side_names(view, rules.parts), players)
        silent = (rules.period.name,) if rules.period else ()
        lines = [line for event in events if (line := _line(sentences_of(rules), event, names, silent))]
        label = str(newest.fields["label"])
        number = rules.period.number_of(label) if rules.period else None
        link = f"/games/{head.game}/{'chronicle' if number is None else f'turns/{number}'}"
        return Report(presenting.words(label.replace(":", " ")), lines, more, link)

    def _sheets(self, head: Head, view: Mapping[str, Any]) -> list[Table]:
        """What the game shows of its own."""
        rules = rules_at(head)
        sheets = [sheet for sheet in sheets_of(rules).of(view) if sheet.rows]
        players = self._reads.names.of(accounts_in([sheet.rows for sheet in sheets]))
        names = Names(presenting.place_names(view, rules.parts), presenting.side_names(view, rules.parts), players)
        return [presenting.without_empty_columns(table_of_sheet(sheet, names)) for sheet in sheets]


def _parts_now(head: Head, view: Mapping[str, Any]) -> Parts:
    """The parts of the view, with counts only while a period is open: at its close places went to others than those
    who had at its opening what was counted there."""
    parts = rules_at(head).parts
    period = period_of(head, view)
    return parts if period is None or period["close"] is not None else replace(parts, counts=())


def _line(
    sentences: Mapping[str, Sequence[Sentence]], event: FeedEntry, names: Names, silent: Sequence[str]
) -> str | None:
    """An event as the game tells it, else in the words of its fields; None if it gets no line."""
    name = split_type(event.type).name
    if name in sentences:
        return told(sentences[name], event.data, names)
    return presenting.event_line(name, event.data, names.of, silent)


def _numbered(period: Mapping[str, Any] | None) -> str:
    """`turn 3`, or nothing before the first."""
    return f"{period['name']} {period['n']}" if period and period["n"] else ""


def _deadline(period: Mapping[str, Any] | None) -> Moment | None:
    return presenting.moment(period["deadline"]) if period and period["deadline"] else None


def _lead(head: Head, view: Mapping[str, Any]) -> str:
    stands = ", ".join(filter(None, (str(view.get(PHASE) or "running"), _numbered(period_of(head, view)))))
    return f"A game of {head.kind}, rules version {head.rules}: {stands}."


def _drawing(head: Head, board: Map, view: Mapping[str, Any], layer: Layer) -> str:
    subtitle = _numbered(period_of(head, view)) or str(view.get(PHASE) or "")
    return pictures.drawing(board, view, rules_at(head).parts, layer, head.game, subtitle)


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _style() -> str:
    return (_HERE / "static" / "style.css").read_text()


def _render(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(style=Markup(_style()), **values)


def _reference_of(document: Mapping[str, Any]) -> str:
    schemas: dict[str, Any] = document["components"]["schemas"]
    commands = {name: item for name, item in schemas.items() if name.startswith("command.")}
    others = {name: item for name, item in sorted(schemas.items()) if name not in commands}
    tags: dict[str, list[dict[str, Any]]] = {}
    for path, item in document["paths"].items():
        shared = item.get("parameters", [])
        for method, operation in item.items():
            if method != "parameters":
                parameters = [*shared, *operation.get("parameters", [])]
                entry = {"path": path, "method": method, "operation": operation, "parameters": parameters}
                tags.setdefault(operation["tags"][0], []).append(entry)
    listed = [{"name": name, "operations": tags[name]} for name in _TAGS if name in tags]
    return _render("reference.html", document=document, tags=listed, commands=commands, schemas=others)
