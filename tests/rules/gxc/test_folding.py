"""A close folds the same whether its events are those decided or were read from a journal (ENG-1, GXC-104)."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pytest

from shared.rules.gxc import RULES
from shared.rules.gxc.state import State
from shared.rules.interface import Event, Input, Refusal
from tests.bench.gxc_workload import SeededDice, Workload, workload


@pytest.fixture(scope="module")
def work() -> Workload:
    """200 players on 120 territories at a deadline."""
    return workload(200, 120)


def _decided(state: State, work: Workload, seed: int = 1) -> list[Event]:
    answer = RULES.decide(state, work.close, SeededDice(seed))
    assert not isinstance(answer, Refusal)
    return list(answer[:-1])


def _folded(state: State, events: Sequence[Event]) -> dict[str, Any]:
    for event in events:
        state = RULES.evolve(state, event)
    return RULES.encode(state)


def _expected(work: Workload, seed: int = 1) -> dict[str, Any]:
    """By a state that decided nothing, so that everybody is looked up."""
    return _folded(RULES.decode(work.canonical), _decided(RULES.decode(work.canonical), work, seed))


def test_decided_events_and_events_of_a_journal_make_the_same_state(work: Workload) -> None:
    state = RULES.decode(work.canonical)
    events = _decided(state, work)
    assert {"moved", "moved_in", "retreated", "energies"} <= {event.type for event in events}
    assert _folded(state, events) == _expected(work)


@pytest.mark.parametrize("type_", ["moved", "moved_in", "retreated", "energies"])
def test_one_event_of_a_journal_among_decided_ones_is_taken_for_what_it_says(work: Workload, type_: str) -> None:
    state = RULES.decode(work.canonical)
    events = _decided(state, work)
    first = [event.type for event in events].index(type_)
    events[first] = deepcopy(events[first])
    assert _folded(state, events) == _expected(work)


def test_a_later_decision_that_is_not_folded_leaves_no_trace(work: Workload) -> None:
    state = RULES.decode(work.canonical)
    events = _decided(state, work)
    assert _decided(state, work, seed=2) != events
    assert _folded(state, events) == _expected(work)


@pytest.mark.parametrize("disqualified", [None, "team03"])
def test_a_close_goes_by_the_same_paths_whether_orders_keep_their_length_or_were_read(
    work: Workload, disqualified: str | None
) -> None:
    kept, read = deepcopy(work.state), RULES.decode(work.canonical)
    assert {order.steps for order in kept.players.order if order} > {1, 2}
    assert {order.steps for order in read.players.order if order} == {0}
    if disqualified:  # its territories change their owner while the turn is open
        payload = {"team": disqualified, "reason": "conduct"}
        out = Input("out", "bench", "operator", "operator", "disqualify_team", payload, "", 2, work.close.seq)
        for state in (kept, read):
            answer = RULES.decide(state, out, SeededDice(1))
            assert not isinstance(answer, Refusal)
            _folded(state, answer)
        assert set(kept.owner) > {-1}
    events = _decided(kept, work)
    assert "moved" in {event.type for event in events}
    assert events == _decided(read, work)
