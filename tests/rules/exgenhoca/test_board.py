"""The default board and its names (section 12 of the rules, EXG-14, EXG-59)."""

from shared.rules.exgenhoca.board import board_of
from shared.rules.exgenhoca.default_map import default_map
from shared.rules.exgenhoca.map_checks import fault_of_map

BOARD = board_of(default_map())


def distances(start: int) -> list[int]:
    found = {start: 0}
    reached = [start]
    for territory in reached:
        for other in BOARD.neighbours[territory]:
            if other not in found:
                found[other] = found[territory] + 1
                reached.append(other)
    return [found[territory] for territory in range(len(BOARD.ids))]


def test_it_has_42_territories_six_continents_and_79_edges() -> None:
    assert len(BOARD.ids) == 42
    assert dict(zip(BOARD.continent_ids, BOARD.sizes, strict=True)) == {
        "africa": 6,
        "asia": 12,
        "europe": 7,
        "north_america": 9,
        "oceania": 4,
        "south_america": 4,
    }
    assert sum(map(len, BOARD.neighbours)) == 2 * 79


def test_it_is_a_map_without_fault_whose_longest_shortest_path_is_8() -> None:
    assert fault_of_map(default_map(), 42) is None
    assert max(max(distances(start)) for start in range(42)) == 8


def test_edges_that_are_disputed_are_as_the_rules_say() -> None:
    def joined(one: str, other: str) -> bool:
        return BOARD.index[other] in BOARD.neighbours[BOARD.index[one]]

    assert joined("franca", "polonia")
    assert joined("franca", "egito")
    assert not joined("suecia", "alemanha")
    assert not joined("mongolia", "japao")


def test_the_two_examples_of_a_distance_of_two_hold() -> None:
    """EXG-38."""
    for one, other in (("india", "australia"), ("egito", "brasil")):
        assert distances(BOARD.index[one])[BOARD.index[other]] == 2
        assert BOARD.index[other] in BOARD.second[BOARD.index[one]]


def test_names_are_portuguese_with_an_english_label() -> None:
    place = BOARD.places[BOARD.index["africa_do_sul"]]
    assert (place.name, place.label) == ("África do Sul", "South Africa")
    assert BOARD.continents[BOARD.continent_index["north_america"]].name == "América do Norte"
    assert all(place.name and place.label and place.centroid for place in BOARD.places)
    assert len({place.centroid for place in BOARD.places}) == 42
