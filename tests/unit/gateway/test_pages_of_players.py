"""Roster and orders of a game of many come some players at a time, and say no more and no less than at once."""

from typing import Any

import pytest

from tests.unit.gateway.house import House, Player


@pytest.fixture
def game(house: House, operator: Player) -> str:
    """Two teams of three and two."""
    game = house.war(operator)
    for team, territory in (("red", "dunmere"), ("blue", "elmgate"), ("red", "dunmere"), ("blue", "elmgate")):
        house.recruit(game, team, territory)
    return game


def pages(viewer: Player, path: str, limit: int) -> list[dict[str, Any]]:
    """All pages of a list of players."""
    found = [viewer.get(f"{path}?limit={limit}").get_json()]
    while found[-1]["next"] is not None:
        found.append(viewer.get(f"{path}?limit={limit}&after={found[-1]['next']}").get_json())
    return found


@pytest.mark.parametrize("page", ["roster", "orders"])
def test_all_pages_together_are_the_whole_for_every_viewer(
    house: House, operator: Player, game: str, page: str
) -> None:
    own = house.recruit(game, "red", "dunmere")
    assert own.command(game, "set_order", {"defend": 3}).status_code == 201
    path = f"/games/{game}/{page}"
    for viewer in (house.nobody(), house.somebody(), own, operator):
        whole = viewer.get(path).get_json()
        cut = pages(viewer, path, 2)

        assert whole["next"] is None
        assert len(cut) == 3
        assert {id: seen for part in cut for id, seen in part["players"].items()} == whole["players"]
        assert all(_besides(part) == _besides(whole) for part in cut)


def _besides(view: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in view.items() if name not in ("players", "next")}


def test_who_asks_is_on_every_page_and_each_other_player_on_one(house: House, game: str) -> None:
    own = house.recruit(game, "red", "dunmere")
    cut = pages(own, f"/games/{game}/roster", 1)

    listed = [id for part in cut for id in part["players"] if id != own.account]
    assert len(cut) == 5
    assert listed == sorted(set(listed))
    assert len(listed) == 4
    assert all("energy" in part["players"][own.account] for part in cut)


def test_each_page_has_a_tag_of_its_own(house: House, game: str) -> None:
    first, other = (house.nobody().get(f"/games/{game}/roster?limit={limit}") for limit in (1, 2))
    assert first.headers["ETag"] != other.headers["ETag"]
    again = house.nobody().get(f"/games/{game}/roster?limit=1", If_None_Match=first.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("query", ["limit=0", "limit=1001", "after=no%20id"])
def test_a_page_that_cannot_be_is_refused(house: House, game: str, query: str) -> None:
    answer = house.nobody().get(f"/games/{game}/orders?{query}")
    assert (answer.status_code, answer.get_json()["code"]) == (400, "malformed")


def test_advice_about_a_team_mate_needs_no_page_of_hers(house: House, game: str) -> None:
    own, mate = house.recruit(game, "red", "dunmere"), house.recruit(game, "red", "dunmere")
    asked = {"type": "reach", "payload": {}, "player": mate.account}
    advised = own.post(f"/games/{game}/advice", asked)
    assert advised.status_code == 200, advised.get_json()
    assert advised.get_json() == mate.post(f"/games/{game}/advice", {"type": "reach", "payload": {}}).get_json()
