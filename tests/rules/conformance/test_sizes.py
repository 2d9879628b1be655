"""Every event is smaller than the journal takes, whatever somebody sends: a larger one would quarantine its game."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from shared.events import MAX_EVENT_BYTES, JournalEvent, event_type
from shared.intake.admission import MAX_INPUT_BYTES
from shared.rules.interface import RESOLVED, Decision, Dice, Event, Input, Refusal, Registration, Rules
from shared.scenarios.dice import Chain, CommandDice
from tests.rules.conformance.inflated import Place, inflated, places
from tests.rules.conformance.marks import games
from tests.rules.conformance.play import SEEDS, replay
from tests.rules.conformance.test_laws import Proxy

TRIED = SEEDS[:4]
ROOM = MAX_INPUT_BYTES - 400
"""Bytes of a payload: an input has some around it."""
LATE = 10**12
"""Number of an event in a long game."""


class SaidAtLength(Proxy):
    """Whatever is accepted is said again with each of its lists and words as long as an input may be, and shorter.

    No event of it is too large, nor is one of the deadlines behind it, which may hold what was stored.
    """

    def __init__(self, rules: Rules[Any]) -> None:
        super().__init__(rules)
        self.tried: set[tuple[str, Place]] = set()
        """Commands with the places that were blown up, each once."""

    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        decision = self.rules.decide(state, command, dice)
        if isinstance(decision, Refusal):
            return decision
        self.calls += 1
        assert self._too_large(decision) == []
        for place, shape in places(self.rules.commands[command.type].payload, command.payload):
            key = (command.type, tuple(name for name in place if isinstance(name, str)))
            if key in self.tried:
                continue
            self.tried.add(key)
            for made in inflated(command.payload, place, shape, ROOM):
                events = list(self._consequences(state, replace(command, payload=made.payload)))
                assert self._too_large(events) == [], (key, made.size)
                if events:
                    break
        return decision

    def _too_large(self, events: Iterable[Event]) -> list[tuple[str, int]]:
        sizes = [(event.type, self._size(event)) for event in events if event.type != RESOLVED]
        return [(type_, size) for type_, size in sizes if size >= MAX_EVENT_BYTES]

    def _size(self, event: Event) -> int:
        name = event_type(self.rules.game, event.type, self.rules.events[event.type].version)
        return len(JournalEvent(LATE, name, event.data, event.to).line())

    def _consequences(self, state: Any, command: Input) -> Iterator[Event]:
        """The events of an input, none if it is refused, and of two deadlines."""
        rules, own = self.rules, None
        for number in range(3):
            decision = rules.decide(own or state, command, CommandDice(Chain(f"{number:064x}"), None, None))
            if isinstance(decision, Refusal):
                return
            own = own or rules.decode(rules.encode(state))
            for event in decision:
                if event.type != RESOLVED:
                    yield event
                    own = rules.evolve(own, event)
            due = rules.due(own)
            if due is None:
                return
            command = replace(command, actor="clock", role="clock", type=due.type, payload=due.payload, at=due.at)


@games
def test_events_stay_below_the_size_of_one_whatever_somebody_sends(registered: Registration[Any]) -> None:
    proxy = SaidAtLength(registered.load())
    for seed in TRIED:
        replay(proxy, registered, seed)
    assert proxy.calls > 0
