"""Judging: the events that one input, one deadline or one act of the host writes into the journal.

Every function here changes the game in place by folding its own events. DeciderFailed leaves the game in no defined
state: drop it and fold it again from the log.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from services.resolver.hosting.certifying import chain_started
from services.resolver.hosting.creating import create_steps
from services.resolver.hosting.deciding import decide_steps
from services.resolver.hosting.game import Chain, DeciderFailed, HostedGame
from services.resolver.hosting.host_commands import release_steps, schedule_steps
from services.resolver.hosting.judgements import Context, Steps, rejected, repeated
from services.resolver.hosting.recording import Recording
from services.resolver.hosting.reminders import Reminder, reminder_steps
from services.resolver.hosting.scheduling import next_time, opened
from shared.canonical import canonical, sha256_hex
from shared.collection import paused
from shared.commands import CREATE_GAME, RELEASE_GAME, SET_SCHEDULE
from shared.events import CLOCK_ACTOR, NO_SALT, JournalEvent, Submitted
from shared.host_events import ACCEPTED, MOVED, QUARANTINED, REJECTED, REPEATED
from shared.log import Mark
from shared.rules.interface import OPERATORS, PUBLIC, Deadline, Refusal

__all__ = [
    "Context",
    "DeciderFailed",
    "Judged",
    "Verdict",
    "clock_input",
    "judge",
    "judge_clock",
    "judgement_steps",
    "quarantine",
    "refuse",
    "remind",
    "start_chain",
]

Verdict = Literal["accepted", "rejected", "repeated", "none"]
"""What became of the input; `none` for acts of the host, which judge nothing."""


class Judged(NamedTuple):
    """The game after the input, the events of the journal, the verdict, and what journal and chronicle get, as lines.

    The first event is the judgement of the input. Inputs of the clock may stand behind it, judged in the same breath:
    `set_deadline` by a schedule, `shift_time` by a release.
    """

    game: HostedGame
    events: Sequence[JournalEvent]
    verdict: Verdict
    lines: Sequence[bytes]
    chronicle_lines: Sequence[bytes]
    first_told: int
    """Number in the chronicle of the first of its lines."""


def judge(game: HostedGame | None, submitted: Submitted, at: int, context: Context) -> Judged:
    """Judge one input taken at `at` (UTC milliseconds); None for a game without journal. Raises DeciderFailed.

    Of a quarantined game only a `release_game` is judged; anything else raises ValueError and must wait. Accepted, it
    is followed by `game.released`, with another rules version by `game.rules_changed`, and with `shift_ms` by a
    `shift_time` of the clock. A rejected one leaves the game quarantined.
    """
    game = game or HostedGame(submitted.game)
    if game.quarantined is not None and submitted.type != RELEASE_GAME:
        raise ValueError(f"game {game.id} is quarantined; its inputs wait for the release")
    return _play(game, _with_clock(game, submitted, at, context))


def judge_clock(game: HostedGame, deadline: Deadline, context: Context) -> Judged:
    """Judge an input of the clock, stamped with the deadline.

    Raises DeciderFailed, also if the game's deadline is due again afterwards: it would be so for ever.
    """
    with paused():  # a close makes hundreds of thousands of tuples and no cycles: a twentieth of a large one
        judged = judge(game, clock_input(game, deadline), deadline.at, context)
    if game.due() == deadline:
        said = f"the deadline {deadline.type} at {deadline.at} is due again after it was {judged.verdict}"
        raise DeciderFailed(game.id, said)
    return judged


def clock_input(game: HostedGame, deadline: Deadline) -> Submitted:
    """The input that the clock gives at a deadline.

    Its leaf is public. Where commands are certified apart its id must not tell how many there were (decision 0024), so
    it is made of the deadline, which no two of a game share, and not of the number of its judgement.
    """
    tells = canonical(deadline.payload).decode() if game.private_apart else game.seq + 1
    name = f"{game.id}|clock|{deadline.type}:{deadline.at}:{tells}"
    id = sha256_hex(name.encode())[:32]
    return Submitted(id, game.id, CLOCK_ACTOR, "clock", deadline.type, deadline.payload, NO_SALT)


def quarantine(game: HostedGame, cause: str, marks: Mapping[str, Mark], at: int) -> Judged:
    """Stop a game at `at`; `marks`, by input topic, say from where its inputs are not judged."""
    positions = {topic: {"offset": mark.offset, "at": mark.at} for topic, mark in sorted(marks.items())}
    data = {"cause": cause, "positions": positions, "at": at}
    return _play(game, iter([(JournalEvent(game.n + 1, QUARANTINED, data, OPERATORS),)]))


def refuse(game: HostedGame | None, submitted: Submitted, at: int, refusal: Refusal) -> Judged:
    """Reject an input for a reason that the caller found."""
    game = game or HostedGame(submitted.game)
    return _play(game, iter([(rejected(game, submitted, at, refusal),)]))


def remind(game: HostedGame, reminder: Reminder) -> Judged:
    """Remind those whom the game waits for. Raises DeciderFailed."""
    return _play(game, reminder_steps(game, reminder))


def start_chain(game: HostedGame, reason: Literal["import", "restore", "key"], at: int, context: Context) -> Judged:
    """Start a new chain on the master key at hand: after an import or restore, or for another key (ENG-7)."""
    return _play(game, _new_chain(game, reason, at, context))


def judgement_steps(game: HostedGame, submitted: Submitted, at: int, context: Context) -> Steps:
    """The events of one input alone, as a replay takes them."""
    if (again := repeated(game, submitted, at)) is not None:
        yield (again,)
    elif submitted.type == CREATE_GAME:
        yield from create_steps(game, submitted, at, context)
    elif game.rules is None:
        refusal = Refusal("unknown_game", "ENG-5", f"there is no game {game.id}")
        yield (rejected(game, submitted, at, refusal),)
    elif submitted.type == RELEASE_GAME:
        yield from release_steps(game, submitted, at)
    elif submitted.type == SET_SCHEDULE:
        yield from schedule_steps(game, submitted, at)
    else:
        yield from decide_steps(game, game.rules, submitted, at, context)


def _play(game: HostedGame, steps: Steps) -> Judged:
    made = Recording(game)
    try:
        for stretch in steps:
            made.take(stretch)
    except DeciderFailed:
        raise
    except Exception as error:
        raise DeciderFailed(game.id, f"{type(error).__name__}: {error}") from error
    verdict = _VERDICTS.get(made.events[0].type, "none")
    return Judged(game, made.events, verdict, made.lines, made.chronicle_lines, made.first_told)


_VERDICTS: Mapping[str, Verdict] = {ACCEPTED: "accepted", REJECTED: "rejected", REPEATED: "repeated"}


def _with_clock(game: HostedGame, submitted: Submitted, at: int, context: Context) -> Steps:
    """The events of an input and of what the clock gives because of it."""
    due, k, scheduled = game.due(), game.k, game.schedule
    taken = False
    for stretch in judgement_steps(game, submitted, at, context):
        taken = taken or stretch[0].type == ACCEPTED
        yield stretch
    if not taken or game.rules is None:
        return
    after = game.due()
    payload: dict[str, object] | None = None
    if submitted.type == RELEASE_GAME:
        shift = submitted.payload.get("shift_ms", 0)
        follow, payload = "shift_time", {"by_ms": shift, "reason": "pause"} if shift else None
    elif game.schedule is not None:
        begins = game.schedule != scheduled and after is not None
        if begins or opened(submitted.type, due, after, resolved=game.k > k, over=game.over()):
            follow, payload = "set_deadline", {"deadline": next_time(game.schedule, at), "reason": "schedule"}
    if payload is not None:
        yield from judgement_steps(game, clock_input(game, Deadline(at, follow, payload)), at, context)


def _new_chain(game: HostedGame, reason: Literal["import", "restore", "key"], at: int, context: Context) -> Steps:
    if game.chain is None:
        raise ValueError(f"game {game.id} was never created; it has no chain to continue")
    if reason != "key":
        moved = {"reason": reason, "at": at, "source": game.chain.key_id}
        yield (JournalEvent(game.n + 1, MOVED, moved, PUBLIC),)
    secrets = context.secrets
    number = game.chain.number + 1
    chain = Chain(game.id, number, secrets.new_salt(game.id, number), secrets.key_id)
    sealed = {label: secrets.sealed_commitment(chain, label) for label in sorted(game.sealed)}
    yield (chain_started(game, chain, sealed, reason, secrets),)
