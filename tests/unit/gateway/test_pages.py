"""The pages: read-only, complete without script, the same for everybody who may see the same."""

import re
from html.parser import HTMLParser

import pytest

from tests.unit.gateway.house import House, Player
from tests.unit.gateway.test_accounts_api import code

VOID = {"meta", "link", "br", "hr", "img", "input", "path", "circle", "rect", "use", "line", "polygon", "ellipse"}


class Tree(HTMLParser):
    """Checks that elements close in order, and notes tags, ids, references and words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.refers: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(str(value))
            if name == "aria-labelledby":
                self.refers += str(value).split()
            if name == "href" and str(value).startswith("#"):
                self.refers.append(str(value)[1:])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def page(player: Player, path: str) -> str:
    answer = player.get(path, Accept="text/html")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    return answer.get_data(as_text=True)


def columns(text: str) -> dict[str, int]:
    """Titles of columns that count players or energy, and in how many tables they are."""
    titles = re.findall(r"<th scope=\"col\"[^>]*>((?:Players|Energy)[^<]*)</th>", text)
    return {title: titles.count(title) for title in titles}


@pytest.mark.parametrize("path", ["/", "/docs", "/docs/errors", "/games/{game}"])
def test_a_page_is_well_formed_without_script_and_all_its_references_hold(house: House, played: str, path: str) -> None:
    text = page(house.nobody(), path.replace("{game}", played))
    tree = Tree(text)
    assert text.startswith("<!DOCTYPE html>")
    assert '<html lang="en">' in text
    assert "script" not in tree.tags
    assert tree.tags.count("h1") == tree.tags.count("main") == 1
    assert len(tree.ids) == len(set(tree.ids))
    assert set(tree.refers) <= set(tree.ids)
    assert not re.search(r'(src|href)="https?://', text)


def test_the_page_of_a_game_shows_map_ranking_deadline_report_and_an_equal_table(house: House, played: str) -> None:
    text = page(house.nobody(), f"/games/{played}")
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in text
    assert "Present standing, by territories and energy at the opening" in text
    assert columns(text) == {"Players at the opening": 2, "Energy at the opening": 2}
    assert re.search(r"Turn deadline</dt><dd><time datetime=\"20\d\d-", text)
    assert "Last report: Turn 1" in text
    assert re.search(r"<li>Siege of Elmgate: \d duels?</li>", text)
    assert "<li>2 orders were carried out</li>" in text
    assert re.search(r"ol\.report li \{[^}]*break-inside: avoid", text)
    assert all(name in text for name in ("Ashford", "Elmgate", "Lakeholm", ">Neighbours<"))
    certificate = house.nobody().get(f"/games/{played}/certificates").get_json()["certificates"][0]
    assert certificate["seed"] in text


def test_the_page_of_an_ended_game_ranks_and_names_the_winner_and_counts_nobody(house: House, operator: Player) -> None:
    game = house.war(operator)
    red, blue = house.recruit(game, "red", "dunmere"), house.recruit(game, "blue", "elmgate")
    for player in (red, blue):
        assert player.command(game, "set_order", {"defend": 1}).status_code == 201
    assert operator.command(game, "disqualify_team", {"team": "blue", "reason": ""}).status_code == 201
    assert operator.command(game, "close_turn", {"turn": 1}).status_code == 201
    text = page(house.nobody(), f"/games/{game}")
    assert "Final ranking" in text
    assert "<dt>Winner</dt><dd>Red</dd>" in text
    assert columns(text) == {}


def test_the_report_of_a_paused_game_names_no_deadline(house: House, operator: Player) -> None:
    game = house.war(operator)
    assert operator.command(game, "close_turn", {"turn": 1}).status_code == 201
    paused = operator.command(game, "set_deadline", {"deadline": None, "reason": "pause"})
    assert paused.status_code == 201, paused.get_data(as_text=True)
    text = page(house.nobody(), f"/games/{game}")
    assert "<li>Turn 2 began</li>" in text
    assert "due by" not in text
    assert "Turn deadline" not in text


def test_a_game_that_has_not_begun_has_a_page_too(house: House, operator: Player) -> None:
    game = house.war(operator, start=False)
    text = page(house.nobody(), f"/games/{game}")
    assert "lobby" in text
    assert "No resolution has been certified yet" in text


def test_the_page_follows_the_game_and_is_not_sent_twice(house: House, operator: Player) -> None:
    game = house.war(operator)
    first = house.nobody().get(f"/games/{game}", Accept="text/html")
    again = house.nobody().get(f"/games/{game}", Accept="text/html", If_None_Match=first.headers["ETag"])
    assert again.status_code == 304
    assert operator.command(game, "close_turn", {"turn": 1}).status_code == 201
    after = house.nobody().get(f"/games/{game}", Accept="text/html", If_None_Match=first.headers["ETag"])
    assert after.status_code == 200
    assert "Last report: Turn 1" in after.get_data(as_text=True)


def test_names_are_shown_as_they_are_and_run_nothing(house: House, operator: Player) -> None:
    territories = {
        "a": {"name": "<script>alert(1)</script>", "neighbours": ["b"], "centroid": {"x": 0, "y": 0}},
        "b": {"name": 'B & "C"', "neighbours": ["a"], "centroid": {"x": 9, "y": 9}},
    }
    teams = {"red": {"name": "<b>Red</b>", "territories": ["a"]}, "blue": {"territories": ["b"]}}
    create = {"map": {"territories": territories}, "teams": teams}
    assert operator.post("/games", {"id": "evil", "game": "gxc", "create": create}).status_code == 201
    text = page(house.nobody(), "/games/evil")
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert "<b>Red</b>" not in text
    Tree(text)


def test_the_map_is_a_drawing_for_who_asks_for_one(house: House, played: str) -> None:
    answer = house.nobody().get(f"/games/{played}/map", Accept="image/svg+xml")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert "Elmgate" in answer.get_data(as_text=True)
    assert house.nobody().get(f"/games/{played}/map").mimetype == "application/json"


def test_a_map_without_outlines_is_drawn_too(house: House, operator: Player) -> None:
    territories = {
        "a": {"name": "Alpha", "neighbours": ["b"], "centroid": {"x": 0, "y": 0}},
        "b": {"name": "Beta", "neighbours": ["a"], "centroid": {"x": 900, "y": 500}},
    }
    create = {
        "map": {"territories": territories},
        "teams": {"red": {"territories": ["a"]}, "blue": {"territories": ["b"]}},
    }
    assert operator.post("/games", {"id": "discs", "game": "gxc", "create": create}).status_code == 201
    answer = house.nobody().get("/games/discs/map", Accept="image/svg+xml")
    assert answer.status_code == 200
    assert "Alpha" in answer.get_data(as_text=True)


def test_the_front_page_links_to_every_game(house: House, played: str) -> None:
    assert f'<a href="/games/{played}">' in page(house.nobody(), "/")


def test_the_checker_is_served_as_it_is(house: House) -> None:
    from services.gateway.routes_site import CHECKER

    answer = house.nobody().get("/verify_turn.py")
    assert (answer.status_code, answer.get_data(as_text=True)) == (200, CHECKER.read_text())


def test_health_is_told(house: House, operator: Player) -> None:
    assert house.nobody().get("/livez").get_data() == b"ok\n"
    assert house.nobody().get("/readyz").status_code == 200
    assert b"warledger_requests_total" in operator.get("/metrics").data


def test_metrics_count_what_others_send_and_are_for_operators(house: House) -> None:
    assert code(house.nobody().get("/metrics")) == (401, "unauthenticated")
    assert code(house.somebody().get("/metrics")) == (403, "forbidden")
