"""Six players play Exgenhoca Wars over HTTP, from the creation to the end, against the real processes."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.exgenhoca import Table, named
from tests.unit.tools.loading import load
from warledger.commands.journal import export_game, replay_game
from warledger.demo.installation import Installation

pytestmark = pytest.mark.slow
SECRET = ("nonce", "state", "sealed_key")


@pytest.fixture(scope="module")
def table(house: Installation) -> Iterator[Table]:
    """A game in its first round, in which each player has one attack."""
    made = Table(house)
    yield made
    house.operator.command(made.id, "set_deadline", {"deadline": None, "reason": "pause"})


def test_an_attack_is_answered_with_its_dice_its_outcome_and_its_seed(table: Table) -> None:
    (target, *_) = table.targets(1)
    answer = table.clients[0].command(table.id, "attack", {"target": target})
    (rolled,), (resolved,) = named(answer, "attack_rolled"), named(answer, "attack_resolved")
    assert (answer.status, answer.body["complete"]) == (201, True)
    assert (rolled["A"], rolled["D"]) == (sum(rolled["attack_dice"]), sum(rolled["defence_dice"]))
    assert resolved["taken"] == (rolled["A"] > rolled["D"]) == bool(named(answer, "captured"))
    assert (resolved["target"], resolved["attacks_left"]) == (target, 0)
    (certificate,) = named(answer, "resolution.certified")
    newest = table.house.operator.get(f"/games/{table.id}/certificates")["certificates"][-1]
    assert certificate["seed"] == newest["seed"] != None  # noqa: E711
    assert not set(SECRET) & set(certificate), "what the journal alone may hold"


def test_who_prefers_not_to_wait_gets_the_receipt_and_later_the_same_outcome(table: Table) -> None:
    receipt = table.clients[1].command(table.id, "attack", {"target": table.targets(2)[0]}, wait=False)
    assert (receipt.status, "outcome" in receipt.body) == (202, False)
    judged = table.clients[1].judged(receipt)
    assert named(judged, "attack_rolled")
    assert table.own(2)["attacks_made"] == 1


def test_a_policy_and_an_objective_are_seen_by_their_player_alone(table: Table) -> None:
    before = [client.request("GET", f"/games/{table.id}/orders").headers["ETag"] for client in table.clients]
    table.say(3, "set_policy", defence_rerolls=2)
    assert table.own(3)["policy"]["defence_rerolls"] == 2
    for seat in (1, 2, 4, 5, 6):
        answer = table.clients[seat - 1].request("GET", f"/games/{table.id}/orders")
        players = answer.body["players"]
        own, _ = table.seats[seat - 1]
        assert [id for id, player in players.items() if "policy" in player or "objective" in player] == [own]
        assert answer.headers["ETag"] == before[seat - 1]


def test_the_page_shows_the_board_with_the_names_of_players_and_places(table: Table) -> None:
    html = str(table.house.operator.get(f"/games/{table.id}", Accept="text/html"))
    drawing = str(table.house.operator.get(f"/games/{table.id}/map", Accept="image/svg+xml"))
    for shown in (html, drawing):
        assert f"{table.id} seat 1" in shown
        assert "Oriente Médio" in shown
    assert f"{table.id} seat 2 attacked" in html
    assert not [account for account, _ in table.seats if account in html]


def test_the_page_of_a_player_shows_what_she_may_attack_and_why_not(table: Table) -> None:
    html = str(table.clients[5].get(f"/games/{table.id}", Accept="text/html"))
    for shown in ("Your objective", "What you may attack", "21162 of 46656", "out_of_reach: ", "(Middle East)"):
        assert shown in html
    others = str(table.house.operator.get(f"/games/{table.id}", Accept="text/html"))
    assert "Your objective" not in others
    assert "Rights and cooldowns" in others


def test_the_clock_closes_a_round_at_its_deadline(table: Table) -> None:
    deadline = time.time_ns() // 1_000_000 + 500
    table.house.operator.command(table.id, "set_deadline", {"deadline": deadline, "reason": "operator"})
    table.await_(lambda: table.game()["round"] == 2, "round 2")
    closed = table.house.operator.get(f"/games/{table.id}/reports")["rounds"]["1"]
    assert (closed["closed_at"], closed["by"]) == (deadline, "clock")
    assert table.own(1)["attacks_left"] >= 1


def test_a_whole_game_is_played_revealed_verified_and_decided_again(
    house: Installation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table(house, max_rounds=3)
    table.say(6, "resign")
    hidden = table.own(1)["objective"]
    while table.game()["phase"] == "running":
        acted = [table.act(seat) for seat in range(1, 6)]
        if not any(acted) and table.game()["phase"] == "running":
            table.house.operator.command(table.id, "close_round", {"round": table.game()["round"]})
    ended = table.game()
    players = house.operator.as_token("").get(f"/games/{table.id}/orders")["players"]
    assert all(player["objective"]["id"] for player in players.values())
    assert players[table.seats[0][0]]["objective"]["id"] == hidden["id"]
    assert sorted(ended["ranking"]) == [1, 2, 3, 4, 5, 6]
    assert ended["end_reason"] in ("max_rounds", "objective")
    whole, public = tmp_path / "whole.jsonl", tmp_path / "public.jsonl"
    export_game(house.settings, table.id, whole)
    export_game(house.settings, table.id, public, "chronicle")
    assert load().main([str(whole)]) == 0
    assert load().main([str(public), "--against", str(whole)]) == 0
    assert capsys.readouterr().out.count("all holds") == 2
    assert not replay_game(house.settings, table.id)
