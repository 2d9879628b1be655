"""What each viewer reads: by whitelist, with an ETag that moves only on what she may see."""

import pytest

from tests.unit.gateway.house import House, Player
from tests.unit.gateway.test_accounts_api import code

PAGES = ("", "/map", "/roster", "/orders", "/reports", "/turns/1", "/certificates")


@pytest.mark.parametrize("page", PAGES)
def test_what_is_known_is_not_sent_again(house: House, played: str, page: str) -> None:
    first = house.nobody().get(f"/games/{played}{page}")
    assert first.status_code == 200
    again = house.nobody().get(f"/games/{played}{page}", If_None_Match=first.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]


def test_a_tag_that_was_made_weak_on_the_way_is_known_too(house: House, played: str) -> None:
    tag = house.nobody().get(f"/games/{played}/map").headers["ETag"]
    assert house.nobody().get(f"/games/{played}/map", If_None_Match=f"W/{tag}").status_code == 304
    assert house.nobody().get(f"/games/{played}/map", If_None_Match='W/"another"').status_code == 200


def test_other_forms_of_the_same_address_have_other_etags(house: House, played: str) -> None:
    json = house.nobody().get(f"/games/{played}")
    html = house.nobody().get(f"/games/{played}", Accept="text/html")
    assert json.headers["ETag"] != html.headers["ETag"]
    assert "Accept" in json.headers["Vary"]
    assert "Authorization" in json.headers["Vary"]


def test_orders_of_the_other_team_move_nothing_that_one_sees(house: House, operator: Player) -> None:
    game = house.war(operator)
    red, blue = house.recruit(game, "red", "dunmere"), house.recruit(game, "blue", "elmgate")
    viewers = (blue, house.nobody(), house.somebody())
    before = [(v.get(f"/games/{game}{page}"), v, page) for v in viewers for page in PAGES if page != "/turns/1"]
    own = red.get(f"/games/{game}/orders").headers["ETag"]
    assert red.command(game, "set_order", {"attack": {"target": "elmgate", "energy": 3}}).status_code == 201
    assert red.get(f"/games/{game}/orders").headers["ETag"] != own
    for answer, viewer, page in before:
        after = viewer.get(f"/games/{game}{page}")
        assert (after.data, after.headers["ETag"]) == (answer.data, answer.headers["ETag"])


def test_a_game_tells_where_it_stands(house: House, played: str) -> None:
    body = house.nobody().get(f"/games/{played}").get_json()
    assert (body["id"], body["kind"], body["phase"], body["turn"]) == (played, "gxc", "running", 2)
    assert {"map", "roster", "orders", "reports"} <= set(body["pages"])
    listed = {game["id"]: game for game in house.nobody().get("/games?limit=1000").get_json()["games"]}
    assert listed[played]["turn"] == 2
    assert listed[played]["turn_deadline"] == body["turn_deadline"]


def test_the_list_of_games_comes_in_pages(house: House, operator: Player, played: str) -> None:
    house.war(operator, start=False)
    seen: list[str] = []
    query = "limit=1"
    while True:
        body = house.nobody().get(f"/games?{query}").get_json()
        seen += [game["id"] for game in body["games"]]
        if body["next"] is None:
            break
        query = f"limit=1&after={body['next']}"
    assert seen == sorted(set(seen))
    assert [game["id"] for game in house.nobody().get("/games?limit=1000").get_json()["games"]] == seen


def test_a_turn_shows_certificate_leaves_and_report(house: House, played: str) -> None:
    body = house.nobody().get(f"/games/{played}/turns/1").get_json()
    assert (body["n"], body["certificate"]["k"], body["certificate"]["label"]) == (1, 1, "turn:1")
    assert body["leaves"] == sorted(body["leaves"])
    types = [event["type"] for event in body["report"]]
    assert "warledger.gxc.orders_revealed.v1" in types
    assert "nonce" not in body["certificate"]
    assert body["next"] is None


