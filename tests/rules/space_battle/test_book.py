"""All challenges of a War Room: open ones by pair and by expiry, closed ones at no cost (SPB-13, SPB-21, SPB-24)."""

import sys
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

from shared.canonical import canonical
from shared.events import MAX_EVENT_BYTES
from shared.rules.interface import Input, Refusal, Role
from shared.rules.space_battle import RULES
from shared.rules.space_battle.book import Book
from shared.rules.space_battle.state import (
    ACCEPTED,
    EXPIRED,
    ISSUED,
    OPEN,
    REFUSED,
    STATUSES,
    WITHDRAWN,
    Challenge,
    State,
)
from tests.rules.space_battle.play import Room, SeededDice

AT = 1_767_225_600_000
OVER = (REFUSED, WITHDRAWN, EXPIRED)


def challenge(number: int, one: str, other: str, status: str, expires_at: int) -> Challenge:
    return Challenge(number, one, other, status, expires_at)


def at_random(chance: Random) -> tuple[Book, dict[int, Challenge]]:
    """A book after many changes, and what was put last under each number; each open pair is there once."""
    book, put = Book(), dict[int, Challenge]()
    for _ in range(400):
        number = chance.randint(1, 300)
        known = put.get(number)
        one, other = known.players if known else (f"p{number:03}", f"q{number:03}")
        entry = challenge(number, one, other, chance.choice(STATUSES), chance.randint(0, 40))
        put[number] = entry
        book = book.put(entry)
    return book, put


def test_a_book_finds_every_challenge_the_open_ones_by_pair_and_by_expiry() -> None:
    for seed in range(5):
        book, put = at_random(Random(seed))
        opened = [item for _, item in sorted(put.items()) if item.status in OPEN]
        assert [*book.all()] == [item for _, item in sorted(put.items())]
        assert len(book) == len(put)
        assert book.get(301) is None
        assert all(book[number] == book.get(number) == item for number, item in put.items())
        assert book.expiries() == [(item.expires_at, item.id) for item in opened]
        assert book.first_expiry == min(item.expires_at for item in opened)
        assert book.last_expiry == max(item.expires_at for item in opened)
        assert book.expired(20) == [item for item in opened if item.expires_at <= 20]
        for item in put.values():
            found = item.id if item.status in OPEN else None
            assert book.between(*item.players) == book.between(*reversed(item.players)) == found


def test_a_book_stays_as_it_is_when_another_is_made_of_it() -> None:
    book, put = at_random(Random(9))
    before = ([*book.all()], book.expiries(), len(book))
    book.put(*(item._replace(status=ACCEPTED, expires_at=99) for item in put.values()))
    book.put(challenge(500, "x", "y", ISSUED, 1))
    assert ([*book.all()], book.expiries(), len(book)) == before
    assert book.between("x", "y") is None
    assert book.get(500) is None


def room_of(players: int, *, status: str) -> State:
    """A War Room in which everybody has challenged everybody, with all challenges in this status."""
    names = [f"account-{number:04}" for number in range(players)]
    hangar: dict[str, Any] = {"hangar": dict.fromkeys(Room().state.config.classes, 9), "experience": 0}
    told = Room().canonical
    pairs = enumerate(combinations(names, 2), 1)
    told["players"] = dict.fromkeys(names, hangar)
    told["challenges"] = {
        str(number): challenge(number, one, other, status, AT + number)._asdict() for number, (one, other) in pairs
    }
    return RULES.decode(told)


def said(actor: str, type_: str, at: int, **payload: Any) -> Input:
    role: Role = "operator" if actor == "operator" else "player"
    return Input("i", "g", actor, role, type_, payload, "", at, 2)


def test_times_move_in_events_that_each_fit_into_the_journal() -> None:
    """ENG-12: 155 players who all challenge one another have 11,935 open challenges."""
    state = room_of(155, status=ISSUED)
    before = [item.expires_at for item in state.challenges.all()]
    answer = RULES.decide(state, said("operator", "shift_time", AT, by_ms=60_000, reason="credit"), SeededDice())
    assert not isinstance(answer, Refusal)
    assert len(answer) == 3
    for event in answer:
        assert len(canonical(dict(event.data))) < MAX_EVENT_BYTES // 2
        state = RULES.evolve(state, event)
    assert [item.expires_at for item in state.challenges.all()] == [at + 60_000 for at in before]
    due = RULES.due(state)
    assert due is not None
    assert due.at == before[0] + 60_000


def test_the_times_of_a_battle_move_once_however_many_expiries_move_with_them() -> None:
    state = room_of(102, status=ISSUED)
    first = state.challenges[1]
    state.set_challenges(first._replace(status="deploying", number=1, start_time=AT + 5))
    state.phase = "deploying"
    answer = RULES.decide(state, said("operator", "shift_time", AT, by_ms=1_000, reason="operator"), SeededDice())
    assert not isinstance(answer, Refusal)
    assert [event.data["start_time"] for event in answer] == [AT + 1_005, None]
    for event in answer:
        state = RULES.evolve(state, event)
    assert state.challenges[1].start_time == AT + 1_005


def calls_in(act: Callable[[], object]) -> int:
    """How many functions are called and generators resumed."""
    count = 0

    def note(frame: Any, kind: str, what: Any) -> None:
        nonlocal count
        count += kind == "call"

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count


def test_a_command_costs_no_more_when_many_challenges_are_over() -> None:
    """SPB-102: a room may see any number of challenges."""

    def challenged_and_taken_back(state: State) -> None:
        number = len(state.challenges) + 1
        for type_, payload in (
            ("issue_challenge", {"challenged": "account-0001"}),
            ("withdraw", {"challenge": number}),
        ):
            answer = RULES.decide(state, said("account-0000", type_, AT, **payload), SeededDice())
            assert not isinstance(answer, Refusal), answer
            for event in answer:
                RULES.evolve(state, event)
            RULES.due(state)
            RULES.waiting(state)

    few, many = room_of(3, status=WITHDRAWN), room_of(60, status=WITHDRAWN)
    assert len(many.challenges) > 500 * len(few.challenges)
    assert calls_in(lambda: challenged_and_taken_back(many)) == calls_in(lambda: challenged_and_taken_back(few))
