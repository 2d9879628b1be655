"""What a viewer gets to read: each answer is made at one head, from the documents of the viewer's audiences alone."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, NamedTuple, TypeVar

from services.gateway.names import DisplayNames
from services.gateway.rulesets import Rulesets
from services.gateway.spoken import Spoken
from services.gateway.summaries import NOBODY, operators_facts, period_of, rules_at, standing, summary, unknown_game
from services.gateway.tokens import Identity
from services.gateway.writes import check_same
from shared.canonical import sha256_hex
from shared.errors import Problem
from shared.rules.interface import PUBLIC, Refusal, Viewer
from shared.rules.shapes import ID
from shared.rules.showing import Page
from shared.shelf import Shelf
from shared.views import Head, HeadMoved, JudgementView, UnknownGame, Views
from shared.views.ids import notices as notices_feed
from shared.views.reader import COVER

T = TypeVar("T")
Known = Callable[[str], bool]
"""Whether the client has what this ETag stands for."""

GAME_KIND = "game"
NAMED_PAGES = ("roster",)
"""Pages with the names of players beside their ids."""
SPOKEN_PAGES = ("orders",)
"""Pages that show the texts which their view speaks of."""
JSON = "json"
PLAYERS_A_PAGE = 1000
"""Most players that a page tells of at once, and how many if nothing is said."""
_PAGES_KEPT = 64


class Seen(NamedTuple):
    """An answer with its ETag; `body` is None if the client has it already."""

    etag: str
    body: Any


@dataclass(frozen=True, slots=True)
class Audience:
    """Which documents a viewer's answer is made of, and whose changes its ETag counts."""

    viewer: Viewer
    documents: tuple[str, ...] | None
    counted: tuple[str, ...]
    notices: tuple[str, ...] = ()
    """The feeds of the viewer's notices; what is made of them counts these too."""

    @property
    def streamed(self) -> tuple[str, ...]:
        """The feeds of the viewer's stream."""
        return (*self.counted, *self.notices)


