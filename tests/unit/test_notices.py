"""Which notices an event gives."""

import pytest

from shared.rules.interface import Event, Sentence
from shared.rules.notices import EVERYBODY_NAMED, Given, Notice, given_by

SAID = (Sentence("It happened"),)


def given(to: str, data: dict[str, object], *seen_by: str, **when: object) -> list[str]:
    """The audiences of a notice that goes `to` somebody."""
    rows = {"happened": (Notice("code", to, (), SAID, when),)}
    return [item.audience for item in given_by(Event("happened", data, seen_by or ("public",)), rows)]


@pytest.mark.parametrize(
    ("to", "data", "audiences"),
    [
        ("seat:{defender}", {"defender": 3}, ["seat:3"]),
        ("seat:{defender}", {"defender": None}, []),
        ("seat:{defender}", {}, []),
        ("player:{players}", {"players": ["ana", "bia", "ana"]}, ["player:ana", "player:bia"]),
        ("seat:{points}", {"points": {"1": 20, "2": 3}}, ["seat:1", "seat:2"]),
        ("team:{ranking.team}", {"ranking": [{"team": "red"}, {"team": "blue"}]}, ["team:red", "team:blue"]),
        ("team:{ranking.team}", {"ranking": ["red"]}, []),
    ],
)
def test_a_notice_goes_to_whom_its_event_names(to: str, data: dict[str, object], audiences: list[str]) -> None:
    assert given(to, data) == audiences


def test_what_is_not_public_is_a_notice_to_those_alone_whom_the_event_is_for() -> None:
    assert given("player:{players}", {"players": ["ana", "bia"]}, "player:bia") == ["player:bia"]
    assert given("player:{players}", {"players": ["ana"]}, "team:red") == []
    assert given(EVERYBODY_NAMED, {}, "public", "team:red", "player:ana") == ["team:red", "player:ana"]


def test_a_notice_may_depend_on_values_of_the_event() -> None:
    assert given("seat:{seat}", {"seat": 1, "reason": "closed"}, reason="closed") == ["seat:1"]
    assert given("seat:{seat}", {"seat": 1, "reason": "declined"}, reason="closed") == []
    assert given("seat:{seat}", {"seat": 1}, reason=None) == []


def test_a_notice_hands_on_the_fields_that_it_names_and_no_others() -> None:
    rows = {"happened": (Notice("code", "seat:{seat}", ("target", "absent"), SAID),)}
    event = Event("happened", {"seat": 2, "target": "brasil", "secret": 1}, ("public",))
    assert list(given_by(event, rows)) == [Given("code", "seat:2", {"target": "brasil"})]
    assert list(given_by(Event("other", {}, ("public",)), rows)) == []
