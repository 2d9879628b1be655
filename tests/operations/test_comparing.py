"""A difference names workload and counter; small falls are let go."""

from tests.operations.comparing import differences

RECORDED = {"a turn": {"events": 100, "draws": 1_000}}


def told(**counts: int) -> list[str]:
    return [item.told() for item in differences(RECORDED, {"a turn": {**RECORDED["a turn"], **counts}})]


def test_a_rise_by_one_is_named_with_both_numbers() -> None:
    assert told(draws=1_001) == ["a turn: draws: recorded 1,000, found 1,001 (0.1 % more)"]


def test_a_fall_is_named_once_the_record_guards_nothing_any_more() -> None:
    assert told(draws=950) == []
    assert told(draws=949) == ["a turn: draws: recorded 1,000, found 949 (5.1 % less)"]


def test_bytes_of_what_is_packed_may_rise_a_little() -> None:
    recorded = {"a turn": {"bytes of snapshots": 1_000}}
    assert list(differences(recorded, {"a turn": {"bytes of snapshots": 1_010}})) == []
    (found,) = differences(recorded, {"a turn": {"bytes of snapshots": 1_011}})
    assert found.told() == "a turn: bytes of snapshots: recorded 1,000, found 1,011 (1.1 % more)"


def test_what_is_done_for_the_first_time_and_what_is_done_no_more_is_named() -> None:
    assert told(syncs=2) == ["a turn: syncs: recorded 0, found 2 (not recorded before)"]
    gone = [item.told() for item in differences(RECORDED, {})]
    assert gone == [
        "a turn: draws: recorded 1,000, found 0 (not done any more)",
        "a turn: events: recorded 100, found 0 (not done any more)",
    ]


def test_the_same_numbers_differ_in_nothing() -> None:
    assert told() == []
