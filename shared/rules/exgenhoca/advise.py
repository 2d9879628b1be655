"""Answers to a player's questions, from nothing but what she sees (interface.Rules.advise).

- `{"type": "reach"}`: for each territory of others whether she may attack it now, and if not, why; names are
  Portuguese, labels English.
- `{"type": "attack", "payload": {...}}`: faults of a considered attack, and its chance of success, exact for what is
  known. What the defender's policy does is not; `"assume": {"plus5": true, "rerolls": 1}` says what it is taken to use,
  by default nothing. Where the viewer does not see the defender's penalties (`inventory_public` false) the chance
  reckons with none, and the answer has `"unknown": ["penalties"]`: an N2 would raise it, and an N7 of the holder of
  Africa.
- `{"type": "items"}`: her items with the rounds in which they may be used.

All may name a `player` whom the viewer may ask for; without it the viewer is meant. The checks are those of `attack`.
"""

from collections.abc import Mapping
from typing import Any

from shared.rules.advice import fault_of_question, subject_of, told_if
from shared.rules.exgenhoca.attack_checks import NO_USE, Use, refusal_of, refusal_of_rights, refusal_of_target, use_of
from shared.rules.exgenhoca.battle import ITEM_BONUS, Fight
from shared.rules.exgenhoca.chances import ROLLS, chance, tied_rolls, winning_rolls
from shared.rules.exgenhoca.commands import COMMANDS
from shared.rules.exgenhoca.holding import has_advantage
from shared.rules.exgenhoca.items import LABELS, PLUS5_ATTACK, PLUS5_DEFENCE, SECOND_CHANCE, usable
from shared.rules.exgenhoca.state import ACTIVE, RUNNING, Player, State
from shared.rules.exgenhoca.table_view import state_of
from shared.rules.interface import Json, Refusal
from shared.rules.shapes import Anything, Boolean, Id, Integer, Object, fault

View = Mapping[str, Any]

MOST_ASSUMED_REROLLS = 10
ASSUME = Object(
    {"plus5": Boolean(), "rerolls": Integer(0, MOST_ASSUMED_REROLLS)}, optional=frozenset({"plus5", "rerolls"})
)
_FORM = Object(
    {"payload": Anything(), "assume": ASSUME, "player": Id()}, optional=frozenset({"payload", "assume", "player"})
)
QUESTIONS: Mapping[str, Object] = {"attack": _FORM, "items": _FORM, "reach": _FORM}
"""By type; payload and assumptions say nothing but to `attack`."""


def advise(view: View, question: Mapping[str, Json]) -> dict[str, Json] | Refusal:
    """Answer a question. Refuses `malformed`, `not_authorised`, `wrong_phase` and `eliminated`."""
    return refused(view, question) or answer(state_of(view), view, question)


def refused(view: View, question: Mapping[str, Json]) -> Refusal | None:
    """Why a question gets no answer."""
    if refusal := fault_of_question(QUESTIONS, question):
        return refusal
    name = subject_of(view, question)
    if isinstance(name, Refusal):
        return name
    entry = view.get("players", {}).get(name)
    if entry is None or name != view.get("you", {}).get("player", name):
        return Refusal("not_authorised", "EXG-66", "advice is for the viewer herself, who must have a seat in the game")
    if view["phase"] != RUNNING:
        return Refusal("wrong_phase", "EXG-13", f"attacks are made while the game runs; it is in phase {view['phase']}")
    if entry["status"] != ACTIVE:
        return Refusal("eliminated", "EXG-16", f"advice is for active players; {name} is out of the game")
    return None


def answer(state: State, view: View, question: Mapping[str, Any]) -> dict[str, Json]:
    """The answer to a question that is not refused; `state` is that of the view, read once for several questions."""
    name = question["player"] if "player" in question else view["you"]["player"]
    player = state.players[view["players"][name]["seat"] - 1]
    match question["type"]:
        case "reach":
            return reach_of(state, player)
        case "items":
            return _items(state, player)
    answer = _attack(state, player, question.get("payload", {}), question.get("assume", {}))
    if "chance" in answer and (unknown := unknown_of(view, question["payload"]["target"])):
        answer["unknown"] = unknown
    return answer


def unknown_of(view: View, target: str) -> list[str]:
    """What could change the chance of an attack on this territory and is not seen: `penalties` of its owner."""
    owner = view["territories"][target]["owner"]
    seen = all("penalties" in entry for entry in view["players"].values() if entry["seat"] == owner)
    return [] if seen else ["penalties"]


