"""Periods and parts of any game: what /turns/{n}, the pages and GET /games show, and how little is read for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.gateway.app import create_app
from services.gateway.bootstrap import context_of
from shared.config import from_environment, make_keys
from tests.unit.gateway.house import CHEAP, LocalIntakes, Player
from tests.unit.gateway.rounds import CountedDocuments, Told, install
from tests.unit.gateway.test_accounts_api import code

LAST_ROUND = 40


@pytest.fixture
def documents() -> CountedDocuments:
    return CountedDocuments()


@pytest.fixture
def nobody(documents: CountedDocuments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    """A viewer of `war`: a sealed setup, rounds of two attacks and a close; nothing runs behind the views."""
    install(monkeypatch)
    told = Told(documents, "war")
    told.put("zone", "z1", {"name": "Dock", "owner": 2})
    told.put("zone", "z2", {"name": "Ridge", "owner": 2})
    told.put("zone", "z3", {"name": "Wood", "owner": None})
    told.put("member", "ana", {"name": "Ana's seat", "seat": 1, "status": "active"})
    told.put("member", "bia", {"name": "Bia's seat", "seat": 2, "status": "active"})
    told.resolved("setup", 1, [])
    for n in range(1, LAST_ROUND + 1):
        for k in (1, 2):
            told.event("hit", {"by": 2, "zone": "z1", "round": n}, 100 * n + k)
            told.resolved(f"round:{n}:attack:{k}", 100 * n + k, [f"{n}-{k}-a", f"{n}-{k}-b"])
        told.resolved(f"round:{n}:close", 100 * n + 50, [f"{n}-close"])
    told.put("game", "game", {"phase": "running", "round": 41, "round_deadline": 4_150, "inner": 7, "winner": None})
    told.finish()
    settings = from_environment({"WARLEDGER_DATA": str(tmp_path)})
    make_keys(settings)
    intakes = LocalIntakes(settings, documents)  # type: ignore[arg-type]
    app = create_app(context_of(settings, documents, passwords=CHEAP, intakes=intakes))
    documents.read.clear()
    yield Player(app)
    for log in intakes.logs:
        log.close()


def test_a_round_lists_all_its_resolutions_their_leaves_and_one_report(nobody: Player) -> None:
    body = nobody.get("/games/war/turns/2").get_json()
    labels = [item["label"] for item in body["certificates"]]
    assert labels == ["round:2:attack:1", "round:2:attack:2", "round:2:close"]
    assert (body["n"], body["period"], body["certificate"]["label"]) == (2, "round", "round:2:close")
    assert body["leaves"] == ["2-1-a", "2-1-b", "2-2-a", "2-2-b", "2-close"]
    hits = [entry["data"] for entry in body["report"] if entry["type"].endswith(".hit.v1")]
    assert hits == [{"by": 2, "zone": "z1", "round": 2}] * 2
    assert body["report"][-1]["data"]["label"] == "round:2:close"


def test_every_round_is_found_and_nothing_else_is(nobody: Player) -> None:
    for n in range(1, LAST_ROUND + 1):
        assert len(nobody.get(f"/games/war/turns/{n}").get_json()["certificates"]) == 3
    for n in (0, LAST_ROUND + 1):
        assert code(nobody.get(f"/games/war/turns/{n}")) == (404, "not_found")


def test_a_ruling_stands_beside_its_resolution(nobody: Player, documents: CountedDocuments) -> None:
    told = Told(documents, "war")
    told.put("ruling", "round:2:attack:2", {"ruling": "stands"})
    told.put("ruling", "round:21:attack:1", {"ruling": "another"})
    body = nobody.get("/games/war/turns/2").get_json()
    assert [item["ruling"] for item in body["certificates"]] == [None, "stands", None]


def test_only_the_first_page_of_a_report_reads_leaves_and_only_those_of_its_resolutions(
    nobody: Player, documents: CountedDocuments, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str] = []
    find = documents.find

    def noted(collection: str, prefix: str, *, after: str = "", limit: int = 1_000_000) -> list:  # type: ignore[type-arg]
        read = find(collection, prefix, after=after, limit=limit)
        found.extend(item.id for item in read if "|leaves|" in item.id)
        return read

    monkeypatch.setattr(documents, "find", noted)
    first = nobody.get("/games/war/turns/2?limit=3").get_json()
    assert len(found) == 3
    assert len(first["leaves"]) == 5
    second = nobody.get(f"/games/war/turns/2?limit=3&after={first['next']}").get_json()
    assert second["leaves"] == []
    assert len(found) == 3


@pytest.mark.parametrize("n", ["99999", "0", "123456789012"])
def test_a_round_that_was_not_played_is_answered_without_reading_all_certificates(
    nobody: Player, documents: CountedDocuments, n: str
) -> None:
    assert nobody.get(f"/games/war/turns/{n}").status_code == 404
    assert documents.read["documents"] < 40


def test_a_game_without_periods_has_no_turns_and_says_so(nobody: Player, documents: CountedDocuments) -> None:
    told = Told(documents, "duel", "2")
    told.put("game", "game", {"phase": "running"})
    told.resolved("start", 1, [])
    told.finish()
    assert code(nobody.get("/games/duel/turns/1")) == (404, "not_found")
    assert nobody.get("/games/duel").get_json()["period"] is None
    text = nobody.get("/games/duel", Accept="text/html").get_data(as_text=True)
    assert 'href="/games/duel/certificates"' in text


def test_a_game_tells_its_open_period_and_how_it_is_closed(nobody: Player) -> None:
    period = {
        "name": "round",
        "n": 41,
        "deadline": 4_150,
        "close": {"type": "close_round", "payload": {"round": 41}},
    }
    assert nobody.get("/games/war").get_json()["period"] == period
    listed = nobody.get("/games").get_json()["games"][0]
    assert (listed["period"], listed["round"], listed["round_deadline"]) == (period, 41, 4_150)


def test_pages_name_places_sides_and_periods_as_the_game_does(nobody: Player) -> None:
    text = nobody.get("/games/war", Accept="text/html").get_data(as_text=True)
    assert "running, round 41." in text
    assert "Present standing, by zones" in text
    assert text.index("Bia&#39;s seat") < text.index("Ana&#39;s seat")
    assert "Last report: Round 40 close" in text
    assert "Inner" not in text
    assert "round 41" in nobody.get("/", Accept="text/html").get_data(as_text=True)


def test_the_page_of_a_large_turn_reads_no_more_than_it_shows(nobody: Player, documents: CountedDocuments) -> None:
    told = Told(documents, "large")
    told.put("game", "game", {"phase": "running", "round": 2, "round_deadline": None})
    for number in range(30_000):
        told.event("joined", {"member": f"p{number}"}, number)
    for _ in range(30_000):
        told.event("hit", {"by": 1, "zone": "z1"}, 90_000)
    told.resolved("round:1:close", 90_000, [])
    told.finish()
    documents.read.clear()
    text = nobody.get("/games/large", Accept="text/html").get_data(as_text=True)
    assert text.count("<li>1 hits z1</li>") == 60
    assert "More happened" in text
    assert documents.read["feeds"] < 60
