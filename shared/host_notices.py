"""Notices of the host, the same in every game: the reminder before a deadline (docs/decisions/0022-notices.md)."""

from collections.abc import Mapping, Sequence

from shared.rules.interface import Sentence
from shared.rules.notices import EVERYBODY_NAMED, Notice

HOST_NOTICES: Mapping[str, Sequence[Notice]] = {
    "reminder.given": (
        Notice(
            "deadline_near",
            EVERYBODY_NAMED,
            ("deadline", "seconds", "period", "number"),
            (
                Sentence(
                    "The game waits for you: its deadline is in {seconds:span}, {deadline:time}", {"number": None}
                ),
                Sentence("The game waits for you: {period} {number} closes in {seconds:span}, {deadline:time}"),
            ),
        ),
    ),
}
"""Name of the host's event -> its notices. Their codes are no game's."""
