"""What each viewer sees is what the state says, and nothing that MAP-98 hides; who is told of what, in which tables."""

from typing import Any

import pytest

from services.gateway.telling import Names, table_of_sheet, told
from shared.rules.map_war import RULES
from shared.rules.notices import given_by, sentences_by_code
from tests.rules.map_war.small import NAMES, Game, running

VIEWERS = ("public", "operator", *NAMES)
TEAMS = Names(teams={name: name.capitalize() for name in NAMES}, players={name: name.capitalize() for name in NAMES})
WORDS = sentences_by_code(RULES.notices)
BUILD: dict[str, Any] = {"builds": [{"zone": "h", "structure": "city"}, {"zone": "h", "structure": "research"}]}
"""Of ana: a city, and what needs a larger one."""


def played(**config: Any) -> Game:
    """A turn in which something was claimed, built and traded, and orders of the next one."""
    game = running(**config)
    game.done("ana", "offer", kind="agreement", to="bia", good="food")
    game.done("bia", "accept", deal=1)
    game.done("bia", "offer", kind="exchange", to="cai", give={"currency": 200}, get={"food": 100})
    game.done("cai", "accept", deal=2)
    game.done("ana", "submit_turn", claims=["s"], builds=BUILD["builds"][:1])
    game.done("bia", "submit_turn", builds=[{"zone": "t", "structure": "agriculture"}])
    game.done("cai", "submit_turn", claims=["v"])
    game.done("cai", "offer", kind="sale", to="ana", good="food", amount=50)
    game.done("ana", "submit_turn", **BUILD)
    return game


def held_against(game: Game, name: str) -> None:
    """Every path of the state that the view has says the same."""
    state, view = game.state, game.view(name)
    for key in ("phase", "turn", "opened_at", "deadline", "winner", "ranking", "config", "zones", "players", "pieces"):
        assert view[key] == state[key], key
    for id_, nation in state["nations"].items():
        seen = view["nations"][id_]
        for key in set(nation) - {"submission"}:
            assert seen[key] == nation[key], (id_, key)
        if "submission" in seen:
            assert seen["submission"] == {key: nation["submission"][key] for key in seen["submission"]}
    for number, deal in view.get("deals", {}).items():
        assert deal == {key: state["deals"][number][key] for key in deal}


@pytest.mark.parametrize("name", VIEWERS)
@pytest.mark.parametrize("open_submissions", [True, False])
def test_a_view_says_what_the_state_says(name: str, open_submissions: bool) -> None:
    """MAP-97."""
    held_against(running(open_submissions=open_submissions), name)
    held_against(played(open_submissions=open_submissions), name)


def test_a_submission_is_read_by_all_or_only_the_fact_of_it_is_known() -> None:
    """MAP-98."""
    for open_submissions in (True, False):
        game = played(open_submissions=open_submissions)
        readers = {name for name in VIEWERS if "submission" in game.view(name)["nations"]["ana"]}
        assert readers == (set(VIEWERS) if open_submissions else {"ana", "operator"})
        for name in VIEWERS:
            assert [game.view(name)["nations"][id_]["submitted"] for id_ in NAMES] == [True, False, False]


def test_how_often_a_closed_submission_changes_is_told_to_its_player_alone() -> None:
    game = running(open_submissions=False)
    assert [(event.type, event.to) for event in game.done("ana", "submit_turn")] == [
        ("submission_made", ("public",)),
        ("turn_submitted", ("player:ana",)),
        ("submission_numbered", ()),
    ]
    assert [(event.type, event.to) for event in game.done("ana", "submit_turn", claims=["s"])] == [
        ("turn_submitted", ("player:ana",)),
        ("submission_numbered", ()),
    ]


@pytest.mark.parametrize("open_submissions", [True, False])
def test_the_number_of_a_judgement_is_seen_by_operators_alone(open_submissions: bool) -> None:
    """MAP-98: from two of them it could be counted how much others have said in between."""
    game = played(open_submissions=open_submissions)
    judged = [item for item in game.table.journal if item.refusal is None]
    for event in [event for item in judged for event in item.events]:
        assert event.to == () or not {"seq", "accepted_seq"} & set(event.data), event
    for name in VIEWERS:
        submission = game.view(name)["nations"]["ana"].get("submission", {})
        assert ("seq" in submission) == (name == "operator")
        assert all(("accepted_seq" in deal) == (name == "operator") for deal in game.view(name)["deals"].values())
    seen = game.view("operator")
    assert seen["nations"]["ana"]["submission"]["seq"] == game.state["nations"]["ana"]["submission"]["seq"] > 0
    assert seen["deals"]["1"]["accepted_seq"] == game.state["deals"]["1"]["accepted_seq"] > 0
    assert seen["deals"]["3"]["accepted_seq"] is None


