"""The HTML pages and the drawing of a map: rendered here, read-only, without script."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from services.gateway import presenting
from services.gateway.boards import Boards
from services.gateway.errors_table import error_groups
from services.gateway.names import accounts_in
from services.gateway.presenting import Cell, Table
from services.gateway.proofs import Proofs
from services.gateway.reads import GAME_KIND, Audience, Known, Reads, Seen, rules_at
from services.gateway.telling import Names, told
from services.gateway.tokens import Identity
from shared.errors import Problem
from shared.events import split_type
from shared.maps.model import Map
from shared.maps.svg import render_svg
from shared.maps.table import equal_table
from shared.rules.interface import Sentence, sentences_of
from shared.views import Certificate, FeedEntry, Head

_HERE = Path(__file__).parent
_OWNERS = ("team", "nation", "seat")
_GAMES_A_PAGE = 200
_REPORT_LINES = 60
_Owners = tuple[tuple[str, str | None], ...]
_Names = tuple[tuple[str, str], ...]
_TAGS = ("accounts", "games", "site", "health")


class Report(NamedTuple):
    """What everybody may know of the last resolution, as lines."""

    title: str
    lines: list[str]
    more: int
    link: str


class GamePage(NamedTuple):
    """What the page of a game shows."""

    id: str
    title: str
    lead: str
    facts: list[tuple[str, Cell]]
    drawing: str | None
    ranking: Table | None
    report: Report | None
    tables: list[Table]
    certificate: Mapping[str, Any] | None


class Pages:
    """The pages of the gateway."""

    def __init__(self, reads: Reads, proofs: Proofs, boards: Boards) -> None:
        self._reads = reads
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
                "turn": game.get("turn", game.get("round", "")),
                "deadline": presenting.moment(game["turn_deadline"]) if game.get("turn_deadline") else None,
            }
            for game in found["games"]
        ]
        return _render("index.html", games=games, more=found["next"])

    def game(self, game: str, identity: Identity | None, known: Known) -> Seen:
        """The page of a game."""

        def body(head: Head, audience: Audience) -> str:
            return _render("game.html", page=self._page(head, audience))

        return self._reads.tagged(game, identity, known, body, "html", named=True)

    def drawing(self, game: str, identity: Identity | None, known: Known) -> Seen:
        """The map as SVG. Raises Problem `not_acceptable` for a game without a map to draw."""

        def body(head: Head, audience: Audience) -> str:
            view = self._reads.view(head, audience, self._kinds(head))
            board = self._boards.of(head, presenting.places_of(view))
            if board is None:
                raise Problem("not_acceptable", "this game has no map that can be drawn; application/json is available")
            return _drawing(head, board, view)

        return self._reads.tagged(game, identity, known, body, "svg")

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

    def _page(self, head: Head, audience: Audience) -> GamePage:
        view = self._reads.view(head, audience, self._kinds(head))
        places = presenting.places_of(view)
        board = self._boards.of(head, places)
        newest = self._proofs.newest_certificate(head)
        return GamePage(
            id=head.game,
            title=head.game,
            lead=_lead(head, view),
            facts=presenting.facts_of(view),
            drawing=_drawing(head, board, view) if board else None,
            ranking=presenting.standing(view),
            report=self._report(head, newest, view),
            tables=_tables(view, board),
            certificate=None if newest is None else {"k": newest.k, **newest.fields},
        )

    def _report(self, head: Head, newest: Certificate | None, view: Mapping[str, Any]) -> Report | None:
        """The public outcomes of the last resolution, as lines. Raises HeadMoved."""
        if newest is None:
            return None
        events, more = self._proofs.last_report(head, newest.k, _REPORT_LINES)
        players = self._reads.names.of(accounts_in([event.data for event in events]))
        names = Names(presenting.place_names(view), presenting.names_of(view, "teams"), players)
        sentences = sentences_of(rules_at(head))
        lines = [line for event in events if (line := _line(sentences, event, names))]
        label = str(newest.fields["label"])
        number = label.rpartition(":")[2]
        return Report(presenting.words(label.replace(":", " ")), lines, more, f"/games/{head.game}/turns/{number}")

    @staticmethod
    def _kinds(head: Head) -> tuple[str, ...]:
        """The kinds of the map, and of what owns it: few documents, however many play."""
        pages = rules_at(head).pages
        owners = (kind for page in pages.values() for kind in page.kinds if kind in _OWNERS)
        return tuple(dict.fromkeys((GAME_KIND, *pages["map"].kinds, *owners)))


def _line(sentences: Mapping[str, Sequence[Sentence]], event: FeedEntry, names: Names) -> str | None:
    """An event as the game tells it, else in the words of its fields; None if it gets no line."""
    name = split_type(event.type).name
    if name in sentences:
        return told(sentences[name], event.data, names)
    return presenting.event_line(name, event.data, names.of)


def _lead(head: Head, view: Mapping[str, Any]) -> str:
    phase, turn = view.get("phase"), view.get("turn", view.get("round"))
    where = f", turn {turn}" if isinstance(turn, int) and turn and "turn" in view else ""
    return f"A game of {head.kind}, rules version {head.rules}: {phase or 'running'}{where}."


def _drawing(head: Head, board: Map, view: Mapping[str, Any]) -> str:
    owners = presenting.owners_of(view)
    teams = presenting.names_of(view, "teams")
    turn = view.get("turn")
    subtitle = f"turn {turn}" if isinstance(turn, int) and turn else str(view.get("phase") or "")
    return _svg(board, tuple(sorted(owners.items())), tuple(sorted(teams.items())), head.game, subtitle)


@lru_cache(maxsize=64)
def _svg(board: Map, owners: _Owners, teams: _Names, title: str, subtitle: str) -> str:
    return render_svg(board, dict(owners), dict(teams), title, subtitle)


def _tables(view: Mapping[str, Any], board: Map | None) -> list[Table]:
    """The equal table of the map, or of a game without a drawing every collection of its view."""
    names = presenting.names_in(view)
    if board is None:
        collections = ((name, found) for name, found in view.items() if isinstance(found, Mapping) and name != "config")
        found = (presenting.table_of(name, things, names) for name, things in collections)
        return [presenting.without_empty_columns(table) for table in found if table]
    places = presenting.places_of(view)
    rows: list[tuple[Cell, ...]] = [
        (
            row.name,
            row.owner_name,
            presenting.count_in(places, row.territory_id, "players"),
            presenting.count_in(places, row.territory_id, "energy"),
            row.special,
            ", ".join(row.land_neighbours),
            ", ".join(row.sea_neighbours),
        )
        for row in equal_table(board, presenting.owners_of(view), presenting.names_of(view, "teams"))
    ]
    columns = ("Territory", "Owner", "Players", "Energy", "Special", "Neighbours by land", "Neighbours by sea")
    table = Table("places", "All territories", columns, rows)
    return [presenting.without_empty_columns(table)]


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
