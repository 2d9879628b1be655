"""Zones, pieces and nations that a command names, each with its place in the payload, and those that are not there."""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.interface import Refusal
from shared.rules.map_war.state import State

Payload = Mapping[str, Any]


def zones_of_orders(payload: Payload) -> Iterator[tuple[str, str]]:
    """Every zone that the items of a submission name."""
    for number, zone in enumerate(payload.get("claims", ())):
        yield f"claims.{number}", zone
    for name in ("conquests", "builds", "cancels"):
        for number, item in enumerate(payload.get(name, ())):
            yield f"{name}.{number}.zone", item["zone"]
    for number, item in enumerate(payload.get("moves", ())):
        if "to" in item:
            yield f"moves.{number}.to", item["to"]


def pieces_of_orders(payload: Payload) -> Iterator[tuple[str, int]]:
    """Every piece that the items of a submission name."""
    for number, item in enumerate(payload.get("conquests", ())):
        for place, piece in enumerate(item.get("support", ())):
            yield f"conquests.{number}.support.{place}", piece
    for number, item in enumerate(payload.get("moves", ())):
        for name in ("piece", "board"):
            if name in item:
                yield f"moves.{number}.{name}", item[name]


def unknown_ids(state: State, type_: str, payload: Payload) -> Iterator[tuple[str, Refusal]]:
    """`unknown_id` for each zone, piece or nation that a command names and the game has not.

    Deals are no such ids: one of others and one that is not there look the same (MAP-98, MAP-113).
    """
    for place, zone in _zones(type_, payload):
        if zone not in state.board.index:
            yield place, Refusal("unknown_id", "ENG-5", f"there is no zone {zone} on the map of this game")
    for place, piece in pieces_of_orders(payload) if type_ == "submit_turn" else ():
        if piece not in state.pieces:
            yield place, Refusal("unknown_id", "ENG-5", f"there is no piece {piece} in this game")
    if type_ == "offer" and payload["to"] not in state.nations:
        yield "to", Refusal("unknown_id", "ENG-5", f"there is no nation {payload['to']} in this game")


def _zones(type_: str, payload: Payload) -> Iterator[tuple[str, str]]:
    if type_ == "submit_turn":
        yield from zones_of_orders(payload)
        return
    if "zone" in payload:
        yield "zone", payload["zone"]
    for side in ("give", "get"):
        for number, zone in enumerate(payload.get(side, {}).get("zones", ())):
            yield f"{side}.zones.{number}", zone
