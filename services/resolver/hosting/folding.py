"""The game after one more journal event. Judging folds its own events by the same functions, so both always agree."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from services.resolver.hosting.creation import announce
from services.resolver.hosting.game import (
    FORGET_EVERY_MS,
    KEEP_MS,
    Chain,
    Creation,
    DeciderFailed,
    HostedGame,
    PrivateInput,
    Quarantine,
    Schedule,
)
from services.resolver.hosting.judged_ids import FirstJudgement
from services.resolver.hosting.reminders import note_opening, reminders_of
from services.resolver.hosting.tally import Lines
from shared.canonical import sha256_hex
from shared.commands import CREATE_GAME, HOST_COMMANDS
from shared.events import CERTIFIED, HOST, JournalEvent, public_form, split_type
from shared.host_events import (
    ACCEPTED,
    CHAIN_STARTED,
    CREATED,
    DATA_PART,
    QUARANTINED,
    REJECTED,
    RELEASED,
    REMINDERS_DUE,
    REPEATED,
    RULES_CHANGED,
    SCHEDULED,
    SEALED_REVEALED,
)
from shared.log import Mark
from shared.rules import rules_of
from shared.rules.interface import PUBLIC, Command, Event, Refusal
from shared.upcasters import upcast

Data = Mapping[str, Any]


_new = tuple.__new__


class Unfoldable(ValueError):
    """A journal event that does not fit the game before it; the message says where and why."""


def fold(game: HostedGame | None, event: JournalEvent) -> HostedGame:
    """The game after the event, changed in place; None before the first one. Raises Unfoldable.

    What the rules raise passes through: the journal was written by them, so it means that it was changed since.
    """
    if game is None:
        try:
            game = HostedGame(event.data["input"]["game"])
        except (KeyError, TypeError):
            raise Unfoldable(f"event {event.n}, {event.type}, cannot begin a journal; a judgement does") from None
    advance(game, event)
    return game


def advance(game: HostedGame, event: JournalEvent, lines: Lines | None = None) -> JournalEvent | None:
    """Fold the event into the game; returns its chronicle form if it is public. `lines` gets the line of that."""
    n, type, given, to = event
    if n != game.n + 1:
        raise Unfoldable(f"event {n} of game {game.id} follows event {game.n}")
    game.n = n
    public, public_n = None, 0
    if "public" in to and (form := public_form(event)) is not None:
        game.public_n = public_n = game.public_n + 1
        public = _new(JournalEvent, (public_n, form[0], form[1], PUBLIC))
        if lines is not None:
            lines.tell(public)
    if type == CERTIFIED:
        if public is None:
            raise Unfoldable(f"event {n} of game {game.id} is a certificate that is not public")
        _certified(game, given, public)
        return public
    game.tally.add(event, public_n, lines)
    name = own_name(type, game.kind)
    if name is None:
        _host_event(game, type, given)
    elif game.announced:
        game.announced -= 1
    elif game.rules is None:
        raise Unfoldable(f"event {n} of game {game.id}, {type}, stands before its creation")
    else:
        game.state = game.rules.evolve(game.state, _new(Event, (name, given, to, n)))
    return public


@lru_cache(maxsize=4096)
def own_name(full: str, kind: str) -> str | None:
    """The rules' own name of an event type; None if it is the host's. Raises Unfoldable for another game's."""
    name = split_type(full)
    if name.game == HOST:
        return None
    if name.game != kind:
        raise Unfoldable(f"an event {full} stands in the journal of a game of {kind or 'no rules yet'}")
    return name.name


def _host_event(game: HostedGame, type: str, data: Data) -> None:
    handler = _HANDLERS.get(type)
    if handler is None:  # of another version, or of no consequence here
        type, data = upcast(type, data)
        handler = _HANDLERS.get(type)
    if handler is not None:
        handler(game, data)


def in_digest(game: HostedGame, type: str) -> bool:
    """Whether an accepted input of this type is in the digest of the next resolution (ENG-7)."""
    command = _command(game, type)
    return command is None or (command.in_digest and not (command.private and game.private_apart))


def certified_apart(game: HostedGame, type: str) -> bool:
    """Whether an accepted input of this type hangs in the private tree of the next resolution (ENG-7)."""
    command = _command(game, type)
    return game.private_apart and command is not None and command.private


def _command(game: HostedGame, type: str) -> Command | None:
    return HOST_COMMANDS.get(type) or (game.rules.commands.get(type) if game.rules else None)


def _judged(game: HostedGame, data: Data) -> None:
    if data["seq"] != game.seq + 1:
        raise Unfoldable(f"judgement {data['seq']} of game {game.id} follows judgement {game.seq}")
    note_opening(game)
    game.seq = data["seq"]
    game.last_at = data["at"]


def _first_judged(game: HostedGame, data: Data) -> None:
    _judged(game, data)
    game.begun = game.begun or game.resolved_at[1] > 0 or _has_deadline(game)
    if game.judged.oldest_before(game.last_at - KEEP_MS - FORGET_EVERY_MS):
        game.judged.forget_before(_horizon(game))
    game.judged.add(data["input"]["id"], _new(FirstJudgement, (data["seq"], data["hash"], data["at"])))


