"""A creation that no game could take is refused before anything of it is stored, also what draws its map."""

import copy
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from services.gateway.blobs import store_large
from shared.maps.check import check_map
from shared.rules import GAMES
from tests.rules.gxc.play import territory
from tests.unit.gateway.house import House, Player
from tests.unit.gateway.test_accounts_api import code

TEAMS = {"red": {"territories": ["T"]}, "blue": {"territories": ["U"]}}
MAP: dict[str, Any] = {
    "name": "Two",
    "width": 100,
    "height": 50,
    "wraps": False,
    "territories": {"T": territory("U"), "U": territory("T"), "V": territory()},
    "sea_links": [["T", "U"]],
    "shapes": {"T": [[0, 0, 9, 0, 9, 9]]},
}


def drawn(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(MAP), **changes}


BAD: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("no map", {"map": None, "teams": {}}, "create.map must be an object"),
    ("an unknown field", {"foo": 1}, "create has the unknown field 'foo'"),
    ("no field", {}, "create.map is missing"),
    ("a map with an unknown field", {"map": drawn(colour="red"), "teams": TEAMS}, "create.map has the unknown field"),
    ("a shape of text", {"map": drawn(shapes={"T": "x"}), "teams": TEAMS}, "create.map: shapes.T: must be a list"),
    ("a ring of text", {"map": drawn(shapes={"T": ["x"]}), "teams": TEAMS}, "create.map: shapes.T[0]: must be a list"),
    ("a ring of two points", {"map": drawn(shapes={"T": [[0, 0, 9, 9]]}), "teams": TEAMS}, "6 or more integers"),
    ("a shape of nobody", {"map": drawn(shapes={"X": []}), "teams": TEAMS}, "names the territory 'X'"),
    ("shapes in a list", {"map": drawn(shapes=[]), "teams": TEAMS}, "create.map: shapes: must be an object"),
    ("a negative width", {"map": drawn(width=-5), "teams": TEAMS}, "create.map: width: must be an integer from 1"),
    ("a huge height", {"map": drawn(height=10**9), "teams": TEAMS}, "create.map: height: must be an integer from 1"),
    ("a name of number", {"map": drawn(name=7), "teams": TEAMS}, "create.map: name: must be a text"),
    ("wraps of text", {"map": drawn(wraps="no"), "teams": TEAMS}, "create.map: wraps: must be true or false"),
    ("a licence of list", {"map": drawn(licence=[]), "teams": TEAMS}, "create.map: licence: must be a text"),
    ("a link of one", {"map": drawn(sea_links=[["T"]]), "teams": TEAMS}, "must name two territories"),
    ("a link to nowhere", {"map": drawn(sea_links=[["T", "X"]]), "teams": TEAMS}, "names the territory 'X'"),
    ("a link of strangers", {"map": drawn(sea_links=[["T", "V"]]), "teams": TEAMS}, "which are no neighbours"),
)


@pytest.mark.parametrize(("create", "said"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_malformed_creation_is_named_and_nothing_of_it_is_stored(
    house: House, operator: Player, create: dict[str, Any], said: str
) -> None:
    calls, stored = house.intakes.calls, blobs(house)
    answer = operator.post("/games", {"game": "gxc", "create": create})
    assert code(answer) == (400, "malformed")
    assert said in answer.get_json()["detail"]
    assert (house.intakes.calls, blobs(house)) == (calls, stored)


def blobs(house: House) -> list[str]:
    return [document.id for document in house.documents.find("blobs", "")]


@pytest.mark.parametrize("named", [{"game": "chess"}, {"game": "gxc", "rules": "99"}])
def test_a_game_that_is_not_installed_is_refused(house: House, operator: Player, named: dict[str, str]) -> None:
    calls, stored = house.intakes.calls, blobs(house)
    answer = operator.post("/games", {**named, "create": {"map": MAP, "teams": TEAMS}})
    assert code(answer) == (400, "unknown_rules")
    assert "known: gxc 1" in answer.get_json()["detail"]
    assert (house.intakes.calls, blobs(house)) == (calls, stored)


def test_a_map_that_is_named_is_looked_at_where_it_is_stored(house: House, operator: Player) -> None:
    named = store_large(house.documents, {"map": drawn(width=-5)})
    calls = house.intakes.calls
    answer = operator.post("/games", {"game": "gxc", "create": {**named, "teams": TEAMS}})
    assert code(answer) == (400, "malformed")
    assert "create.map: width" in answer.get_json()["detail"]
    assert house.intakes.calls == calls


@pytest.mark.parametrize("left_out", [(), ("shapes",), ("sea_links", "wraps"), ("name", "width", "height")])
def test_a_map_is_taken_with_as_much_of_a_drawing_as_it_has(operator: Player, left_out: tuple[str, ...]) -> None:
    board = {key: value for key, value in MAP.items() if key not in left_out}
    assert operator.post("/games", {"game": "gxc", "create": {"map": board, "teams": TEAMS}}).status_code == 201


def test_what_the_document_says_of_a_creation_is_what_is_taken(house: House) -> None:
    document = house.nobody().get("/openapi.json").get_json()
    body = document["paths"]["/games"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    games = dict.fromkeys(item.game for item in GAMES)
    assert body == {"anyOf": [{"$ref": f"#/components/schemas/create.{game}"} for game in games]}
    validator = Draft202012Validator({**body, "components": document["components"]})
    create = {"map": MAP, "teams": TEAMS}
    assert validator.is_valid({"game": "gxc", "create": create})
    assert validator.is_valid(
        {"id": "g", "game": "gxc", "rules": "1", "create": {**create, "map": {"sha256": "0" * 64}}}
    )
    assert validator.is_valid({"game": "exgenhoca", "create": {"players": ["ana", "bia"]}})
    for wrong in ({"game": "chess", "create": create}, {"game": "gxc", "create": {"foo": 1}}, {"game": "gxc"}):
        assert not validator.is_valid(wrong)


def test_a_whole_map_file_is_checked_as_before() -> None:
    named = {id: {**item, "name": id} for id, item in MAP["territories"].items()}
    assert check_map({**MAP, "territories": named}, "two").sea_links == (("T", "U"),)
