"""What is malformed, forged or out of place is refused with a stable code before anything is stored."""

from typing import Any

import pytest

from tests.unit.gateway.house import House, Player
from tests.unit.gateway.test_accounts_api import code


@pytest.fixture(scope="module")
def player(house: House) -> Player:
    return house.somebody()


@pytest.fixture(scope="module")
def game(house: House, operator: Player) -> str:
    return house.war(operator)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"type": "join", "payload": {"team": NaN}}',
        b'{"type": "join", "payload": {"team": 1.5}}',
        b'{"type": "join", "payload": {"team": 1e400}}',
        b'{"type": "join", "payload": {"team": 123456789012345678901234567890}}',
        b'{"type": "join", "payload": {"team": 9007199254740993}}',
        b'{"type": "join", "payload": {"team": "red"}, "turn": 1}',
        b'{"type": "join", "payload": []}',
        b'{"type": 7}',
        b'{"payload": {}}',
        b'{"type": ""}',
        b'{"type": "join", "payload": {}}',
        b'{"type": "join", "payload": {"team": "red", "colour": "blue"}}',
        b'{"type": "join", "payload": {"team": "r e d"}}',
        b'{"type": "set_order", "payload": {"attack": {"target": "elmgate"}}}',
        b'{"type": "set_order", "payload": {"defend": "1"}}',
        b'{"type": "set_order", "payload": {"defend": true}}',
        b'{"type": "join", "payload": ' + b'{"a":' * 40 + b"1" + b"}" * 41,
    ],
)
def test_a_body_of_the_wrong_form_is_malformed(house: House, player: Player, game: str, data: bytes) -> None:
    before = house.context.reads.views.head(game)
    answer = player.raw("POST", f"/games/{game}/commands", data, "application/json")
    assert code(answer) == (400, "malformed")
    assert answer.get_json()["detail"]
    assert house.context.reads.views.head(game) == before


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "", "application/xml"])
def test_another_content_type_is_refused(player: Player, game: str, content_type: str) -> None:
    answer = player.raw("POST", f"/games/{game}/commands", b'{"type": "energize"}', content_type)
    assert code(answer) == (415, "unsupported_media_type")


def test_a_body_over_the_limit_is_refused(house: House, player: Player, game: str) -> None:
    data = b'{"type": "' + b"x" * house.settings.max_body_bytes + b'"}'
    assert code(player.raw("POST", f"/games/{game}/commands", data, "application/json")) == (413, "too_large")


def test_an_unknown_command_is_named_with_what_there_is(player: Player, game: str) -> None:
    answer = player.command(game, "fly")
    assert code(answer) == (400, "unknown_command")
    assert "set_order" in answer.get_json()["detail"]


def test_a_game_is_created_only_where_games_are_created(operator: Player, game: str) -> None:
    answer = operator.command(game, "create_game", {"game": "gxc", "create": {}})
    assert code(answer) == (400, "unknown_command")


@pytest.mark.parametrize("path", ["", "/map", "/roster", "/orders", "/reports", "/turns/1", "/certificates", "/stream"])
@pytest.mark.parametrize("game", ["nowhere", "a%7Cb", "%2e%2e", "x" * 65, "%00", "ü"])
def test_an_unknown_game_is_not_found(player: Player, game: str, path: str) -> None:
    assert player.get(f"/games/{game}{path}").status_code == 404


def test_a_command_in_an_unknown_game_reaches_no_intake(house: House, player: Player) -> None:
    calls = house.intakes.calls
    assert code(player.command("nowhere", "energize")) == (404, "unknown_game")
    assert house.intakes.calls == calls


def test_a_command_without_token_is_refused(house: House, game: str) -> None:
    assert code(house.nobody().command(game, "energize")) == (401, "unauthenticated")


def test_a_forged_token_reads_nothing_not_even_what_is_public(house: House, game: str) -> None:
    assert code(Player(house.app, "wl.someone.secret").get(f"/games/{game}")) == (401, "unauthenticated")


def test_a_read_token_gives_no_command(house: House, game: str) -> None:
    assert code(house.somebody(scope="read").command(game, "energize")) == (403, "forbidden")


@pytest.mark.parametrize(
    ("type", "payload"),
    [
        ("close_turn", {"turn": 1}),
        ("set_deadline", {"deadline": None, "reason": "pause"}),
        ("remove_player", {"player": "x"}),
        ("release_game", {}),
        ("set_schedule", {"zone": None}),
    ],
)
def test_a_player_cannot_give_an_operators_command(player: Player, game: str, type: str, payload: Any) -> None:
    assert code(player.command(game, type, payload)) == (403, "forbidden")


def test_an_operators_token_plays_no_game_and_a_play_token_runs_none(house: House, operator: Player, game: str) -> None:
    assert code(operator.command(game, "join", {"team": "red"})) == (403, "forbidden")
    playing = house.somebody("operator", "play")
    assert code(playing.command(game, "close_turn", {"turn": 1})) == (403, "forbidden")
    assert playing.command(game, "join", {"team": "red"}).status_code == 201


def test_a_player_creates_no_game(player: Player) -> None:
    assert code(player.post("/games", {"game": "gxc", "create": {}})) == (403, "forbidden")


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 65, "é", "a\tb", "a/b"])
def test_a_bad_idempotency_key_is_refused(player: Player, game: str, key: str) -> None:
    answer = player.command(game, "energize", Idempotency_Key=key)
    assert code(answer) == (400, "bad_idempotency_key")


@pytest.mark.parametrize("query", ["limit=0", "limit=1001", "limit=-1", "limit=x", "limit=1.5", "after=a%7Cb"])
def test_a_bad_page_of_games_is_refused(house: House, query: str) -> None:
    assert code(house.nobody().get(f"/games?{query}")) == (400, "malformed")


@pytest.mark.parametrize("accept", ["image/png", "application/xml"])
def test_a_form_that_cannot_be_given_is_not_acceptable(house: House, game: str, accept: str) -> None:
    assert code(house.nobody().get(f"/games/{game}", Accept=accept)) == (406, "not_acceptable")
    assert code(house.nobody().get(f"/games/{game}/map", Accept=accept)) == (406, "not_acceptable")


def test_a_wrong_method_names_the_right_ones(house: House) -> None:
    answer = house.nobody().send("DELETE", "/games")
    assert code(answer) == (405, "method_not_allowed")
    assert "POST" in answer.headers["Allow"]


def test_an_unknown_address_is_not_found(house: House) -> None:
    assert code(house.nobody().get("/nowhere")) == (404, "not_found")
