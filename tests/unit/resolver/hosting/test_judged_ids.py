"""The ids of judged inputs: what is remembered is what was noted, whatever the ids look like."""

from collections.abc import Sequence

import pytest

from services.resolver.hosting import judged_ids
from services.resolver.hosting.judged_ids import FirstJudgement, JudgedIds
from shared.canonical import canonical, sha256_hex

IDS = (
    "0" * 32,
    '"],["',
    "f" * 32,
    "F" * 32,
    "0x" + "1" * 30,
    "1_" * 16,
    "restart",
    " " * 32,
    "00ff" * 8,
    "-" + "1" * 31,
)
"""Most are no 32 hex digits, though some are numbers to Python."""
NUMBERED = {0: "0" * 32, 2: "f" * 32, 8: "00ff" * 8}
"""Those that are, by their places."""


def noted() -> JudgedIds:
    judged = JudgedIds()
    for number, id in enumerate(IDS):
        judged.add(id, FirstJudgement(2 * number, sha256_hex(id.encode()), 100 + number))
    return judged


def again(judged: JudgedIds) -> JudgedIds:
    """As a snapshot gives them back."""
    return JudgedIds(judged.stored())


@pytest.mark.parametrize("judged", [noted(), again(noted())], ids=["noted", "from a snapshot"])
def test_what_is_remembered_is_what_was_noted(judged: JudgedIds) -> None:
    for number, id in enumerate(IDS):
        assert judged.first(id) == FirstJudgement(2 * number, sha256_hex(id.encode()), 100 + number)
    assert len(judged) == len(IDS)
    assert judged.first("never") is None
    assert "0" * 31 not in judged


def in_json(judged: JudgedIds, ids: Sequence[str]) -> bytes:
    """Canonical JSON of ids, numbers, hashes and times, as they were stored before there were columns of bytes."""
    first = [judged.first(id) for id in ids]
    columns = [[item.seq for item in first if item], [item.hash for item in first if item]]
    return canonical([ids, *columns, [item.at for item in first if item]])


def test_they_are_stored_as_counts_ids_hashes_numbers_times_and_what_is_no_number() -> None:
    count, numbered = len(IDS), len(NUMBERED)
    stored = count.to_bytes(8, "little") + numbered.to_bytes(8, "little")
    stored += bytes.fromhex("".join(NUMBERED.values()))
    stored += bytes.fromhex("".join(sha256_hex(id.encode()) for id in IDS))
    stored += b"".join((2 * number).to_bytes(8, "little") for number in range(count))
    stored += b"".join((100 + number).to_bytes(8, "little") for number in range(count))
    stored += canonical([[place, id] for place, id in enumerate(IDS) if place not in NUMBERED])

    assert noted().stored() == stored
    judged = again(noted())
    assert judged.stored() == stored
    assert IDS[0] in judged
    assert judged.stored() == stored


def test_what_was_stored_in_json_is_read_and_stored_in_columns() -> None:
    old = in_json(noted(), IDS)

    assert [JudgedIds(old, in_json=True).first(id) for id in IDS] == [noted().first(id) for id in IDS]
    assert JudgedIds(old, in_json=True).stored() == noted().stored()


@pytest.mark.parametrize("count", [0, 1, 4, 5, 8, 9])
@pytest.mark.parametrize("ids", [IDS, [sha256_hex(id.encode())[:32] for id in IDS]], ids=["any", "hex digits"])
def test_however_many_are_made_bytes_at_once_they_come_back(
    ids: Sequence[str], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = JudgedIds()
    for number, id in enumerate(ids[:count]):
        judged.add(id, FirstJudgement(number, sha256_hex(id.encode()), 100 + number))
    at_once = judged.stored()
    monkeypatch.setattr(judged_ids, "_AT_ONCE", 4)

    assert judged.stored() == at_once
    assert len(again(judged)) == count
    assert [again(judged).first(id) for id in ids[:count]] == [judged.first(id) for id in ids[:count]]
    old = JudgedIds(in_json(judged, ids[:count]), in_json=True)
    assert old.stored() == at_once


def test_what_is_stored_stays_as_it_was_whatever_is_judged_later() -> None:
    judged = noted()
    parts = judged.stored_parts()
    judged.forget_before(103)
    judged.add("new", FirstJudgement(99, sha256_hex(b"new"), 200))

    assert b"".join(parts) == noted().stored()


def test_the_oldest_are_forgotten_and_the_others_stay_what_they_were() -> None:
    judged = noted()
    judged.forget_before(103)
    judged.add("new", FirstJudgement(99, sha256_hex(b"new"), 200))

    assert [id in judged for id in IDS] == [False] * 3 + [True] * (len(IDS) - 3)
    assert judged.first(IDS[3]) == FirstJudgement(6, sha256_hex(IDS[3].encode()), 103)
    assert judged.first("new") == FirstJudgement(99, sha256_hex(b"new"), 200)
    assert again(judged).stored() == judged.stored()
    assert judged.oldest_before(104)
    judged.forget_before(1_000)
    assert len(judged) == 0
    assert not judged.oldest_before(10**15)
