"""Judging: the events that one input, one deadline or one act of the host writes into the journal.

Every function here changes the game in place by folding its own events. DeciderFailed leaves the game in no defined
state: drop it and fold it again from the log.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from services.resolver.hosting.certifying import certify, chain_started, reveal
from services.resolver.hosting.creation import announce, named_data, part_events, read_data
from services.resolver.hosting.draws import GameDice, InterfaceBroken
from services.resolver.hosting.folding import advance
from services.resolver.hosting.game import Chain, Creation, DeciderFailed, HostedGame
from services.resolver.hosting.scheduling import next_time, opened, read_schedule
from services.resolver.hosting.secrets import Secrets
from shared.canonical import canonical, sha256_hex
from shared.commands import CREATE_GAME, HOST_COMMANDS, RELEASE_GAME, SET_SCHEDULE
from shared.dice import leaf
from shared.events import CLOCK_ACTOR, MAX_EVENT_BYTES, NO_SALT, JournalEvent, Submitted, event_type
from shared.host_events import (
    ACCEPTED,
    CREATED,
    MOVED,
    QUARANTINED,
    REJECTED,
    RELEASED,
    REPEATED,
    RULES_CHANGED,
    SCHEDULED,
)
from shared.log import Mark
from shared.rules import UnknownRules, rules_of
from shared.rules.interface import OPERATORS, PUBLIC, RESOLVED, Deadline, Event, Refusal, Rules
from shared.rules.shapes import fault

Verdict = Literal["accepted", "rejected", "repeated", "none"]
"""What became of the input; `none` for acts of the host, which judge nothing."""

Steps = Iterator[JournalEvent]
"""Events one at a time; each must be folded into the game before the next one is asked for."""


@dataclass(frozen=True, slots=True)
class Context:
    """What judging takes from outside the journal: secrets, and the large data that creations name."""

    secrets: Secrets
    data: Callable[[str], bytes | None]


class Judged(NamedTuple):
    """The game after the input, what the journal and the chronicle get, and the verdict.

    The first event is the judgement of the input; a schedule may put a judged input of the clock behind it.
    """

    game: HostedGame
    events: tuple[JournalEvent, ...]
    chronicle: tuple[JournalEvent, ...]
    verdict: Verdict


def judge(game: HostedGame | None, submitted: Submitted, at: int, context: Context) -> Judged:
    """Judge one input taken at `at` (UTC milliseconds); None for a game without journal. Raises DeciderFailed.

    A quarantined game judges nothing; `release` ends that.
    """
    game = game or HostedGame(submitted.game)
    if game.quarantined is not None:
        raise ValueError(f"game {game.id} is quarantined; its inputs wait for the release")
    return _play(game, _with_schedule(game, submitted, at, context))


def judge_clock(game: HostedGame, deadline: Deadline, context: Context) -> Judged:
    """Close what is due: judge an input of the clock, stamped with the deadline. Raises DeciderFailed."""
    return judge(game, clock_input(game, deadline), deadline.at, context)


def clock_input(game: HostedGame, deadline: Deadline) -> Submitted:
    """The input that the clock gives at a deadline."""
    name = f"{game.id}|clock|{deadline.type}:{deadline.at}:{game.seq + 1}"
    return Submitted(
        sha256_hex(name.encode())[:32], game.id, CLOCK_ACTOR, "clock", deadline.type, deadline.payload, NO_SALT
    )


def quarantine(game: HostedGame, cause: str, marks: Mapping[str, Mark], at: int) -> Judged:
    """Stop a game at `at`; `marks` (by input topic) say from where its inputs are not judged."""
    data = {"cause": cause, "positions": {topic: mark.offset for topic, mark in sorted(marks.items())}, "at": at}
    return _play(game, iter((JournalEvent(game.n + 1, QUARANTINED, data, OPERATORS),)))


def release(game: HostedGame, submitted: Submitted, at: int, context: Context) -> Judged:
    """Judge the `release_game` input of a quarantined game. Raises DeciderFailed if the time shift fails.

    Accepted, it is followed by game.released, with another rules version by game.rules_changed, and with `shift_ms` by
    a `shift_time` of the clock. A rejected one leaves the game quarantined.
    """
    if game.quarantined is None or submitted.type != RELEASE_GAME:
        raise ValueError(f"game {game.id} is not quarantined, or {submitted.type} is no release")
    return _play(game, _release(game, submitted, at, context))


def refuse(game: HostedGame, submitted: Submitted, at: int, refusal: Refusal) -> Judged:
    """Reject an input for a reason that the caller found."""
    return _play(game, iter((_rejected(game, submitted, at, refusal),)))


def start_chain(game: HostedGame, reason: Literal["import", "restore", "key"], at: int, context: Context) -> Judged:
    """Start a new chain on the master key at hand: after an import or restore, or for another key (ENG-7)."""
    return _play(game, _new_chain(game, reason, at, context))


def judgement_steps(game: HostedGame, submitted: Submitted, at: int, context: Context) -> Steps:
    """The events of one input alone, as a replay takes them."""
    if (first := game.judged.by_id.get(submitted.id)) is not None:
        extra = {"first": first.seq, "same": first.hash == submitted.hash()}
        yield _judgement(game, REPEATED, submitted, at, extra)
    elif submitted.type == CREATE_GAME:
        yield from _create(game, submitted, at, context)
    elif game.rules is None:
        yield _rejected(game, submitted, at, Refusal("unknown_game", "ENG-5", f"there is no game {game.id}"))
    elif submitted.type in HOST_COMMANDS:
        yield from _host_command(game, submitted, at)
    else:
        yield from _game_command(game, game.rules, submitted, at, context)


def _play(game: HostedGame, steps: Steps) -> Judged:
    events: list[JournalEvent] = []
    chronicle: list[JournalEvent] = []
    try:
        for event in steps:
            data = canonical(event.data)
            if len(data) > MAX_EVENT_BYTES - 1024:
                raise InterfaceBroken(f"the event {event.type} has {len(data)} bytes of data; emit it in parts")
            public = advance(game, event, data)
            events.append(event)
            if public is not None:
                chronicle.append(public)
    except DeciderFailed:
        raise
    except Exception as error:
        raise DeciderFailed(game.id, f"{type(error).__name__}: {error}") from error
    verdict = _VERDICTS.get(events[0].type, "none")
    return Judged(game, tuple(events), tuple(chronicle), verdict)


_VERDICTS: Mapping[str, Verdict] = {ACCEPTED: "accepted", REJECTED: "rejected", REPEATED: "repeated"}


def _with_schedule(game: HostedGame, submitted: Submitted, at: int, context: Context) -> Steps:
    due, k, scheduled = game.due(), game.k, game.schedule
    accepted = False
    for event in judgement_steps(game, submitted, at, context):
        accepted = accepted or event.type == ACCEPTED
        yield event
    if game.schedule is None or game.rules is None or not accepted:
        return
    after = game.due()
    begins = game.schedule != scheduled and after is not None
    if begins or opened(submitted.type, due, after, resolved=game.k > k, over=game.over()):
        payload = {"deadline": next_time(game.schedule, at), "reason": "schedule"}
        yield from judgement_steps(game, clock_input(game, Deadline(at, "set_deadline", payload)), at, context)


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


def _accepted(game: HostedGame, submitted: Submitted, at: int) -> JournalEvent:
    return _judgement(game, ACCEPTED, submitted, at, {})


def _rejected(game: HostedGame, submitted: Submitted, at: int, refusal: Refusal) -> JournalEvent:
    extra = {"code": refusal.code, "rule": refusal.rule, "detail": refusal.detail}
    return _judgement(game, REJECTED, submitted, at, extra)


def _game_command(game: HostedGame, rules: Rules[Any], submitted: Submitted, at: int, context: Context) -> Steps:
    command = rules.commands.get(submitted.type)
    if command is None:
        known = ", ".join(sorted(rules.commands))
        refusal = Refusal("malformed", "ENG-5", f"{game.kind} has no command {submitted.type!r}; it has {known}")
        yield _rejected(game, submitted, at, refusal)
        return
    if found := fault(command.payload, submitted.payload):
        yield _rejected(game, submitted, at, Refusal("malformed", "ENG-5", found))
        return
    mark = leaf(submitted.id, submitted.hash()) if command.in_digest else None
    dice = GameDice(game, mark, context.secrets)
    decision = rules.decide(game.state, submitted.judged_at(at, game.seq + 1), dice)
    if isinstance(decision, Refusal):
        yield _rejected(game, submitted, at, decision)
        return
    yield _accepted(game, submitted, at)
    for event in decision:
        if event.type == RESOLVED:
            yield from certify(game, dice.close(event.data["label"]), context.secrets)
        else:
            yield _own(game, rules, event)
    dice.finish()
    yield from reveal(game)


def _own(game: HostedGame, rules: Rules[Any], event: Event) -> JournalEvent:
    known = rules.events.get(event.type)
    if known is None:
        raise InterfaceBroken(f"{game.kind} emitted {event.type!r}, which is not among its event types")
    return JournalEvent(game.n + 1, event_type(game.kind, event.type, known.version), event.data, tuple(event.to))


def _create(game: HostedGame, submitted: Submitted, at: int, context: Context) -> Steps:
    checked = _check_creation(game, submitted, at, context)
    if isinstance(checked, Refusal):
        yield _rejected(game, submitted, at, checked)
        return
    rules, texts, announced = checked
    yield _accepted(game, submitted, at)
    for sha256, text in texts.items():
        yield from part_events(game.n + 1, sha256, text)
    secrets = context.secrets
    chain = Chain(game.id, 0, secrets.new_salt(game.id, 0), secrets.key_id)
    labels = rules.sealed_labels(submitted.payload["create"])
    data = {
        "id": game.id,
        "kind": rules.game,
        "rules": rules.version,
        "chain": 0,
        "key_id": chain.key_id,
        "salt": chain.salt,
        "seed0": secrets.seed(chain, 0).hex(),
        "sealed": {label: secrets.sealed_commitment(chain, label) for label in labels},
    }
    yield JournalEvent(game.n + 1, CREATED, data, PUBLIC)
    for own in announced:
        yield _own(game, rules, own)


def _check_creation(
    game: HostedGame, submitted: Submitted, at: int, context: Context
) -> tuple[Rules[Any], dict[str, str], list[Event]] | Refusal:
    payload = submitted.payload
    if found := _host_fault(submitted):
        return Refusal("malformed", "ENG-5", found)
    if not isinstance(payload["create"], Mapping):
        return Refusal("malformed", "ENG-5", "payload.create must be an object")
    if submitted.role != "operator":
        return Refusal("not_authorised", "ENG-5", "only an operator creates games")
    if game.rules is not None:
        return Refusal("game_exists", "", f"a game {game.id} exists already; choose another id")
    creation = Creation(payload, submitted.id, submitted.actor, "operator", submitted.salt, at, game.seq + 1)
    try:
        rules = rules_of(payload["game"], payload.get("rules"))
        named = named_data(payload["create"]).values()
        texts = {sha256: (context.data(sha256) or b"").decode() for sha256 in named}
        for sha256 in texts:
            read_data(context.data, sha256)
        made = announce(game.id, rules, creation, context.data)
    except UnknownRules as error:
        return Refusal("unknown_rules", "", str(error))
    except (LookupError, UnicodeDecodeError) as error:
        return Refusal("unknown_data", "", str(error))
    except Exception as error:
        # No game exists that could be quarantined: the operator gets the answer at once.
        return Refusal("internal", "", f"the rules failed on this creation: {type(error).__name__}: {error}")
    return made if isinstance(made, Refusal) else (rules, texts, made[1])


def _host_fault(submitted: Submitted) -> str | None:
    return fault(HOST_COMMANDS[submitted.type].payload, submitted.payload)


def _host_command(game: HostedGame, submitted: Submitted, at: int) -> Steps:
    refusal = _check_host_command(game, submitted)
    schedule = read_schedule(submitted.payload) if refusal is None and submitted.type == SET_SCHEDULE else None
    if isinstance(schedule, Refusal):
        refusal = schedule
    if refusal is not None:
        yield _rejected(game, submitted, at, refusal)
        return
    yield _accepted(game, submitted, at)
    if isinstance(schedule, Refusal) or schedule is None:
        data: dict[str, Any] = {"zone": None, "times": [], "days": []}
    else:
        data = {"zone": schedule.zone, "times": schedule.times, "days": schedule.days}
    yield JournalEvent(game.n + 1, SCHEDULED, data, PUBLIC)


def _check_host_command(game: HostedGame, submitted: Submitted) -> Refusal | None:
    if found := _host_fault(submitted):
        return Refusal("malformed", "ENG-5", found)
    if game.over():
        return Refusal("game_over", "ENG-5", "the game has ended")
    if submitted.role != "operator":
        return Refusal("not_authorised", "ENG-5", f"only an operator may give {submitted.type}")
    if submitted.type == RELEASE_GAME:
        return Refusal("not_quarantined", "", "the game is not quarantined; there is nothing to release")
    if game.rules is not None and "set_deadline" not in game.rules.commands:
        return Refusal("bad_schedule", "", f"{game.kind} has no deadlines that a schedule could set (ENG-12)")
    return None


def _release(game: HostedGame, submitted: Submitted, at: int, context: Context) -> Steps:
    if (first := game.judged.by_id.get(submitted.id)) is not None:
        extra = {"first": first.seq, "same": first.hash == submitted.hash()}
        yield _judgement(game, REPEATED, submitted, at, extra)
        return
    if (refusal := _check_release(game, submitted)) is not None:
        yield _rejected(game, submitted, at, refusal)
        return
    yield _accepted(game, submitted, at)
    shift = submitted.payload.get("shift_ms", 0)
    yield JournalEvent(game.n + 1, RELEASED, {"shift_ms": shift, "at": at}, OPERATORS)
    wanted = submitted.payload.get("rules")
    if game.rules is not None and wanted not in (None, game.rules.version):
        yield JournalEvent(game.n + 1, RULES_CHANGED, {"from": game.rules.version, "to": wanted}, PUBLIC)
    if shift:
        deadline = Deadline(at, "shift_time", {"by_ms": shift, "reason": "pause"})
        yield from judgement_steps(game, clock_input(game, deadline), at, context)


def _check_release(game: HostedGame, submitted: Submitted) -> Refusal | None:
    if found := _host_fault(submitted):
        return Refusal("malformed", "ENG-5", found)
    if submitted.role != "operator":
        return Refusal("not_authorised", "ENG-5", "only an operator may release a game")
    wanted = submitted.payload.get("rules")
    if game.rules is None or wanted in (None, game.rules.version):
        return None
    try:
        rules_of(game.kind, wanted).decode(game.rules.encode(game.state))
    except UnknownRules as error:
        return Refusal("unknown_rules", "", str(error))
    except Exception as error:
        return Refusal(
            "unknown_rules", "", f"rules {wanted} cannot take over this game: {type(error).__name__}: {error}"
        )
    return None


def _new_chain(game: HostedGame, reason: Literal["import", "restore", "key"], at: int, context: Context) -> Steps:
    if game.chain is None:
        raise ValueError(f"game {game.id} was never created; it has no chain to continue")
    if reason != "key":
        yield JournalEvent(game.n + 1, MOVED, {"reason": reason, "at": at}, PUBLIC)
    secrets = context.secrets
    number = game.chain.number + 1
    chain = Chain(game.id, number, secrets.new_salt(game.id, number), secrets.key_id)
    sealed = {label: secrets.sealed_commitment(chain, label) for label in sorted(game.sealed)}
    yield chain_started(game, chain, sealed, reason, secrets)
