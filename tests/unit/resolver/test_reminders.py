"""Reminders: those whom the game waits for are told once, some time before the deadline (decision 0022)."""

from pathlib import Path

import pytest

from services.resolver.agenda import REMINDER, Appointment
from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.reminders import PLAYERS_AN_EVENT, next_reminder
from services.resolver.hosting.snapshots import decode, encode
from services.resolver.replay import replay
from services.resolver.sequencer import Sequencer
from shared.events import JournalEvent
from shared.log import partition_of
from tests.unit.resolver.hosting.toy import TURN_MS, Toy, ToyState
from tests.unit.resolver.house import House

MINUTE = 60_000
LEAD = 20
"""Minutes; a turn of the toy has sixty."""
SECONDS = LEAD * 60
WAITING = ["ana", "bia"]


@pytest.fixture(autouse=True)
def waited_for(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whom the toy waits for; a test may change it."""
    names = list(WAITING)
    monkeypatch.setattr(Toy, "waiting", lambda _toy, _state: sorted(names))
    return names


def opened(house: House, *minutes: int | dict[str, int], game: str = "g1") -> int:
    """A game with these reminders whose first turn is open; returns its deadline."""
    create = {"names": ["x"]}
    house.say(game, "op", "create_game", game="toy", rules="1", create=create, reminders=list(minutes))
    return house.say(game, "op", "start").at + TURN_MS


def given(house: House, game: str = "g1") -> list[tuple[int, int, int, tuple[str, ...]]]:
    """Time, deadline, seconds and receivers of every reminder in the journal."""
    return [
        (event.data["at"], event.data["deadline"], event.data["seconds"], event.to)
        for event in house.journal(game)
        if event.type == "warledger.host.reminder.given.v1"
    ]


def running(house: House) -> Sequencer:
    return house.resolver._running[partition_of("g1")]


def test_those_whom_the_game_waits_for_are_told_once_before_each_deadline(house: House) -> None:
    deadline = opened(house, LEAD)
    house.settle(at=deadline - LEAD * MINUTE)
    assert given(house) == []

    house.settle(at=deadline + TURN_MS + 1)

    players = ("player:ana", "player:bia")
    assert given(house) == [
        (at - LEAD * MINUTE, at, SECONDS, players) for at in (deadline, deadline + TURN_MS)
    ]  # fmt: skip
    assert not list(replay(house.journal("g1")))


def test_what_came_in_time_is_judged_before_the_reminder_and_what_came_later_behind_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who acted until then is not waited for."""

    def waiting(_toy: Toy, state: ToyState) -> list[str]:
        return [name for name in WAITING if name not in state.names]

    monkeypatch.setattr(Toy, "waiting", waiting)
    at = opened(house, LEAD) - LEAD * MINUTE
    house.say("g1", "ana", "order", at=at, name="ana")
    house.say("g1", "bia", "order", at=at + 1, name="bia")

    house.settle(at=at + 2)

    assert [receivers for *_, receivers in given(house)] == [("player:bia",)]
    assert house.told("g1")[-6:] == [
        "accepted order", "named", "reminders.due", "reminder.given", "accepted order", "named"
    ]  # fmt: skip


def test_a_game_that_waits_for_nobody_tells_nobody_and_goes_on(house: House, waited_for: list[str]) -> None:
    waited_for.clear()
    deadline = opened(house, LEAD)
    house.settle(at=deadline + 1)
    assert given(house) == []
    assert house.told("g1").count("reminders.due") == 1
    assert "accepted close" in house.told("g1")


def test_a_reminder_may_be_given_in_seconds(house: House) -> None:
    deadline = opened(house, {"seconds": 90})
    house.settle(at=deadline)
    assert [item[0] for item in given(house)] == [deadline - 90_000]


def test_several_reminders_come_in_their_order_each_once(house: House) -> None:
    deadline = opened(house, 5, LEAD, 5)
    house.settle(at=deadline + 1)
    assert [(at, seconds) for at, _, seconds, _ in given(house)] == [
        (deadline - LEAD * MINUTE, SECONDS), (deadline - 5 * MINUTE, 300)
    ]  # fmt: skip


def test_a_turn_that_is_too_short_for_a_reminder_has_none(house: House) -> None:
    """It may not come in the first half of the turn."""
    deadline = opened(house, 31, 120)
    house.settle(at=deadline + TURN_MS + 1)
    assert given(house) == []
    other = opened(house, 30, game="g2")
    house.settle(at=other)
    assert len(given(house, "g2")) == 1


def test_a_game_created_without_reminders_has_none(house: House) -> None:
    deadline = house.open("g1")
    house.settle(at=deadline + TURN_MS + 1)
    assert "reminders.due" not in house.told("g1")


def test_a_moved_deadline_moves_its_reminder(house: House) -> None:
    deadline = opened(house, LEAD)
    house.say("g1", "op", "set_deadline", at=deadline - 30 * MINUTE, deadline=deadline + TURN_MS, reason="operator")
    house.settle(at=deadline)
    assert given(house) == []
    house.say("g1", "op", "shift_time", by_ms=-10 * MINUTE, reason="operator")
    house.settle(at=deadline + TURN_MS - 10 * MINUTE)
    moved = deadline + TURN_MS - 10 * MINUTE
    assert [item[:3] for item in given(house)] == [(moved - LEAD * MINUTE, moved, SECONDS)]
    assert not list(replay(house.journal("g1")))


def test_a_paused_game_reminds_nobody_and_after_the_pause_it_does(house: House) -> None:
    deadline = opened(house, LEAD)
    house.say("g1", "op", "set_deadline", deadline=None, reason="pause")
    house.settle(at=deadline + TURN_MS)
    assert given(house) == []
    again = deadline + TURN_MS + 25 * MINUTE
    house.say("g1", "op", "set_deadline", deadline=again, reason="operator")
    house.settle(at=again)
    assert [item[:2] for item in given(house)] == [(again - LEAD * MINUTE, again)]
    assert not list(replay(house.journal("g1")))


def test_a_reminder_whose_time_has_passed_is_left_out_and_none_is_given_twice(house: House) -> None:
    deadline = opened(house, LEAD)
    house.settle(at=deadline - 15 * MINUTE)
    assert len(given(house)) == 1
    later = deadline + 4 * MINUTE
    house.say("g1", "op", "set_deadline", deadline=later, reason="credit")  # its own would lie before this
    house.settle(at=later + 1)
    assert [item[1] for item in given(house)] == [deadline]
    assert not list(replay(house.journal("g1")))


@pytest.mark.parametrize("stored", [False, True], ids=["from the journal", "from a snapshot"])
def test_whoever_takes_over_gives_a_reminder_that_is_due_and_none_again(house: House, stored: bool) -> None:
    deadline = opened(house, LEAD, 5)
    for at in (deadline - 50 * MINUTE, deadline - LEAD * MINUTE + 1, deadline - 5 * MINUTE + 1, deadline + 1):
        house.settle(at=at - 1)
        house.settle(at=at)
        if stored:
            running(house).snapshot(house.clock.now(), at_once=True)
        house.restart()
        house.settle()
    assert [seconds for _, _, seconds, _ in given(house)] == [SECONDS, 300]
    assert not list(replay(house.journal("g1")))


def test_a_game_at_rest_is_not_loaded_before_its_reminder(house: House) -> None:
    deadline = opened(house, LEAD)
    house.settle()
    running(house).snapshot(house.clock.now(), at_once=True)
    house.restart()
    house.settle(at=deadline - LEAD * MINUTE)
    games = running(house).games
    assert games.loaded == 0
    at = deadline - LEAD * MINUTE
    assert games.agenda.of("g1", REMINDER) == Appointment(at, at)
    house.settle(at=at + 1)
    assert len(given(house)) == 1


def test_a_reminder_before_the_takeover_was_committed_is_given_by_the_next_owner(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one dies between its decision and the commit."""
    deadline = opened(house, LEAD)
    house.settle(at=deadline - 25 * MINUTE)
    house.clock.time = deadline - LEAD * MINUTE + 1
    with monkeypatch.context() as patched:
        patched.setattr("services.resolver.writing.point", _dies)
        with pytest.raises(Died):
            house.settle()
    assert given(house) == []
    house.restart()
    house.settle()
    assert len(given(house)) == 1


class Died(BaseException):
    """In place of kill -9."""


def _dies(step: str) -> None:
    if step == "resolver.before_commit":
        raise Died


def test_many_players_are_told_in_several_events(house: House, waited_for: list[str]) -> None:
    waited_for[:] = [f"p{number:05}" for number in range(2 * PLAYERS_AN_EVENT + 1)]
    deadline = opened(house, LEAD)
    house.settle(at=deadline)
    told = [receivers for *_, receivers in given(house)]
    assert [len(receivers) for receivers in told] == [PLAYERS_AN_EVENT, PLAYERS_AN_EVENT, 1]
    assert [name for receivers in told for name in receivers] == [f"player:{name}" for name in waited_for]
    assert house.told("g1").count("reminders.due") == 1
    assert not list(replay(house.journal("g1")))


def test_rules_that_fail_on_a_reminder_set_their_game_aside(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    deadline = opened(house, LEAD)
    other = opened(house, LEAD, game="g2")
    house.settle(at=deadline - 25 * MINUTE)
    failing = Toy.waiting

    def waiting(toy: Toy, state: ToyState) -> list[str]:
        raise RuntimeError("whom?")

    monkeypatch.setattr(Toy, "waiting", waiting)
    house.settle(at=deadline - LEAD * MINUTE + 1)
    monkeypatch.setattr(Toy, "waiting", failing)
    assert house.told("g1")[-1] == "game.quarantined"
    house.say("g1", "op", "release_game", shift_ms=TURN_MS)
    house.settle(at=other + TURN_MS)
    assert len(given(house)) == 1
    assert not list(replay(house.journal("g1")))


def test_a_replay_tells_a_reminder_at_the_wrong_time_to_the_wrong_people_or_of_none(house: House) -> None:
    deadline = opened(house, LEAD)
    house.settle(at=deadline - 1)
    journal = house.journal("g1")
    place = next(n for n, event in enumerate(journal) if event.type == "warledger.host.reminders.due.v1")

    def altered(n: int, event: JournalEvent) -> list[JournalEvent]:
        return [*journal[:n], event, *journal[n + 1 :]]

    due, told = journal[place], journal[place + 1]
    early = due._replace(data={**due.data, "at": due.data["at"] - 1})
    assert [item.cause for item in replay(altered(place, early))] == [
        f"a reminder was given at {early.data['at']}; it is due at {due.data['at']}",
        "the recorded event is not the decided one",
    ]
    others = told._replace(to=("player:ana",))
    assert [item.n for item in replay(altered(place + 1, others))] == [told.n]
    twice = [*journal, due._replace(n=journal[-1].n + 1)]
    assert [item.cause for item in replay(twice)] == ["the journal holds a reminder, and none is due"]


def test_a_snapshot_holds_what_a_reminder_depends_on(house: House) -> None:
    deadline = opened(house, LEAD, 5)
    house.settle(at=deadline - LEAD * MINUTE + 1)
    game: HostedGame | None = None
    for event in house.journal("g1"):
        game = fold(game, event)
    assert game is not None
    again = decode(encode(game))
    assert encode(again) == encode(game)
    assert next_reminder(again) == next_reminder(game) is not None
    assert again.reminded == (deadline, SECONDS)


def test_a_creation_that_names_no_minutes_is_malformed(house: House, tmp_path: Path) -> None:
    for number, wrong in enumerate(([0], [10_081], ["5"], 5, [1, 2, 3, 4, 5], [{"seconds": 0}])):
        house.say(f"m{number}", "op", "create_game", game="toy", rules="1", create={"names": []}, reminders=wrong)
    house.settle()
    assert all(house.told(f"m{number}") == ["rejected create_game malformed"] for number in range(6))
