"""A bot in a running game, over HTTP as any client: it looks, gives a command, waits on the stream (docs/bots.md)."""

import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

import urllib3

from warledger.api import Answer, Client, Refused, Unreachable
from warledger.bots.bot import Bot, Command, View
from warledger.bots.feed import Feed

Told = Callable[[Command, Mapping[str, Any]], None]
"""Gets each accepted command and the body of its answer."""

WAKES = frozenset(
    {
        *("round_opened", "extra_attack", "choice_pending", "game_ended"),
        *("time_agreed", "battle_started", "move_ended", "battle_ended"),
    }
)
"""Events after which a player may have something to do, or nothing any more; a bot lets all others pass."""
REFUSED_IN_A_ROW = 10
"""So many commands a bot may lose to those who were faster; more are a fault of its own."""
PATIENCE_SECONDS = 60.0
"""How long a server may be away."""
_REST_SECONDS = 0.5


class HttpSight:
    """What one player sees of a game, asked for with her token. Raises Refused, Unreachable."""

    def __init__(self, client: Client, game: str) -> None:
        self._client = client
        self._game = game
        self.view: View = {**client.get(f"/games/{game}/map"), **client.get(f"/games/{game}/orders")}

    def ask(self, type: str, /, **question: Any) -> View | None:
        try:
            found: Mapping[str, Any] = self._client.post(f"/games/{self._game}/advice", {"type": type, **question}).body
        except Refused as refused:
            if refused.answer.status != 422:
                raise
            return None
        return found


class Player:
    """A bot that plays for the account of a client's token in one game."""

    def __init__(self, client: Client, game: str, bot: Bot, told: Told = lambda _command, _body: None) -> None:
        self._client = client
        self._game = game
        self._bot = bot
        self._told = told
        self._refused = 0

    def act(self) -> bool:
        """Give one command, if the bot has one. Raises Refused, NotJudged, Unreachable.

        True too for a command that is not legal any more, since others were faster: the bot looks again.
        """
        command = self._bot.choose(HttpSight(self._client, self._game))
        if command is None:
            return False
        try:
            answer = self._client.judged(self._given(command))
        except Refused as refused:
            self._refused += 1
            if refused.answer.status not in (200, 422) or self._refused > REFUSED_IN_A_ROW:
                raise
            return True
        self._refused = 0
        self._told(command, answer.body)
        return True

    def play(self) -> None:
        """Go on to the end of the game. Raises Refused, NotJudged, and Unreachable for a server that stays away."""
        feed = Feed(self._client, self._game)
        end = time.monotonic() + PATIENCE_SECONDS
        try:
            while True:
                try:
                    feed.open()
                    while self._acted_and_goes_on():
                        end = time.monotonic() + PATIENCE_SECONDS
                        if not _woken(feed):
                            break
                    else:
                        return
                except (Unreachable, urllib3.exceptions.HTTPError) as error:
                    if time.monotonic() > end:
                        raise Unreachable(str(error)) from None
                time.sleep(_REST_SECONDS)
        finally:
            feed.close()

    def _acted_and_goes_on(self) -> bool:
        """Do everything that there is to do; whether the game has not ended."""
        while self.act():
            pass
        return bool(self._client.get(f"/games/{self._game}")["phase"] != "ended")

    def _given(self, command: Command) -> Answer:
        """The answer to a command. Its key is new; whatever happens on the way, it counts once."""
        key, end = secrets.token_hex(16), time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return self._client.command(self._game, command.type, command.payload, key=key)
            except (Refused, Unreachable) as error:
                if not _worth_repeating(error) or time.monotonic() > end:
                    raise
                rest = _REST_SECONDS if isinstance(error, Unreachable) else _rest_seconds(error.answer)
            time.sleep(rest)


def _worth_repeating(error: Refused | Unreachable) -> bool:
    """Nothing that a rule or the form of the command decided."""
    return isinstance(error, Unreachable) or error.answer.status == 429 or error.answer.status >= 500


def _rest_seconds(answer: Answer) -> float:
    """How long to wait before the same command is sent again: what the answer says, but not for ever."""
    said = answer.headers.get("Retry-After", "")
    return min(float(said), PATIENCE_SECONDS) if said.isascii() and said.isdigit() else _REST_SECONDS


def _woken(feed: Feed) -> bool:
    """Wait for something that may concern the bot; False if the stream broke off before."""
    while (event := feed.next()) is not None:
        if event.split(".")[-2:-1] and event.split(".")[-2] in WAKES:
            return True
    return False
