"""The stranger's check: an untouched game holds, and whatever was changed is named."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shared.events import JournalEvent
from tests.unit.resolver.hosting.table import Table, install_toy
from tests.unit.tools.exports import edit, edit_input, export, forged, place, played, short
from tests.unit.tools.loading import PATH, load

VERIFY = load()


@pytest.fixture(scope="module")
def patched() -> Any:
    with pytest.MonkeyPatch.context() as monkeypatch:
        install_toy(monkeypatch)
        yield monkeypatch


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory, patched: pytest.MonkeyPatch) -> Table:
    return short(tmp_path_factory.mktemp("short"))


class Check:
    """Runs the verifier on lines; `status` and `said` are of the last run."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def __call__(self, lines: list[bytes], *arguments: str) -> tuple[int, str]:
        path = self.folder / "export.jsonl"
        path.write_bytes(b"".join(lines))
        status = VERIFY.main([str(path), *arguments])
        output = self.capsys.readouterr()
        return status, output.out + output.err


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    return Check(tmp_path, capsys)


def test_an_untouched_journal_holds_with_a_line_for_each_resolution(game: Table, check: Check) -> None:
    status, said = check(export(game))
    assert status == 0
    assert said.splitlines() == [
        "roll:1: certificate 1, 4 inputs, seed 1 of chain 0: holds",
        "deal: certificate 2, 1 inputs, sealed: holds",
        "turn:1: certificate 3, 2 inputs, seed 2 of chain 0: holds",
        f"note: the events from {len(game.journal) - 1} on follow the last certificate and are in none yet",
        "note: the game has not ended in this export",
        f"journal of g1: {len(game.journal)} events, 3 resolutions: all holds",
    ]


def test_an_untouched_chronicle_holds(game: Table, check: Check) -> None:
    status, said = check(export(game, "chronicle"))
    assert status == 0
    assert f"chronicle of g1: {len(game.chronicle)} events, 3 resolutions: all holds" in said


def test_a_game_with_every_kind_of_event_holds_and_a_cut_chain_is_said(
    tmp_path: Path, patched: pytest.MonkeyPatch, check: Check
) -> None:
    table = played(tmp_path)
    status, said = check(export(table))
    assert status == 0, said
    assert "note: chain 1 begins at event" in said
    assert "(reason: import; key id " in said
    assert check(export(table, "chronicle"))[0] == 0


def test_one_changed_byte_is_found_in_every_line(game: Table, check: Check) -> None:
    lines = export(game)
    for number in range(1, len(lines)):
        line = lines[number]
        for where in (0, len(line) // 3, len(line) // 2, len(line) - 10, len(line) - 2):
            changed = line[:where] + bytes([line[where] ^ 1]) + line[where + 1 :]
            status, said = check([*lines[:number], changed, *lines[number + 1 :]])
            assert status == 1, (number, where)
            assert f"WRONG line {number + 1}" in said, (number, where, said)


def test_a_changed_hash_is_told_from_a_changed_event(game: Table, check: Check) -> None:
    lines = export(game)
    where = lines[5].rindex(b'"hash":"') + 12
    changed = lines[5][:where] + (b"0" if lines[5][where : where + 1] != b"0" else b"1") + lines[5][where + 1 :]
    said = check([*lines[:5], changed, *lines[6:]])[1]
    assert said.count("WRONG") == 1
    assert "line 6: the hash beside event 5" in said


def test_a_dropped_record_is_named(game: Table, check: Check) -> None:
    lines = export(game)
    for number in range(1, len(lines) - 1):
        status, said = check([*lines[:number], *lines[number + 1 :]])
        assert status == 1
        assert f"event {number} is missing: dropped" in said


def test_data_that_no_creation_named_is_found(game: Table, check: Check) -> None:
    def slipped_in(events: list[JournalEvent]) -> None:
        events.insert(place(events, "game.created") + 1, events[place(events, "data.part")])

    for form in ("journal", "chronicle"):
        status, said = check(forged(export(game, form), slipped_in))
        assert status == 1
        assert "data belongs to a creation, and the game was created before" in said


def test_an_export_whose_end_was_cut_off_does_not_hold(game: Table, check: Check) -> None:
    for form in ("journal", "chronicle"):
        lines = export(game, form)
        for kept in range(1, len(lines)):
            status, said = check(lines[:kept])
            assert status == 1, kept
            assert f"line {kept + 1}: the last line is missing" in said
            assert f"the file was cut behind event {kept - 1}" in said


def test_events_cut_off_before_the_last_line_are_named(game: Table, check: Check) -> None:
    lines = export(game)
    count = len(lines) - 2
    for kept in range(1, len(lines) - 1):
        status, said = check([*lines[:kept], lines[-1]])
        assert status == 1
        assert f"line {kept + 1}: event {kept}{'' if kept == count else f' to {count}'} is missing: dropped" in said


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (lambda count: {"events": count - 1, "over": False}, "it says that there are"),
        (
            lambda count: {"events": count, "over": True},
            "it says that the game has ended, and the events say otherwise",
        ),
        (lambda count: {"events": "all", "over": False}, "was changed or cut"),
        (lambda count: {"events": count}, "was changed or cut"),
    ],
)
def test_a_last_line_that_does_not_fit_is_named(
    end: Callable[[int], dict[str, Any]], words: str, game: Table, check: Check
) -> None:
    lines = export(game)
    said = check([*lines[:-1], VERIFY.canonical({"end": end(len(lines) - 2)}) + b"\n"])
    assert said[0] == 1
    assert words in said[1]


