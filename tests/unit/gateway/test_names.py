"""Names stand beside the ids of players wherever they are shown, and nowhere in log or views."""

from services.gateway.names import note_change
from shared.documents import Document
from tests.unit.gateway.house import House, Player


def _names(house: House, game: str) -> dict[str, str | None]:
    roster = house.nobody().get(f"/games/{game}/roster").get_json()
    return {id: player.get("name") for id, player in roster["players"].items()}


def test_the_roster_names_players_and_follows_a_change_of_name(house: House, operator: Player) -> None:
    game = house.war(operator)
    red = house.recruit(game, "red", "dunmere")
    before = house.nobody().get(f"/games/{game}/roster")
    assert red.send("PATCH", "/accounts/me", {"name": "Boudicca"}).status_code == 200
    after = house.nobody().get(f"/games/{game}/roster", If_None_Match=before.headers["ETag"])
    assert after.status_code == 200
    assert after.get_json()["players"][red.account]["name"] == "Boudicca"


def test_a_deleted_account_is_an_id_again(house: House, operator: Player) -> None:
    game = house.war(operator)
    red, blue = house.recruit(game, "red", "dunmere"), house.recruit(game, "blue", "elmgate")
    assert all(_names(house, game).values())
    assert red.send("DELETE", "/accounts/me").status_code == 204
    names = _names(house, game)
    assert names[red.account] is None
    assert names[blue.account] is not None


def test_a_name_that_another_process_changed_is_seen(house: House, operator: Player) -> None:
    game = house.war(operator)
    red = house.recruit(game, "red", "dunmere")
    assert _names(house, game)[red.account] != "Zenobia"
    stored = house.documents.get("accounts", [red.account])[red.account]
    body = {**stored.body, "name": "Zenobia"}
    house.documents.write("accounts", [Document(red.account, stored.position + 1, body)])
    note_change(house.documents)
    assert _names(house, game)[red.account] == "Zenobia"


def test_a_report_names_the_players_it_speaks_of_beside_their_ids(house: House, played: str) -> None:
    body = house.nobody().get(f"/games/{played}/turns/1").get_json()
    orders = next(event["data"] for event in body["report"] if "orders_revealed" in event["type"])
    players = {order[0] for order in orders["orders"]}
    assert players <= body["names"].keys()
    assert all(name.startswith("somebody") for name in body["names"].values())


def test_the_page_tells_the_turn_with_names(house: House, operator: Player) -> None:
    game = house.war(operator)
    red = house.recruit(game, "red", "dunmere")
    assert red.send("PATCH", "/accounts/me", {"name": f"Hippolyta {game}"}).status_code == 200
    assert red.command(game, "set_order", {"attack": {"target": "elmgate", "energy": 5}}).status_code == 201
    assert operator.command(game, "close_turn", {"turn": 1}).status_code == 201
    text = house.nobody().get(f"/games/{game}", Accept="text/html").get_data(as_text=True)
    assert f"<li>Hippolyta {game} marched from Dunmere into Elmgate</li>" in text
    assert "<li>Red took Elmgate from Blue</li>" in text
    assert red.account not in text


def test_names_are_in_no_file_of_the_log_and_in_no_view(house: House, operator: Player) -> None:
    game = house.war(operator)
    red = house.recruit(game, "red", "dunmere")
    assert red.send("PATCH", "/accounts/me", {"name": "Penthesilea"}).status_code == 200
    assert red.command(game, "set_order", {"defend": 1}).status_code == 201
    _names(house, game)
    folders = (house.settings.log_folder, house.settings.docs_folder)
    files = [path for folder in folders for path in folder.iterdir() if path.is_file()]
    holding = {path.name.partition(".")[0] for path in files if b"Penthesilea" in path.read_bytes()}
    assert holding == {"accounts"}
