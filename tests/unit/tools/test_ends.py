"""However a game ends, a certificate covers its end; the objectives revealed there are those that the seed dealt."""

from collections.abc import Callable
from pathlib import Path

import pytest

from services.resolver.replay import check as decide_again
from shared.canonical import sha256_hex
from shared.events import CERTIFIED, JournalEvent
from shared.export import Form
from shared.host_events import COVERED
from tests.unit.resolver.hosting.table import Table
from tests.unit.tools.exports import edit, export, forged, place
from tests.unit.tools.loading import load
from tests.unit.tools.test_private_inputs import attack, of, play
from tests.unit.tools.test_verify_turn import Check, check

__all__ = ["check"]

VERIFY = load()


def resigned(folder: Path, *, apart: bool = True) -> Table:
    """The game of `play`; `ana` sets one more policy, and the war ends as `bia` resigns."""
    table = play(folder, 1, apart=apart)
    table.say("ana", "set_policy", 6000, defence_rerolls=2)
    table.say("bia", "resign", 7000)
    assert table.hosted.over()
    return table


def completed(folder: Path) -> Table:
    """A game that ends with its only round."""
    table = Table(folder, kind="exgenhoca")
    table.create({"players": ["ana", "bia"], "config": {"max_rounds": 1}}, private_apart=True)
    table.say("op", "start_game", 2000)
    attack(table, "ana", 3000)
    table.say("op", "close_round", 4000, round=1)
    assert table.hosted.over()
    return table


def certified_anew(events: list[JournalEvent]) -> list[JournalEvent]:
    """A chronicle whose certificates fit what was changed in it: the work of who wrote it in the first place."""
    running, previous, made = bytes(32), "", []
    for event in events:
        if event.type == CERTIFIED:
            event = event._replace(data={**event.data, "public": running.hex(), "previous": previous})
            previous, running = sha256_hex(event.line()), bytes(32)
        else:
            running = VERIFY.running(running, event.line())
        made.append(event)
    return made


@pytest.mark.parametrize("form", ["journal", "chronicle"])
def test_an_end_by_a_resignation_is_certified(tmp_path: Path, check: Check, form: Form) -> None:
    table = resigned(tmp_path)
    assert of(table.journal, CERTIFIED)[-1]["label"] == "end"
    assert of(table.journal, COVERED)[-1]["label"] == "end"
    status, said = check(export(table, form))
    assert status == 0, said
    decide_again(table.journal)


def test_a_game_from_before_ends_as_it_did(tmp_path: Path, check: Check) -> None:
    table = resigned(tmp_path, apart=False)
    assert of(table.journal, CERTIFIED)[-1]["label"] != "end"
    assert check(export(table))[0] == 0
    decide_again(table.journal)


@pytest.mark.parametrize("form", ["journal", "chronicle"])
def test_an_end_whose_certificate_is_gone_is_a_difference(tmp_path: Path, check: Check, form: Form) -> None:
    def cut(events: list[JournalEvent]) -> list[JournalEvent]:
        last = max(index for index, event in enumerate(events) if event.type == CERTIFIED)
        return events[:last] + events[last + 1 :]

    status, said = check(forged(export(resigned(tmp_path), form), cut))
    assert status == 1
    assert "no certificate covers its end" in said


@pytest.mark.parametrize("end", [resigned, completed])
def test_other_objectives_are_named_though_the_certificates_were_made_to_fit(
    tmp_path: Path, check: Check, end: Callable[[Path], Table]
) -> None:
    def lie(events: list[JournalEvent]) -> list[JournalEvent]:
        told = events[place(events, "objectives_revealed")].data["objectives"]
        edit("objectives_revealed", objectives={"1": told["2"], "2": told["1"]})(events)
        return certified_anew(events)

    status, said = check(forged(export(end(tmp_path), "chronicle"), lie))
    assert status == 1
    assert "the seed does not give seat 1 the objective" in said


def test_the_journal_shows_that_other_objectives_were_dealt(tmp_path: Path, check: Check) -> None:
    table = completed(tmp_path)
    told = of(table.journal, "warledger.exgenhoca.objectives_revealed.v1")[0]["objectives"]
    easier = {**told, "1": {**told["1"], "min_total": 1}}
    status, said = check(forged(export(table), edit("objectives_revealed", objectives=easier)))
    assert status == 1
    assert "the objectives revealed are not those that were dealt and changed" in said
