"""A question as an address has it, in the form that its game's rules give it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from shared.errors import Problem
from shared.rules.shapes import Array, Integer, Object, Shape, fault

_NUMBER = re.compile(r"-?[0-9]{1,15}\Z")


def question_of(form: Object, query: Mapping[str, Sequence[str]]) -> dict[str, Any] | Problem:
    """The question of a query; a list is given by its name more than once, or by commas. Or `malformed`."""
    question: dict[str, Any] = {}
    for name, values in query.items():
        shape = form.fields.get(name)
        if isinstance(shape, Array):
            question[name] = [_read(shape.of, item) for value in values for item in value.split(",")]
        elif len(values) == 1:
            question[name] = _read(shape, values[0])
        else:
            return Problem("malformed", f"query.{name} must be given once")
    found = fault(form, question, "query")
    return question if found is None else Problem("malformed", found)


def _read(shape: Shape | None, text: str) -> int | str:
    """What is no number stays a text, of which the form then says what would be right."""
    return int(text) if isinstance(shape, Integer) and _NUMBER.match(text) else text
