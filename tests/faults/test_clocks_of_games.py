"""Every clock of every game, in one resolver that is killed: nothing that was due is lost, late or done twice.

Moves with their warnings, picks and years with deadlines and without, turns with the window in which they are mended:
all games that are listed, each with the clocks that tests/faults/clocks names, at the shortest that the rules allow.
Each game is played twice: where orders come in all the time, and where nobody says anything.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from services.resolver.replay import check
from shared.log import partition_of
from shared.rules import rules_of
from tests.counts import Counts
from tests.faults.clocks import PACKAGES, Clocked, clocks_of
from tests.faults.judging import OPERATOR, Judging, Voice
from tests.faults.loads import load_of
from tests.faults.timed import Timed, check_clock
from tests.faults.waiting import eventually

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

RATE = 10
SHORTEST_SECONDS = 10
REMINDER = {"seconds": 3}
PEOPLE = tuple(f"player-{number}" for number in range(4))
AWAKE, SILENT = 3, 8
"""Partitions: an outage is measured where nothing is appended."""
OUTAGE_MS = 30_000
DEAD_MS = 45_000
"""Longer than an outage, and longer than four of the shortest periods."""
PACE = {"credit": {"gap_ms": OUTAGE_MS, "rest_ms": 2_000}, "measure_ms": 5_000, "idle_ms": 50}
SAID_EVERY_SECONDS = 0.3
DIES_AT = ("resolver.after_tick", "resolver.before_close", "resolver.before_commit", "resolver.after_commit")
WITHIN = 120.0


@dataclass(frozen=True, slots=True)
class Game:
    """One of the games: what it is, under which clock, and whether anybody says anything in it."""

    id: str
    package: str
    clocked: Clocked
    awake: bool


def games() -> Iterator[Game]:
    """Every clock of every game that is listed, awake and silent."""
    for package in PACKAGES:
        for name, clocked in clocks_of(package).items():
            for partition in (AWAKE, SILENT):
                ids = (f"{package}-{name}-{number}" for number in count())
                id = next(id for id in ids if partition_of(id) == partition)
                yield Game(id, package, clocked, partition == AWAKE)


def open_game(house: Judging, game: Game) -> None:
    """The game is created, entered and begun."""
    load = load_of(game.package)
    create = load.create(PEOPLE, SHORTEST_SECONDS)
    house.create(game.id, load.game, game.clocked.over(create), [REMINDER])
    load.enter(game.id, [(name, Voice(house, name)) for name in PEOPLE])
    if "start_game" in rules_of(load.game).commands:
        house.say(game.id, OPERATOR, "start_game", {})
    speak(house, game)


def speak(house: Judging, game: Game) -> None:
    """What its players say now and then."""
    for number, (type, payload) in game.clocked.said:
        house.say(game.id, PEOPLE[number], type, payload)


class Talk:
    """Orders all the time, in the games that are awake."""

    def __init__(self, house: Judging, played: list[Game]) -> None:
        self._house = house
        self._awake = [game for game in played if game.awake]
        self._last = 0.0

    def go_on(self) -> None:
        """One game after the other says something, if it is time."""
        if time.monotonic() - self._last > SAID_EVERY_SECONDS:
            self._last = time.monotonic()
            self._awake.append(self._awake.pop(0))
            speak(self._house, self._awake[-1])


def timed(house: Judging) -> Mapping[str, Timed]:
    """What the clocks have done so far, each game's checked."""
    return {id: check_clock(events) for id, events in house.journals().items()}


def all_have_closed(house: Judging, played: list[Game], after: int) -> bool:
    """Whether every clock has done something that was due after this time."""
    found = timed(house)
    return all(found[game.id].closes[-1:] > [after] for game in played if game.clocked.brings)


def all_has_come_about(house: Judging, played: list[Game]) -> bool:
    """Whether every clock has brought what it brings."""
    found = timed(house)
    return all(game.clocked.brings <= found[game.id].brought for game in played)


def test_no_clock_is_lost_whenever_the_resolver_dies(tmp_path: Path, counts: Counts) -> None:
    played = list(games())
    with Judging(tmp_path, PACE) as house:
        for game in played:
            open_game(house, game)
        talk = Talk(house, played)

        def wait(after: int, what: str) -> None:
            eventually(lambda: all_have_closed(house, played, after), what, WITHIN, 0.1, talk.go_on)

        house.hasten(RATE)
        house.start()
        wait(0, "every clock runs")
        for game in played:
            speak(house, game)  # and nobody judges it before the resolver is back
        house.kill()
        killed = house.now()
        open_then = {id: found.due for id, found in timed(house).items()}
        eventually(lambda: house.now() > killed + DEAD_MS, "all is overdue", WITHIN, 0.05, talk.go_on)
        revived = house.now()
        house.start()
        wait(revived, "every clock runs again")
        for step in DIES_AT:
            house.die_at(step, talk.go_on)
            house.start()
        wait(house.now(), "every clock runs on")
        eventually(lambda: all_has_come_about(house, played), "all has come about", WITHIN, 0.1, talk.go_on)
        house.kill()

        journals = house.journals()
        awake, silent = house.longest_silence(AWAKE), house.longest_silence(SILENT)
    assert silent > OUTAGE_MS
    for game in played:
        found = check_clock(journals[game.id])
        check(journals[game.id])
        was_open = open_then[game.id]
        if not game.clocked.brings:
            assert (found.closes, found.credits, found.reminded, was_open) == ([], {}, [], None), game.id
            continue
        assert found.reminded, game.id
        assert was_open is not None, game.id
        missed = [at for at in found.closes if killed < at <= revived]
        if not game.awake:
            assert missed == [], f"{game.id}: nobody could act when this was due"
            assert max(found.credits.values()) > revived, game.id
        elif awake <= OUTAGE_MS:
            assert found.credits == {}, game.id
            assert was_open.at in found.closes, game.id
            assert len(missed) >= 3, game.id
        counts.add("clocks", "due in games whose resolver was killed", len(found.closes))
        counts.add("clocks", "outages credited in games whose resolver was killed", len(found.credits))
        counts.add("clocks", "reminders in games whose resolver was killed", len(found.reminded))
