"""Credit for outages (design, Time): how long `orders` was silent before a deadline, and what that is worth. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from services.resolver.agenda import Appointment
from services.resolver.settings import CreditPolicy

CREDIT = "credit"
"""Reason of the clock's input that moves a deadline after an outage (ENG-12)."""

GAPS_LOOKED_THROUGH = 256


class Gap(NamedTuple):
    """Silence between two neighbouring records of `orders`, by their `at`."""

    start: int
    end: int


class Pulse:
    """The silences of one partition's `orders` that are longer than the policy's gap."""

    def __init__(self, last: int, policy: CreditPolicy) -> None:
        self._last = last
        self._policy = policy
        self._gaps: list[Gap] = []

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The gaps that are still remembered, in order."""
        return tuple(self._gaps)

    def note(self, at: int) -> None:
        """A record of `orders` (an input or a tick) was read."""
        if at - self._last > self._policy.gap_ms:
            self._gaps.append(Gap(self._last, at))
        self._last = at

    @property
    def crowded(self) -> bool:
        """Whether so many gaps are remembered that it is worth asking which of them still matter."""
        return len(self._gaps) > GAPS_LOOKED_THROUGH

    @property
    def last(self) -> int:
        """`at` of the last record of `orders`."""
        return self._last

    def forget_up_to(self, need: int) -> None:
        """No silence before this time matters to any deadline, set or still to be set."""
        self._gaps = [gap for gap in self._gaps if gap.end > need]

    def forget(self, before: int) -> None:
        """No deadline before this time will be asked for any more."""
        if self._gaps and self._gaps[0].end < before - self._policy.window_ms:
            self._gaps = [gap for gap in self._gaps if gap.end >= before - self._policy.window_ms]


def credited_deadline(appointment: Appointment, gaps: Iterable[Gap], policy: CreditPolicy) -> int | None:
    """The deadline that an outage before this one earns, None if there was none.

    The window begins `window_ms` before the deadline, but not before the deadline was set: silence is measured only
    from when the sequencer had a reason to break it. A gap that holds the stamp of the last credit was credited.
    """
    deadline = appointment.at
    window = max(deadline - policy.window_ms, appointment.since)
    length = 0
    end = 0
    for gap in gaps:
        if gap.start > deadline or (appointment.credited and gap.start <= appointment.since):
            continue
        lost = gap.end - max(gap.start, window)
        if lost > policy.gap_ms:
            length += lost
            end = gap.end
    return max(deadline + length, end + policy.rest_ms) if length else None
