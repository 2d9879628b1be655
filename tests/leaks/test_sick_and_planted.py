"""A quarantine is not seen by players, and the leak test finds leaks that are built in."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from services.gateway import reads, streams, summaries
from shared.rules.gxc import RULES
from shared.rules.gxc.decide import decide as healthy
from shared.rules.interface import Decision, Dice, Input
from shared.views import FeedEntry, Head
from tests.leaks.gxc import TeamWar
from tests.leaks.house import Drawn, House, pin
from tests.leaks.visitors import Heard, same, visit


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    pin(monkeypatch)
    return Drawn(monkeypatch)


def _heard(folder: Path, drawn: Drawn, secrets: Callable[[TeamWar], object]) -> Heard:
    """What everybody reads in turn 3, after some secrets."""
    house = House(folder)
    try:
        war = TeamWar(house, drawn)
        war.begin()
        secrets(war)
        return visit(war, drawn, "turn 3", writes=False)
    finally:
        house.close()


def _nothing(_war: TeamWar) -> None:
    """Red does nothing."""


@pytest.mark.slow
def test_players_are_not_told_that_a_secret_order_has_set_the_game_aside(
    tmp_path: Path, drawn: Drawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decide(state: Any, command: Input, dice: Dice) -> Decision:
        if command.type == "clear_order":
            raise RuntimeError("a fault of the rules")
        return healthy(state, command, dice)

    def fail(war: TeamWar) -> None:
        assert war.say("r1", "clear_order") == 202
        head = war.house.gateway.reads.views.head("war")
        assert head is not None
        assert head.quarantined

    monkeypatch.setattr(RULES, "decide", decide)
    same(_heard(tmp_path / "well", drawn, _nothing), _heard(tmp_path / "sick", drawn, fail))


def _position_in_the_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = summaries.summary

    def telling(head: Head) -> dict[str, Any]:
        return {**honest(head), "n": head.n}

    monkeypatch.setattr(reads, "summary", telling)


def _position_in_the_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = streams._frame

    def telling(entry: FeedEntry, notice: Mapping[str, Any] | None, operates: bool) -> bytes:
        return honest(entry, notice, operates) + b": " + str(entry.n).encode() + b"\n\n"

    monkeypatch.setattr(streams, "_frame", telling)


def _everybodys_count_in_the_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    def telling(head: Head, _identity: object) -> dict[str, Any]:
        return {} if head.n == 0 else {"at": head.n}

    monkeypatch.setattr(reads, "operators_facts", telling)


LEAKS: Mapping[str, Callable[[pytest.MonkeyPatch], None]] = {
    "the position of the head in every page": _position_in_the_summary,
    "the position of an event in its frame": _position_in_the_frame,
    "the position of the head in the tag": _everybodys_count_in_the_tag,
}


@pytest.mark.faults
@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found(tmp_path: Path, drawn: Drawn, monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    LEAKS[leak](monkeypatch)

    def whisper(war: TeamWar) -> None:
        war.do("r3", "chat", {"channel": "team", "text": "psst"})
        war.do("op", "set_deadline", {"deadline": war.house.clock.time + 10**8, "reason": "operator"}, "public")

    def shout(war: TeamWar) -> None:
        war.do("op", "set_deadline", {"deadline": war.house.clock.time + 10**8, "reason": "operator"}, "public")

    one, other = _heard(tmp_path / "one", drawn, shout), _heard(tmp_path / "other", drawn, whisper)
    with pytest.raises(AssertionError, match="answers differ"):
        same(one, other)