class Reads:
    """The read side of the gateway."""

    def __init__(self, views: Views, names: DisplayNames, spoken: Spoken) -> None:
        self.views = views
        self.rulesets = Rulesets(views)
        self.names = names
        self._spoken = spoken
        self._pages: Shelf[str] = Shelf(_PAGES_KEPT)
        self._version = version("warledger")

    def audience(self, head: Head, identity: Identity | None) -> Audience:
        """What this viewer may see at this head. Raises HeadMoved."""
        if identity is None:
            return Audience(NOBODY, PUBLIC, PUBLIC)
        if identity.role == "operator":
            return Audience(Viewer("operator", identity.account), None, ("",))
        audiences = self.views.audiences_of(head, identity.account)
        notices = tuple(notices_feed(audience) for audience in audiences if audience not in PUBLIC)
        return Audience(Viewer("player", identity.account, audiences), audiences, audiences, notices)

    def at_head(self, game: str, answer: Callable[[Head], T]) -> T:
        """What `answer` makes of one head. Raises Problem `unknown_game` or `unavailable`."""
        try:
            return self.views.read(game, answer)
        except UnknownGame:
            raise unknown_game(game) from None
        except HeadMoved:
            raise Problem("unavailable", "the views move too fast; try again", headers={"Retry-After": "1"}) from None

    def view(self, head: Head, audience: Audience, kinds: Iterable[str]) -> dict[str, Any]:
        """The rules' view of the documents of these kinds. Raises HeadMoved."""
        documents = self.views.documents(head, kinds, audience.documents)
        return rules_at(head).view(documents, audience.viewer)

    def tagged(
        self,
        game: str,
        identity: Identity | None,
        known: Known,
        body: Callable[[Head, Audience], Any],
        form: str = JSON,
        *,
        part: str = "",
        named: bool = False,
        spoken: bool = False,
        noticed: bool = False,
    ) -> Seen:
        """A body with its ETag; the body is not made if the client knows it. `form` is the representation, `part` says
        which part of a long list it is.

        `named`: it shows names of players, `spoken`: texts of theirs, neither of which the views know of; `noticed`: it
        shows notices.
        """

        def answer(head: Head) -> Seen:
            audience = self.audience(head, identity)
            beside = (
                self.names.revision() if named else 0,
                self._spoken.revision(game) if spoken else 0,
                operators_facts(head, identity),
            )
            counted = self.views.etag(head, audience.streamed if noticed else audience.counted)
            facts = f"{game}|{counted}|{head.rules}|{beside}|{audience.viewer}|{form}|{part}|{self._version}"
            tag = sha256_hex(facts.encode())[:32]
            return Seen(tag, None if known(tag) else self._made(tag, form, lambda: body(head, audience)))

        return self.at_head(game, answer)

    def _made(self, tag: str, form: str, make: Callable[[], Any]) -> Any:
        """The body; pages and drawings are kept for the next who asks."""
        if form == JSON:
            return make()
        made = self._pages.get(tag)
        if made is None:
            made = make()
            self._pages.put(tag, made)
        return made

    def some(self, head: Head, audience: Audience, page: Page, after: str, limit: int) -> dict[str, Any]:
        """The view of a page: of one that tells of players, those of the next `limit` behind `after`, with `next`, and
        always the viewer herself. Raises HeadMoved."""
        if not page.of_players:
            return self.view(head, audience, page.kinds)
        players, follows = self.views.by_player.listed(head, page.of_players[0], after, limit)
        return {**self._of_players(head, audience, page, players), "next": follows}

    def _of_players(self, head: Head, audience: Audience, page: Page, players: Iterable[str]) -> dict[str, Any]:
        """The view of a page as far as it tells of these players, or of no player. Raises HeadMoved."""
        own = () if audience.viewer.role != "player" else (audience.viewer.actor,)
        others = [kind for kind in page.kinds if kind not in page.of_players]
        documents = [
            *self.views.documents(head, others, audience.documents),
            *self.views.by_player.documents(head, page.of_players, audience.documents, sorted({*players, *own})),
        ]
        return rules_at(head).view(documents, audience.viewer)

    def page(
        self,
        game: str,
        name: str,
        identity: Identity | None,
        known: Known,
        after: str = "",
        limit: int = PLAYERS_A_PAGE,
    ) -> Seen:
        """One page of a game, of many players some at a time. Raises Problem `not_found` if it has no such page."""

        def body(head: Head, audience: Audience) -> Any:
            pages = rules_at(head).pages
            if name not in pages:
                raise Problem("not_found", f"{head.kind} has no page {name}; it has {', '.join(sorted(pages))}")
            view = self.some(head, audience, pages[name], after, limit)
            players = rules_at(head).parts.players
            if named:
                self.names.put_beside(view.get(players, {}))
            if spoken:
                self._spoken.put_into(head.game, {name: part for name, part in view.items() if name != players})
            return view

        named, spoken = name in NAMED_PAGES, name in SPOKEN_PAGES
        return self.tagged(game, identity, known, body, part=f"{after}|{limit}", named=named, spoken=spoken)

    def game(self, game: str, identity: Identity | None, known: Known) -> Seen:
        """A game's own fields."""

        def body(head: Head, audience: Audience) -> Any:
            view = self.view(head, audience, (GAME_KIND,))
            return {
                **summary(head),
                **operators_facts(head, identity),
                **view,
                "period": period_of(head, view),
                "pages": sorted(rules_at(head).pages),
            }

        return self.tagged(game, identity, known, body)

    def advice(self, game: str, identity: Identity | None, question: dict[str, Any]) -> dict[str, Any]:
        """What the rules advise, from what this viewer sees. Raises Problem with the code of a refusal."""

        def answer(head: Head) -> dict[str, Any] | Refusal:
            rules = rules_at(head)
            pages = rules.pages.values()
            kinds = dict.fromkeys((GAME_KIND, *(kind for page in pages for kind in page.kinds)))
            of_players = dict.fromkeys(kind for page in pages for kind in page.of_players)
            everything = Page("everything", tuple(kinds), "", tuple(of_players))
            asked = question.get("player")
            about = (asked,) if isinstance(asked, str) and ID.match(asked) else ()
            return rules.advise(self._of_players(head, self.audience(head, identity), everything, about), question)

        given = self.at_head(game, answer)
        if isinstance(given, Refusal):
            raise Problem(given.code, given.detail, status=422, fields={"rule": given.rule})
        return given

    def games(self, after: str, limit: int, identity: Identity | None = None) -> dict[str, Any]:
        """A page of the list of games, with the fields that tell where each stands."""
        for _ in range(100):
            heads = self.views.games(after, limit + 1)
            try:
                found = self.views.one_each(heads[:limit], GAME_KIND, GAME_KIND, PUBLIC[0])
            except HeadMoved:
                continue
            listed = [
                {**summary(head), **operators_facts(head, identity), **standing(head, found.get(head.game))}
                for head in heads[:limit]
            ]
            return {"games": listed, "next": heads[limit - 1].game if len(heads) > limit else None}
        raise Problem("unavailable", "the views move too fast; try again", headers={"Retry-After": "1"})

    def input(self, game: str, id: str, identity: Identity, hash: str | None) -> tuple[int, dict[str, Any]]:
        """The judgement of an input, to its actor and to operators: 200; 202 while a receipt's hash has none.

        A creation that was refused is judged too, though no game came of it. Raises Problem `unknown_game`,
        `not_found`, `key_reused`.
        """
        found = self.views.judgement(game, id)
        if found is None or (identity.role != "operator" and found.actor != identity.account):
            if hash is None:
                self.rulesets.kind_of(game)
                raise Problem("not_found", "no such input of yours, or not judged yet; `hash` of a receipt tells which")
            return 202, {"id": id, "game": game, "status": "pending"}
        if hash is not None:
            check_same(hash, found)
        cover = self.at_head(game, lambda head: self._cover(head, found)) if found.verdict == "accepted" else None
        return 200, {
            "id": id,
            "game": game,
            "status": found.verdict,
            "type": found.type,
            "hash": found.hash,
            "at": found.at,
            "code": found.code,
            "rule": found.rule,
            "detail": found.detail,
            "outcome": [{"type": event.type, "data": event.data} for event in found.events],
            "complete": found.complete,
            "traceparent": found.traceparent,
            "cover": cover,
        }

    def _cover(self, head: Head, judged: JudgementView) -> Mapping[str, Any] | None:
        """The certificate that covers a private input, and the path to its root. Raises HeadMoved."""
        command = rules_at(head).commands.get(judged.type)
        if command is None or not command.private:
            return None
        found = self.views.one(head, COVER, judged.input, f"player:{judged.actor}")
        return None if found is None else found.fields
