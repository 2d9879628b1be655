"""What the page of a game shows besides the map, from what its viewer sees: her own things, rights and attacks.

Everybody sees rights, cooldowns and attacks (EXG-66); a player her objective, targets, items and policy too.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shared.rules.exgenhoca.advise import chance_of, reach_of, unknown_of
from shared.rules.exgenhoca.attack_checks import NO_USE
from shared.rules.exgenhoca.items import LABELS
from shared.rules.exgenhoca.state import ACTIVE, ENDED, RUNNING
from shared.rules.exgenhoca.table_view import state_of
from shared.rules.interface import Column, Json, Sentence, Sheet, Sheets

View = Mapping[str, Any]
Row = dict[str, Json]

MOST_ATTACKS = 60
KINDS = ("game", "territory", "player", "items", "objective", "policy", "attack")


def _column(heading: str, text: str, **absent: Json) -> Column:
    """A column of one text; empty where the data is as in `absent`."""
    sentences = (Sentence(text),)
    return Column(heading, (Sentence("", absent), *sentences) if absent else sentences)


OBJECTIVE: Sequence[Column] = (
    _column("Objective", "{id}"),
    _column("Continents to hold", "{continents}"),
    _column("Any other continents", "{extra_continents}", extra_continents=0),
    _column("Territories in all, at least", "{min_total}", min_total=0),
    _column("Spread over continents", "{spread}"),
    _column("Whom to eliminate", "{eliminate:team}", eliminate=None),
)
TARGETS: Sequence[Column] = (
    _column("Territory", "{target:place}"),
    _column("Owner", "{owner:team}", owner=None),
    Column("May be attacked now", (Sentence("yes", {"allowed": True}), Sentence("no"))),
    _column("Chance", "{percent} %"),
    _column("Exactly", "{exact}"),
    _column("On attack", "{attack}"),
    _column("On defence", "{defence}"),
    _column("Not known", "{unknown}"),
    _column("Why not", "{why}"),
)
ITEMS: Sequence[Column] = (
    _column("Item", "{effect}: {label}"),
    _column("From round", "{first}"),
    Column("To round", (Sentence("no limit", {"last": None}), Sentence("{last}"))),
)
POLICY: Sequence[Column] = (
    Column(
        "+5 on defence",
        (Sentence("never", {"plus5": "off"}), Sentence("next attack", {"plus5": "next"}), Sentence("{plus5:place}")),
    ),
    _column("Second chances in defence", "{rerolls}"),
    Column("Handed over with South America", (Sentence("nothing", {"give": []}), Sentence("{give:place}"))),
)
RIGHTS: Sequence[Column] = (
    _column("Player", "{seat:team}"),
    _column("Attacks left", "{attacks_left}"),
    _column("At any distance", "{global_attacks}", global_attacks=0),
    Column("Passed", (Sentence("yes", {"passed": True}), Sentence(""))),
    _column("To answer", "{pending}", pending=None),
    _column("Items", "{items}"),
    _column("Penalties", "{penalties}"),
    _column("May not attack again yet", "{cooldown:place}"),
)
ATTACKS: Sequence[Column] = (
    _column("Attack", "{number}"),
    _column("By", "{attacker:team}"),
    _column("On", "{target:place}"),
    Column("Of", (Sentence("nobody", {"defender": None}), Sentence("{defender:team}"))),
    _column("Dice", "{dice}"),
    _column("Totals", "{totals}"),
    Column("Outcome", (Sentence("taken", {"taken": True}), Sentence("held"))),
)
RESULTS: Sequence[Column] = (
    _column("Player", "{seat:team}"),
    _column("Points", "{points}"),
    _column("Conquests", "{conquests}"),
    *(Column(f"Objective: {column.heading}", column.told) for column in OBJECTIVE),
)


def _sheets(view: View) -> list[Sheet]:
    own = view["players"].get(view.get("you", {}).get("player"))
    made: list[Sheet] = []
    if own is not None:
        if own.get("objective") is not None:
            made.append(Sheet("objective", "Your objective", OBJECTIVE, [_objective(view, own["objective"])]))
        if view["phase"] == RUNNING and own["status"] == ACTIVE:
            made.append(Sheet("targets", "What you may attack", TARGETS, _targets(view, own["seat"])))
            made.append(Sheet("items", "Your items", ITEMS, [_item(item) for item in own["inventory"]]))
            made.append(Sheet("policy", "Your policy when you are attacked", POLICY, [_policy(own["policy"])]))
    if view["phase"] == RUNNING:
        rows = [_rights(entry) for entry in view["players"].values() if entry["status"] == ACTIVE]
        made.append(Sheet("rights", "Rights and cooldowns", RIGHTS, rows))
    if view["phase"] == ENDED:
        made.append(Sheet("results", "Points and objectives", RESULTS, _results(view)))
    attacks = sorted(view.get("attacks", {}).values(), key=_by_number, reverse=True)
    shown = [_attack(attack) for attack in attacks[:MOST_ATTACKS]]
    made.append(Sheet("attacks", "Attacks, the last one first", ATTACKS, shown, max(0, len(attacks) - MOST_ATTACKS)))
    return made


def _results(view: View) -> list[Row]:
    """In the order of the ranking, with the objectives that are no secret any more (EXG-58, EXG-65, EXG-67)."""
    by_seat = {entry["seat"]: entry for entry in view["players"].values()}
    return [
        {
            "seat": seat,
            "points": view["points"][str(seat)],
            "conquests": by_seat[seat]["conquests"],
            **_objective(view, by_seat[seat]["objective"]),
        }
        for seat in view["ranking"]
    ]


def _objective(view: View, objective: View) -> Row:
    """EXG-60."""
    spread = objective["spread"]
    return {
        **objective,
        "continents": ", ".join(_continent(view, id_) for id_ in objective["continents"]),
        "spread": "" if spread is None else f"{spread['each']} in each of {spread['continents']}",
    }


def _continent(view: View, id_: str) -> str:
    name, label = view["continents"][id_]["name"], view["continents"][id_]["label"]
    return name if name == label else f"{name} ({label})"


def _targets(view: View, seat: int) -> list[Row]:
    """Those that may be attacked first; all others with the first reason why not (EXG-24, EXG-27)."""
    state = state_of(view)
    player = state.players[seat - 1]
    reach = reach_of(state, player)
    rows: list[Row] = []
    for id_, found in reach["targets"].items():
        refusal = reach["refusal"] or found["refusal"]
        chance = chance_of(state, player, state.board.index[id_], NO_USE, {})
        rows.append(
            {
                "target": id_,
                "owner": view["territories"][id_]["owner"],
                "allowed": refusal is None,
                "percent": chance["percent"],
                "exact": f"{chance['winning_rolls']} of {chance['rolls']}",
                "attack": _modifiers(view, chance["attack_modifiers"]),
                "defence": _modifiers(view, chance["defence_modifiers"]),
                "unknown": ", ".join(unknown_of(view, id_)),
                "why": "" if refusal is None else f"{refusal['code']}: {refusal['detail']}",
            }
        )
    return sorted(rows, key=_refused)


def _refused(row: Row) -> bool:
    return not row["allowed"]


def _modifiers(view: View, modifiers: Mapping[str, int]) -> str:
    return ", ".join(f"{value:+d} {_modifier(view, name)}" for name, value in modifiers.items())


def _modifier(view: View, name: str) -> str:
    return _continent(view, name) if name in view["continents"] else name


def _item(item: View) -> Row:
    """EXG-42."""
    effect = item["effect"]
    return {"effect": effect, "label": LABELS[effect], "first": item["usable_from"], "last": item["usable_to"]}


def _policy(policy: View) -> Row:
    """EXG-47."""
    return {"plus5": policy["defence_plus5"], "rerolls": policy["defence_rerolls"], "give": policy["sa_give"]}


def _rights(entry: View) -> Row:
    """EXG-66; items and penalties only where they are seen."""
    return {
        **{name: entry[name] for name in ("seat", "attacks_left", "global_attacks", "passed", "pending")},
        "items": ", ".join(item["effect"] for item in entry.get("inventory", ())),
        "penalties": ", ".join(_penalties(entry.get("penalties", {}))),
        "cooldown": list(entry["cooldown"]),
    }


COUNTED: Mapping[str, str] = {
    "minus_attack": "N1",
    "minus_defence": "N2",
    "fewer_attacks_next": "N4",
    "skip_next": "N5",
    "stored_continent_loss": "N7 to come",
}
LASTING: Mapping[str, str] = {"no_repeat": "N6", "continents_off": "N7"}


def _penalties(penalties: View) -> Iterator[str]:
    """EXG-15."""
    for name, effect in COUNTED.items():
        if count := penalties.get(name, 0):
            yield effect if count == 1 else f"{effect} x {count}"
    for name, effect in LASTING.items():
        if (window := penalties.get(name)) is not None:
            yield f"{effect} in rounds {window['from']} to {window['to']}"


def _by_number(attack: View) -> tuple[int, int]:
    return attack["round"], attack["attack"]


def _attack(attack: View) -> Row:
    """All rolls of an attack, the last of which counts (EXG-28, EXG-33)."""
    return {
        **{name: attack[name] for name in ("attacker", "target", "defender", "taken")},
        "number": f"{attack['round']}-{attack['attack']}",
        "dice": "; ".join(f"{_dice(roll['attack_dice'])} / {_dice(roll['defence_dice'])}" for roll in attack["rolls"]),
        "totals": "; ".join(f"{roll['A']} / {roll['D']}" for roll in attack["rolls"]),
    }


def _dice(faces: Sequence[int]) -> str:
    return " ".join(str(face) for face in faces)


SHEETS = Sheets(KINDS, _sheets)
