"""A creation is looked at before anything of it is stored: which game, the form its rules take, what draws its map."""

from collections.abc import Mapping
from typing import Any

from services.gateway import blobs
from shared.canonical import NotCanonical
from shared.creation import fault_of_creation, named_data
from shared.documents import Documents
from shared.errors import Problem
from shared.maps.check import check_drawing
from shared.maps.model import MapError
from shared.rules import UnknownRules, rules_of


def check_creation(documents: Documents, game: str, version: str | None, create: Mapping[str, Any]) -> None:
    """Raise Problem `unknown_rules`, or `malformed` with the place and what would be right.

    Data that is named by its SHA-256 is checked too if it is stored here. What draws a map is checked here alone: no
    rule reads it.
    """
    try:
        rules = rules_of(game, version)
    except UnknownRules as error:
        raise Problem("unknown_rules", str(error)) from None
    whole = {**create, **_stored_data(documents, named_data(create))}
    if found := fault_of_creation(rules, whole, "create"):
        raise Problem("malformed", found)
    board = whole.get("map")
    if isinstance(board, Mapping) and "map" not in named_data(whole):
        try:
            check_drawing(board, "create.map")
        except MapError as error:
            raise Problem("malformed", str(error)) from None


def _stored_data(documents: Documents, named: Mapping[str, str]) -> dict[str, Any]:
    """Key -> value of the data that is here; what is not, or cannot be read, is for the judgement."""
    found = {}
    for key, sha256 in named.items():
        try:
            value = blobs.load(documents, sha256)
        except NotCanonical:
            continue
        if value is not None:
            found[key] = value
    return found
