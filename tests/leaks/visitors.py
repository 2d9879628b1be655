"""What a visitor asks of every operation of the API, and everything that she gets."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from shared.events import input_id
from tests.counts import COUNTS
from tests.leaks.house import Drawn, House
from tests.leaks.war import GAME, TRACE, Person, War

HTML = "text/html"
SVG = "image/svg+xml"


class Got(NamedTuple):
    """One answer, whole."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


Heard = dict[str, Got]
"""By question: who asked what, and when."""


class Visitor:
    """Somebody who looks, or nobody in particular; keeps every answer."""

    def __init__(self, war: War, drawn: Drawn, who: str, when: str, heard: Heard) -> None:
        self.war = war
        self.who = who
        self.when = when
        self.person: Person | None = war.people.get(who)
        self.operation = ""
        self._house: House = war.house
        self._drawn = drawn
        self._heard = heard
        self._count = 0

    def ask(
        self,
        path: str,
        body: Any = None,
        *,
        method: str | None = None,
        app: str = "gateway",
        token: str | None = None,
        **headers: str,
    ) -> Got:
        """Send a request; the method is that of the operation if none is given."""
        self._count += 1
        self._drawn.begin(f"{self.when}|{self.who}|{self._count}")
        verb = method or self.operation.split()[0]
        sent = {"traceparent": TRACE, **{name.replace("_", "-"): item for name, item in headers.items()}}
        bearer = token or (self.person.token if self.person else None)
        if bearer:
            sent["Authorization"] = f"Bearer {bearer}"
        answer = self._house.apps[app].test_client().open(path, method=verb, json=body, headers=sent)
        got = Got(answer.status_code, tuple(sorted(answer.headers.items())), answer.data)
        shown = {name: "known" if name == "If_None_Match" else item for name, item in headers.items()}
        about = "" if body is None else f" {body}"
        self._heard[f"{self.when}, {self.who} #{self._count}: {verb} {path} {shown or ''}{about}"] = got
        return got

    def look(self, path: str, *forms: str) -> None:
        """GET a page in each form."""
        for form in forms or ("application/json",):
            self.ask(path, Accept=form)

    def look_closely(self, path: str) -> None:
        """GET a page, its head, and it again with what is known."""
        first = self.ask(path)
        self.ask(path, method="HEAD")
        assert self.ask(path, If_None_Match=dict(first.headers)["ETag"]).status == 304

    def command(self, type: str, payload: Mapping[str, Any], **headers: str) -> None:
        """Give a command under a key of its own."""
        key = re.sub("[^a-z0-9]+", "-", f"{self.when}-{self.who}-{self._count}")
        headers.setdefault("Idempotency_Key", key)
        self.ask(f"/games/{GAME}/commands", {"type": type, "payload": payload}, **headers)


Recipe = Callable[[Visitor], None]


def _page(name: str, *forms: str) -> Recipe:
    return lambda visitor: visitor.look(f"/games/{GAME}{name}", *forms)


def layered(*names: str) -> Recipe:
    """The map of a game in each of its layers, as table and drawing, and on the page."""

    def recipe(visitor: Visitor) -> None:
        RECIPES["GET /games/{game}/map"](visitor)
        for name in names:
            visitor.look(f"/games/{GAME}/map?layer={name}", "application/json", SVG)
            visitor.look(f"/games/{GAME}?layer={name}", HTML)

    return recipe


def _site(path: str) -> Recipe:
    return lambda visitor: visitor.ask(path) and None


def _games(visitor: Visitor) -> None:
    visitor.look("/games?limit=5")
    visitor.ask("/games?after=vvv")


def _of_players(name: str) -> Recipe:
    """A page that tells of players: all at once, and some at a time."""

    def recipe(visitor: Visitor) -> None:
        visitor.look_closely(f"/games/{GAME}{name}")
        for query in ("?limit=1", f"?limit=2&after={visitor.war.id('r1')}", "?after=zz", "?after=x|y"):
            visitor.ask(f"/games/{GAME}{name}{query}")

    return recipe


def _messages(visitor: Visitor) -> None:
    for query in ("", "?channel=public", "?channel=team:red", "?channel=team:blue", "?limit=1", "?after=x", "?limit=0"):
        visitor.ask(f"/games/{GAME}/messages{query}")
    visitor.look_closely(f"/games/{GAME}/messages")


def _notices(visitor: Visitor) -> None:
    for query in ("", "?limit=1", "?after=player:x=1;team:red=9", "?after=notices:team:red=9", "?after=x"):
        visitor.ask(f"/games/{GAME}/notices{query}")


def _turns(visitor: Visitor) -> None:
    for turn in (0, 1, 2, 3, 4, 5):
        visitor.look(f"/games/{GAME}/turns/{turn}")
    visitor.ask(f"/games/{GAME}/turns/2?limit=2")