def test_what_stands_behind_the_last_line_is_named(game: Table, check: Check) -> None:
    lines = export(game)
    status, said = check([*lines[:-2], lines[-1], lines[-2]])
    assert status == 1
    assert f"line {len(lines)}: event {len(lines) - 2} " in said
    assert "stands behind the last line" in said
    assert check([*lines, lines[-1]])[0] == 1


def test_an_export_with_fewer_certificates_than_a_kept_one_does_not_hold(
    game: Table, check: Check, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.jsonl"
    kept.write_bytes(b"".join(export(game, "chronicle")))
    short = forged(export(game), lambda events: events[: place(events, "resolution.certified", 1) + 1])
    assert check(short)[0] == 0
    status, said = check(short, "--against", str(kept))
    assert status == 1
    assert "the other export has 3 certificates, this one 2: it is older, or was cut off" in said


def test_two_swapped_records_are_named(game: Table, check: Check) -> None:
    lines = export(game)
    for number in range(1, len(lines) - 2):
        swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
        status, said = check(swapped)
        assert status == 1
        assert f"line {number + 2}: event {number} " in said
        assert f"stands behind event {number + 1}: swapped" in said
        assert "dropped" not in said


Change = Callable[[list[JournalEvent]], list[JournalEvent] | None]
OTHER = "ab" * 32


def dropped(name: str, nth: int = 0) -> Change:
    return lambda events: [event for index, event in enumerate(events) if index != place(events, name, nth)]


def swapped(events: list[JournalEvent]) -> list[JournalEvent]:
    first, second = place(events, "input.accepted", 1), place(events, "input.accepted", 2)
    events[first], events[second] = events[second], events[first]
    return events


def restarted(reason: str, **changes: Any) -> Change:
    def change(events: list[JournalEvent]) -> list[JournalEvent]:
        created = events[place(events, "game.created")]
        kept = {key: created.data[key] for key in ("chain", "key_id", "salt", "seed0", "sealed")}
        data = {**kept, "chain": 1, "sealed": {}, "reason": reason, **changes}
        started = JournalEvent(0, "warledger.host.chain.started.v1", data, ("public",))
        index = place(events, "resolution.certified", 0) + 1
        return [*events[:index], started, *events[index:]]

    return change


def created_twice(events: list[JournalEvent]) -> list[JournalEvent]:
    index = place(events, "resolution.certified", 0) + 1
    return [*events[:index], events[place(events, "game.created")], *events[index:]]


FORGERIES: dict[str, tuple[Change, list[str]]] = {
    "an input with its old hash": (
        edit_input("kept", honest=False, payload={"name": "changed"}),
        ["the input kept: the input, its salt or its hash was changed"],
    ),
    "an input with a new hash": (
        edit_input("kept", honest=True, payload={"name": "changed"}),
        ["the input kept (order) was accepted and is not among the leaves", "belongs to no input accepted"],
    ),
    "the salt of an input": (
        edit_input("kept", honest=True, salt="0" * 32),
        ["the input kept (order) was accepted and is not among the leaves"],
    ),
    "the time of an input": (
        edit("input.accepted", 2, at=1),
        ["roll:1: certificate 1", "sealed: nonce, state or the events from event 1 on"],
    ),
    "a public event": (edit("rolled", 0, value=7), ["public: the public events from event 1 on", "sealed: nonce"]),
    "a secret event": (edit("named", 0, name="changed"), ["sealed: nonce, state or the events from event 1 on"]),
    "a leaf": (
        edit("resolution.leaves", 2, leaves=[OTHER, "cd" * 32]),
        [f"the leaf {OTHER} belongs to no input", "digest: it is not that of the leaves"],
    ),
    "a seed": (edit("resolution.certified", 0, seed=OTHER), ["seed: it does not lead to what was committed (seed 0"]),
    "a later seed": (
        edit("resolution.certified", 2, seed=OTHER),
        ["seed: it does not lead to what was committed (seed 1"],
    ),
    "a digest": (edit("resolution.certified", 0, digest=OTHER), ["digest: it is not that of the leaves"]),
    "the public hash": (edit("resolution.certified", 0, public=OTHER), ["public: the public events from event 1 on"]),
    "the sealed hash": (edit("resolution.certified", 0, sealed=OTHER), ["sealed: nonce, state or the events"]),
    "a nonce": (edit("resolution.certified", 0, nonce="0" * 32), ["sealed: nonce, state or the events from event 1"]),
    "a state hash": (edit("resolution.certified", 0, state=OTHER), ["sealed: nonce, state or the events from event 1"]),
    "a certificate's number": (edit("resolution.certified", 2, k=9), ["certificate 9 follows certificate 2"]),
    "a label": (edit("resolution.certified", 0, label="roll:9"), ["label: its leaves are those of roll:1"]),
    "the link between certificates": (
        edit("resolution.certified", 2, previous=OTHER),
        ["previous: the certificate before this one was changed, or `previous` was"],
    ),
    "a certificate": (
        edit("resolution.certified", 1, digest=OTHER),
        ["digest: it is not that of the leaves", "previous: the certificate before this one was changed"],
    ),
    "a sealed key": (
        edit("resolution.certified", 1, sealed_key=OTHER),
        ["sealed_key: it is not the one that was committed"],
    ),
    "the commitment of a chain": (edit("game.created", 0, seed0=OTHER), ["seed: it does not lead to", "public: the"]),
    "the salt of a chain": (edit("game.created", 0, salt="0" * 32), ["public: the public events from event 1 on"]),
    "the commitment of a sealed key": (
        edit("game.created", 0, sealed={"deal": OTHER, "spare": OTHER}),
        ["sealed_key: it is not the one that was committed"],
    ),
    "the data of the creation": (
        edit("data.part", 0, text='["eve"]'),
        ["the parts of this data do not have its SHA-256"],
    ),
    "an accepted input dropped": (dropped("input.accepted", 2), ["judgement 4 follows judgement 2", "belongs to no"]),
    "a refused input dropped": (dropped("input.rejected"), ["judgement 8 follows judgement 6", "sealed: nonce"]),
    "a public event dropped": (dropped("rolled"), ["public: the public events from event 1 on"]),
    "leaves dropped": (dropped("resolution.leaves"), ["its leaves are not complete: 0 of 0 parts"]),
    "a certificate dropped": (
        dropped("resolution.certified", 1),
        ["leaves of resolution 3 stand where those of 2 belong", "certificate 3 follows certificate 1"],
    ),
    "two inputs swapped": (swapped, ["judgement 3 follows judgement 1", "judgement 2 follows judgement 3"]),
    "a chain renewed too early": (
        restarted("renewed"),
        ["the chain was restarted after seed 1 of 1024, without a reason"],
    ),
    "a chain restarted without a move": (
        restarted("import", sealed={"deal": OTHER, "spare": OTHER}),
        ["the chain was restarted with reason import, and no game.moved stands before it"],
    ),
    "a chain restarted from the beginning": (
        restarted("key", chain=0, sealed={"deal": OTHER, "spare": OTHER}),
        ["chain 0 follows chain 0: the chain was restarted"],
    ),
    "a game created twice": (created_twice, ["created a second time: its chain was restarted"]),
    "an input of the clock": (
        edit("input.accepted", 7, at=7),
        ["an input of the clock has its id from type, time and number"],
    ),
    "a field that is missing": (
        lambda events: [event._replace(data={}) if event.type.endswith("rolled.v1") else event for event in events],
        ["public: the public events"],
    ),
    "a judgement without its input": (
        lambda events: [
            event._replace(data={"at": 1}) if event.type.endswith("rejected.v1") else event for event in events
        ],
        ["its data does not have the form of its type (KeyError: 'input')"],
    ),
    "an event made secret": (
        lambda events: [event._replace(to=()) if event.type.endswith("rolled.v1") else event for event in events],
        ["public: the public events from event 1 on"],
    ),
}


@pytest.mark.parametrize("name", sorted(FORGERIES))
def test_what_a_skilled_forger_changed_is_named(game: Table, check: Check, name: str) -> None:
    change, expected = FORGERIES[name]
    status, said = check(forged(export(game), change))
    assert status == 1
    assert "does not fit the hash beside it" not in said  # the forger wrote fitting hashes
    for words in expected:
        assert words in said


def test_forgeries_of_the_chronicle_are_named_too(game: Table, check: Check) -> None:
    lines = export(game, "chronicle")
    for change, words in (
        (edit("rolled", 0, value=7), "public: the public events from event 1 on"),
        (edit("resolution.certified", 0, seed=OTHER), "seed: it does not lead to what was committed"),
        (edit("resolution.leaves", 0, leaves=[OTHER]), "digest: it is not that of the leaves"),
        (edit("resolution.certified", 1, sealed=OTHER), "previous: the certificate before this one was changed"),
    ):
        status, said = check(forged(lines, change))
        assert status == 1
        assert words in said


def test_a_spectators_copy_shows_that_everything_was_rewritten(
    game: Table, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, patched: pytest.MonkeyPatch, check: Check
) -> None:
    kept = tmp_path / "kept.jsonl"
    kept.write_bytes(b"".join(export(game, "chronicle")))
    assert check(export(game), "--against", str(kept))[0] == 0
    rewritten = short(tmp_path_factory.mktemp("again"))  # the same game told anew: other salts, other nonces
    status, said = check(export(rewritten), "--against", str(kept))
    assert status == 1
    assert "certificate 1 differs between the two exports" in said


def receipt(game: Table, id: str) -> dict[str, Any]:
    found = next(event.data for event in game.journal if event.data.get("input", {}).get("id") == id)
    return {"id": id, "game": "g1", "hash": found["hash"], "at": found["at"], "input": dict(found["input"])}


@pytest.mark.parametrize("form", ["journal", "chronicle"])
def test_a_player_finds_the_leaf_of_her_receipt(game: Table, check: Check, tmp_path: Path, form: Any) -> None:
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(receipt(game, "kept")))
    status, said = check(export(game, form), "--receipt", str(path))
    assert status == 0
    assert "receipt: the input kept is in roll:1, certificate 1, as leaf" in said


