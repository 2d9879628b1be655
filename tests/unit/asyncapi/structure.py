"""The form of an AsyncAPI 3.0 document, as far as ours uses it: a JSON Schema that allows nothing else."""

from typing import Any

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string", "minLength": 1}
_OBJECT: Schema = {"type": "object"}


def _closed(required: dict[str, Any], optional: dict[str, Any] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def _map(of: Schema, names: str = r"^[A-Za-z0-9._-]+$") -> Schema:
    return {"type": "object", "additionalProperties": of, "propertyNames": {"pattern": names}, "minProperties": 1}


def _reference(to: str) -> Schema:
    return _closed({"$ref": {"type": "string", "pattern": f"^#/{to}/[A-Za-z0-9._-]+$"}})


def _binding(fields: dict[str, Any]) -> Schema:
    return _closed({"kafka": _closed({"bindingVersion": {"const": "0.5.0"}}, fields)})


_SCHEMA: Schema = {"anyOf": [_reference("components/schemas"), {**_OBJECT, "not": {"required": ["$ref"]}}]}
_SERVER = _closed(
    {"host": _TEXT, "protocol": {"enum": ["kafka", "kafka-secure"]}},
    {
        "protocolVersion": _TEXT,
        "description": _TEXT,
        "variables": _map(_closed({}, {"default": _TEXT, "description": _TEXT})),
        "security": {"type": "array", "items": _reference("components/securitySchemes")},
    },
)
_CHANNEL = _closed(
    {"address": _TEXT, "messages": _map(_reference("components/messages"))},
    {
        "title": _TEXT,
        "summary": _TEXT,
        "description": _TEXT,
        "parameters": _map(
            _closed(
                {},
                {
                    "description": _TEXT,
                    "default": {"type": "string"},
                    "examples": {"type": "array", "items": {"type": "string"}},
                },
            )
        ),
        "bindings": _binding(
            {
                "partitions": {"type": "integer", "minimum": 1},
                "replicas": {"type": "integer", "minimum": 1},
                "topicConfiguration": _closed(
                    {
                        "cleanup.policy": {"type": "array", "items": {"enum": ["delete", "compact"]}},
                        "retention.ms": {"type": "integer", "minimum": -1},
                        "retention.bytes": {"type": "integer", "minimum": -1},
                        "max.message.bytes": {"type": "integer", "minimum": 1},
                    }
                ),
            }
        ),
    },
)
_MESSAGE = _closed(
    {
        "name": _TEXT,
        "title": _TEXT,
        "summary": _TEXT,
        "headers": {**_OBJECT, "properties": {"type": {"const": "object"}}, "required": ["type"]},
        "payload": _SCHEMA,
    },
    {
        "contentType": {"const": "application/json"},
        "bindings": _binding({"key": _SCHEMA}),
        "examples": {
            "type": "array",
            "items": _closed({"payload": _OBJECT}, {"headers": _OBJECT, "name": _TEXT, "summary": _TEXT}),
        },
    },
)  # fmt: skip
_OPERATION = _closed(
    {
        "action": {"enum": ["send", "receive"]},
        "channel": _reference("channels"),
        "messages": {
            "type": "array",
            "minItems": 1,
            "items": _closed({"$ref": {"type": "string", "pattern": "^#/channels/[a-z-]+/messages/[A-Za-z0-9._-]+$"}}),
        },
    },
    {
        "title": _TEXT,
        "summary": _TEXT,
        "tags": {"type": "array", "items": _closed({"name": _TEXT})},
        "bindings": _binding({"groupId": _SCHEMA}),
    },
)
STRUCTURE: Schema = _closed(
    {
        "asyncapi": {"const": "3.0.0"},
        "info": _closed({"title": _TEXT, "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$"}},
                        {"description": _TEXT}),
        "defaultContentType": {"const": "application/json"},
        "servers": _map(_SERVER),
        "channels": _map(_CHANNEL),
        "operations": _map(_OPERATION),
        "components": _closed(
            {
                "messages": _map(_MESSAGE),
                "schemas": _map(_SCHEMA),
                "securitySchemes": _map(_closed({"type": {"const": "scramSha512"}}, {"description": _TEXT})),
            }
        ),
    }
)  # fmt: skip
