"""docker-compose.yml as it stands, and as Compose would run it with given variables."""

import copy
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[3]
FILE = ROOT / "docker-compose.yml"
STORES = ("kafka", "mongo")
ONCE = ("topics", "keys")
"""Services that run to their end, once before the others."""
TOOL = "cli"
_VARIABLE = re.compile(r"\$\{([A-Z_]+)(?::-([^}]*))?\}")


def project(environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The whole file, variables replaced by `environment` or their defaults."""
    given = environment or {}

    def value(found: re.Match[str]) -> str:
        return given.get(found[1], found[2] or "")

    return copy.deepcopy(_read(_VARIABLE.sub(value, FILE.read_text())))


@cache
def _read(text: str) -> dict[str, Any]:
    made: dict[str, Any] = yaml.safe_load(text)
    return made


def services(environment: Mapping[str, str] | None = None) -> dict[str, dict[str, Any]]:
    """Its services."""
    made: dict[str, dict[str, Any]] = project(environment)["services"]
    return made


def own() -> dict[str, dict[str, Any]]:
    """The services that run our image."""
    return {name: service for name, service in services().items() if name not in STORES}


def mounts(service: Mapping[str, Any]) -> dict[str, tuple[str, bool]]:
    """Named volume -> where it is mounted, and whether it can be written there."""
    listed = [item.split(":") for item in service.get("volumes", ())]
    return {name: (target, options != ["ro"]) for name, target, *options in listed}
