"""Answers to a player's questions, from nothing but what she sees (interface.Rules.advise).

- `{"type": "reach"}`: for each of her living craft the squares it may enter, and every craft that it may fire at or why
  not. Own mines on a way are named; where the enemy's lie nobody knows.
- `{"type": "move_craft", "payload": {...}}`: what is wrong with a considered displacement, and its way.
- `{"type": "fire", "payload": {...}}`: what is wrong with a considered shot, and what it would hit.
- `{"type": "deploy", "payload": {...}}`: all faults of a deployment, each with its place; the first is the one that
  `deploy` would be refused for.

All may name a `player` whom the viewer may ask for; without it the viewer is meant. The checks are those of the
commands.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.advice import fault_of_question, faults_of_form, faults_told, subject_of, told_if
from shared.rules.interface import Json, Refusal
from shared.rules.shapes import Anything, Id, Object
from shared.rules.space_battle.board import Square
from shared.rules.space_battle.commands import COMMANDS
from shared.rules.space_battle.decide import malformed, unknown_classes
from shared.rules.space_battle.deployment_checks import faults_of, square_of
from shared.rules.space_battle.firing import Shot, refusal_of_aim, refusal_of_shot, shot_of
from shared.rules.space_battle.moving import refusal_of_move, refusal_of_path, refusal_of_turn, way_of
from shared.rules.space_battle.state import DEPLOYING, RUNNING, Craft, State
from shared.rules.space_battle.table_view import state_of

View = Mapping[str, Any]

_DRAFT = Object({"payload": Anything(), "player": Id()}, optional=frozenset({"payload", "player"}))
QUESTIONS: Mapping[str, Object] = {"deploy": _DRAFT, "fire": _DRAFT, "move_craft": _DRAFT, "reach": _DRAFT}
"""By type; a payload says nothing to `reach`."""
DIRECTIONS = tuple((across, down) for across in (-1, 0, 1) for down in (-1, 0, 1) if across or down)


def advise(view: View, question: Mapping[str, Json]) -> dict[str, Json] | Refusal:
    """Answer a question. Refuses `malformed`, `not_authorised` and `wrong_phase`."""
    if refusal := refused(view, question):
        return refusal
    name = question["player"] if "player" in question else view["you"]["player"]
    state, side = state_of(view), view["players"][name]["side"]
    match question["type"]:
        case "reach":
            return reach_of(state, side)
        case "deploy":
            return _deployment(state, side, question.get("payload", {}))
        case "move_craft":
            return _displacement(state, side, question.get("payload", {}))
    return _shot(state, side, question.get("payload", {}))


def refused(view: View, question: Mapping[str, Json]) -> Refusal | None:
    """Why a question gets no answer."""
    if refusal := fault_of_question(QUESTIONS, question):
        return refusal
    name = subject_of(view, question)
    if isinstance(name, Refusal):
        return name
    entry = view.get("players", {}).get(name)
    if entry is None or entry["side"] is None or name != view.get("you", {}).get("player", name):
        return Refusal("not_authorised", "SPB-77", "advice is for the viewer herself, who must fight the battle")
    wanted = DEPLOYING if question["type"] == "deploy" else RUNNING
    if view["phase"] != wanted:
        legal = f"this is asked in the phase {wanted}; the battle is in the phase {view['phase']}"
        return Refusal("wrong_phase", "SPB, section 3", legal)
    return None


def reach_of(state: State, side: str) -> dict[str, Json]:
    """`refusal` is what forbids any part of a move now; what else is said holds when she has the move."""
    return {
        "refusal": told_if(refusal_of_turn(state, side)),
        "moved_this_move": state.moved_this_move,
        "craft": {
            craft.id: {"moves": moves_of(state, craft), "targets": targets_of(state, craft)}
            for craft in state.living(side)
        },
    }


def moves_of(state: State, craft: Craft) -> list[Json]:
    """Squares that a craft may end on, nearest first in each direction, with own mines on the way (SPB-36, SPB-39)."""
    found: list[Json] = []
    for to in _ends(state, craft):
        way = way_of(state, craft, to)
        found.append({"to": [*to], "survives": way.survives, "mines": _mines_on(state, way.squares)})
    return found


def _ends(state: State, craft: Craft) -> Iterator[Square]:
    for across, down in DIRECTIONS:
        for step in range(1, craft.kind.move + 1):
            to = craft.at[0] + step * across, craft.at[1] + step * down
            if refusal_of_path(state, craft, to) is not None:
                break
            yield to


def _mines_on(state: State, squares: list[Square]) -> list[Json]:
    return [[*square] for square in squares if square in state.mined]


def targets_of(state: State, craft: Craft) -> dict[str, Json]:
    """Every other living craft: what a shot at it hits, or why none may be fired (SPB-42)."""
    targets: dict[str, Json] = {}
    for name in sorted(state.square.values()):
        if name != craft.id:
            target = state.craft[name]
            refusal = refusal_of_aim(state, craft, target)
            effect = {} if refusal else _effect(shot_of(state, craft, target))
            targets[name] = {"allowed": refusal is None, "refusal": told_if(refusal), **effect}
    return targets


def _effect(shot: Shot) -> dict[str, Json]:
    """SPB-49: what the shot does to the craft that it hits."""
    hit, was_down = shot.hit, shot.hit.damage > shot.hit.kind.shield
    return {
        "hit": hit.id,
        "distance": shot.distance,
        "damage": shot.damage,
        "destroys": was_down and shot.damage > 0,
        "shield_down": not was_down and hit.damage + shot.damage > hit.kind.shield,
    }


def _deployment(state: State, side: str, payload: Any) -> dict[str, Json]:
    row = COMMANDS["deploy"]
    if found := malformed(row, payload):
        return {"faults": faults_told(faults_of_form(row.payload, payload) or [("", found)])}
    if unknown := list(unknown_classes(state, payload)):
        return {"faults": faults_told(unknown)}
    return {"faults": faults_told(list(faults_of(state, side, payload)))}


def _displacement(state: State, side: str, payload: Any) -> dict[str, Json]:
    found = malformed(COMMANDS["move_craft"], payload) or _unknown(state, payload, ("craft",))
    if found is not None:
        return {"refusal": told_if(found)}
    craft, to = state.craft[payload["craft"]], square_of(payload["to"])
    refusal = refusal_of_move(state, side, craft, to)
    if refusal is not None:
        return {"refusal": told_if(refusal)}
    way = way_of(state, craft, to)
    return {
        "refusal": None,
        "path": [[*square] for square in way.squares],
        "survives": way.survives,
        "mines": _mines_on(state, way.squares),
    }


def _shot(state: State, side: str, payload: Any) -> dict[str, Json]:
    found = malformed(COMMANDS["fire"], payload) or _unknown(state, payload, ("craft", "target"))
    if found is not None:
        return {"refusal": told_if(found)}
    craft, target = state.craft[payload["craft"]], state.craft[payload["target"]]
    refusal = refusal_of_shot(state, side, craft, target)
    if refusal is not None:
        return {"refusal": told_if(refusal)}
    return {"refusal": None, **_effect(shot_of(state, craft, target))}


def _unknown(state: State, payload: Mapping[str, Any], names: tuple[str, ...]) -> Refusal | None:
    for name in names:
        if payload[name] not in state.craft:
            return Refusal("unknown_id", "SPB-107", f"there is no craft {payload[name]} in the battle")
    return None