def _inputs(visitor: Visitor) -> None:
    """Her own, those of red under keys that red uses in one telling alone, and one that nobody ever sent."""
    red = [input_id(GAME, visitor.war.id("r1"), key) for key in ("again", "settle-1")]
    own = [input_id(GAME, visitor.war.id(visitor.who), "own")] if visitor.person else []
    for id in (*red, *own, "0" * 32, "x"):
        visitor.ask(f"/games/{GAME}/inputs/{id}")
        visitor.ask(f"/games/{GAME}/inputs/{id}?hash={'0' * 64}")


def _streams(visitor: Visitor) -> None:
    """Here the stream itself, there the way to it."""
    path = f"/games/{GAME}/stream"
    visitor.ask(path)
    for query in ("", "?after=start", "?after=public=3", "?after=public=0;team:red=0", "?after=x"):
        visitor.ask(f"{path}{query}", app="streams")
    visitor.ask(path, app="streams", Last_Event_ID="public=5")
    visitor.ask(path, app="streams", method="HEAD")


def _chronicle(visitor: Visitor) -> None:
    visitor.ask(f"/games/{GAME}/chronicle")
    visitor.ask(f"/games/{GAME}/chronicle", app="streams")


def _certificates(visitor: Visitor) -> None:
    visitor.look(f"/games/{GAME}/certificates")
    visitor.ask(f"/games/{GAME}/certificates?after=1&limit=1")


def _advice(visitor: Visitor) -> None:
    red = visitor.war.id("r1")
    for question in (
        {"type": "reach"},
        {"type": "reach", "player": red},
        {"type": "set_order", "payload": {"attack": {"target": "lakeholm", "energy": 2}}},
        {"type": "set_order", "player": red, "payload": {"defend": 1}},
        {},
    ):
        visitor.ask(f"/games/{GAME}/advice", question)


def _quotes(visitor: Visitor) -> None:
    for query in ("", "?order=claim&zone=lakeholm"):
        visitor.ask(f"/games/{GAME}/quotes{query}")


def _commands(visitor: Visitor) -> None:
    """What is refused tells as little as what is accepted: polls, nominations and offices of red are probed."""
    red = visitor.war.id("r1"), visitor.war.id("r3")
    visitor.command("energize", {})
    visitor.command("set_order", {"defend": 1})
    visitor.command("set_order", {"attack": {"target": "lakeholm", "energy": 2}})
    visitor.command("set_order", {"attack": {"target": "fenwick", "energy": 10**6}})
    visitor.command("set_order", {"move_to": "gorsey"})
    visitor.command("clear_order", {}, Prefer="respond-async")
    visitor.command("chat", {"channel": "all", "text": "Who goes there?"})
    visitor.command("chat", {"channel": "team", "text": "Nothing to be seen."}, Idempotency_Key="own")
    for poll in ("red-1", "red-2", "red-3", "blue-1"):
        visitor.command("vote", {"poll": poll, "choice": "yes"})
    for kind in ("commander", "impeach", "spy"):
        for target in red:
            visitor.command("nominate", {"kind": kind, "target": target})
    visitor.command("edit_battle_plan", {"text": "x"})
    visitor.command("activate_shield", {})
    visitor.command("vote_shield", {"choice": "yes"})
    visitor.command("place", {"territory": "gorsey"})
    visitor.command("join", {"team": "green"})
    visitor.command("close_turn", {"turn": 3})
    visitor.command("no_such_command", {})
    visitor.command("energize", {}, Idempotency_Key="again")


def _new_games(visitor: Visitor) -> None:
    visitor.ask("/games", {"id": GAME, "game": "gxc", "create": {}})


def _removal(visitor: Visitor) -> None:
    for message in (input_id(GAME, visitor.war.id("r1"), "again"), "0" * 32):
        visitor.ask(f"/games/{GAME}/messages/{message}")


def _names(visitor: Visitor) -> None:
    for name in ("r1", "r5", "b1"):
        visitor.ask(f"/accounts/{visitor.war.id(name)}")
    visitor.ask("/accounts/u0000000000000000")


def _guest(visitor: Visitor) -> tuple[str, str]:
    """Name and token of an account made for one question."""
    name = f"guest {visitor.when} {visitor.who} {visitor.operation}"[:40]
    visitor.ask("/accounts", {"name": name, "password": "a long password"}, method="POST")
    got = visitor.ask("/tokens", {"name": name, "password": "a long password"}, method="POST")
    return name, got.body.decode().split('"token":"')[1].split('"')[0]


def _guests(act: Callable[[Visitor, str, str], object]) -> Recipe:
    def recipe(visitor: Visitor) -> None:
        name, token = _guest(visitor)
        act(visitor, name, token)

    return recipe


