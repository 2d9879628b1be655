"""The world with its seas, as a map of Map War."""

from shared.maps.land_war import world_seas
from shared.maps.nation_war import GREATEST_CITY, SMALL_CITY, document_of
from shared.maps.zones import check_map_of_zones
from shared.rules import rules_of
from shared.scenarios.table import Table
from warledger.maps import map_named


def test_the_world_with_seas_is_a_map_of_the_rules_and_can_be_drawn() -> None:
    """MAP-19: symmetric, no city at sea; the great cities stand apart."""
    document = document_of(map_named("world"), world_seas())
    assert Table(rules_of("map-war"), "0" * 64).create({"map": document}).refusal is None
    zones = document["zones"]
    great = {id_ for id_, zone in zones.items() if zone["city_max"] > SMALL_CITY}
    assert not any(near in great for id_ in great for near in zones[id_]["neighbours"])
    assert max(zone["city_max"] for zone in zones.values()) == GREATEST_CITY
    drawn = check_map_of_zones(document, "map")
    assert set(drawn.water) == set(world_seas())
    assert set(drawn.water["black-sea"]) == set(zones["black-sea"]["neighbours"])
