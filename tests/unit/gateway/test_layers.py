"""What a layer shows is what its viewer sees, whether it stands in places or is a section of its own."""

import re
from dataclasses import replace

import pytest

from services.gateway.layers import layer_named, overlay_of, words_of
from services.gateway.pictures import drawing, tables
from shared.errors import Problem
from shared.maps.overlay import Spot, Stack
from shared.maps.zones import map_of_places
from shared.rules import rules_of
from tests.unit.gateway.house import House, Player
from tests.unit.gateway.test_accounts_api import code
from tests.unit.gateway.test_pages import Tree, page

LAND = {
    "north": {"kind": "land", "neighbours": ["south", "gulf"], "centroid": {"x": 0, "y": 0}, "name": "Northmark"},
    "south": {"kind": "land", "neighbours": ["north"], "centroid": {"x": 0, "y": 900}, "name": "Southmark"},
    "gulf": {"kind": "water", "neighbours": ["north"], "centroid": {"x": 900, "y": 0}, "name": "Long Gulf"},
}
FORCES, MAP_WAR, SPACE_BATTLE = (rules_of(game).parts for game in ("forces", "map-war", "space-battle"))


@pytest.fixture(scope="module")
def land_war(house: House, operator: Player) -> str:
    """Two players have picked a land each; a factory and three troops stand in the north."""
    start = {"start_forces": {"troop": 3, "factory": True}}
    zones = {**LAND, "north": {**LAND["north"], "income": 3, **start}, "south": {**LAND["south"], "income": 1}}
    create = {"map": {"zones": zones}, "config": {}}
    assert operator.post("/games", {"id": "landwar", "game": "forces", "create": create}).status_code == 201
    players = [house.somebody(), house.somebody()]
    for player in players:
        assert player.command("landwar", "join").status_code == 201
    assert operator.command("landwar", "start_game").status_code == 201
    for player, zone in zip(players, ("north", "south"), strict=True):
        assert player.command("landwar", "pick_zone", {"zone": zone}).status_code == 201
    return "landwar"


def test_numbers_by_side_stand_in_a_field_of_places() -> None:
    zones = {
        "north": {"owner": 2, "forces": {"2": {"troop": 3, "tank": 0}, "1": {"troop": 0, "tank": 1}}, "factory": True},
        "south": {"owner": 1, "forces": {}, "factory": False},
    }
    players = {"p": {"seat": 1, "capital": "south"}, "q": {"seat": 2, "capital": None}}
    view = {"zones": zones, "players": players}
    forces = overlay_of(layer_named(FORCES, "forces"), view, FORCES)
    assert forces.spots == (("north", Spot(0, (Stack("1", (0, 1)), Stack("2", (3, 0))), ((0, None),))),)
    control = overlay_of(layer_named(FORCES, None), view, FORCES)
    assert dict(control.spots)["south"] == Spot(marks=((0, "1"),))
    assert overlay_of(layer_named(FORCES, None), {"zones": zones}, FORCES).spots == (
        ("north", Spot(marks=((1, None),))),
    )


def test_things_of_a_section_stand_where_they_say_and_what_is_not_seen_is_not_shown() -> None:
    pieces = {
        "1": {"kind": "army", "nation": "nix", "zone": "z1"},
        "2": {"kind": "army", "nation": "nix", "zone": "z1"},
        "3": {"kind": "ship", "nation": "ana", "zone": "z2"},
    }
    zones = {"z1": {"owner": "nix", "pollution": 4, "home_of": "nix"}, "z2": {"owner": None, "pollution": 0}}
    view = {"zones": zones, "nations": {"nix": {"name": "Nix"}}, "pieces": pieces}
    shown = overlay_of(layer_named(MAP_WAR, "pieces"), view, MAP_WAR)
    assert shown.spots == (("z1", Spot(0, (Stack("nix", (2, 0)),))), ("z2", Spot(0, (Stack("ana", (0, 1)),))))
    assert shown.cells(shown.spots[0][1], {"nix": "Nix"}) == ("Nix: 2 armies",)
    assert overlay_of(layer_named(MAP_WAR, "pieces"), {"zones": zones}, MAP_WAR).spots == ()
    assert overlay_of(layer_named(MAP_WAR, "pollution"), view, MAP_WAR).spots == (("z1", Spot(4)),)
    assert overlay_of(layer_named(MAP_WAR, "control"), view, MAP_WAR).spots == (("z1", Spot(marks=((0, "nix"),))),)