def test_an_offer_is_seen_by_its_two_sides_and_what_it_moved_by_all() -> None:
    """MAP-97, MAP-98."""
    game = running()
    events = game.done("ana", "offer", kind="exchange", to="bia", give={"currency": 100}, get={"food": 50})
    events += game.done("bia", "accept", deal=1)
    assert {event.to for event in events} == {("player:ana", "player:bia"), ()}
    assert {name for name in VIEWERS if game.view(name).get("deals")} == {"operator", "ana", "bia"}
    game.all_submit()
    done = next(event for event in game.events() if event.type == "deal_done")
    assert done.to == ("public",)
    assert {name for name in VIEWERS if game.view(name).get("deals")} == set(VIEWERS)


def test_a_declined_offer_is_seen_by_nobody_else() -> None:
    game = running()
    game.done("ana", "offer", kind="agreement", to="bia", good="food")
    game.done("bia", "decline", deal=1)
    game.all_submit()
    assert {name for name in VIEWERS if game.view(name).get("deals")} == {"operator", "ana", "bia"}


def sheet(game: Game, viewer: str, name: str) -> list[dict[str, Any]]:
    found = {item.id: item for item in RULES.sheets.of(game.view(viewer))}
    return [dict(row) for row in found[name].rows] if name in found else []


def test_sheets_show_stocks_zones_and_what_is_the_viewers_own() -> None:
    game = played(open_submissions=False)
    assert sheet(game, "ana", "faults") == [{"item": "builds.1", "code": "city_too_small"}]
    assert sheet(game, "bia", "faults") == []
    assert [(row["nation"], row["zones"], row["submitted"]) for row in sheet(game, "public", "standings")] == [
        ("ana", 2, True),
        ("cai", 2, False),
        ("bia", 1, False),
        ("barbaria", 0, False),
    ]
    zones = {row["zone"]: row for row in sheet(game, "public", "zones")}
    assert set(zones) == {"h", "s", "t", "u", "v"}
    assert (zones["h"]["structures"], zones["t"]["structures"]) == ("city 1", "agriculture 1")
    deals = sheet(game, "public", "deals")
    assert [(row["deal"], row["kind"], row["terms"]) for row in deals] == [
        (2, "exchange", "currency 2.00 for food 1.00"),
        (1, "agreement", "food"),
    ]
    assert [row["deal"] for row in sheet(game, "ana", "deals")] == [3, 2, 1]


def test_the_ledger_of_a_nation_sums_up_to_what_it_has_gained() -> None:
    """MAP-99."""
    game = running()
    before = game.state["nations"]["ana"]
    game.all_submit()
    after = game.state["nations"]["ana"]
    rows = next(item for item in RULES.sheets.of(game.view("ana")) if item.id == "ledger").rows
    assert rows
    for good in ("currency", "resources", "food", "technology"):
        gained = sum(round(100 * float(str(row[good]))) for row in rows)
        assert gained == after[good] - before[good], good


def test_tables_are_told_in_words() -> None:
    found = next(item for item in RULES.sheets.of(played().view("public")) if item.id == "standings")
    first = table_of_sheet(found, TEAMS).rows[0]
    assert first[:2] == ("Ana", 2)


def notices(game: Game) -> list[tuple[str, str]]:
    """Audience and words of each notice of the last command."""
    return [
        (given.audience, told(WORDS[given.code], given.data, TEAMS) or "")
        for event in game.events()
        for given in given_by(event, RULES.notices)
    ]


def test_a_player_is_told_of_offers_of_what_she_loses_and_of_the_end() -> None:
    game = running()
    game.done("ana", "offer", kind="agreement", to="bia", good="food")
    assert notices(game) == [("player:bia", "Ana offers you a deal: agreement, number 1")]
    game.done("ana", "submit_turn", conquests=[{"zone": "t"}])
    game.done("bia", "submit_turn")
    game.done("cai", "submit_turn", claims=["v"])
    assert ("player:bia", "Ana conquered your t") in notices(game)
    assert ("player:bia", "You have no zone left and are out of the war") in notices(game)
    game.done("cai", "abandon")
    assert ("player:cai", "You abandoned your nation; you can rejoin until it decays") in notices(game)
    game.done("ana", "submit_turn")
    assert ("player:ana", "The war is over: Ana won it") in notices(game)


def test_whose_orders_have_faults_is_told_when_a_correction_opens() -> None:
    """MAP-81."""
    game = running()
    game.done("ana", "submit_turn", **BUILD)
    game.table.run_clock(game.state["deadline"])
    told_to = [(audience, words.partition(";")[0]) for audience, words in notices(game)]
    assert told_to == [("player:ana", "Your submission of turn 2 has faults")]
