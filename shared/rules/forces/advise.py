"""Answers to a player's questions, from nothing but what she sees (interface.Rules.advise).

- `{"type": "submit_turn", "payload": {...}}`: every fault of a draft with its place, that of the judgement first, what
  it costs and what is left.
- `{"type": "reach"}`: for each zone with combat Forces of hers whether they may leave, and where each type can go with
  the path to it.
- `{"type": "path", "payload": {"from", "to", "type"}}`: the shortest way over land, how many years it takes if nobody
  else moves, and where foreign Forces stand on it now.
- `{"type": "odds", "payload": {"zone", "forces"}}`: chances of one round of combat with these Forces, `{seat: {troop,
  tank}}`, or with those that stand there now. Exact; where there is too much to tell apart `exact` is false and only
  hits on average are told.

All may name a `player` whom the viewer may ask for; without it the viewer is meant. Drafts are judged by the checks of
`submit_turn`, chances by those of combat: no rule stands here twice.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.advice import fault_of_question, faults_of_form, faults_told, subject_of, told, told_if
from shared.rules.chance import Chance
from shared.rules.forces.board import counts_form, counts_of
from shared.rules.forces.chances import Combat, expected_hits, outcome_of, owners_after
from shared.rules.forces.commands import COMMANDS
from shared.rules.forces.map_checks import MOST
from shared.rules.forces.paths import reach_of, shortest_way, stops_on, years_for
from shared.rules.forces.state import ACTIVE, YEAR, Player, State
from shared.rules.forces.submission import Fault, cost_of, fault_of_leaving, fault_of_size, faults_of, named, priced
from shared.rules.forces.table_view import state_of
from shared.rules.forces.tables import COMBAT, NUMBER, Counts
from shared.rules.interface import Json, Refusal
from shared.rules.shapes import Anything, Choice, Id, Integer, Keyed, Object, fault

View = Mapping[str, Any]
Answer = dict[str, Json]

_FORM = Object({"payload": Anything(), "player": Id()}, optional=frozenset({"payload", "player"}))
QUESTIONS: Mapping[str, Object] = {"submit_turn": _FORM, "reach": _FORM, "path": _FORM, "odds": _FORM}
"""By type; a payload says nothing to `reach`."""
_COUNT = Integer(0, MOST)
_COUNTS = Object(dict.fromkeys(COMBAT, _COUNT), frozenset(COMBAT))
PATH = Object({"from": Id(), "to": Id(), "type": Choice(COMBAT)})
ODDS = Object({"zone": Id(), "forces": Keyed(_COUNTS)}, frozenset({"forces"}))
"""Payloads of the questions of these names."""


def advise(view: View, question: Mapping[str, Json]) -> Answer | Refusal:
    """Answer a question. Refuses `malformed`, `not_authorised`, `wrong_phase` and `eliminated`."""
    if refusal := fault_of_question(QUESTIONS, question):
        return refusal
    name = subject_of(view, question)
    if isinstance(name, Refusal):
        return name
    entry = view.get("players", {}).get(name)
    if entry is None or "submission" not in entry:
        return Refusal("not_authorised", "FOR-79", "advice is for the viewer herself, who must be in the game")
    if view["phase"] != YEAR:
        return Refusal("wrong_phase", "FOR-15", f"advice is given while a year is open; the phase is {view['phase']}")
    if entry["status"] != ACTIVE:
        return Refusal("eliminated", "FOR-20", f"advice is for active players; {name} is out of the game")
    state = state_of(view)
    player, payload = state.players[name], question.get("payload", {})
    match question["type"]:
        case "submit_turn":
            return _draft(state, player, payload)
        case "reach":
            return _reach(state, player)
        case "path":
            return _path(state, player, payload)
    return _odds(state, payload)


def _draft(state: State, player: Player, payload: Any) -> Answer:
    """Faults as `decide` would say them; what is wrong with the form is said alone."""
    if found := _faults_of_form(payload):
        return {"faults": faults_told(found), "credits": player.credits}
    unknown = _unknown_zones(state, payload)
    if payload.get("year", state.year) != state.year:
        refusal = Refusal("wrong_turn", "FOR-105", f"the open year is {state.year}")
        return {"faults": faults_told([*unknown.values(), ("year", refusal)]), "credits": player.credits}
    purchases, moves = payload.get("purchases", ()), payload.get("moves", ())
    faults = [*unknown.values(), *faults_of(state, player, purchases, moves, besides=frozenset(unknown))]
    cost = cost_of(priced(purchases, besides=frozenset(unknown)))
    left = player.credits - cost
    return {"faults": faults_told(faults), "credits": player.credits, "cost": cost, "left": left}


def _faults_of_form(payload: Any) -> list[Fault]:
    """Every `malformed` of a draft at its place; the first is that of the judgement."""
    if found := faults_of_form(COMMANDS["submit_turn"].payload, payload):
        return found
    told = fault_of_size(payload)
    return [] if told is None else [("", Refusal("malformed", "ENG-5", told))]


def _unknown_zones(state: State, payload: Any) -> dict[str, Fault]:
    """Items of a draft that name a zone which is not on the map -> the fault; they are not judged further."""
    found: dict[str, Fault] = {}
    for item, place, zone in _zones_named(payload):
        refusal = _fault_of_zones(state, zone)
        if refusal is not None and item not in found:
            found[item] = named(item, place, refusal)
    return found


def _zones_named(payload: Any) -> Iterator[tuple[str, str, str]]:
    """Item, place within it, and zone."""
    for number, item in enumerate(payload.get("purchases", ())):
        yield f"purchases.{number}", "zone", item["zone"]
    for number, item in enumerate(payload.get("moves", ())):
        yield f"moves.{number}", "from", item["from"]
        for step, zone in enumerate(item["path"]):
            yield f"moves.{number}", f"path.{step}", zone


def _fault_of_zones(state: State, *named: str) -> Refusal | None:
    for zone in named:
        if zone not in state.board.index:
            return Refusal("unknown_id", "ENG-5", f"there is no zone {zone} on the map of this game")
    return None


def _reach(state: State, player: Player) -> Answer:
    zones: dict[str, Json] = {}
    for zone, held in enumerate(state.forces):
        if player.seat not in held:
            continue
        refusal = fault_of_leaving(state, player.seat, zone)
        entry: dict[str, Json] = {"refusal": told_if(refusal)}
        for type_, count in zip(COMBAT, held[player.seat], strict=True):
            goals = reach_of(state, zone, NUMBER[type_]) if count and refusal is None else {}
            entry[type_] = {
                "count": count,
                "goals": {_id(state, goal): _ids(state, way) for goal, way in goals.items()},
            }
        zones[_id(state, zone)] = entry
    return {"zones": zones}


def _id(state: State, zone: int) -> str:
    return state.board.ids[zone]


def _ids(state: State, zones: Any) -> list[str]:
    return [state.board.ids[zone] for zone in zones]


def _path(state: State, player: Player, payload: Any) -> Answer:
    """`refusal` is why nothing leaves now, or why there is no way."""
    if found := fault(PATH, payload):
        return {"refusal": told(Refusal("malformed", "ENG-5", found))}
    if refusal := _fault_of_zones(state, payload["from"], payload["to"]):
        return {"refusal": told(refusal)}
    source, goal = state.board.index[payload["from"]], state.board.index[payload["to"]]
    for zone in (source, goal):
        if not state.board.land[zone]:
            return {"refusal": told(Refusal("water_zone", "FOR-37", f"{_id(state, zone)} is water; go over land"))}
    way = shortest_way(state, source, goal)
    if way is None:
        return {"refusal": told(Refusal("bad_path", "FOR-37", f"{payload['to']} must be reached over land alone"))}
    pinned = fault_of_leaving(state, player.seat, source)
    return {
        "refusal": told_if(pinned),
        "path": _ids(state, way),
        "steps": len(way),
        "years": years_for(state, player.seat, NUMBER[payload["type"]], way),
        "stops": _ids(state, stops_on(state, player.seat, way)),
    }


def _odds(state: State, payload: Any) -> Answer:
    """FOR-55 to FOR-61, with the zone's present owner."""
    if found := fault(ODDS, payload):
        return {"refusal": told(Refusal("malformed", "ENG-5", found))}
    if refusal := _fault_of_zones(state, payload["zone"]):
        return {"refusal": told(refusal)}
    zone = state.board.index[payload["zone"]]
    forces: dict[int, Counts] = dict(state.forces[zone])
    if "forces" in payload:
        if refusal := _fault_of_seats(state, payload["forces"]):
            return {"refusal": told(refusal)}
        given = {int(seat): counts_of(counts) for seat, counts in payload["forces"].items()}
        forces = {seat: given[seat] for seat in sorted(given) if any(given[seat])}
    combat = Combat(state.owner[zone], forces, state.config.neutral_odds, state.config.casualty_rule)
    return {"refusal": None, **chances_of(combat)}


