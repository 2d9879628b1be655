"""Events as sentences with names."""

import pytest

from services.gateway.telling import Names, told
from shared.rules.interface import Sentence

NAMES = Names({"x": "Xanadu", "y": "Ys"}, {"red": "Red", "x": "The X"}, {"u1": "Ana", "u2": "Bia"})


@pytest.mark.parametrize(
    ("text", "data", "line"),
    [
        ("{p:player} paid {cost} energy", {"p": "u1", "cost": 3}, "Ana paid 3 energy"),
        ("{to:team} took {t:place}", {"to": "x", "t": "x"}, "The X took Xanadu"),
        ("Fight between {at:border}: {d:duel}", {"at": "x:y", "d": [1]}, "Fight between Xanadu and Ys: 1 duel"),
        ("{d:duel} and {n:territory|territories}", {"d": [], "n": 2}, "0 duels and 2 territories"),
        ("{who:player} left", {"who": ["u1", "u2", "u3"]}, "Ana, Bia and u3 left"),
        ("Due by {at:time}", {"at": 1_700_000_000_000}, "Due by Tuesday, 14 November 2023, 22:13:20 UTC"),
        ("Due by {at:time}", {"at": 1_699_999_980_000}, "Due by Tuesday, 14 November 2023, 22:13 UTC"),
        ("in {s:span}", {"s": 7_200}, "in 2 hours"),
        ("in {s:span}", {"s": 5_400}, "in 90 minutes"),
        ("in {s:span}", {"s": 61}, "in 61 seconds"),
        ("in {s:span}", {"s": 86_400}, "in 1 day"),
        ("{gone:team} is an id", {"gone": "blue"}, "blue is an id"),
    ],
)
def test_a_sentence_is_filled_with_names(text: str, data: dict[str, object], line: str) -> None:
    assert told([Sentence(text)], data, NAMES) == line


def test_the_first_sentence_that_fits_is_told() -> None:
    sentences = [Sentence("Nobody's", {"from": None}), Sentence("Of {from:team}")]
    assert told(sentences, {"from": None}, NAMES) == "Nobody's"
    assert told(sentences, {"from": "red"}, NAMES) == "Of Red"


def test_an_event_without_a_fitting_sentence_gets_no_line() -> None:
    assert told([], {"x": 1}, NAMES) is None
    assert told([Sentence("y", {"y": None})], {"x": 1}, NAMES) is None


def test_a_long_list_is_cut_and_the_rest_counted() -> None:
    line = told([Sentence("{p:player}")], {"p": [f"p{number}" for number in range(12)]}, NAMES)
    assert line == "p0, p1, p2, p3, p4, p5, p6, p7 and 4 more"
