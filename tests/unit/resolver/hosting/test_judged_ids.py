"""The ids of judged inputs: what is remembered is what was noted, whatever the ids look like."""

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


def test_they_are_stored_as_ids_numbers_hashes_and_times() -> None:
    hashes = [sha256_hex(id.encode()) for id in IDS]
    count = range(len(IDS))
    stored = canonical([IDS, [2 * number for number in count], hashes, [100 + number for number in count]])

    assert noted().stored() == stored
    judged = again(noted())
    assert IDS[0] in judged
    assert judged.stored() == stored


@pytest.mark.parametrize("count", [0, 1, 4, 5, 8, 9])
def test_however_many_are_made_json_at_once_they_are_stored_in_the_same_form(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judged_ids, "_AT_ONCE", 4)
    judged, hashes = JudgedIds(), [sha256_hex(id.encode()) for id in IDS[:count]]
    for number, id in enumerate(IDS[:count]):
        judged.add(id, FirstJudgement(number, hashes[number], 100 + number))

    stored = canonical([IDS[:count], list(range(count)), hashes, list(range(100, 100 + count))])

    assert judged.stored() == stored
    assert len(again(judged)) == count
    assert [again(judged).first(id) for id in IDS[:count]] == [judged.first(id) for id in IDS[:count]]


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