def _fault_of_seats(state: State, forces: Mapping[str, Any]) -> Refusal | None:
    for key in forces:
        if not key.isdecimal() or key != str(int(key)) or not 1 <= int(key) <= len(state.seats):
            return Refusal("unknown_id", "ENG-5", f"payload.forces names {key}; seats are 1 to {len(state.seats)}")
    return None


def chances_of(combat: Combat) -> Answer:
    """Forces and hits on average by seat; exact chances of who is left, and of whose the zone is then."""
    answer: Answer = {
        "owner": combat.owner or None,
        "contested": len(combat.forces) > 1,
        "forces": {str(seat): counts_form(counts) for seat, counts in combat.forces.items()},
        "expected_hits_percent": {str(seat): expected_hits(combat, seat) for seat in combat.forces},
        "exact": False,
    }
    outcome = outcome_of(combat) if len(combat.forces) > 1 else None
    if outcome is None:
        return answer
    left = [
        {"seats": list(seats), **_told(outcome.chance(weight))} for seats, weight in sorted(outcome.weights.items())
    ]
    owners = [{"owner": owner or None, **_told(chance)} for owner, chance in owners_after(combat, outcome).items()]
    return {**answer, "exact": True, "left": left, "owner_after": owners}


def _told(chance: Chance) -> dict[str, Json]:
    return {
        "numerator": str(chance.numerator),
        "denominator": str(chance.denominator),
        "permille": chance.permille,
    }