def test_a_receipt_that_is_in_no_resolution_is_a_difference(game: Table, check: Check, tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    missing = receipt(game, "kept")
    missing["input"]["payload"] = {"name": "another"}
    del missing["hash"]
    path.write_text(json.dumps(missing))
    status, said = check(export(game, "chronicle"), "--receipt", str(path))
    assert status == 1
    assert "of input kept is in no resolution" in said


def test_a_receipt_with_a_false_hash_is_a_difference(game: Table, check: Check, tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps({**receipt(game, "kept"), "hash": OTHER}))
    status, said = check(export(game), "--receipt", str(path))
    assert status == 1
    assert "does not have the hash that the receipt names" in said


@pytest.mark.parametrize(
    "content", [b"", b"{}\n", b"[]\n", b'{"format":"warledger-export","version":2,"game":"g","form":"journal"}\n']
)
def test_what_is_no_export_is_told_from_a_false_one(check: Check, content: bytes) -> None:
    assert check([content])[0] == 2


def test_a_file_that_is_not_there_is_usage(tmp_path: Path) -> None:
    assert VERIFY.main([str(tmp_path / "nothing")]) == 2


def test_the_script_runs_alone_without_any_package(game: Table, tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    path.write_bytes(b"".join(export(game)))
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(PATH), str(path)], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("all holds")


def test_its_dice_are_those_of_the_rules() -> None:
    seed = VERIFY.resolution_seed(
        bytes.fromhex("2b32db6c2c0a6235fb1397e8225ea85e0f0e6e8c7b126d0016ccbde0e667151e"),
        "g1",
        "turn:1",
        VERIFY.sha256(b""),
    )
    assert seed.hex() == "e06be2a6f4d29469a3909adf18cc98c97eb7ee3da4271cc8bce7b163a1f2de32"
    words = VERIFY.words(seed, "test")
    assert [next(words) for _ in range(3)] == [1940505173, 3014165171, 99634044]
    stream = VERIFY.words(seed, "test")
    drawn = [VERIFY.draw(stream, 100) for _ in range(129)]
    assert drawn[:10] == [73, 71, 44, 20, 60, 66, 15, 54, 42, 74]
    assert drawn[128] == 41
    assert VERIFY.shuffled(list("ABCDE"), VERIFY.words(seed, "test")) == list("BCAED")
