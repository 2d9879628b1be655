"""The judgement events, and what every judging function takes from outside the journal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.secrets import Secrets
from shared.commands import HOST_COMMANDS
from shared.events import JournalEvent, Submitted
from shared.host_events import ACCEPTED, REJECTED, REPEATED
from shared.rules.interface import OPERATORS, Refusal
from shared.rules.shapes import fault

Steps = Iterator[Sequence[JournalEvent]]
"""Stretches of events, each of the host's or of the rules' alone and none empty; each must be folded into the game
before the next one is asked for."""


@dataclass(frozen=True, slots=True)
class Context:
    """What judging takes from outside the journal: secrets, and the large data that creations name.

    `data` gives the stored bytes of a SHA-256, None if there are none.
    """

    secrets: Secrets
    data: Callable[[str], bytes | None]


def accepted(game: HostedGame, submitted: Submitted, at: int) -> JournalEvent:
    """`input.accepted` at the game's next position."""
    return _judgement(game, ACCEPTED, submitted, at, {})


def rejected(game: HostedGame, submitted: Submitted, at: int, refusal: Refusal) -> JournalEvent:
    """`input.rejected` at the game's next position (ENG-5)."""
    extra = {"code": refusal.code, "rule": refusal.rule, "detail": refusal.detail}
    return _judgement(game, REJECTED, submitted, at, extra)


def repeated(game: HostedGame, submitted: Submitted, at: int) -> JournalEvent | None:
    """`input.repeated` if the id was judged before (ENG-4), else None."""
    first = game.judged.first(submitted.id)
    if first is None:
        return None
    extra = {"first": first.seq, "same": first.hash == submitted.hash()}
    return _judgement(game, REPEATED, submitted, at, extra)


def host_fault(submitted: Submitted) -> str | None:
    """What is wrong with the form of a host command."""
    return fault(HOST_COMMANDS[submitted.type].payload, submitted.payload)


def _judgement(game: HostedGame, type: str, submitted: Submitted, at: int, extra: Mapping[str, Any]) -> JournalEvent:
    given = {
        "actor": submitted.actor,
        "game": submitted.game,
        "id": submitted.id,
        "payload": submitted.payload,
        "role": submitted.role,
        "salt": submitted.salt,
        "type": submitted.type,
    }
    data = {"input": given, "at": at, "seq": game.seq + 1, "hash": submitted.hash(), **extra}
    audience = (f"player:{submitted.actor}",) if submitted.role == "player" else OPERATORS
    return JournalEvent(game.n + 1, type, data, audience)
