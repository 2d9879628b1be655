"""What the page of a game shows besides the map, from what its viewer sees (FOR-78 to FOR-80).

Everybody sees Forces, purses and the combats of the last year; a player her submission and her choice of a capital.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from shared.rules.forces.state import CAPITALS, LOBBY, YEAR
from shared.rules.forces.tables import COMBAT
from shared.rules.interface import Column, Json, Sentence, Sheet, Sheets

View = Mapping[str, Any]
Row = dict[str, Json]

MOST_ROWS = 200
KINDS = ("game", "zone", "player", "seat", "purse", "capital", "submission", "combat")


def _column(heading: str, text: str, **absent: Json) -> Column:
    """A column of one text; empty where the data is as in `absent`."""
    sentences = (Sentence(text),)
    return Column(heading, (Sentence("", absent), *sentences) if absent else sentences)


PLAYERS: Sequence[Column] = (
    _column("Player", "{seat:team}"),
    _column("Capital", "{capital:place}", capital=None),
    _column("Zones", "{zones}"),
    _column("Troops", "{troop}"),
    _column("Tanks", "{tank}"),
    _column("Credits", "{credits}", credits=None),
    _column("Last income", "{last_income}", last_income=None),
    Column("Has submitted", (Sentence("yes", {"submitted": True}), Sentence(""))),
)
FORCES: Sequence[Column] = (
    _column("Zone", "{zone:place}"),
    _column("Owner", "{owner:team}", owner=None),
    _column("Forces of", "{seat:team}"),
    _column("Troops", "{troop}"),
    _column("Tanks", "{tank}"),
    Column("Contested", (Sentence("yes", {"contested": True}), Sentence(""))),
)
PURCHASES: Sequence[Column] = (
    _column("Buy", "{count} {type}"),
    _column("For", "{zone:place}"),
)
MOVES: Sequence[Column] = (
    _column("Move", "{count} {type}"),
    _column("From", "{from:place}"),
    _column("Over", "{path:place}"),
)
CAPITAL: Sequence[Column] = (_column("Capital", "{capital:place}"),)
ROLLS: Sequence[Column] = (
    _column("Zone", "{zone:place}"),
    _column("Of", "{seat:team}"),
    _column("Force", "{type}"),
    _column("Rolls below", "{odds}"),
    _column("Rolls", "{rolls}"),
    _column("Hits", "{hits}"),
    _column("Lost", "{lost}"),
)


def _sheets(view: View) -> list[Sheet]:
    if view["phase"] == LOBBY:
        return []
    made = [Sheet("players", "Players", PLAYERS, _players(view))]
    own = view["players"].get(view.get("you", {}).get("player"), {})
    if view["phase"] == CAPITALS and own.get("capital") is not None:
        made.append(Sheet("capital", "Your choice, which nobody else sees yet", CAPITAL, [{"capital": own["capital"]}]))
    if view["phase"] == YEAR and own.get("submission") is not None:
        for name, title, columns in (("purchases", "What you buy", PURCHASES), ("moves", "How you move", MOVES)):
            made.append(_sheet(name, title, columns, [dict(item) for item in own["submission"][name]]))
    made.append(_sheet("forces", "Forces", FORCES, _forces(view)))
    combats = view.get("combats", {}).values()
    if combats:
        last = max(combat["year"] for combat in combats)
        rows = [row for combat in combats if combat["year"] == last for row in _rolls(combat)]
        made.append(_sheet("combats", f"Combats of {last}", ROLLS, rows))
    return made


def _sheet(name: str, title: str, columns: Sequence[Column], rows: Sequence[Row]) -> Sheet:
    return Sheet(name, title, columns, rows[:MOST_ROWS], max(0, len(rows) - MOST_ROWS))


def _players(view: View) -> list[Row]:
    """By seat, with what each has on the map."""
    rows: dict[int, Row] = {}
    for entry in sorted(view["players"].values(), key=_seat):
        rows[entry["seat"]] = {
            "seat": entry["seat"],
            "capital": entry.get("capital"),
            "zones": 0,
            **dict.fromkeys(COMBAT, 0),
            "credits": entry.get("credits"),
            "last_income": entry.get("last_income"),
            "submitted": entry["submitted"],
        }
    for zone in view["zones"].values():
        if zone["owner"] is not None:
            rows[zone["owner"]]["zones"] += 1
        for seat, forces in zone["forces"].items():
            for type_ in COMBAT:
                rows[int(seat)][type_] += forces[type_]
    return list(rows.values())


def _seat(entry: View) -> int:
    seat: int = entry["seat"]
    return seat


def _forces(view: View) -> list[Row]:
    """Contested zones first, then by zone and seat."""
    rows: list[Row] = [
        {
            "zone": id_,
            "owner": zone["owner"],
            "seat": int(seat),
            **forces,
            "contested": len(zone["forces"]) > 1,
        }
        for id_, zone in sorted(view["zones"].items())
        for seat, forces in zone["forces"].items()
    ]
    return sorted(rows, key=_peaceful)


def _peaceful(row: Row) -> bool:
    return not row["contested"]


def _rolls(combat: View) -> list[Row]:
    """One row for each seat and type with all its rolls (FOR-78)."""
    rows: dict[tuple[int, str], Row] = {}
    for roll in combat["rolls"]:
        row = rows.setdefault(
            (roll["seat"], roll["type"]),
            {
                "zone": combat["zone"],
                "seat": roll["seat"],
                "type": roll["type"],
                "odds": roll["odds"],
                "rolls": "",
                "hits": 0,
                "lost": 0,
            },
        )
        row["rolls"] = f"{row['rolls']} {roll['r']}".lstrip()
        row["hits"] += roll["hit"]
    for casualty in combat["casualties"]:
        rows[casualty["seat"], casualty["type"]]["lost"] += 1
    return list(rows.values())


SHEETS = Sheets(KINDS, _sheets)
