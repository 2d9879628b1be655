"""What every adapter of the log refuses before anything is sent: records over the limit, places that do not exist."""

from collections.abc import Iterable

from shared.log import CHRONICLE, DEAD_LETTERS, INPUT_TOPICS, MAX_RECORD_BYTES, PARTITIONS, TURNS, Draft, TooLarge

ALL_TOPICS = (*INPUT_TOPICS, TURNS, CHRONICLE, DEAD_LETTERS)


def draft_bytes(draft: Draft) -> int:
    """Bytes of key, value, and names and values of the headers, in UTF-8."""
    envelope = sum(len(name.encode()) + len(item.encode()) for name, item in draft.headers.items())
    return len(draft.key.encode()) + len(draft.value) + envelope


def require_size(drafts: Iterable[Draft]) -> int:
    """The bytes of all drafts. Raises TooLarge if one of them is over the limit."""
    total = 0
    for draft in drafts:
        size = draft_bytes(draft)
        if size > MAX_RECORD_BYTES:
            raise TooLarge(f"a draft of {size:,} bytes; {MAX_RECORD_BYTES:,} are allowed")
        total += size
    return total


def require_place(topic: str, partition: int) -> None:
    """Raises ValueError for a partition that there is not."""
    if topic not in ALL_TOPICS or not 0 <= partition < PARTITIONS:
        known = ", ".join(ALL_TOPICS)
        raise ValueError(f"no partition {partition} of topic {topic!r}; topics: {known}, partitions 0-11")


def require_input_topic(topic: str) -> None:
    """Raises ValueError for a topic that is not appended to."""
    if topic not in INPUT_TOPICS:
        raise ValueError(f"nothing is appended to {topic!r}; topics of inputs: {', '.join(INPUT_TOPICS)}")
