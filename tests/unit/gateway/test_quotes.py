"""`GET /games/{game}/quotes`: prices with their rows, from the views, through the economy service."""

from dataclasses import replace
from typing import Any

import pytest

from services.gateway.connections import AnswerLost, Reply, Unreached
from shared.rules.map_war import RULES
from tests.unit.gateway.house import House, Player

ZONES = {
    "h": {"kind": "land", "neighbours": ["t"], "city_max": 6},
    "t": {"kind": "land", "neighbours": ["h", "u"], "city_max": 2},
    "u": {"kind": "land", "neighbours": ["t", "v"], "city_max": 2},
    "v": {"kind": "sea", "neighbours": ["u"], "city_max": 0},
}


class Week:
    """A game of two nations in turn 2, at both ends of a line of four zones."""

    def __init__(self, house: House, operator: Player, id: str) -> None:
        self.ana, self.bia, self.id = house.somebody(), house.somebody(), id
        self._operator = operator
        stock = {"currency": 100_000, "resources": 50_000, "food": 10_000, "technology": 30_000}
        create = {
            "map": {"zones": ZONES},
            "players": [self.ana.account, self.bia.account],
            "config": {"start_stock": stock},
        }
        answer = operator.post("/games", {"id": id, "game": "map-war", "create": create})
        assert answer.status_code == 201, answer.get_data(as_text=True)
        self.do(operator, "start_game")
        for number, (player, zone) in enumerate(((self.ana, "h"), (self.bia, "v"))):
            self.do(player, "choose_start", {"zone": zone, "name": zone, "color": f"#0000A{number}"})

    def do(self, player: Player, type: str, payload: Any = None) -> None:
        answer = player.command(self.id, type, payload)
        assert answer.status_code == 201, answer.get_data(as_text=True)

    def close(self, turn: int) -> None:
        self.do(self._operator, "close_turn", {"turn": turn})

    def quote(self, player: Player, query: str) -> Any:
        return player.get(f"/games/{self.id}/quotes{query}")


@pytest.fixture(scope="module")
def week(house: House, operator: Player) -> Week:
    return Week(house, operator, "week")


def test_a_quote_tells_the_price_the_rows_that_make_it_and_their_rules(week: Week) -> None:
    answer = week.quote(week.ana, "?order=conquest&zone=v")
    assert answer.status_code == 200
    assert answer.json == {
        "cost": {"currency": 3000, "resources": 900},
        "rows": [
            {"what": "zone", "rule": "MAP-38", "currency": 1000, "resources": 300},
            {"what": "not adjacent: 3 times the price", "rule": "MAP-37", "currency": 2000, "resources": 600},
        ],
    }
    assert answer.headers["Cache-Control"] == "private, no-cache"
    advised = week.ana.post(f"/games/{week.id}/advice", {"type": "quote", "order": "conquest", "zone": "v"})
    assert advised.json == answer.json
    listed = week.quote(week.ana, "")
    assert listed.json["claims"]["land"] == {"currency": 500, "resources": 0}


def test_a_price_is_that_of_whoever_asks_and_follows_the_game(house: House, operator: Player) -> None:
    week = Week(house, operator, "followed")
    before = [week.quote(player, "?order=claim&zone=u").json["cost"]["currency"] for player in (week.ana, week.bia)]
    assert before == [1500, 500]
    week.do(week.ana, "submit_turn", {"claims": ["t"]})
    week.close(2)
    assert week.quote(week.ana, "?order=claim&zone=u").json["cost"]["currency"] == 500


def test_what_everybody_may_know_is_read_once_until_it_changes(
    house: House, operator: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert RULES.pricing is not None
    read, reads = RULES.pricing.read, []

    def counted(view: Any) -> Any:
        reads.append(view)
        return read(view)

    monkeypatch.setattr(RULES, "pricing", replace(RULES.pricing, read=counted))
    week = Week(house, operator, "once")
    for player in (week.ana, week.bia, week.ana):
        assert week.quote(player, "?order=sale&good=food&amount=1000").json["price"] == 750
    assert len(reads) == 1
    week.do(week.ana, "offer", {"kind": "agreement", "to": week.bia.account, "good": "food"})
    assert week.quote(week.ana, "?order=sale&zone=h").status_code == 200
    assert len(reads) == 1
    week.do(week.ana, "submit_turn", {"builds": [{"zone": "h", "structure": "city"}]})
    assert week.quote(week.ana, "?order=sale&zone=h").status_code == 200
    assert len(reads) == 2


@pytest.mark.parametrize(
    ("query", "status", "code", "rule"),
    [
        ("?order=claim&zone=atlantis", 422, "unknown_id", "ENG-5"),
        ("?order=conquest&zone=h", 422, "not_foreign", "MAP-46"),
        ("?order=conquest&zone=v&support=7", 422, "bad_support", "MAP-43"),
        ("?order=build&zone=v&structure=city", 422, "not_own_zone", "MAP-30"),
        ("?order=claim&zone=t&structure=city", 422, "malformed", "ENG-5"),
        ("?order=sale&good=food&amount=many", 400, "malformed", None),
        ("?orders=claim", 400, "malformed", None),
    ],
)
def test_what_has_no_price_is_refused_with_its_rule(
    week: Week, query: str, status: int, code: str, rule: str | None
) -> None:
    answer = week.quote(week.ana, query)
    assert (answer.status_code, answer.json["code"], answer.json.get("rule")) == (status, code, rule)
    assert answer.json["detail"]


def test_who_may_ask_and_of_which_game(house: House, week: Week, played: str) -> None:
    assert house.nobody().get(f"/games/{week.id}/quotes").status_code == 401
    stranger = week.quote(house.somebody(), "?order=sale&zone=h")
    assert (stranger.status_code, stranger.json["code"]) == (422, "not_authorised")
    somebody: Any = house.somebody()
    assert somebody.get("/games/nowhere/quotes").json["code"] == "unknown_game"
    without = somebody.get(f"/games/{played}/quotes")
    assert (without.status_code, without.json["detail"]) == (404, "gxc has no prices to quote")


@pytest.mark.parametrize("lost", [Unreached("refused"), AnswerLost("silent")])
def test_while_the_economy_service_is_away_quotes_are_and_nothing_else(
    house: House, week: Week, monkeypatch: pytest.MonkeyPatch, lost: Exception
) -> None:
    def away(*_given: object) -> Reply:
        raise lost

    with monkeypatch.context() as patched:
        patched.setattr(house.intakes, "_post", away)
        for _ in range(2):
            answer = week.quote(week.ana, "?order=sale&zone=h")
            assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
            assert answer.headers["Retry-After"] == "1"
        assert week.ana.get(f"/games/{week.id}/map").status_code == 200
    assert week.quote(week.ana, "?order=sale&zone=h").status_code == 200


@pytest.mark.parametrize(
    ("status", "told"), [(401, "its key of calls must be ours"), (500, "its log says why"), (404, "the same version")]
)
def test_an_economy_service_that_answers_otherwise_is_blamed_for_what_it_says(
    house: House, week: Week, monkeypatch: pytest.MonkeyPatch, status: int, told: str
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(house.intakes, "_post", lambda *_given, **_more: Reply(status, {}, b"{}"))
        answer = week.quote(week.ana, "?order=sale&zone=h")
    assert (answer.status_code, answer.json["code"]) == (500, "internal")
    assert f"answered {status}" in answer.json["detail"]
    assert told in answer.json["detail"]