RECIPES: Mapping[str, Recipe] = {
    "GET /": _site("/"),
    "GET /docs": _site("/docs"),
    "GET /docs/errors": _site("/docs/errors"),
    "GET /openapi.json": _site("/openapi.json"),
    "GET /verify_turn.py": _site("/verify_turn.py"),
    "GET /livez": _site("/livez"),
    "GET /readyz": _site("/readyz"),
    "GET /metrics": _site("/metrics"),
    "POST /accounts": lambda visitor: visitor.ask("/accounts", {"name": "r1", "password": "a long password"}) and None,
    "GET /accounts/{account}": _names,
    "GET /accounts/me": lambda visitor: visitor.ask("/accounts/me") and None,
    "PATCH /accounts/me": _guests(
        lambda visitor, name, token: visitor.ask("/accounts/me", {"name": f"{name}!"[-40:]}, token=token)
    ),
    "DELETE /accounts/me": _guests(lambda visitor, _name, token: visitor.ask("/accounts/me", token=token)),
    "POST /tokens": lambda visitor: visitor.ask("/tokens", {"name": "r1", "password": "guessed guess"}) and None,
    "DELETE /tokens": _guests(lambda visitor, _name, token: visitor.ask("/tokens", token=token)),
    "GET /games": _games,
    "POST /games": _new_games,
    "GET /games/{game}": _page("", "application/json", HTML),
    "POST /games/{game}/advice": _advice,
    "GET /games/{game}/certificates": _certificates,
    "GET /games/{game}/chronicle": _chronicle,
    "POST /games/{game}/commands": _commands,
    "GET /games/{game}/inputs/{id}": _inputs,
    "GET /games/{game}/mail": _page("/mail"),
    "GET /games/{game}/map": _page("/map", "application/json", SVG),
    "GET /games/{game}/messages": _messages,
    "DELETE /games/{game}/messages/{message}": _removal,
    "GET /games/{game}/notices": _notices,
    "GET /games/{game}/orders": _of_players("/orders"),
    "GET /games/{game}/polls": _page("/polls"),
    "GET /games/{game}/quotes": _quotes,
    "GET /games/{game}/reports": _page("/reports"),
    "GET /games/{game}/roster": _of_players("/roster"),
    "GET /games/{game}/stream": _streams,
    "GET /games/{game}/turns/{n}": _turns,
}
"""Operation -> what is asked of it. An operation without a recipe fails a test."""

VISITORS = ("nobody", "o1", "b1", "b2", "b3", "g1", "rx")


def visit(
    war: War,
    drawn: Drawn,
    when: str,
    *,
    writes: bool = True,
    visitors: Sequence[str] = VISITORS,
    recipes: Mapping[str, Recipe] = RECIPES,
) -> Heard:
    """Everything that every visitor gets: all of them write, then all read."""
    heard: Heard = {}
    reading = [operation for operation in recipes if operation.startswith("GET")]
    writing = [operation for operation in recipes if operation not in reading]
    for part, operations in (("writes", writing if writes else ()), ("reads", reading)):
        for who in visitors:
            visitor = Visitor(war, drawn, who, f"{when}, {part}", heard)
            for operation in operations:
                visitor.operation = operation
                recipes[operation](visitor)
    return heard


_COMMITMENTS = (
    re.compile(rb'("(?:digest|public|sealed|previous)":")[0-9a-f]{64}'),
    re.compile(rb'("leaves":\[)[^\]]*'),
    re.compile(rb'(digest of its inputs <code class="hash">)[0-9a-f]{64}'),
    re.compile(rb'(,"hash":")[0-9a-f]{64}(?="}\n)'),
)
"""Of certificates, of leaves, of a page, and the running hash of an export that covers them."""

_OPAQUE = (
    re.compile(rb'("(?:public|sealed|previous|private)":")[0-9a-f]{64}'),
    re.compile(rb'("path":\[)"[0-9a-f]{64}"(?:,"[0-9a-f]{64}"){47}'),
    re.compile(rb'(,"hash":")[0-9a-f]{64}(?="}\n)'),
)
"""What covers private commands; all of it has one length. Leaves and digests do not cover them."""


def blanked(heard: Heard, *, counted: bool = True) -> Heard:
    """The answers without the commitments: hashes that cover secrets; if these are `counted`, also the leaves and
    digests of inputs, and the length of what holds them."""
    return {question: _blanked(got, counted) for question, got in heard.items()}


def _blanked(got: Got, counted: bool) -> Got:
    headers = tuple(item for item in got.headers if item[0] != "Content-Length") if counted else got.headers
    return Got(got.status, headers, blank(got.body, counted=counted))


def blank(data: bytes, *, counted: bool = True) -> bytes:
    """Some bytes without the commitments in them."""
    for commitment in _COMMITMENTS if counted else _OPAQUE:
        data = commitment.sub(rb"\1", data)
    return data


def same(one: Heard, other: Heard) -> None:
    """Assert that the same questions got the same answers."""
    assert list(one) == list(other)
    COUNTS.add("secrets", "answers compared, byte for byte", len(one))
    different = [question for question in one if one[question] != other[question]]
    assert not different, _difference(different, one, other)


def _difference(different: list[str], one: Heard, other: Heard) -> str:
    first = different[0]
    one_text, other_text = str(one[first]), str(other[first])
    start = next((n for n, pair in enumerate(zip(one_text, other_text, strict=False)) if len(set(pair)) > 1), 0)
    shown = "\n".join(text[max(0, start - 200) : start + 200] for text in (one_text, other_text))
    listed = "\n".join(different[:20])
    return f"{len(different)} answers differ:\n{listed}\nthe first, where it differs:\n{shown}"
