"""Why some inputs are not judged now, as the probes are told."""

from collections.abc import Collection
from typing import Any

import structlog

_logger: Any = structlog.get_logger()
Place = int | None
"""A partition; None for all of them."""


class Troubles:
    """One reason a place. Noted by one thread, read by others too."""

    def __init__(self, everywhere: str) -> None:
        self._reasons: dict[Place, str] = {None: everywhere}

    def note(self, place: Place, reason: str) -> None:
        """There is a trouble; a new one is logged."""
        if self._reasons.get(place) != reason:
            _logger.warning("not ready", partition=place, reason=reason)
        self._reasons[place] = reason

    def begin(self, place: Place, reason: str) -> None:
        """There is a trouble that was to be expected, unless there is another one."""
        self._reasons.setdefault(place, reason)

    def over(self, place: Place) -> None:
        """There is none any more."""
        self._reasons.pop(place, None)

    def places(self) -> Collection[Place]:
        """Where there is any."""
        return tuple(self._reasons)

    def said(self) -> list[str]:
        """A sentence each."""
        reasons = dict(self._reasons).items()
        return [reason if place is None else f"partition {place}: {reason}" for place, reason in reasons]
