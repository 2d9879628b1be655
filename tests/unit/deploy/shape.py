"""The form of docker-compose.yml: the keys of the Compose Specification that it uses, and no others.

The file was also checked with the schema that the specification publishes; this one is narrower, so that a misspelt key
never passes.
"""

from typing import Any

_TEXT = {"type": "string", "minLength": 1}
_WORDS = {"type": "array", "items": _TEXT, "minItems": 1, "uniqueItems": True}
_DURATION = {"type": "string", "pattern": "^[0-9]+s$"}
_FLAG = {"type": "boolean"}


def _object(fields: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(required), "additionalProperties": False}


def _named(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "patternProperties": {"^[a-z][a-z-]*$": of}, "additionalProperties": False}


_HEALTH = {
    "oneOf": [
        _object({"disable": {"const": True}}, "disable"),
        _object(
            {
                "test": {"type": "array", "prefixItems": [{"enum": ["CMD"]}], "items": _TEXT, "minItems": 2},
                "interval": _DURATION,
                "timeout": _DURATION,
                "retries": {"type": "integer", "minimum": 1},
                "start_period": _DURATION,
                "start_interval": _DURATION,
            },
            "test",
            "interval",
            "timeout",
            "retries",
            "start_period",
        ),
    ]
}
_SERVICE = _object(
    {
        "image": {"type": "string", "pattern": "^[a-z/-]+:[0-9]+(\\.[0-9]+)+$"},
        "build": _object({"context": _TEXT, "dockerfile": _TEXT}, "context", "dockerfile"),
        "user": {"type": "string", "pattern": "^([0-9]+:[0-9]+|[a-z]+)$"},
        "init": _FLAG,
        "read_only": _FLAG,
        "tmpfs": _WORDS,
        "cap_drop": {"const": ["ALL"]},
        "security_opt": {"const": ["no-new-privileges:true"]},
        "restart": {"enum": ["unless-stopped", "no"]},
        "stop_grace_period": _DURATION,
        "logging": _object(
            {"driver": {"const": "json-file"}, "options": _object({"max-size": _TEXT, "max-file": _TEXT})}, "driver"
        ),
        "profiles": _WORDS,
        "entrypoint": _WORDS,
        "command": {"type": "array", "items": _TEXT, "minItems": 1},
        "environment": {
            "type": "object",
            "patternProperties": {"^[A-Z_]+$": {"type": ["string", "integer", "null"]}},
            "additionalProperties": False,
        },
        "volumes": {"type": "array", "items": {"type": "string", "pattern": "^[a-z-]+:/[a-z/]+(:ro)?$"}},
        "networks": _WORDS,
        "ports": {
            "type": "array",
            "items": _object(
                {
                    "target": {"type": "integer"},
                    "host_ip": _TEXT,
                    "published": {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^[0-9]+-[0-9]+$"}]},
                },
                "target",
                "host_ip",
                "published",
            ),
        },
        "healthcheck": _HEALTH,
        "depends_on": _named(
            _object({"condition": {"enum": ["service_healthy", "service_completed_successfully"]}}, "condition")
        ),
    },
    "image",
    "networks",
    "cap_drop",
    "security_opt",
    "restart",
    "stop_grace_period",
    "logging",
    "healthcheck",
)

SHAPE = {
    "type": "object",
    "properties": {
        "name": _TEXT,
        "services": _named(_SERVICE),
        "volumes": _named({"type": "null"}),
        "networks": _named({"oneOf": [{"type": "null"}, _object({"internal": {"const": True}}, "internal")]}),
    },
    "patternProperties": {"^x-": {}},
    "required": ["name", "services", "volumes", "networks"],
    "additionalProperties": False,
}