def _accepted(game: HostedGame, data: Data) -> None:
    _first_judged(game, data)
    given = data["input"]
    if in_digest(game, given["type"]):
        game.take_leaf(given["id"], data["hash"])
    elif certified_apart(game, given["type"]):
        game.private.append(PrivateInput(given["id"], data["hash"], given["actor"]))
    if given["type"] == CREATE_GAME:
        game.creation = Creation(given["payload"], given["id"], given["actor"], given["salt"], data["at"], data["seq"])


def _data_part(game: HostedGame, data: Data) -> None:
    if game.creation is None:
        if game.rules is not None:
            raise Unfoldable(f"game {game.id} has a data.part outside a creation")
        return  # of a creation that was refused: it was judged by it, and nothing came of it
    game.creation.parts.setdefault(data["sha256"], []).append(data["text"])


def _created(game: HostedGame, data: Data) -> None:
    if game.creation is None:
        raise Unfoldable(f"game {game.id} has a game.created without an accepted creation")
    stored = {name: "".join(texts).encode() for name, texts in game.creation.parts.items()}
    for name, text in stored.items():
        if sha256_hex(text) != name:
            raise Unfoldable(f"game {game.id}: the parts of the data {name} do not have this SHA-256")
    rules = rules_of(data["kind"], data["rules"])
    made = announce(game.id, rules, game.creation, stored.get)
    if isinstance(made, Refusal):
        raise Unfoldable(f"game {game.id} was created, and its rules refuse the creation: {made.code}, {made.detail}")
    game.reminders = reminders_of(game.creation.payload)
    game.private_apart = game.creation.payload.get("private_apart", False)
    game.kind, game.rules, game.creation = data["kind"], rules, None
    game.state = made[0]
    game.announced = len(made[1])
    _begin_chain(game, data)


def _begin_chain(game: HostedGame, data: Data) -> None:
    game.chain = Chain(game.id, data["chain"], data["salt"], data["key_id"])
    game.next_seed = 1
    game.sealed.update(data["sealed"])


def _certified(game: HostedGame, data: Data, public: JournalEvent) -> None:
    if data["k"] != game.k + 1:
        raise Unfoldable(f"certificate {data['k']} of game {game.id} follows certificate {game.k}")
    game.k = data["k"]
    game.previous = sha256_hex(public.line())
    game.tally.reset()
    game.hashed_leaves.clear()
    game.unhashed.clear()
    game.private.clear()
    if data["seed"] is None:
        game.sealed.pop(data["label"], None)
        game.sealed_keys[data["label"]] = data["sealed_key"]
    else:
        game.next_seed += 1
    game.resolved_at = (game.resolved_at[1], game.last_at)
    game.judged.forget_before(_horizon(game))


def _horizon(game: HostedGame) -> int:
    """Ids of inputs that were first judged before this time are forgotten (ENG-4)."""
    by_time = game.last_at - KEEP_MS
    in_turns = (game.begun or game.resolved_at[1] > 0) and not _is_over(game)
    return min(by_time, game.resolved_at[0]) if in_turns else by_time


def _has_deadline(game: HostedGame) -> bool:
    try:
        return game.due() is not None
    except DeciderFailed:
        return False  # noticed, with its consequences, by who asks for the deadline itself


def _is_over(game: HostedGame) -> bool:
    try:
        return game.over()
    except DeciderFailed:
        return False


def _sealed_revealed(game: HostedGame, data: Data) -> None:
    game.sealed_keys.clear()


def _quarantined(game: HostedGame, data: Data) -> None:
    marks = {topic: Mark(mark["offset"], mark["at"]) for topic, mark in data["positions"].items()}
    game.quarantined = Quarantine(data["cause"], marks, data["at"])


def _released(game: HostedGame, data: Data) -> None:
    game.quarantined = None


def _rules_changed(game: HostedGame, data: Data) -> None:
    if game.rules is None:
        raise Unfoldable(f"game {game.id} changes its rules before its creation")
    canonical_state = game.rules.encode(game.state)
    game.rules = rules_of(game.kind, data["to"])
    game.state = game.rules.decode(canonical_state)


def _scheduled(game: HostedGame, data: Data) -> None:
    zone = data["zone"]
    game.schedule = None if zone is None else Schedule(zone, tuple(data["times"]), tuple(data["days"]))


def _reminded(game: HostedGame, data: Data) -> None:
    game.reminded = (data["deadline"], data["seconds"])


_HANDLERS: Mapping[str, Callable[[HostedGame, Data], None]] = {
    ACCEPTED: _accepted,
    REJECTED: _first_judged,
    REPEATED: _judged,
    DATA_PART: _data_part,
    CREATED: _created,
    CHAIN_STARTED: _begin_chain,
    SEALED_REVEALED: _sealed_revealed,
    QUARANTINED: _quarantined,
    RELEASED: _released,
    REMINDERS_DUE: _reminded,
    RULES_CHANGED: _rules_changed,
    SCHEDULED: _scheduled,
}
