"""Certificates of a game, found by halving: they are numbered without gaps, and their periods never fall."""

from collections.abc import Iterator

from shared.rules.interface import PUBLIC, Period
from shared.views import Certificate, Head, Views
from shared.views.ids import certificate_id
from shared.views.reader import CERTIFICATE

_MOST_A_READ = 256


class Certificates:
    """Finds certificates. Every method raises HeadMoved."""

    def __init__(self, views: Views) -> None:
        self._views = views

    def newest(self, head: Head) -> Certificate | None:
        """The last one, None while there is none."""
        low, high = 0, 1
        while self._number(head, high) is not None:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._number(head, middle) is not None else (low, middle)
        return self._number(head, low) if low else None

    def of_period(self, head: Head, period: Period, n: int) -> list[Certificate]:
        """Those of all resolutions of turn, round or year n, in order; none for one that is not certified."""
        newest = self.newest(head)
        if newest is None:
            return []
        low, high = 1, newest.k + 1
        while low < high:
            middle = (low + high) // 2
            number = self._period_from(head, period, middle)
            low, high = (low, middle) if number is None or number >= n else (middle + 1, high)
        found = []
        for item in self._from(head, low):
            number = period.number_of(item.fields["label"])
            if number is not None and number > n:
                break
            if number == n:
                found.append(item)
        return found

    def _period_from(self, head: Head, period: Period, k: int) -> int | None:
        """The period of resolution k, or of the next one that is in any (a sealed one may be in none)."""
        numbers = (period.number_of(item.fields["label"]) for item in self._from(head, k))
        return next((number for number in numbers if number is not None), None)

    def _from(self, head: Head, k: int) -> Iterator[Certificate]:
        """All from number k on, the first ones in small pages: few are mostly enough."""
        found = [item] if (item := self._number(head, k)) is not None else []
        size = 1
        while found:
            yield from found
            size = min(2 * size, _MOST_A_READ)
            found = self._views.certificates(head, found[-1].k, size)

    def _number(self, head: Head, k: int) -> Certificate | None:
        found = self._views.one(head, CERTIFICATE, certificate_id(k), PUBLIC[0])
        return None if found is None else Certificate(k, found.fields)
