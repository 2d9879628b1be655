"""Outages before a deadline and what they are worth (design, Time). The deadline is at 1,000 seconds."""

import pytest

from services.resolver.agenda import Appointment
from services.resolver.credit import Gap, Pulse, credited_deadline
from services.resolver.settings import CreditPolicy

SECOND = 1_000
POLICY = CreditPolicy()
DEADLINE = 1_000 * SECOND


def pulse_of(*seconds: int) -> Pulse:
    """A pulse that has heard records at these seconds, the first of them at the start."""
    pulse = Pulse(seconds[0] * SECOND, POLICY)
    for second in seconds[1:]:
        pulse.note(second * SECOND)
    return pulse


def credited(*seconds: int, since: int = 0, after_credit: bool = False) -> int | None:
    """Seconds to which the deadline moves."""
    appointment = Appointment(DEADLINE, since * SECOND, after_credit)
    moved = credited_deadline(appointment, pulse_of(*seconds).gaps, POLICY)
    return None if moved is None else moved // SECOND


def steadily(start: int, end: int) -> tuple[int, ...]:
    return tuple(range(start, end + 1, 10))


def test_steady_records_are_no_outage() -> None:
    assert credited(*steadily(0, 1_010)) is None


def test_a_gap_of_exactly_thirty_seconds_is_no_outage() -> None:
    assert credited(*steadily(0, 900), *steadily(930, 1_010)) is None


def test_a_longer_gap_moves_the_deadline_by_its_length() -> None:
    assert credited(*steadily(0, 900), *steadily(931, 1_011)) == 1_031


def test_several_gaps_add_up() -> None:
    assert credited(*steadily(0, 600), *steadily(700, 800), *steadily(850, 1_010)) == 1_150


def test_after_a_gap_that_lasts_past_the_deadline_sixty_seconds_are_left() -> None:
    assert credited(*steadily(0, 990), 1_040) == 1_100


def test_a_gap_that_began_after_the_deadline_is_none_of_its() -> None:
    assert credited(*steadily(0, 1_000), 1_010, 1_500) is None


def test_the_start_of_the_window_counts_as_a_record() -> None:
    assert credited(0, *steadily(500, 1_010)) == 1_100
    assert credited(0, *steadily(430, 1_010)) is None


def test_silence_from_before_the_deadline_was_set_is_no_outage() -> None:
    assert credited(0, *steadily(900, 1_010), since=900) is None
    assert credited(0, *steadily(950, 1_010), since=900) == 1_050


def test_an_outage_is_credited_once() -> None:
    assert credited(*steadily(0, 700), *steadily(900, 1_010), since=800, after_credit=True) is None


def test_a_second_outage_is_credited_after_the_first() -> None:
    assert credited(*steadily(0, 700), *steadily(900, 940), 990, 1_010, since=800, after_credit=True) == 1_050


@pytest.mark.parametrize("before", [0, 500, 1_580])
def test_gaps_that_a_deadline_to_come_may_need_are_remembered(before: int) -> None:
    pulse = pulse_of(0, 980, 990, 1_500)
    pulse.forget(before * SECOND)

    assert Gap(0, 980 * SECOND) in pulse.gaps


def test_gaps_are_forgotten_once_no_window_reaches_them() -> None:
    pulse = pulse_of(0, 980, 990, 1_500)

    pulse.forget(1_600 * SECOND)

    assert pulse.gaps == (Gap(990 * SECOND, 1_500 * SECOND),)
