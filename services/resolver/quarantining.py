"""Games whose rules fail: set aside as they stood before, and released with all that has waited since."""

from typing import Any

import structlog

from services.resolver.admission import Arrival
from services.resolver.games import Games
from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import DeciderFailed, HostedGame
from services.resolver.hosting.judging import Context, Judged, judge, quarantine, refuse
from services.resolver.journal import PartitionStopped
from services.resolver.merge import Merge
from services.resolver.releasing import CatchUp, read_backlog
from services.resolver.writing import OutcomeWriter
from shared.events import Submitted
from shared.log import Log
from shared.rules.interface import Refusal

_logger: Any = structlog.get_logger()


class Quarantine:
    """Sets games of one partition aside and releases them. Used by one thread, that of the sequencer."""

    def __init__(self, log: Log, context: Context, games: Games, merge: Merge, writer: OutcomeWriter) -> None:
        self._log = log
        self._context = context
        self._games = games
        self._merge = merge
        self._writer = writer

    def failed(self, failure: DeciderFailed, arrival: Arrival, submitted: Submitted) -> None:
        """The rules failed on an input: its game is set aside, with the input unjudged; a creation is refused."""
        self._writer.flush()
        game = self._games.again(submitted.game, self._writer.end)
        if game is not None and game.rules is not None:
            self._write(game, failure.cause, arrival.at)
        else:
            refusal = Refusal("internal", "", f"the rules failed on this creation: {failure.cause}")
            self._writer.write(refuse(game, submitted, arrival.at, refusal), None, arrival.at, arrival)

    def set_aside(self, name: str, cause: str, at: int) -> None:
        """Quarantine a game as it stood before its rules failed."""
        self._writer.flush()
        self._write(self._again(name), cause, at)

    def _write(self, game: HostedGame, cause: str, at: int) -> None:
        """Write that a game, folded again since its rules failed, stands still before what comes next."""
        _logger.error("game quarantined", game=game.id, at=at)
        self._writer.write(quarantine(game, cause, self._merge.marks(), at), None, at, "host")

    def _again(self, name: str) -> HostedGame:
        game = self._games.again(name, self._writer.end)
        if game is None:
            raise PartitionStopped(f"game {name} has no journal")
        return game

    def release(self, arrival: Arrival, submitted: Submitted, game: HostedGame) -> None:
        """Release, time shift and catch-up to the partition's marks, in one transaction."""
        assert game.quarantined is not None
        self._writer.flush()
        start, end = game.quarantined.marks, self._merge.marks()
        try:
            judged = judge(game, submitted, arrival.at, self._context)
            due = judged.game.due()
        except DeciderFailed as failure:
            detail = f"the game cannot go on like this, it stays quarantined: {failure.cause}"
            judged = refuse(self._again(game.id), submitted, arrival.at, Refusal("internal", "", detail))
            due = None
        self._merge.pass_over(arrival)
        self._writer.add(judged, due, arrival.at, arrival)
        if judged.game.quarantined is None:
            backlog = read_backlog(self._log, self._games.partition, game.id, start, end)
            self._catch_up(judged, CatchUp(judged.game, backlog, arrival.at, end), arrival.at)
        self._writer.commit()

    def _catch_up(self, released: Judged, catching: CatchUp, at: int) -> None:
        written = list(released.events)
        try:
            for step in catching.steps(self._context):
                self._writer.add(step.judged, step.judged.game.due(), step.at, step.arrival or "deadline")
                written += step.judged.events
        except DeciderFailed as failure:
            game = self._again(released.game.id)
            for event in written:
                fold(game, event)
            self._writer.add(quarantine(game, failure.cause, catching.marks(), at), None, at, "host")
