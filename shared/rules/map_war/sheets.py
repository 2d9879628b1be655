"""What the page of a game shows besides the map, from what its viewer sees: stocks, deals, constructions, pieces."""

from collections.abc import Mapping, Sequence
from typing import Any

from shared.rules.interface import Column, Json, Sentence, Sheet, Sheets
from shared.rules.map_war.config import GOODS
from shared.rules.map_war.deal_terms import sides_of
from shared.rules.map_war.state import ACTIVE
from shared.rules.map_war.tables import STRUCTURES

View = Mapping[str, Any]
Row = dict[str, Json]
KINDS = ("game", "zone", "nation", "player", "submission", "piece", "deal", "turn")
MOST_ROWS = 200


def _column(heading: str, text: str, **absent: Json) -> Column:
    """A column of one text; empty where the data is as in `absent`."""
    sentences = (Sentence(text),)
    return Column(heading, (Sentence("", absent), *sentences) if absent else sentences)


STANDINGS: Sequence[Column] = (
    _column("Nation", "{nation:team}"),
    _column("Zones", "{zones}"),
    _column("Currency", "{currency}"),
    _column("Resources", "{resources}"),
    _column("Food", "{food}"),
    _column("Technology", "{technology}"),
    Column("Hungry", (Sentence("yes", {"hungry": True}), Sentence(""))),
    Column("Submitted", (Sentence("yes", {"submitted": True}), Sentence(""))),
)
LEDGER: Sequence[Column] = (
    _column("Cause", "{cause}"),
    _column("Currency", "{currency}", currency="0.00"),
    _column("Resources", "{resources}", resources="0.00"),
    _column("Food", "{food}", food="0.00"),
    _column("Technology", "{technology}", technology="0.00"),
)
FAULTS: Sequence[Column] = (_column("Order", "{item}"), _column("Fault", "{code}"))
DEALS: Sequence[Column] = (
    _column("Number", "{deal}"),
    _column("Kind", "{kind}"),
    _column("From", "{from:team}"),
    _column("To", "{to:team}"),
    _column("Terms", "{terms}"),
    _column("State", "{status}"),
)
ZONES: Sequence[Column] = (
    _column("Zone", "{zone:place}"),
    Column("Owner", (Sentence("nobody", {"owner": None}), Sentence("{owner:team}"))),
    _column("Structures", "{structures}"),
    _column("Being built", "{building}"),
    _column("Pollution", "{pollution}", pollution=0),
    _column("Armies", "{armies}", armies=0),
    _column("Ships", "{ships}", ships=0),
)


def _sheets(view: View) -> list[Sheet]:
    you = view.get("you", {}).get("nation")
    own = view["nations"].get(you)
    made: list[Sheet] = []
    if own is not None and "submission" in own:
        pairs = zip(own["submission"]["items"], own["submission"]["faults"], strict=True)
        made.append(
            Sheet("faults", "Faults of your orders", FAULTS, [{"item": item, "code": code} for item, code in pairs])
        )
    if own is not None:
        rows = [{"cause": row["cause"], **_amounts(row)} for row in own["production"]]
        made.append(Sheet("ledger", "Your last turn", LEDGER, rows))
    counts = _zones_by_owner(view)
    standing = [_standing(nation, counts) for nation in view["nations"].values() if nation["status"] == ACTIVE]
    made.append(Sheet("standings", "Stocks", STANDINGS, sorted(standing, key=_most_zones)))
    deals = [_deal(entry) for entry in view.get("deals", {}).values()]
    made.append(Sheet("deals", "Deals", DEALS, deals[::-1][:MOST_ROWS], max(0, len(deals) - MOST_ROWS)))
    zones = _zones(view)
    made.append(
        Sheet("zones", "Control, pollution and pieces", ZONES, zones[:MOST_ROWS], max(0, len(zones) - MOST_ROWS))
    )
    return made


def amount(cents: int) -> str:
    """Cents as a decimal number."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def _amounts(entry: Mapping[str, Any]) -> Row:
    return {good: amount(entry[good]) for good in GOODS}


def _zones_by_owner(view: View) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for zone in view["zones"].values():
        if zone["owner"] is not None:
            counts[zone["owner"]] = counts.get(zone["owner"], 0) + 1
    return counts


def _standing(nation: Mapping[str, Any], counts: Mapping[str, int]) -> Row:
    told = {"hungry": nation["hungry"], "submitted": nation["submitted"]}
    return {"nation": nation["id"], "zones": counts.get(nation["id"], 0), **_amounts(nation), **told}


def _most_zones(row: Mapping[str, Any]) -> tuple[int, str]:
    return -row["zones"], row["nation"]


def _deal(entry: Mapping[str, Any]) -> Row:
    giver, taker = sides_of(entry["kind"])
    return {
        "deal": entry["id"],
        "kind": entry["kind"],
        "from": entry[giver],
        "to": entry[taker],
        "terms": _terms(entry),
        "status": entry["status"],
    }


def _terms(entry: Mapping[str, Any]) -> str:
    if "give" in entry:
        return f"{_bundle(entry['give'])} for {_bundle(entry['get'])}"
    if "zone" in entry:
        return f"zone {entry['zone']}"
    return f"{entry['good']} {amount(entry['amount'])}" if "amount" in entry else str(entry["good"])


def _bundle(bundle: Mapping[str, Any]) -> str:
    goods = [f"{good} {amount(bundle[good])}" for good in ("currency", "food", "resources") if bundle[good]]
    return ", ".join([*goods, *(f"zone {zone}" for zone in bundle["zones"])]) or "nothing"


def _zones(view: View) -> list[Row]:
    """Zones with an owner, pollution or pieces; the others have nothing to tell."""
    pieces: dict[tuple[str, str], int] = {}
    for piece in view.get("pieces", {}).values():
        key = (piece["zone"], piece["kind"])
        pieces[key] = pieces.get(key, 0) + 1
    rows: list[Row] = []
    for zone in view["zones"].values():
        armies, ships = pieces.get((zone["id"], "army"), 0), pieces.get((zone["id"], "ship"), 0)
        if zone["owner"] is not None or zone["pollution"] or armies or ships:
            levels, building = zone["levels"], zone["building"]
            rows.append(
                {
                    "zone": zone["id"],
                    "owner": zone["owner"],
                    "structures": ", ".join(f"{name} {levels[name]}" for name in STRUCTURES if levels[name]),
                    "building": ", ".join(
                        f"{name} {begun['level']} ({begun['step']} of {begun['steps']})"
                        for name, begun in building.items()
                    ),
                    "pollution": zone["pollution"],
                    "armies": armies,
                    "ships": ships,
                }
            )
    return rows


SHEETS = Sheets(KINDS, _sheets)
