"""The events of one command of a game: its form, the decision of the rules, and certificates at the marks."""

from collections.abc import Iterator, Sequence
from typing import Any

from services.resolver.hosting.certifying import certify, reveal
from services.resolver.hosting.draws import GameDice, InterfaceBroken
from services.resolver.hosting.folding import certified_apart, in_digest
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judgements import Context, Steps, accepted, rejected
from shared.events import JournalEvent, Submitted, event_type
from shared.rules.interface import RESOLVED, Event, Refusal, Rules
from shared.rules.shapes import fault

MOST_PRIVATE = 200
"""Private inputs of one player between two resolutions: each is covered with 3.4 kB by whoever's attack comes next."""
END = "end"
"""Label of the resolution that certifies an end which came without one."""
AT_ONCE = 256
"""So many events are folded before more are made: those of a large close would be out of the cache until then."""
_new = tuple.__new__


def decide_steps(game: HostedGame, rules: Rules[Any], submitted: Submitted, at: int, context: Context) -> Steps:
    """The judgement and its outcomes. The host checks the form alone; everything else is for the rules (ENG-5)."""
    command = rules.commands.get(submitted.type)
    if command is None:
        known = ", ".join(sorted(rules.commands))
        refusal = Refusal("malformed", "ENG-5", f"{game.kind} has no command {submitted.type!r}; it has {known}")
        yield (rejected(game, submitted, at, refusal),)
    elif found := fault(command.payload, submitted.payload):
        yield (rejected(game, submitted, at, Refusal("malformed", "ENG-5", found)),)
    elif certified_apart(game, submitted.type) and _given(game, submitted.actor) >= MOST_PRIVATE:
        said = f"at most {MOST_PRIVATE} of these wait for a resolution; the next attack or close makes room"
        yield (rejected(game, submitted, at, Refusal("too_many_private", "ENG-7", said)),)
    else:
        yield from _decided(game, rules, submitted, at, context)


def _given(game: HostedGame, actor: str) -> int:
    return sum(item.actor == actor for item in game.private)


def _decided(game: HostedGame, rules: Rules[Any], submitted: Submitted, at: int, context: Context) -> Steps:
    dice = GameDice(game, submitted if in_digest(game, submitted.type) else None, context.secrets)
    decision = rules.decide(game.state, submitted.judged_at(at, game.seq + 1), dice)
    if isinstance(decision, Refusal):
        yield (rejected(game, submitted, at, decision),)
        return
    yield (accepted(game, submitted, at),)
    for label, events in _by_resolution(decision):
        for start in range(0, len(events), AT_ONCE):
            yield own_events(game.n + 1, rules, events[start : start + AT_ONCE])
        if label is not None:
            yield from certify(game, dice.close(label), context.secrets)
    dice.finish()
    game.hash_leaves()
    yield from _certify_the_end(game, context)
    yield from reveal(game)


def _certify_the_end(game: HostedGame, context: Context) -> Steps:
    """A game that ends without a resolution of its own, by a resignation or a choice, is certified by a last one: no
    other would cover the end, nor private inputs before it (ENG-7). Games of before private roots stay as they are."""
    if game.private_apart and game.over() and (game.leaves or game.private):
        dice = GameDice(game, None, context.secrets)
        dice.resolve(END)
        yield from certify(game, dice.close(END), context.secrets)


def _by_resolution(decision: Sequence[Event]) -> Iterator[tuple[str | None, Sequence[Event]]]:
    """The events up to each mark, and its label; behind the last one None."""
    start = 0
    for place, event in enumerate(decision):
        if event.type == RESOLVED:
            yield event.data["label"], decision[start:place]
            start = place + 1
    yield None, decision[start:]


def own_events(n: int, rules: Rules[Any], events: Sequence[Event]) -> list[JournalEvent]:
    """Events of the rules as the journal takes them from position n on. Raises InterfaceBroken for an unknown type."""
    full = _FullTypes(rules)
    return [
        _new(JournalEvent, (number, full[type], data, tuple(to)))
        for number, (type, data, to, _) in enumerate(events, n)
    ]


class _FullTypes(dict[str, str]):
    """The rules' own name of a type -> its full name, looked up once for all events of a stretch."""

    def __init__(self, rules: Rules[Any]) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, type: str) -> str:
        known = self._rules.events.get(type)
        if known is None:
            raise InterfaceBroken(f"{self._rules.game} emitted {type!r}, which is not among its event types")
        self[type] = full = event_type(self._rules.game, type, known.version)
        return full
