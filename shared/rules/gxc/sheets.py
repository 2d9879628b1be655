"""What the page of a game shows besides the map: what the viewer's team is to vote on (GXC-72 to GXC-83, GXC-100).

Nobody else sees polls and nominations. Orders and energies of a team are no sheet: they may be thousands of documents,
and a page is read often.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from shared.rules.interface import Column, Json, Sentence, Sheet, Sheets

View = Mapping[str, Any]
Row = dict[str, Json]

KINDS = ("game", "poll", "vote", "nomination")
MOST_ROWS = 60
_QUESTION = (
    Sentence("Shall {target:player} command?", {"kind": "commander"}),
    Sentence("Shall {target:player} command no more?", {"kind": "impeach"}),
    Sentence("Is {target:player} a spy?"),
)
POLLS: Sequence[Column] = (
    Column("Poll", (Sentence("{id}"),)),
    Column("Team", (Sentence("{team:team}"),)),
    Column("Question", _QUESTION),
    Column("Yes", (Sentence("{yes}"),)),
    Column("No", (Sentence("{no}"),)),
    Column("Your vote", (Sentence("", {"vote": None}), Sentence("{vote}"))),
    Column("Until the close of turn", (Sentence("{closes_turn}"),)),
)
NOMINATIONS: Sequence[Column] = (
    Column("Team", (Sentence("{team:team}"),)),
    Column("Question", _QUESTION),
    Column("Nominated by", (Sentence("{nominators:player}"),)),
)


def _sheets(view: View) -> list[Sheet]:
    polls = [_poll(id, poll) for id, poll in sorted(view.get("polls", {}).items()) if poll["result"] is None]
    nominations: list[Row] = [dict(record) for record in view.get("nominations", ())]
    return [
        Sheet("polls", "Open polls", POLLS, polls[:MOST_ROWS], max(0, len(polls) - MOST_ROWS)),
        Sheet(
            "nominations",
            "Nominations",
            NOMINATIONS,
            nominations[:MOST_ROWS],
            max(0, len(nominations) - MOST_ROWS),
        ),
    ]


def _poll(id: str, poll: View) -> Row:
    return {"vote": None, **poll, "id": id}


SHEETS = Sheets(KINDS, _sheets)
