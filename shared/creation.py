"""What a creation must be before it is stored or judged: its form, and the large data that it names."""

import re
from collections.abc import Mapping
from typing import Any

from shared.rules.interface import Rules
from shared.rules.shapes import Object, fault

_SHA256 = re.compile(r"[0-9a-f]{64}\Z")


def named_data(create: Mapping[str, Any]) -> dict[str, str]:
    """Key of `create` -> SHA-256, for every value of the form {"sha256": TEXT}, in the order of keys."""
    return {
        key: value["sha256"]
        for key, value in sorted(create.items())
        if isinstance(value, Mapping) and set(value) == {"sha256"} and isinstance(value["sha256"], str)
    }


def fault_of_creation(rules: Rules[Any], create: Any, place: str) -> str | None:
    """What is wrong with the form of a creation: one sentence with the place and what would be right; else None.

    Of data that is named by its SHA-256 only the name is checked. It stands in a field that the rules know, so a
    creation has no more data than fields.
    """
    if not isinstance(create, Mapping):
        return f"{place} must be an object"
    named = {key: value for key, value in named_data(create).items() if key in rules.create.fields}
    for key, value in named.items():
        if not _SHA256.match(value):
            return f"{place}.{key}.sha256 must be a SHA-256 in 64 hex digits"
    rest = Object(
        {key: shape for key, shape in rules.create.fields.items() if key not in named},
        rules.create.optional - named.keys(),
    )
    return fault(rest, {key: value for key, value in create.items() if key not in named}, place)