def reach_of(state: State, player: Player) -> dict[str, Json]:
    """`refusal` is what forbids any plain attack now; each target has what the target itself is refused for."""
    targets: dict[str, Json] = {}
    for target, id_ in enumerate(state.board.ids):
        if state.owner[target] == player.seat:
            continue
        refusal = refusal_of_target(state, player, target, NO_USE)
        place = state.board.places[target]
        targets[id_] = {
            "name": place.name,
            "label": place.label,
            "allowed": refusal is None,
            "refusal": told_if(refusal),
            "repeat": refusal_of(state, player, target, Use(repeat=True)) is None,
            "global": refusal_of(state, player, target, Use(anywhere=True)) is None,
        }
    return {
        "attacks_left": player.attacks_left,
        "global_attacks": player.global_attacks,
        "refusal": told_if(_refusal_of_any(player)),
        "targets": targets,
    }


def _refusal_of_any(player: Player) -> Refusal | None:
    if player.pending is not None:
        return Refusal("pending_choice", "EXG-43", f"answer the {player.pending} first")
    if player.passed:
        return Refusal("passed", "EXG-49", "you have passed this round")
    return refusal_of_rights(player, NO_USE)


def _items(state: State, player: Player) -> dict[str, Json]:
    items = [
        {
            "effect": item.effect,
            "label": LABELS[item.effect],
            "usable": item.usable(state.round),
            "first_round": item.usable_from,
            "last_round": item.usable_to,
        }
        for item in player.inventory
    ]
    return {"round": state.round, "items": items}


def _attack(state: State, player: Player, payload: Any, assume: Mapping[str, Any]) -> dict[str, Json]:
    """The first fault, as `decide` would say it, and the chance if the target makes sense."""
    found = fault(COMMANDS["attack"].payload, payload)
    if found:
        return {"refusal": told_if(Refusal("malformed", "ENG-5", found))}
    target = state.board.index.get(payload["target"])
    if target is None:
        return {"refusal": told_if(Refusal("unknown_id", "ENG-5", f"there is no territory {payload['target']}"))}
    use = use_of(payload)
    if use.anywhere and use.repeat:
        found = "payload.use must not hold global together with repeat (EXG-27)"
        return {"refusal": told_if(Refusal("malformed", "ENG-5", found))}
    answer: dict[str, Json] = {"refusal": told_if(refusal_of(state, player, target, use))}
    if state.owner[target] != player.seat:
        answer["chance"] = chance_of(state, player, target, use, assume)
    return answer


def chance_of(state: State, player: Player, target: int, use: Use, assume: Mapping[str, Any]) -> dict[str, Json]:
    """Of the 46,656 rolls so many win at once; with second chances the whole is a fraction, as decimal strings.

    Penalties of the defender that the state does not hold are taken to be none.
    """
    round_ = state.round
    use = use._replace(
        plus5=use.plus5 and usable(player.inventory, PLUS5_ATTACK, round_) > 0,
        rerolls=min(use.rerolls, usable(player.inventory, SECOND_CHANCE, round_)),
    )
    battle = Fight(state, player, target, use, {})
    battle.prepare_attack()
    rerolls = 0
    if battle.defence is not None:
        battle.prepare_defence(battle.defence)
        rerolls = assume.get("rerolls", 0)
        if assume.get("plus5"):
            battle.defence.add(PLUS5_DEFENCE, ITEM_BONUS)
    defence = {} if battle.defence is None else battle.defence.modifiers
    lead = battle.attack.total - (0 if battle.defence is None else battle.defence.total)
    wins_ties = use.tie or has_advantage(state, player, state.board.oceania, round_)
    winning = winning_rolls(lead, wins_ties)
    whole = chance(winning, use.rerolls, rerolls)
    return {
        "winning_rolls": winning,
        "tied_rolls": tied_rolls(lead),
        "rolls": ROLLS,
        "wins_ties": wins_ties,
        "attack_modifiers": battle.attack.modifiers,
        "defence_modifiers": defence,
        "attack_rerolls": use.rerolls,
        "defence_rerolls": rerolls,
        "numerator": str(whole.numerator),
        "denominator": str(whole.denominator),
        "permille": whole.permille,
        "percent": whole.percent,
    }
