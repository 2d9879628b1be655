"""Players of one war of GXC at a gateway, for locust; how to run it stands in docs/operators.md, Load.

Each user plays one account of the file that `warledger account create --count N --json` printed, from the beginning
again where there are more users. She joins a team, takes a place, energizes once a turn, gives orders, and
looks at the pages of the war as a browser does, which asks again only for what has changed. What the gateway answers
outside the contract of docs/api.md is a failure, and so is an order refused that was legal when it was given.
"""

import itertools
import json
import zlib
from argparse import ArgumentTypeError
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from locust import FastHttpUser, between, events, task
from locust.argument_parser import LocustArgumentParser
from locust.contrib.fasthttp import ResponseContextManager
from locust.env import Environment
from locust.exception import StopUser

DEFENCE = 2
"""Energy that an order asks for: every player has it who has energized."""


def tokens_in(path: str) -> list[str]:
    """The tokens of a file of accounts. Raises ArgumentTypeError, which says what it should be."""
    try:
        found = [json.loads(line)["token"] for line in Path(path).read_text().splitlines()]
    except (OSError, ValueError, KeyError, TypeError):
        found = []
    if not found:
        raise ArgumentTypeError(f"{path} is no file that `warledger account create NAME --count N --json` printed")
    return found


def _options(parser: LocustArgumentParser) -> None:
    parser.add_argument(
        "--people", required=True, type=tokens_in, include_in_web_ui=False, help="File of accounts with their tokens"
    )
    parser.add_argument("--game", required=True, help="Id of a running game of GXC")


def _begin(environment: Environment, **_: object) -> None:
    """Before the first user: the accounts, in turn."""
    assert environment.parsed_options is not None
    Player.tokens = itertools.cycle(environment.parsed_options.people)


# locust has no types for the registration of a listener.
events.init_command_line_parser.add_listener(_options)  # type: ignore[no-untyped-call]
events.test_start.add_listener(_begin)  # type: ignore[no-untyped-call]


class Player(FastHttpUser):
    """One player of the war."""

    wait_time = between(0.2, 1.0)
    tokens: ClassVar[Iterator[str]] = iter(())

    def on_start(self) -> None:
        """Join and take a place; whoever did it in an earlier run is answered as then. Ends the user who cannot."""
        self._game = f"/games/{self.environment.parsed_options.game}"
        self._token = next(type(self).tokens)
        self._tags: dict[str, str] = {}
        self._turn = 0
        territories: Mapping[str, Any] = self._got("/map")["territories"]
        teams = sorted({place["owner"] for place in territories.values() if place["owner"] is not None})
        team = teams[zlib.crc32(self._token.encode()) % len(teams)]
        place = min(id for id, item in territories.items() if item["owner"] == team)
        self._give("join", {"team": team}, key="load-join")
        self._give("place", {"territory": place}, key="load-place")
        self.turn()

    @task(6)
    def order(self) -> None:
        """An order that is answered once it is stored."""
        self._give("set_order", {"defend": DEFENCE}, wait=False)

    @task(2)
    def order_judged(self) -> None:
        """An order that is answered once it is judged, or after two seconds."""
        self._give("set_order", {"defend": DEFENCE})

    @task(4)
    def pages(self) -> None:
        """The map, and her own orders."""
        for page in ("/map", "/orders"):
            self._look(page)

    @task(1)
    def reports(self) -> None:
        """The roster and the reports."""
        for page in ("/roster", "/reports"):
            self._look(page)

    @task(2)
    def turn(self) -> None:
        """Whether another turn is open; then she energizes."""
        turn = self._got("")["turn"]
        if turn != self._turn:
            self._turn = turn
            self._give("energize", {}, key=f"load-energize-{turn}")

    def _got(self, page: str) -> Mapping[str, Any]:
        """A page of the game, whole. Raises StopUser."""
        with self.client.get(
            f"{self._game}{page}", headers=self._headers(), name=f"GET {page or 'game'}", catch_response=True
        ) as answer:
            if answer.status_code != 200:
                answer.failure(_said(answer))
                raise StopUser
            found: Mapping[str, Any] = answer.json()
            return found

    def _look(self, page: str) -> None:
        """A page of the game, if it has changed since she last saw it."""
        headers = self._headers()
        if page in self._tags:
            headers["If-None-Match"] = self._tags[page]
        with self.client.get(f"{self._game}{page}", headers=headers, name=f"GET {page}", catch_response=True) as answer:
            if answer.status_code == 200:
                self._tags[page] = answer.headers["ETag"]
            elif answer.status_code != 304:
                answer.failure(_said(answer))

    def _give(self, type: str, payload: Mapping[str, Any], *, key: str | None = None, wait: bool = True) -> None:
        """A command. An order that met a turn opened meanwhile is refused as `not_energized`, which is no failure."""
        headers = self._headers()
        if key is not None:
            headers["Idempotency-Key"] = key
        if not wait:
            headers["Prefer"] = "respond-async"
        name = f"POST {type}" + ("" if wait else ", respond-async")
        body = {"type": type, "payload": payload}
        with self.client.post(
            f"{self._game}/commands", json=body, headers=headers, name=name, catch_response=True
        ) as answer:
            if answer.status_code == 422 and answer.json()["code"] == "not_energized":
                answer.success()
            elif answer.status_code not in (201, 202):
                answer.failure(_said(answer))

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}


def _said(answer: ResponseContextManager) -> str:
    """Status and text of an answer that should not have been given."""
    return f"{answer.status_code}: {(answer.text or '')[:200]}"
