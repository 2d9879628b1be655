"""A game on its way through a host, for seasons that are recorded and for one that is played now."""

import random
from typing import Any

from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judging import Context, Judged, judge, judge_clock
from shared.events import JournalEvent, Submitted, input_id, salt_of
from shared.rules.interface import Role

BEGIN = 1_767_225_600_000
"""1 January 2026, 00:00 UTC."""
HOUR = 3_600_000


class Season:
    """One game; whatever is whim in it follows from its id.

    It begins with `say("operator", "create_game", game=..., rules=..., create=...)`, the creation in place; `rules`
    keeps the season to its version when a newer one is listed.
    """

    def __init__(self, game: str, context: Context, store: dict[str, bytes]) -> None:
        self.id = game
        self.context = context
        self.store = store
        self.random = random.Random(game)
        self.at = BEGIN
        self.game: HostedGame | None = None
        self.journal: list[JournalEvent] = []
        self.count = 0

    @property
    def hosted(self) -> HostedGame:
        assert self.game is not None
        return self.game

    def say(self, actor: str, type: str, **payload: Any) -> str:
        """Give a command a little later than the last one, after the deadlines before it; returns the verdict."""
        self.at += self.random.randrange(1, 90_000)
        role: Role = "operator" if actor == "operator" else "player"
        self.count += 1
        id = input_id(self.id, actor, str(self.count))
        salt = salt_of(b"season", actor=actor, game=self.id, id=id, payload=payload, role=role, type=type)
        submitted = Submitted(id, self.id, actor, role, type, payload, salt)
        if self.game is not None:
            self.run_clock(self.at - 1)
        verdict = self._keep(judge(self.game, submitted, self.at, self.context)).verdict
        if self.random.randrange(20) == 0:
            self._keep(judge(self.game, submitted, self.at + 1, self.context))  # delivered twice
        return verdict

    def run_clock(self, until: int) -> None:
        """Close what is due up to and with `until`."""
        while (due := self.hosted.due()) is not None and due.at <= until:
            self._keep(judge_clock(self.hosted, due, self.context))

    def close(self) -> None:
        """Let the turn's deadline pass."""
        due = self.hosted.due()
        assert due is not None
        self.run_clock(due.at)
        self.at = due.at

    def _keep(self, judged: Judged) -> Judged:
        self.game = judged.game
        self.journal += judged.events
        return judged

    def state(self) -> dict[str, Any]:
        assert self.hosted.rules is not None
        return self.hosted.rules.encode(self.hosted.state)
