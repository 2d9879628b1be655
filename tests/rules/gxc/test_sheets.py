"""Tables of the page: what a team votes on, seen by the team and by operators alone (GXC-71 to GXC-74, GXC-100)."""

from typing import Any

from shared.rules.gxc import RULES
from shared.rules.gxc.sheets import MOST_ROWS, SHEETS
from shared.scenarios.table import Table

CREATE: dict[str, Any] = {
    "map": {
        "territories": {
            "A": {"name": "A", "neighbours": ["B"], "centroid": {"x": 0, "y": 0}, "special": None},
            "B": {"name": "B", "neighbours": ["A"], "centroid": {"x": 9, "y": 0}, "special": None},
        }
    },
    "teams": {"red": {"territories": ["A"]}, "blue": {"territories": ["B"]}},
    "config": {"first_commander_nominations": 2},
}
TEAMS = {"ana": "red", "bia": "red", "cy": "red", "dan": "blue"}


def a_war() -> Table:
    """Ana and Bia nominated Cy, so a poll is open, and Cy nominated Ana; Bia voted."""
    table = Table(RULES, "00" * 32)
    assert table.create(CREATE).refusal is None
    for player, team in TEAMS.items():
        say(table, player, "join", team=team)
        say(table, player, "place", territory={"red": "A", "blue": "B"}[team])
    say(table, "op", "start_game")
    for player, target in (("ana", "cy"), ("bia", "cy"), ("cy", "ana")):
        say(table, player, "nominate", kind="commander", target=target)
    say(table, "bia", "vote", poll="red-1", choice="yes")
    return table


def say(table: Table, actor: str, type: str, **payload: Any) -> None:
    judged = table.say(f"i{len(table.journal)}", actor, "operator" if actor == "op" else "player", type, payload, 1)
    assert judged[-1].refusal is None, judged[-1].refusal


def sheets(table: Table, name: str) -> dict[str, Any]:
    viewer = table.documents.viewer(name)
    return {sheet.id: sheet for sheet in SHEETS.of(RULES.view(table.documents.of(viewer), viewer))}


def test_a_team_sees_its_open_polls_with_counts_and_each_her_own_vote() -> None:
    table = a_war()
    for name, vote in (("bia", "yes"), ("ana", None)):
        (row,) = sheets(table, name)["polls"].rows
        assert {key: row[key] for key in ("id", "target", "yes", "no", "vote")} == {
            "id": "red-1",
            "target": "cy",
            "yes": 1,
            "no": 0,
            "vote": vote,
        }


def test_a_team_sees_who_nominated_whom() -> None:
    rows = sheets(a_war(), "cy")["nominations"].rows
    assert [(row["target"], row["nominators"]) for row in rows] == [("ana", ["cy"])]


def test_nobody_else_but_operators_sees_a_row() -> None:
    table = a_war()
    for name in ("public", "dan", "stranger"):
        assert [sheet.rows for sheet in sheets(table, name).values()] == [[], []]
    assert [len(sheet.rows) for sheet in sheets(table, "operator").values()] == [1, 1]


def test_a_poll_that_has_closed_is_no_row_any_more() -> None:
    table = a_war()
    for turn in (1, 2):
        say(table, "op", "close_turn", turn=turn)
    assert sheets(table, "bia")["polls"].rows == []


def test_rows_beyond_the_most_are_counted() -> None:
    record = {"team": "red", "kind": "spy", "target": "cy", "nominators": ["ana"]}
    found = {sheet.id: sheet for sheet in SHEETS.of({"nominations": [record] * (MOST_ROWS + 3)})}
    assert (len(found["nominations"].rows), found["nominations"].more) == (MOST_ROWS, 3)
