"""A clock that tests hold."""


class SetClock:
    """Shows the time it was set to."""

    def __init__(self, at: int = 1_700_000_000_000) -> None:
        self.at = at

    def now(self) -> int:
        return self.at

    def advance(self, milliseconds: int) -> None:
        """Move it on."""
        self.at += milliseconds
