"""Private commands are certified apart: nothing public tells their number, each is proved to who gave it (ENG-7)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from services.resolver.hosting.deciding import MOST_PRIVATE
from services.resolver.hosting.snapshots import decode, encode
from shared import schemas
from shared.dice import leaf
from shared.events import CERTIFIED, JournalEvent
from shared.host_events import ACCEPTED, COVERED, LEAVES
from shared.private_tree import root_of
from tests.unit.resolver.hosting.table import Table, code_of
from tests.unit.tools.exports import edit, export, forged
from tests.unit.tools.test_verify_turn import Check, check

__all__ = ["check"]


def play(folder: Path, policies: int, *, apart: bool = True) -> Table:
    """Two players, one attack of each; `ana` sets so many policies before the first, `bia` one before the second."""
    table = Table(folder, kind="exgenhoca")
    table.create({"players": ["ana", "bia"], "config": {}}, **({"private_apart": True} if apart else {}))
    table.say("op", "start_game", 2000)
    for number in range(policies):
        table.say("ana", "set_policy", 3000 + number, defence_rerolls=number % 2)
    attack(table, "ana", 4000)
    table.say("bia", "set_policy", 4500, defence_plus5="next")
    attack(table, "bia", 5000)
    return table


def attack(table: Table, name: str, at: int) -> None:
    for target in table.hosted.rules.encode(table.hosted.state)["territories"]:  # type: ignore[union-attr]
        if table.say(name, "attack", at, target=target).verdict == "accepted":
            return
    raise AssertionError("nothing can be attacked")


def of(events: list[JournalEvent], type: str) -> list[dict[str, Any]]:
    return [dict(event.data) for event in events if event.type == type]


@pytest.mark.parametrize("policies", [0, 1, 40])
def test_the_chronicle_tells_nothing_of_their_number(tmp_path: Path, policies: int) -> None:
    table = play(tmp_path, policies)
    others = {item["input"]["id"] for item in of(table.journal, ACCEPTED) if item["input"]["type"] != "set_policy"}
    assert sum(len(item["leaves"]) for item in of(table.chronicle, LEAVES)) == len(others)
    certificates = of(table.chronicle, CERTIFIED)
    assert all(len(bytes.fromhex(item["private"])) == 32 for item in certificates)
    assert not of(table.chronicle, COVERED)


def test_each_is_covered_by_the_resolution_that_follows_and_told_to_who_gave_it(tmp_path: Path) -> None:
    table = play(tmp_path, 3)
    given = {item["input"]["id"]: item for item in of(table.journal, ACCEPTED) if item["input"]["type"] == "set_policy"}
    certificates = {item["k"]: item for item in of(table.chronicle, CERTIFIED)}
    covered = [event for event in table.journal if event.type == COVERED]
    assert [event.data["input"] for event in covered] == list(given)
    assert [event.data["k"] for event in covered] == [2, 2, 2, 3]
    for event in covered:
        of_input = given[event.data["input"]]
        assert event.to == (f"player:{of_input['input']['actor']}",)
        assert event.data["leaf"] == leaf(event.data["input"], of_input["hash"])
        assert root_of(event.data["leaf"], event.data["path"]) == certificates[event.data["k"]]["private"]
    for event in (*covered, *(event for event in table.journal if event.type == CERTIFIED)):
        jsonschema.validate(event.data, schemas.stored(event.type))


def test_of_one_player_so_many_wait_and_no_more(tmp_path: Path) -> None:
    """Else one player could make the attack of another as large as she likes."""
    table = play(tmp_path, 0)
    for number in range(MOST_PRIVATE):
        assert table.say("ana", "set_policy", 6000 + number, defence_rerolls=1).verdict == "accepted"
    assert code_of(table.say("ana", "set_policy", 7000, defence_rerolls=2)) == "too_many_private"
    assert table.say("bia", "set_policy", 7001, defence_rerolls=2).verdict == "accepted"
    assert table.say("op", "close_round", 7002, round=table.hosted.state.round).verdict == "accepted"
    assert table.say("ana", "set_policy", 7003, defence_rerolls=2).verdict == "accepted"


def test_a_snapshot_keeps_those_that_wait(tmp_path: Path) -> None:
    table = play(tmp_path, 0)
    table.say("ana", "set_policy", 6000, defence_rerolls=1)
    assert len(table.hosted.private) == 1
    restored = decode(encode(table.hosted))
    assert restored.private == table.hosted.private
    assert restored.private_apart


def test_a_game_from_before_has_them_in_its_digests(tmp_path: Path, check: Check) -> None:
    table = play(tmp_path, 3, apart=False)
    assert sum(len(item["leaves"]) for item in of(table.chronicle, LEAVES)) == len(of(table.journal, ACCEPTED))
    assert not any("private" in item for item in of(table.journal, CERTIFIED))
    assert not decode(encode(table.hosted)).private_apart
    assert check(export(table))[0] == 0


def test_both_forms_hold(tmp_path: Path, check: Check) -> None:
    table = play(tmp_path, 3)
    for form in ("journal", "chronicle"):
        status, said = check(export(table, form))
        assert status == 0, said


def _dropped(events: list[JournalEvent]) -> list[JournalEvent]:
    return [event for event in events if event.type != COVERED]


def _without_root(events: list[JournalEvent]) -> list[JournalEvent]:
    kept = [{key: item for key, item in event.data.items() if key != "private"} for event in events]
    return [
        event._replace(data=data) if event.type == CERTIFIED else event
        for event, data in zip(events, kept, strict=True)
    ]


FORGERIES: dict[str, tuple[Callable[[list[JournalEvent]], Any], str]] = {
    "another root": (edit("resolution.certified", 1, private="0" * 64), "private: it is not the root"),
    "a root that is missing": (_without_root, "private: the creation says otherwise"),
    "covers that are dropped": (_dropped, "are not those that are covered"),
    "another path": (edit("input.covered", 0, path=["0" * 64] * 48), "its path does not lead to the private root"),
    "a path that is cut": (edit("input.covered", 0, path=["0" * 64]), "its data does not have the form"),
    "another leaf": (edit("input.covered", 0, leaf="0" * 64), "are not those that are covered"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_what_was_changed_is_named(tmp_path: Path, check: Check, name: str) -> None:
    change, words = FORGERIES[name]
    status, said = check(forged(export(play(tmp_path, 3)), change))
    assert status == 1
    assert words in said


def _kept(table: Table, folder: Path, *, path: list[str] | None = None) -> list[str]:
    """Receipt and judgement of the first policy, as a player keeps them."""
    given = next(item for item in of(table.journal, ACCEPTED) if item["input"]["type"] == "set_policy")
    cover = of(table.journal, COVERED)[0]
    receipt, judgement = folder / "receipt.json", folder / "judgement.json"
    receipt.write_text(json.dumps({"input": given["input"], "hash": given["hash"]}))
    judgement.write_text(json.dumps({"cover": {"k": cover["k"], "path": path or cover["path"]}}))
    return ["--receipt", str(receipt), "--cover", str(judgement)]


def test_who_gave_one_checks_it_against_the_chronicle(tmp_path: Path, check: Check) -> None:
    table = play(tmp_path, 3)
    status, said = check(export(table, "chronicle"), *_kept(table, tmp_path))
    assert status == 0
    assert "is covered by certificate 2" in said


@pytest.mark.parametrize("path", [["0" * 64] * 48, ["0" * 64]])
def test_a_path_that_leads_elsewhere_is_a_difference(tmp_path: Path, check: Check, path: list[str]) -> None:
    table = play(tmp_path, 3)
    status, said = check(export(table, "chronicle"), *_kept(table, tmp_path, path=path))
    assert status == 1
    assert "does not lead to the private root of certificate 2" in said


def test_a_judgement_without_a_certificate_yet_says_so(tmp_path: Path, check: Check) -> None:
    table = play(tmp_path, 3)
    arguments = _kept(table, tmp_path)
    (tmp_path / "judgement.json").write_text("{}")
    status, said = check(export(table, "chronicle"), *arguments)
    assert status == 2
    assert "no resolution has followed it yet" in said


@pytest.mark.parametrize(
    "judgement", ["[]", '{"cover": {}}', '{"cover": "x"}', json.dumps({"cover": {"k": 2, "path": [1] * 48}})]
)
def test_a_judgement_of_another_form_is_named(tmp_path: Path, check: Check, judgement: str) -> None:
    table = play(tmp_path, 3)
    arguments = _kept(table, tmp_path)
    (tmp_path / "judgement.json").write_text(judgement)
    status, said = check(export(table, "chronicle"), *arguments)
    assert status == 2
    assert "does not have the form of the server's answer" in said


def test_a_cover_without_its_receipt_is_refused(tmp_path: Path, check: Check) -> None:
    """Ignored, it would seem to hold."""
    table = play(tmp_path, 3)
    with pytest.raises(SystemExit) as refused:
        check(export(table, "chronicle"), *_kept(table, tmp_path)[2:])
    assert refused.value.code == 2