def test_a_craft_is_named_where_it_stands() -> None:
    squares: dict[str, dict[str, object]] = {
        "1-5": {"owner": "C", "craft": "C:base", "name": "1-5", "neighbours": [], "centroid": {"x": 1, "y": 5}},
        "2-5": {"owner": None, "craft": None, "name": "2-5", "neighbours": [], "centroid": {"x": 2, "y": 5}},
    }
    view = {"squares": squares, "players": {"p": {"side": "C", "name": "Ana"}, "q": {"side": None}}}
    grid = layer_named(SPACE_BATTLE, None)
    shown = overlay_of(grid, view, SPACE_BATTLE)
    assert shown.spots == (("1-5", Spot(word="C:base")),)
    assert shown.columns == ("Craft",)
    assert shown.cells(shown.spots[0][1], {}) == ("C:base",)
    drawn = drawing(map_of_places(squares), view, SPACE_BATTLE, grid, "duel", "")
    assert ">C:base</text>" in drawn
    assert "<title>1-5 – Ana – C:base</title>" in drawn
    assert ">C</text>" in drawn
    assert tables(view, SPACE_BATTLE, None)[0].columns == ("Square", "Owner", "Craft")


def test_nations_have_the_colours_that_they_chose_and_no_other_text_becomes_one() -> None:
    places = {"a": {"owner": "barbaria", "name": "a", "neighbours": [], "centroid": {"x": 0, "y": 0}}}
    nations = {"barbaria": {"name": "Barbaria", "color": "#C0C0C0"}, "nix": {"name": "Nix", "color": '"/><script>'}}
    view = {"zones": places, "nations": nations}
    drawn = drawing(map_of_places(places), view, MAP_WAR, layer_named(MAP_WAR, None), "war", "")
    assert 'fill="#c0c0c0"' in drawn
    assert "script" not in drawn


def test_a_layer_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(Problem, match="control, pollution, pieces"):
        layer_named(MAP_WAR, "weather")
    assert words_of(MAP_WAR) == ("zone", "zones")
    assert words_of(replace(MAP_WAR, places=None)) == ("zone", "zone")


@pytest.fixture(scope="module")
def unmapped(house: House, operator: Player) -> str:
    """A war of two nations over zones that lie nowhere, as the guide has them; a sale is offered."""
    zones = {
        "a": {"kind": "land", "neighbours": ["b"], "city_max": 6, "name": "Ashland"},
        "b": {"kind": "land", "neighbours": ["a", "s"], "city_max": 2},
        "s": {"kind": "sea", "neighbours": ["b"], "city_max": 0, "name": "Salt Sea"},
    }
    players = [house.somebody(), house.somebody()]
    ids = [player.account for player in players]
    config = {"start_stock": {"currency": 100_090, "food": 100_000}}
    create = {"map": {"zones": zones}, "players": ids, "config": config}
    assert operator.post("/games", {"id": "unmapped", "game": "map-war", "create": create}).status_code == 201
    assert operator.command("unmapped", "start_game").status_code == 201
    for player, zone, colour in zip(players, "ab", ("#AA0000", "#0000AA"), strict=True):
        start = {"zone": zone, "name": f"Nation of {zone}", "color": colour}
        assert player.command("unmapped", "choose_start", start).status_code == 201
    sale = {"kind": "sale", "to": ids[1], "good": "food", "amount": 500}
    assert players[0].command("unmapped", "offer", sale).status_code == 201
    return "unmapped"


