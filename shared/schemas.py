"""JSON Schemas of all event types, host and games, printed from their shapes.

`python -m shared.schemas` writes those of the current versions to shared/schemas/<type>.json. A file stays for ever:
a change of form is a new version with a file of its own and an upcaster, never another content of an old file.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from shared.events import HOST, event_type
from shared.host_events import HOST_EVENTS
from shared.rules import GAMES
from shared.rules.interface import EventType
from shared.rules.shapes import (
    Anything,
    Array,
    Boolean,
    Choice,
    Id,
    Integer,
    Keyed,
    Maybe,
    Object,
    OneOf,
    Shape,
    Text,
)

FOLDER = Path(__file__).parent / "schemas"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_ID = "[A-Za-z0-9_-]{1,64}"


def json_schema(shape: Shape) -> dict[str, Any]:
    """The JSON Schema (2020-12) that accepts what `shapes.fault` accepts."""
    match shape:
        case Integer(minimum, maximum):
            bounds = {"minimum": minimum, "maximum": maximum}
            return {"type": "integer", **{key: bound for key, bound in bounds.items() if bound is not None}}
        case Boolean():
            return {"type": "boolean"}
        case Text(longest):
            return {"type": "string"} if longest is None else {"type": "string", "maxLength": longest}
        case Id(prefixes):
            prefix = f"({'|'.join(prefixes)})?" if prefixes else ""
            return {"type": "string", "pattern": f"^{prefix}{_ID}$"}
        case Choice(of):
            return {"enum": list(of)}
        case Array(of_, most):
            limit = {} if most is None else {"maxItems": most}
            return {"type": "array", "items": json_schema(of_), **limit}
        case Keyed(of_, keys_are_ids):
            names = {"propertyNames": {"pattern": f"^{_ID}$"}} if keys_are_ids else {}
            return {"type": "object", "additionalProperties": json_schema(of_), **names}
        case Maybe(of_):
            return {"anyOf": [json_schema(of_), {"type": "null"}]}
        case OneOf(options):
            return {"anyOf": [json_schema(option) for option in options]}
        case Object(fields, optional):
            return {
                "type": "object",
                "properties": {key: json_schema(of) for key, of in fields.items()},
                "required": sorted(key for key in fields if key not in optional),
                "additionalProperties": False,
            }
        case Anything():
            return {}


def schema_of(full: str, event: EventType) -> dict[str, Any]:
    """The schema of an event's data, under its full type name."""
    return {"$schema": _DIALECT, "title": full, "description": event.summary, **json_schema(event.data)}


def current() -> dict[str, dict[str, Any]]:
    """Full type name -> schema, for the versions that are written now."""
    catalogue: list[tuple[str, Mapping[str, EventType]]] = [(HOST, HOST_EVENTS)]
    catalogue += [(item.game, item.load().events) for item in GAMES]
    return {
        full: schema_of(full, event)
        for game, events in catalogue
        for event in events.values()
        for full in (event_type(game, event.name, event.version),)
    }


@cache
def stored(full: str) -> dict[str, Any]:
    """The stored schema of any version that was ever written. Raises LookupError with what to do."""
    path = FOLDER / f"{full}.json"
    if not path.exists():
        raise LookupError(f"no schema of {full}; after adding an event type run: python -m shared.schemas")
    schema: dict[str, Any] = json.loads(path.read_text())
    return schema


def written(schema: Mapping[str, Any]) -> str:
    """The text of a schema file."""
    return json.dumps(schema, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the schemas of the current versions; files of older versions are left alone."""
    FOLDER.mkdir(exist_ok=True)
    for full, schema in current().items():
        (FOLDER / f"{full}.json").write_text(written(schema))


if __name__ == "__main__":
    main()
