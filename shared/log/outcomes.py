"""What every adapter asks of an outcome, and how it writes its marks down."""

from collections.abc import Mapping

from shared.canonical import canonical
from shared.log import INPUT_TOPICS, Mark

MARKS_HEADER = "marks"
"""Header of the last turns record of a commit: canonical JSON of {topic: [next offset, last at]}."""


def check_marks(before: Mapping[str, Mark], after: Mapping[str, Mark]) -> None:
    """Raises ValueError for marks that do not name every input topic, or go back."""
    if set(after) != set(INPUT_TOPICS):
        raise ValueError(f"an outcome has one mark for each of {', '.join(INPUT_TOPICS)}, not for {sorted(after)}")
    for topic, mark in after.items():
        if mark.offset < before[topic].offset or mark.at < before[topic].at:
            raise ValueError(f"marks only move forward: {topic} stands at {before[topic]}, the outcome has {mark}")


def marks_text(marks: Mapping[str, Mark]) -> str:
    """The marks as their header has them."""
    return canonical({topic: list(mark) for topic, mark in marks.items()}).decode()
