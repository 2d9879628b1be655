"""Values of the state as events and the canonical state write them, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from shared.rules.exgenhoca.board import Board
from shared.rules.exgenhoca.state import Item, Objective, Penalties, Policy, Window
from shared.rules.interface import Json


def inventory_form(inventory: Sequence[Item]) -> list[Json]:
    return [{"effect": item.effect, "usable_from": item.usable_from, "usable_to": item.usable_to} for item in inventory]


def inventory_of(given: Sequence[Mapping[str, Any]]) -> tuple[Item, ...]:
    return tuple(Item(item["effect"], item["usable_from"], item["usable_to"]) for item in given)


def penalties_form(penalties: Penalties) -> dict[str, Json]:
    return {
        "minus_attack": penalties.minus_attack,
        "minus_defence": penalties.minus_defence,
        "fewer_attacks_next": penalties.fewer_attacks_next,
        "skip_next": penalties.skip_next,
        "stored_continent_loss": penalties.stored_continent_loss,
        "no_repeat": _window_form(penalties.no_repeat),
        "continents_off": _window_form(penalties.continents_off),
    }


def penalties_of(given: Mapping[str, Any]) -> Penalties:
    return Penalties(
        given["minus_attack"],
        given["minus_defence"],
        given["fewer_attacks_next"],
        given["skip_next"],
        given["stored_continent_loss"],
        _window_of(given["no_repeat"]),
        _window_of(given["continents_off"]),
    )


def _window_form(window: Window | None) -> Json:
    return None if window is None else {"from": window.first, "to": window.last}


def _window_of(given: Mapping[str, Any] | None) -> Window | None:
    return None if given is None else Window(given["from"], given["to"])


def policy_form(board: Board, policy: Policy) -> dict[str, Json]:
    plus5 = policy.defence_plus5
    return {
        "defence_plus5": plus5 if isinstance(plus5, str) else [board.ids[item] for item in plus5],
        "defence_rerolls": policy.defence_rerolls,
        "sa_give": [board.ids[item] for item in policy.sa_give],
    }


def policy_of(board: Board, given: Mapping[str, Any]) -> Policy:
    plus5 = given["defence_plus5"]
    return Policy(
        plus5 if isinstance(plus5, str) else tuple(board.index[item] for item in plus5),
        given["defence_rerolls"],
        tuple(board.index[item] for item in given["sa_give"]),
    )


def objective_form(board: Board, objective: Objective) -> dict[str, Json]:
    return {
        "id": objective.id,
        "continents": [board.continent_ids[item] for item in objective.continents],
        "extra_continents": objective.extra_continents,
        "min_total": objective.min_total,
        "spread": None if objective.spread is None else objective.spread._asdict(),
        "eliminate": objective.eliminate,
    }
