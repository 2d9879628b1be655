"""Six players play Exgenhoca Wars over HTTP, from the creation to the end, against the real processes."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from tests.e2e.deadlines import deadline_soon
from tests.e2e.exgenhoca import Table, named
from tests.e2e.test_moving import run
from tests.unit.tools.loading import load
from warledger.api import Answer
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
    deadline = deadline_soon(table.house.operator, table.id, 500)
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
    table.play_to_the_end()
    ended = table.game()
    players = house.operator.as_token("").get(f"/games/{table.id}/orders")["players"]
    assert all(player["objective"]["id"] for player in players.values())
    assert players[table.seats[0][0]]["objective"]["id"] == hidden["id"]
    assert sorted(ended["ranking"]) == [1, 2, 3, 4, 5, 6]
    assert ended["end_reason"] in ("max_rounds", "objective")
    assert proved(table, tmp_path, capsys).count("all holds") == 2


def proved(table: Table, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Both forms of its export verify, and it is decided again without a difference; what the verifier said."""
    settings = table.house.settings
    whole, public = folder / f"{table.id}.jsonl", folder / f"{table.id}-public.jsonl"
    export_game(settings, table.id, whole)
    export_game(settings, table.id, public, "chronicle")
    assert load().main([str(whole)]) == 0
    assert load().main([str(public), "--against", str(whole)]) == 0
    assert not replay_game(settings, table.id)
    return capsys.readouterr().out


def test_two_attacks_at_the_same_moment_are_decided_one_by_what_the_other_left(
    house: Installation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sent by two threads on the same target, until one was attacked that the attack before it had taken."""
    table = Table(house, first_round_attacks=9, cooldown_rounds=0, max_rounds=1)
    found_taken = False
    while not found_taken and (pair := contested(table)) is not None:
        one, other, target = pair
        owner = table.places()[target]["owner"]
        barrier = Barrier(2)

        def attack(seat: int, target: str = target, barrier: Barrier = barrier) -> Answer:
            barrier.wait()
            return table.clients[seat - 1].command(table.id, "attack", {"target": target})

        with ThreadPoolExecutor(2) as both:
            answers = [table.clients[0].judged(item) for item in both.map(attack, (one, other))]
        first, second = sorted(answers, key=number_of)
        assert number_of(second) == number_of(first) + 1
        assert roll_of(first)["defender"] == owner
        (resolved,) = named(first, "attack_resolved")
        found_taken = resolved["taken"]
        assert roll_of(second)["defender"] == (roll_of(first)["attacker"] if found_taken else owner)
    assert found_taken
    table.say_as_master("close_round", round=1)
    assert "all holds" in proved(table, tmp_path, capsys)


def contested(table: Table) -> tuple[int, int, str] | None:
    """Two seats and a territory of neither that both may attack."""
    reach = {seat: table.targets(seat) for seat in range(1, 7)}
    pairs = ((one, other, shared) for one, other in combinations(reach, 2) for shared in reach[one])
    return next(((one, other, shared) for one, other, shared in pairs if shared in reach[other]), None)


def roll_of(answer: Answer) -> dict[str, Any]:
    """The roll of an attack that counts."""
    return named(answer, "attack_rolled")[-1]


def number_of(answer: Answer) -> int:
    """The number of an attack in its round, from the scope of its dice."""
    return int(roll_of(answer)["scope"].removeprefix("attack:"))


def test_a_chain_is_renewed_before_the_setup_is_dealt_and_in_the_midst_of_a_game(
    house: Installation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sealed setup has a key of the new chain, which is revealed at the end (ENG-7)."""
    table = Table(house, start=False, max_rounds=2)
    run(house, "game", "renew-chain", table.id)
    table.start()
    table.everybody_acts()
    run(house, "game", "renew-chain", table.id)
    table.play_to_the_end()
    said = proved(table, tmp_path, capsys)
    assert said.count("(reason: restore; ") == 2 * 2
    assert said.count("setup: certificate 1") == 2


@pytest.mark.servers
def test_a_game_moves_from_folders_to_servers_and_is_decided_the_same_in_both(
    house: Installation, house_on_servers: Installation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The recorded inputs give the same journal here and there; objectives and effects are revealed where it ends."""
    table = Table(house, max_rounds=3)
    for _ in range(2):
        table.say(1, "set_policy", defence_rerolls=1)
        table.everybody_acts()
    table.say(2, "set_policy", defence_rerolls=1)
    war, people = str(tmp_path / "war.jsonl"), str(tmp_path / "people.jsonl")
    assert not replay_game(house.settings, table.id)
    run(house, "export", table.id, "--freeze", "--out", war)
    run(house, "account", "export", "--game", table.id, "--out", people)
    run(house_on_servers, "import", war)
    run(house_on_servers, "account", "import", people)
    table.house = house_on_servers
    table.await_(lambda: house_on_servers.operator.request("GET", f"/games/{table.id}").status == 200, "the game")
    table.log_in()
    table.play_to_the_end()
    assert "(reason: import; " in proved(table, tmp_path, capsys)
    *moved, _end = (tmp_path / "war.jsonl").read_bytes().splitlines()
    assert (tmp_path / f"{table.id}.jsonl").read_bytes().splitlines()[: len(moved)] == moved
