"""The chronicle over HTTP: the public export that everybody may take at any time."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.events import split_type
from shared.host_events import HOST_EVENTS
from shared.upcasters import UPCASTERS
from tests.unit.gateway.house import House
from tests.unit.tools.loading import load
from warledger.commands.journal import export_game

VERIFY = load()


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose gateway serves streams itself, with a war of two closed turns."""
    house = House(tmp_path_factory.mktemp("chronicle"), role="streams")
    house.run()
    operator = house.somebody("operator")
    game = house.war(operator)
    house.recruit(game, "red", "dunmere").command(game, "set_order", {"defend": 3})
    for turn in (1, 2):
        assert operator.command(game, "close_turn", {"turn": turn}).status_code == 201
    house.recruit(game, "blue", "elmgate")
    yield house
    house.close()


def test_it_is_the_public_export_byte_for_byte(serving: House, tmp_path: Path) -> None:
    game = serving.nobody().get("/games").get_json()["games"][0]["id"]
    answer = serving.nobody().get(f"/games/{game}/chronicle")
    assert (answer.status_code, answer.content_type) == (200, "application/x-ndjson")
    export_game(serving.settings, game, tmp_path / "public.jsonl", "chronicle")
    assert answer.data == (tmp_path / "public.jsonl").read_bytes()


def test_it_holds_whoever_asks(serving: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = serving.nobody().get("/games").get_json()["games"][0]["id"]
    seen = {viewer.get(f"/games/{game}/chronicle").data for viewer in (serving.nobody(), serving.somebody("operator"))}
    assert len(seen) == 1
    (tmp_path / "game.jsonl").write_bytes(seen.pop())
    assert VERIFY.main([str(tmp_path / "game.jsonl")]) == 0
    assert "2 resolutions: all holds" in capsys.readouterr().out


def test_an_unknown_game_has_none(serving: House) -> None:
    assert serving.nobody().get("/games/nowhere/chronicle").status_code == 404


def test_another_instance_sends_there(house: House, serving: House) -> None:
    game = house.war(house.somebody("operator"))
    answer = house.nobody().get(f"/games/{game}/chronicle")
    assert answer.status_code == 307
    assert answer.headers["Location"] == f"{house.settings.urls['streams']}/games/{game}/chronicle"


def test_no_public_event_is_shown_in_another_version_than_it_was_stored_in() -> None:
    # The chronicle over HTTP comes from the feed, which upcasts: of a public event that would break its hashes.
    for type in UPCASTERS:
        name = split_type(type).name
        assert not HOST_EVENTS[name].summary.startswith("Public"), type
