"""Answers to a player's questions, from nothing but what she sees (interface.Rules.advise).

Questions: `{"type": "set_order", "payload": {...}}` about a draft, `{"type": "reach"}` about where she could go and
what she could attack. Both may name a `player` of the viewer's team; without it the viewer is meant.

The refusals of a draft are those of `decide`, asked on the state that the view tells of: no rule stands here twice.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.advice import NoDice, fault_of_question, faults_of_form, faults_told, subject_of
from shared.rules.gxc.chances import row_permille, win_permille
from shared.rules.gxc.commands import COMMANDS
from shared.rules.gxc.decide import decide
from shared.rules.gxc.state import ACTIVE, NOBODY, RUNNING, State
from shared.rules.gxc.table_view import state_of
from shared.rules.interface import Input, Json, Refusal
from shared.rules.shapes import Anything, Id, Object

View = Mapping[str, Any]

QUESTIONS: Mapping[str, Object] = {
    "set_order": Object({"payload": Anything(), "player": Id()}, optional=frozenset({"payload", "player"})),
    "reach": Object({"payload": Anything(), "player": Id()}, optional=frozenset({"payload", "player"})),
}
"""By type; a payload says nothing to `reach`."""
MOST_COUNTED = 10**15
"""Most of an amount that counts in what a draft spends; no player has nearly so much energy."""
OF_THE_WHOLE = ("malformed", "not_energized", "deadline_passed")
"""Codes that say nothing about a part of the draft."""
PLACES: Mapping[tuple[str, str], str] = {
    ("attack", "bad_amount"): "attack.energy",
    ("attack", "unknown_id"): "attack.target",
    ("attack", "not_adjacent"): "attack.target",
    ("attack", "own_territory"): "attack.target",
    ("attack", "target_shielded"): "attack.target",
}
"""Part and code -> the place within the part."""


def advise(view: View, question: Mapping[str, Json]) -> dict[str, Json] | Refusal:
    """Answer a question. Refuses `malformed`, `not_authorised`, `wrong_phase` and `not_active`."""
    if refusal := fault_of_question(QUESTIONS, question):
        return refusal
    player = subject_of(view, question)
    if isinstance(player, Refusal):
        return player
    seen = view.get("players", {}).get(player, {})
    if "energy" not in seen:
        return Refusal("not_authorised", "GXC-100", "advice is for players of the viewer's own team")
    if view["phase"] != RUNNING:
        return Refusal("wrong_phase", "GXC-13", f"orders are given while the game runs; it is in phase {view['phase']}")
    if seen["status"] != ACTIVE:
        return Refusal("not_active", "GXC-20", f"orders are for players who are active; {player} is {seen['status']}")
    state = state_of(view, player)
    if question["type"] == "reach":
        return _reach(state)
    return _draft(state, view, question.get("payload", {}))


def _draft(state: State, view: View, payload: Any) -> dict[str, Json]:
    """Faults, costs and chances of a draft of `set_order`."""
    faults = _faults(state, payload)
    answer: dict[str, Json] = {"faults": faults, "energy": state.players.energy[0]}
    if any(item["code"] in ("malformed", "unknown_id") for item in faults):
        return answer
    move_to, attack = payload.get("move_to"), payload.get("attack")
    cost = 0
    if move_to is not None and not any(item["place"] == "move_to" for item in faults):
        answer["move"] = _path(state, state.board.index[move_to])
        cost = answer["move"]["cost"]
    spent = cost + (_counted(attack["energy"]) if attack else 0) + _counted(payload.get("defend", 0))
    answer.update(spent=spent, left=state.players.energy[0] - spent)
    if attack is not None:
        answer["chance"] = _chance(state, view, attack["target"], attack["energy"])
    return answer


def _counted(amount: int) -> int:
    """An amount of a draft as far as it is added: whatever is named, the sum stays within what JSON readers hold."""
    return min(max(amount, 0), MOST_COUNTED)


def _faults(state: State, payload: Any) -> list[Json]:
    """Every fault of the draft with its place, that of the judgement first."""
    judged = _refusal(state, payload)
    if judged is None:
        return []
    faults: dict[tuple[str, str], Refusal] = {}
    if judged.code == "malformed" and (unfit := faults_of_form(COMMANDS["set_order"].payload, payload)):
        return faults_told(unfit)
    if judged.code not in OF_THE_WHOLE:
        for part, draft in _parts(state, payload):
            refusal = _refusal(state, draft)
            # Whether the energy suffices is a question to the whole draft.
            if refusal is not None and refusal.code != "insufficient_energy":
                faults.setdefault((PLACES.get((part, refusal.code), part), refusal.code), refusal)
    if all(code != judged.code for _, code in faults):
        faults["", judged.code] = judged
    listed = sorted(faults.items(), key=lambda item: item[0][1] != judged.code)
    return faults_told([(place, refusal) for (place, _), refusal in listed])


def _parts(state: State, payload: Any) -> Iterator[tuple[str, Any]]:
    """Each part of the draft by itself; the attack acts from the destination (GXC-36), so it needs a good one."""
    move = {name: payload[name] for name in ("move_to",) if name in payload}
    if move:
        yield "move_to", move
    if "attack" in payload and _refusal(state, move) is None:
        yield "attack", {**move, "attack": payload["attack"]}
    if "defend" in payload:
        yield "defend", {"defend": payload["defend"]}


def _refusal(state: State, payload: Any) -> Refusal | None:
    """What `decide` says to the order at the opening of the turn, when the deadline is not yet passed."""
    actor, at = state.players.ids[0], state.turn_opened_at or 0
    command = Input("advice", "advice", actor, "player", "set_order", payload, "", at, 1)
    decision = decide(state, command, NoDice())
    return decision if isinstance(decision, Refusal) else None


def _path(state: State, goal: int) -> dict[str, Json]:
    """Length and cost of a possible move (GXC-34, GXC-35); the length is null for a transport (GXC-91)."""
    start, energy = state.players.location[0], state.players.energy[0]
    cost = state.geography.move_cost(start, goal, energy) or 0
    return {"cost": cost, "steps": (cost + 1).bit_length() - 1 if cost else None}


def _reach(state: State) -> dict[str, Json]:
    """Own territories that a move can reach with her energy, and from each the territories that could be attacked."""
    location, energy, ids = state.players.location[0], state.players.energy[0], state.board.ids
    moves: dict[str, Json] = {}
    for goal in state.territories_of(state.players.team[0]):
        if goal == location:
            continue
        cost = state.geography.move_cost(location, goal, energy)
        if cost is not None and cost <= energy:
            moves[ids[goal]] = {**_path(state, goal), "targets": _targets(state, goal)}
    return {"energy": energy, "location": ids[location], "targets": _targets(state, location), "moves": moves}


def _targets(state: State, place: int) -> list[str]:
    """What could be attacked from a place: foreign, unprotected neighbours (GXC-33)."""
    if state.turn <= state.config.recruitment_turns:
        return []
    return [
        state.board.ids[target]
        for target in state.board.neighbours[place]
        if state.owner[target] != state.players.team[0] and not _protected(state, target)
    ]


def _protected(state: State, territory: int) -> bool:
    owner = state.owner[territory]
    return owner != NOBODY and territory in state.teams[owner].protected


def _chance(state: State, view: View, target: str, energy: int) -> dict[str, Json]:
    """What the dice say of this attack alone, with the defence that is seen; other attacks are not known.

    `exchange_pct` is her chance in one exchange against defenders who began the turn there, and against others
    (GXC-84). `permille` is her chance against everything that stood there when the turn opened, all of it defending.
    """
    config = state.config
    here = 100 - config.defender_pct_on(state.board.special[state.board.index[target]])
    others = 100 - config.defender_pct_on(None) if config.special_requires_start else here
    answer: dict[str, Json] = {"exchange_pct": {"began_there": here, "came_later": others}}
    entry = view["territories"][target]
    if "energy" not in entry:
        return answer
    if config.duel_mode == "single_roll":
        permille: int | None = row_permille(entry["players"], here)
    else:
        permille = win_permille(energy, entry["energy"], here)
    answer.update(players=entry["players"], energy=entry["energy"], permille=permille)
    return answer
