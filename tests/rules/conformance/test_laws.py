"""The laws that every game keeps (ENG-1 to ENG-5, ENG-11; docs/decisions/0002-the-decider.md).

Each game of the registry is played at random by its player (players/); a game that is listed is covered.
"""

import copy
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from shared.canonical import canonical
from shared.rules.interface import Decision, Dice, Event, Input, Refusal, Registration, Rules
from shared.rules.shapes import fault
from shared.scenarios.form import COMMON_CODES
from shared.scenarios.table import Table
from tests.rules.conformance.journal import journal
from tests.rules.conformance.marks import games, seeds
from tests.rules.conformance.play import SEEDS, again, deal, played, replay, step_by_step

ROOT = Path(__file__).parents[3]

READ_EVERY = 3
"""Moves between two readings of a state: what a working state keeps is filled meanwhile."""
NOTHING_REFUSED = "PLAYER must say something illegal in each of these games, before it is over"


class Proxy:
    """The rules with a law watched at each call; what it does not watch it hands on."""

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rules, name)


@games
@seeds
def test_the_same_inputs_give_the_same_bytes(registered: Registration[Any], seed: int) -> None:
    """ENG-11: judgements, events, state and views."""
    assert _told(replay(registered.load(), registered, seed)) == _told(played(registered, seed))


@games
def test_another_process_with_another_hash_seed_gives_the_same_bytes(registered: Registration[Any]) -> None:
    """ENG-1, ENG-2: neither hashes nor the order of sets decide anything."""
    told = []
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        command = [
            sys.executable,
            "-m",
            "tests.rules.conformance.journal",
            registered.game,
            registered.version,
            *map(str, SEEDS[:2]),
        ]
        told.append(
            subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, timeout=200).stdout
        )
    assert told[0] == told[1] != b""


@games
@seeds
def test_the_state_is_the_fold_of_the_events(registered: Registration[Any], seed: int) -> None:
    """ENG-1: from the creation on, evolve alone gives the state that decide saw."""
    rules = registered.load()
    table = played(registered, seed)
    created = rules.initial(table.journal[0].input)
    assert not isinstance(created, Refusal)
    state = created[0]
    for judgement in table.journal[1:]:
        for event in judgement.events:
            state = rules.evolve(state, event)
    assert canonical(rules.encode(state)) == canonical(rules.encode(table.state))


class DecidesWithoutATrace(Proxy):
    """`decide` changes neither the state nor the command, whatever the answer (ENG-5)."""

    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        before, said = canonical(self.rules.encode(state)), copy.deepcopy(command)
        decision = self.rules.decide(state, command, dice)
        assert canonical(self.rules.encode(state)) == before, command
        assert command == said
        self.calls += 1
        return decision


@games
@seeds
def test_a_decision_changes_nothing_and_a_refusal_leaves_no_trace(registered: Registration[Any], seed: int) -> None:
    proxy = DecidesWithoutATrace(registered.load())
    table = replay(proxy, registered, seed)
    assert proxy.calls == len(table.journal) - 1
    assert any(item.refusal for item in table.journal), NOTHING_REFUSED
    assert all(item.events == () for item in table.journal if item.refusal)


class RefusedTwice(Proxy):
    """A refusal now is the same refusal when asked again: nothing inside has moved (ENG-5)."""

    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        decision = self.rules.decide(state, command, dice)
        if isinstance(decision, Refusal):
            assert self.rules.decide(state, command, dice) == decision
            self.calls += 1
        return decision


@games
@seeds
def test_a_refused_input_is_refused_again_with_the_same_words(registered: Registration[Any], seed: int) -> None:
    proxy = RefusedTwice(registered.load())
    replay(proxy, registered, seed)
    assert proxy.calls > 0, NOTHING_REFUSED


class EncodesAfterEvents(Proxy):
    """The codec gives back what it took after an event: the first ones of each type, and then one in so many."""

    FIRST, ONE_IN = 5, 16

    def __init__(self, rules: Rules[Any]) -> None:
        super().__init__(rules)
        self.evolved: Counter[str] = Counter()

    def evolve(self, state: Any, event: Event) -> Any:
        after = self.rules.evolve(state, event)
        self.evolved[event.type] += 1
        if self.evolved[event.type] <= self.FIRST or self.evolved.total() % self.ONE_IN == 0:
            encoded = self.rules.encode(after)
            assert canonical(self.rules.encode(self.rules.decode(encoded))) == canonical(encoded), event
            self.calls += 1
        return after


@games
@seeds
def test_the_codec_gives_back_what_it_took(registered: Registration[Any], seed: int) -> None:
    proxy = EncodesAfterEvents(registered.load())
    replay(proxy, registered, seed)
    assert proxy.calls > 0


@games
@seeds
def test_a_game_read_from_a_snapshot_goes_on_as_before(registered: Registration[Any], seed: int) -> None:
    """The working state may hold indexes and caches; a state that was written and read behaves the same."""
    rules = registered.load()
    restored = deal(rules, seed)
    for number, _ in enumerate(again(restored, played(registered, seed))):
        if number % READ_EVERY == 0:
            restored.state = rules.decode(rules.encode(restored.state))
    assert _told(restored) == _told(played(registered, seed))


