"""JSON Schemas of the payloads of every command, made of the shapes that the intakes check with."""

from collections.abc import Iterator
from typing import Any

from shared.commands import HOST_COMMANDS
from shared.rules import GAMES
from shared.rules.interface import Command
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

ID_FORM = "[A-Za-z0-9_-]{1,64}"
_LARGEST = 2**53 - 1
_SET_BY_THE_HOST = ("message", "hash")


def schema_of(shape: Shape) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a shape."""
    match shape:
        case Integer(minimum, maximum):
            low = -_LARGEST if minimum is None else minimum
            return {"type": "integer", "minimum": low, "maximum": _LARGEST if maximum is None else maximum}
        case Boolean():
            return {"type": "boolean"}
        case Text(longest):
            return {"type": "string"} if longest is None else {"type": "string", "maxLength": longest}
        case Id(prefixes):
            return {"type": "string", "pattern": f"^{_any_of(prefixes)}{ID_FORM}$"}
        case Choice(of):
            return {"type": "string", "enum": list(of)}
        case Array(of_, most):
            return {"type": "array", "items": schema_of(of_)} | ({} if most is None else {"maxItems": most})
        case Keyed(of_, keys_are_ids):
            names = {"propertyNames": {"pattern": f"^{ID_FORM}$"}} if keys_are_ids else {}
            return {"type": "object", "additionalProperties": schema_of(of_)} | names
        case Maybe(of_):
            return {"anyOf": [schema_of(of_), {"type": "null"}]}
        case OneOf(options):
            return {"anyOf": [schema_of(option) for option in options]}
        case Object(fields, optional):
            return {
                "type": "object",
                "properties": {name: schema_of(of_) for name, of_ in fields.items()},
                "required": sorted(set(fields) - optional),
                "additionalProperties": False,
            }
        case Anything():
            return {}


def payload_schema(command: Command) -> dict[str, Any]:
    """The payload as a client sends it: texts themselves, without the id and hash that the host puts in their place."""
    schema = schema_of(command.payload)
    if command.texts:
        for name in _SET_BY_THE_HOST:
            schema["properties"].pop(name, None)
        for name, longest in command.texts.items():
            schema["properties"][name] = {"type": "string", "maxLength": longest}
        schema["required"] = sorted((set(schema["required"]) | set(command.texts)) - set(_SET_BY_THE_HOST))
    return schema


def command_schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and schema of the body of each command that POST /games/{game}/commands takes, host's and games'."""
    tables = [("host", HOST_COMMANDS), *((item.game, item.load().commands) for item in GAMES)]
    for kind, commands in tables:
        for command in commands.values():
            if command.type != "create_game":
                yield f"command.{kind}.{command.type}", _command_schema(kind, command)


def _command_schema(kind: str, command: Command) -> dict[str, Any]:
    payload = payload_schema(command)
    return {
        "title": f"{kind}: {command.type}",
        "description": f"{command.summary} By: {' or '.join(sorted(command.roles))}.",
        "type": "object",
        "properties": {"type": {"const": command.type}, "payload": payload},
        "required": ["type", "payload"] if payload["required"] else ["type"],
        "additionalProperties": False,
    }


def _any_of(prefixes: tuple[str, ...]) -> str:
    return f"({'|'.join(prefixes)})?" if prefixes else ""
