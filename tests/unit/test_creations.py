"""What `warledger game create` makes of its options is a creation that the rules of its game take."""

import pytest

from shared.maps.model import MapError
from shared.rules import GAMES, rules_of
from shared.scenarios.table import Table
from warledger.creations import CREATIONS, Options, creation_of

SEATED = ("ana", "bia")
NAMED = {
    "exgenhoca": Options("small-twelve", 3, SEATED, {}),
    "space-battle": Options("small-twelve", 3, SEATED, {"space_base": 1, "scout": 8}),
}
"""What must be asked for besides the map."""


@pytest.mark.parametrize("kind", sorted({item.game for item in GAMES}))
def test_every_game_can_be_created_from_the_command_line(kind: str) -> None:
    assert kind in CREATIONS, f"add {kind} to CREATIONS of warledger/creations.py"
    creation, said = creation_of(kind, NAMED.get(kind, Options("small-twelve", 3, (), {})))
    created = Table(rules_of(kind), "0" * 64).create(creation)
    assert created.refusal is None
    assert said


def test_the_world_has_its_seas() -> None:
    creation, said = creation_of("forces", Options("world", 6, (), {}))
    assert said == "176 lands and 19 seas, for all who join"
    assert creation["map"]["zones"]["black-sea"]["kind"] == "water"


def test_nations_live_on_the_lands_of_a_map_and_the_players_named_may_be_joined_by_others() -> None:
    creation, said = creation_of("map-war", Options("world", 6, SEATED, {}))
    assert said == "176 lands and 19 seas, for 2 players and all who join"
    assert creation["players"] == list(SEATED)
    zones = creation["map"]["zones"]
    assert (zones["black-sea"]["kind"], zones["black-sea"]["city_max"]) == ("sea", 0)
    great = {id for id, zone in zones.items() if zone["city_max"] > 2}
    assert 0 < len(great) < 88
    assert not any(near in great for id in great for near in zones[id]["neighbours"])
    created = Table(rules_of("map-war"), "0" * 64).create(creation)
    assert created.refusal is None


def test_an_unknown_map_is_no_creation() -> None:
    with pytest.raises(MapError):
        creation_of("forces", Options("atlantis", 6, (), {}))


def test_a_war_room_needs_players_and_what_they_own() -> None:
    for players, hangar in (((), {}), (SEATED, {}), ((), {"scout": 8})):
        options = Options("world", 6, players, hangar)
        created = Table(rules_of("space-battle"), "0" * 64).create(creation_of("space-battle", options)[0])
        assert created.refusal is not None
