"""JSON Schemas of the payloads of every command, made of the shapes that the intakes check with."""

from collections.abc import Iterator
from typing import Any

from shared import rules as registry
from shared.canonical import MAX_INTEGER
from shared.commands import CREATE_GAME, HOST_COMMANDS
from shared.events import HOST
from shared.rules.interface import Command
from shared.schemas import json_schema

_SET_BY_THE_HOST = ("message", "hash")


def payload_schema(command: Command) -> dict[str, Any]:
    """The payload as a client sends it: texts themselves, without the id and hash that the host puts in their place."""
    schema: dict[str, Any] = _bounded(json_schema(command.payload))
    if command.texts:
        for name in _SET_BY_THE_HOST:
            schema["properties"].pop(name, None)
        for name, longest in command.texts.items():
            schema["properties"][name] = {"type": "string", "maxLength": longest}
        schema["required"] = sorted((set(schema["required"]) | set(command.texts)) - set(_SET_BY_THE_HOST))
    return schema


def command_schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and schema of the body of each command that POST /games/{game}/commands takes, host's and games'."""
    newest = {item.game: item for item in registry.GAMES}
    tables = [(HOST, HOST_COMMANDS), *((game, item.load().commands) for game, item in newest.items())]
    for kind, commands in tables:
        for command in commands.values():
            if command.type != CREATE_GAME:
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


def _bounded(schema: Any) -> Any:
    """The schema with the bounds that every integer of a request has (shared/canonical.py)."""
    if isinstance(schema, list):
        return [_bounded(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    bounded = {key: _bounded(item) for key, item in schema.items()}
    if schema.get("type") == "integer":
        bounded = {"minimum": -MAX_INTEGER, "maximum": MAX_INTEGER, **bounded}
    return bounded