@games
@seeds
def test_deadlines_waiting_and_end_agree(registered: Registration[Any], seed: int) -> None:
    """ENG-3: what is due can be said by the clock; nothing is due and nobody is waited for when the game is over.

    Waited for are those who may see something of the game as players: who has a `member` document, seated by the
    creation or joined since.
    """
    rules = registered.load()
    table = deal(rules, seed)
    for _ in again(table, played(registered, seed)):
        due, waiting = rules.due(table.state), rules.waiting(table.state)
        assert waiting == sorted(set(waiting))
        assert all(f"player:{name}" in table.documents.viewer(name).audiences for name in waiting)
        if rules.over(table.state):
            assert (due, waiting) == (None, [])
        if due is not None:
            assert type(due.at) is int
            row = rules.commands[due.type]
            assert "clock" in row.roles
            assert fault(row.payload, due.payload) is None


@games
@seeds
def test_every_event_is_declared_and_has_its_form(registered: Registration[Any], seed: int) -> None:
    rules = registered.load()
    for judgement in played(registered, seed).journal:
        for event in judgement.events:
            assert event.type in rules.events
            assert rules.events[event.type].name == event.type
            assert fault(rules.events[event.type].data, event.data, event.type) is None
            assert isinstance(event.to, tuple)
            assert all(to == "public" or (":" in to and not to.startswith(":")) for to in event.to)


@games
@seeds
def test_a_refusal_has_a_listed_code_a_rule_and_says_what_is_legal(registered: Registration[Any], seed: int) -> None:
    """ENG-5."""
    rules = registered.load()
    for judgement in played(registered, seed).journal:
        if judgement.refusal is not None:
            code, rule, detail = judgement.refusal.code, judgement.refusal.rule, judgement.refusal.detail
            assert code in rules.errors or code in COMMON_CODES
            assert rule
            assert len(detail) > 10
            assert "\n" not in detail


def plain_values(value: Any) -> Iterator[str]:
    """Places at which a value is not made of dict, list, tuple, str, int, bool and None."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if type(key) is not str:
                yield f"key {key!r}"
            yield from plain_values(item)
    elif type(value) in (list, tuple):
        for item in value:
            yield from plain_values(item)
    elif type(value) not in (str, int, bool, type(None)):
        yield f"{type(value).__name__} {value!r}"


@games
@seeds
def test_events_states_and_views_hold_integers_and_no_floats(registered: Registration[Any], seed: int) -> None:
    """ENG-1."""
    table = played(registered, seed)
    assert list(plain_values(journal(table))) == []
    assert list(plain_values([document.fields for document in table.documents])) == []


class SaidByTheWrongOnes(Proxy):
    """What is accepted from its sender is refused from another role and from a stranger (ENG-5)."""

    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        decision = self.rules.decide(state, command, dice)
        if isinstance(decision, Refusal):
            return decision
        roles = self.rules.commands[command.type].roles
        for role in ("player", "operator", "clock"):
            if role not in roles:
                self._refused(state, command, dice, role, command.actor if role == "player" else role)
        if "player" in roles and command.type != "join":
            self._refused(state, command, dice, "player", "a-stranger")
        return decision

    def _refused(self, state: Any, command: Input, dice: Dice, role: Any, actor: str) -> None:
        other = Input(command.id, command.game, actor, role, command.type, command.payload, "", command.at, command.seq)
        answer = self.rules.decide(state, other, dice)
        assert isinstance(answer, Refusal), other
        assert answer.code == "not_authorised", other
        self.calls += 1


@games
@seeds
def test_a_command_is_for_its_roles_and_for_those_in_the_game(registered: Registration[Any], seed: int) -> None:
    proxy = SaidByTheWrongOnes(registered.load())
    replay(proxy, registered, seed)
    assert proxy.calls > 0


class SaidMalformed(Proxy):
    """Form is judged first: a field nobody knows is malformed, whoever says it and whenever (ENG-5)."""

    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        for type, payload in ((command.type, {**command.payload, "bogus": 1}), ("no_such_command", {})):
            other = Input(command.id, command.game, "anybody", "player", type, payload, "", command.at, command.seq)
            answer = self.rules.decide(state, other, dice)
            assert isinstance(answer, Refusal), other
            assert answer.code == "malformed", other
            self.calls += 1
        return self.rules.decide(state, command, dice)


@games
@seeds
def test_form_is_judged_before_everything_else(registered: Registration[Any], seed: int) -> None:
    proxy = SaidMalformed(registered.load())
    replay(proxy, registered, seed)
    assert proxy.calls > 0


@games
def test_the_players_of_the_suite_use_every_command(registered: Registration[Any]) -> None:
    """Else the laws above would say little. Each command is accepted at least once over all games."""
    rules = registered.load()
    accepted = {item.input.type for seed in SEEDS for item in played(registered, seed).journal if item.refusal is None}
    assert set(rules.commands) - accepted == set()


@games
def test_a_table_starts_from_the_rules_alone(registered: Registration[Any]) -> None:
    """Two games at once do not touch each other: rules keep nothing of a game."""
    rules = registered.load()
    tables = [deal(rules, seed) for seed in SEEDS[:2]]
    plays = [step_by_step(table, seed) for table, seed in zip(tables, SEEDS, strict=False)]
    while plays:
        plays = [item for item in plays if next(item, None) is not None]
    assert _told(tables[0]) == _told(played(registered, SEEDS[0]))


def _told(table: Table) -> bytes:
    return canonical(journal(table))
