"""/accounts and /tokens over HTTP."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from tests.unit.gateway.house import House, Player

_numbers = count(1)


def named() -> str:
    return f"Name {next(_numbers)}"


def register(house: House, name: str, password: str = "correct horse") -> Player:
    """A new account that logged in."""
    made = house.nobody().post("/accounts", {"name": name, "password": password})
    assert made.status_code == 201
    token = house.nobody().post("/tokens", {"name": name, "password": password}).get_json()["token"]
    return Player(house.app, token, made.get_json()["id"])


def code(answer: TestResponse) -> tuple[int, str]:
    """Status and code of a problem."""
    assert answer.content_type == "application/problem+json"
    return answer.status_code, answer.get_json()["code"]


def test_an_account_is_made_without_echoing_its_password(house: House) -> None:
    name = named()
    answer = house.nobody().post("/accounts", {"name": name, "password": "correct horse", "email": "a@example.org"})
    assert answer.status_code == 201
    body = answer.get_json()
    assert (body["name"], body["role"], body["email"]) == (name, "player", "a@example.org")
    assert "correct horse" not in answer.get_data(as_text=True)
    assert answer.headers["Cache-Control"] == "no-store"


def test_nobody_makes_herself_an_operator(house: House) -> None:
    body = {"name": named(), "password": "correct horse", "role": "operator"}
    assert code(house.nobody().post("/accounts", body)) == (400, "malformed")


def test_the_account_behind_a_token_is_shown_and_changed(house: House) -> None:
    player = register(house, named())
    name = named()
    assert player.send("PATCH", "/accounts/me", {"name": name}).status_code == 200
    shown = player.get("/accounts/me").get_json()
    assert (shown["id"], shown["name"]) == (player.account, name)


def test_the_name_behind_an_id_is_known_to_who_has_a_token_until_the_account_goes(house: House) -> None:
    name = named()
    player, other = register(house, name), register(house, named())
    path = f"/accounts/{player.account}"
    assert other.get(path).get_json() == {"id": player.account, "name": name}
    assert code(house.nobody().get(path)) == (401, "unauthenticated")
    player.send("DELETE", "/accounts/me")
    assert code(other.get(path)) == (404, "not_found")
    assert code(other.get("/accounts/a%7Cb")) == (404, "not_found")


def test_a_new_password_needs_the_old_one_and_ends_other_log_ins(house: House) -> None:
    name = named()
    player = register(house, name)
    token = house.nobody().post("/tokens", {"name": name, "password": "correct horse"}).get_json()["token"]
    other = Player(house.app, token)
    assert other.get("/accounts/me").status_code == 200
    wrong = {"password": "battery staple", "old_password": "something else"}
    assert code(player.send("PATCH", "/accounts/me", wrong)) == (401, "bad_credentials")
    right = {"password": "battery staple", "old_password": "correct horse"}
    assert player.send("PATCH", "/accounts/me", right).status_code == 200
    assert player.get("/accounts/me").status_code == 200
    assert code(other.get("/accounts/me")) == (401, "unauthenticated")


def test_a_deleted_account_cannot_log_in_and_its_token_is_dead(house: House) -> None:
    name = named()
    player = register(house, name)
    assert player.send("DELETE", "/accounts/me").status_code == 204
    assert code(player.get("/accounts/me")) == (401, "unauthenticated")
    answer = house.nobody().post("/tokens", {"name": name, "password": "correct horse"})
    assert code(answer) == (401, "bad_credentials")


def test_a_wrong_password_and_an_unknown_name_look_the_same(house: House) -> None:
    name = named()
    register(house, name)
    wrong = house.nobody().post("/tokens", {"name": name, "password": "wrong one"})
    unknown = house.nobody().post("/tokens", {"name": named(), "password": "wrong one"})
    assert code(wrong) == (401, "bad_credentials")
    assert wrong.get_json() == unknown.get_json()


def test_a_token_is_revoked_alone_or_with_all_others(house: House) -> None:
    name = named()
    first, second = register(house, name), None
    token = house.nobody().post("/tokens", {"name": name, "password": "correct horse"}).get_json()["token"]
    second = Player(house.app, token)
    assert first.send("DELETE", "/tokens").status_code == 204
    assert code(first.get("/accounts/me")) == (401, "unauthenticated")
    assert second.get("/accounts/me").status_code == 200
    assert second.send("DELETE", "/tokens?all=true").status_code == 204
    assert code(second.get("/accounts/me")) == (401, "unauthenticated")


def test_a_read_token_changes_nothing(house: House) -> None:
    name = named()
    register(house, name)
    body = {"name": name, "password": "correct horse", "scope": "read", "expires_in": 60}
    reader = Player(house.app, house.nobody().post("/tokens", body).get_json()["token"])
    assert reader.get("/accounts/me").status_code == 200
    assert code(reader.send("PATCH", "/accounts/me", {"name": named()})) == (403, "forbidden")
    assert code(reader.send("DELETE", "/accounts/me")) == (403, "forbidden")


def test_a_player_gets_no_operators_token(house: House) -> None:
    name = named()
    register(house, name)
    body = {"name": name, "password": "correct horse", "scope": "operate"}
    assert code(house.nobody().post("/tokens", body)) == (403, "forbidden")


@pytest.mark.parametrize("value", ["", "Basic YTpi", "Bearer", "Bearer ", "Bearer x", "bearer wl.a.b"])
def test_a_header_that_is_no_token_is_refused(house: House, value: str) -> None:
    answer = house.nobody().get("/accounts/me", Authorization=value)
    assert code(answer) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[House]:
    """An installation with low limits; nothing in it runs."""
    house = House(tmp_path, WARLEDGER_LOGINS_A_MINUTE="3", WARLEDGER_REGISTRATIONS_AN_HOUR="2")
    yield house
    house.close()


def test_a_flood_of_registrations_is_stopped(strict: House) -> None:
    bodies = [{"name": named(), "password": "correct horse"} for _ in range(3)]
    first, second, third = (strict.nobody().post("/accounts", body) for body in bodies)
    assert (first.status_code, second.status_code) == (201, 201)
    assert code(third) == (429, "too_many_requests")
    assert 1 <= int(third.headers["Retry-After"]) <= 3600


def test_guessing_a_password_is_stopped_and_the_right_one_is_refused_then_too(strict: House) -> None:
    name = named()
    strict.nobody().post("/accounts", {"name": name, "password": "correct horse"})
    answers = [
        strict.nobody().post("/tokens", {"name": name, "password": f"guess {number}"}).status_code
        for number in range(8)
    ]
    assert answers.count(401) <= 6  # three a window, and a window may end meanwhile
    assert answers[-1] == 429
    right = strict.nobody().post("/tokens", {"name": name, "password": "correct horse"})
    assert code(right) == (429, "too_many_requests")


def test_honest_log_ins_are_not_limited(strict: House) -> None:
    name = named()
    strict.nobody().post("/accounts", {"name": name, "password": "correct horse"})
    for _ in range(10):
        assert strict.nobody().post("/tokens", {"name": name, "password": "correct horse"}).status_code == 201
