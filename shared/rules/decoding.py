"""What decoding a canonical state begins with in every game: its form, its whole config, and how a fault is raised."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from shared.rules.interface import Json
from shared.rules.shapes import Object, fault


def refuse(found: str | None) -> None:
    """Raises ValueError where a fault was found, with its path as the canonical state has it."""
    if found:
        raise ValueError(found.removeprefix("state."))


def config_in(
    canonical: Mapping[str, Json],
    form: Object,
    keys: Collection[str],
    fault_of: Callable[[Mapping[str, Any]], str | None],
) -> Mapping[str, Any]:
    """The config of a canonical state of this form, with every key. Raises ValueError naming the path that is wrong."""
    refuse(fault(form, canonical, "state"))
    config: Mapping[str, Any] = canonical["config"]
    if missing := sorted(set(keys) - set(config)):
        raise ValueError(f"config.{missing[0]} is missing")
    refuse(fault_of(config))
    return config