def test_the_first_report_begins_at_the_opening_and_repeats_no_creation(house: House, played: str) -> None:
    whole = house.nobody().get(f"/games/{played}/turns/1").get_json()["report"]
    assert whole[0]["type"] == "warledger.gxc.turn_opened.v1"
    assert whole[0]["data"]["turn"] == 1
    assert not any("game_created" in event["type"] or "data_part" in event["type"] for event in whole)
    assert "certified" in whole[-1]["type"]
    assert house.nobody().get(f"/games/{played}/turns/1?limit=2").get_json()["report"] == whole[:2]


def test_a_report_comes_in_pages(house: House, played: str) -> None:
    whole = house.nobody().get(f"/games/{played}/turns/1").get_json()["report"]
    parts, after = [], 0
    while after is not None:
        body = house.nobody().get(f"/games/{played}/turns/1?limit=3&after={after}").get_json()
        parts += body["report"]
        after = body["next"]
    assert parts == whole


@pytest.mark.parametrize("n", ["0", "2", "999999"])
def test_a_turn_that_was_not_played_is_not_found(house: House, played: str, n: str) -> None:
    assert code(house.nobody().get(f"/games/{played}/turns/{n}")) == (404, "not_found")


def test_certificates_are_listed(house: House, played: str) -> None:
    body = house.nobody().get(f"/games/{played}/certificates").get_json()
    assert [item["k"] for item in body["certificates"]] == [1]
    assert body["next"] is None
    assert house.nobody().get(f"/games/{played}/certificates?after=1").get_json()["certificates"] == []


def test_an_input_is_shown_to_its_actor_and_to_operators_alone(house: House, operator: Player) -> None:
    game = house.war(operator)
    red = house.recruit(game, "red", "dunmere")
    receipt = red.command(game, "set_order", {"defend": 1}).get_json()
    path = f"/games/{game}/inputs/{receipt['id']}"
    mine = red.get(path).get_json()
    assert (mine["status"], mine["hash"], mine["at"]) == ("accepted", receipt["hash"], receipt["at"])
    assert operator.get(path).get_json()["hash"] == receipt["hash"]
    other = house.recruit(game, "blue", "elmgate")
    assert code(other.get(path)) == (404, "not_found")
    assert code(house.nobody().get(path)) == (401, "unauthenticated")


def test_a_foreign_input_looks_like_one_that_does_not_exist(house: House, operator: Player) -> None:
    game = house.war(operator)
    red, blue = house.recruit(game, "red", "dunmere"), house.recruit(game, "blue", "elmgate")
    receipt = red.command(game, "set_order", {"defend": 1}).get_json()
    for query in ("", f"?hash={receipt['hash']}"):
        foreign = blue.get(f"/games/{game}/inputs/{receipt['id']}{query}")
        missing = blue.get(f"/games/{game}/inputs/{'0' * 32}{query}")
        assert foreign.status_code == missing.status_code
        assert foreign.data.replace(receipt["id"].encode(), b"0" * 32) == missing.data


def test_the_place_of_a_judgement_tells_if_its_key_was_used_for_something_else(house: House, operator: Player) -> None:
    game = house.war(operator)
    red = house.recruit(game, "red", "dunmere")
    red.command(game, "set_order", {"defend": 1}, Idempotency_Key="k")
    second = red.command(game, "set_order", {"defend": 2}, Idempotency_Key="k", Prefer="respond-async")
    assert second.status_code == 202
    assert code(red.get(second.headers["Location"])) == (422, "key_reused")


def test_advice_is_given_from_what_the_viewer_sees(house: House, played: str) -> None:
    answer = house.nobody().post(f"/games/{played}/advice", {"type": "no such question"})
    assert answer.status_code == 422
    assert code(house.nobody().post(f"/games/{played}/advice", {})) == (400, "malformed")