def test_the_table_of_a_layer_needs_no_drawing(house: House, unmapped: str) -> None:
    visitor = house.nobody()
    table = visitor.get(f"/games/{unmapped}/map?layer=control").get_json()
    assert table["columns"] == ["id", "Zone", "Owner", "Home"]
    assert table["rows"] == [
        ["a", "Ashland", "Nation of a", "Nation of a"],
        ["b", "b", "Nation of b", "Nation of b"],
        ["s", "Salt Sea", "water", ""],
    ]
    drawing = visitor.get(f"/games/{unmapped}/map?layer=control", Accept="image/svg+xml")
    assert code(drawing) == (406, "not_acceptable")
    assert "application/json is available" in drawing.get_data(as_text=True)
    assert code(visitor.get(f"/games/{unmapped}/map?layer=weather")) == (400, "malformed")


def test_the_page_of_a_map_without_a_drawing_tells_each_thing_once(house: House, unmapped: str) -> None:
    text = page(house.nobody(), f"/games/{unmapped}")
    Tree(text)
    captions = re.findall(r"<h2[^>]*>([^<]*)</h2>", text)
    assert len(captions) == len(set(captions))
    assert "All zones" in captions
    assert "Salt Sea" in text
    assert "1000.90" in text
    assert "100090" not in text
    assert "Beside the waters" in text


def test_each_layer_is_a_drawing_and_a_table(house: House, land_war: str) -> None:
    visitor = house.nobody()
    forces = visitor.get(f"/games/{land_war}/map?layer=forces", Accept="image/svg+xml")
    assert (forces.status_code, forces.mimetype) == (200, "image/svg+xml")
    control = visitor.get(f"/games/{land_war}/map", Accept="image/svg+xml")
    assert "– Control" in control.get_data(as_text=True)
    assert control.headers["ETag"] != forces.headers["ETag"]
    table = visitor.get(f"/games/{land_war}/map?layer=forces").get_json()
    assert (table["layer"], table["title"], table["layers"]) == ("forces", "Forces", ["control", "forces"])
    assert table["columns"] == ["id", "Zone", "Owner", "Forces", "Factory"]
    rows = {row[0]: row[1:] for row in table["rows"]}
    assert rows["gulf"] == ["Long Gulf", "water", "", ""]
    assert rows["north"][2:] == [f"{rows['north'][1]}: 3 troops", "yes"]
    assert f"{rows['north'][1]}: 3 troops" in forces.get_data(as_text=True)
    again = visitor.get(f"/games/{land_war}/map?layer=forces", If_None_Match=_etag(house, land_war))
    assert again.status_code == 304


def _etag(house: House, game: str) -> str:
    return str(house.nobody().get(f"/games/{game}/map?layer=forces").headers["ETag"])


def test_the_page_leads_to_every_layer_and_its_table_has_them_all(house: House, land_war: str) -> None:
    text = page(house.nobody(), f"/games/{land_war}?layer=forces")
    Tree(text)
    assert f'<a href="/games/{land_war}?layer=control">Control</a>' in text
    assert f'<a href="/games/{land_war}?layer=forces" aria-current="page">Forces</a>' in text
    assert "Map: Forces" in text
    assert re.findall(r"<th scope=\"col\">(Capital|Factory|Forces)</th>", text) == ["Factory", "Forces"]
    assert "Beside the waters" in text


@pytest.mark.parametrize("path", ["", "/map"])
def test_a_wrong_layer_is_malformed(house: House, land_war: str, path: str) -> None:
    for accept in ("text/html",) if not path else ("application/json", "image/svg+xml"):
        answer = house.nobody().get(f"/games/{land_war}{path}?layer=weather", Accept=accept)
        assert code(answer) == (400, "malformed")
        assert "control, forces" in answer.get_data(as_text=True)


def test_a_game_without_layers_of_its_own_has_control(house: House, played: str) -> None:
    drawing = house.nobody().get(f"/games/{played}/map?layer=control", Accept="image/svg+xml")
    plain = house.nobody().get(f"/games/{played}/map", Accept="image/svg+xml")
    assert drawing.get_data() == plain.get_data()
    assert "Control" not in plain.get_data(as_text=True)
    assert "Layers of the map" not in page(house.nobody(), f"/games/{played}")
