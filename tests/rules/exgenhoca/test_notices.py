"""What a player of Exgenhoca Wars is told of what happens to her."""

import random
from typing import Any

import pytest

from services.gateway.telling import Names, told
from shared.rules.exgenhoca import RULES
from shared.rules.exgenhoca.notices import NOTICES
from shared.rules.interface import Event
from shared.rules.notices import given_by, sentences_by_code
from tests.rules.conformance.play import play

NAMES = Names({"brasil": "Brasil", "egito": "Egito"}, {"1": "Ana", "2": "Bia"})
ATTACK = {"round": 3, "attack": 2, "attacker": 1, "target": "brasil"}


def lines(event: Event) -> dict[str, str | None]:
    """Audience -> sentence."""
    sentences = sentences_by_code(NOTICES)
    return {given.audience: told(sentences[given.code], given.data, NAMES) for given in given_by(event, NOTICES)}


@pytest.mark.parametrize(
    ("type", "data", "expected"),
    [
        (
            "attack_resolved",
            {**ATTACK, "defender": 2, "taken": False},
            {"seat:2": "Ana attacked your Brasil, which held out"},
        ),
        ("attack_resolved", {**ATTACK, "defender": 2, "taken": True}, {"seat:2": "Ana attacked your Brasil and won"}),
        ("attack_resolved", {**ATTACK, "defender": None, "taken": True}, {}),
        (
            "sa_swapped",
            {"kept": "brasil", "given": "egito", "from": 2, "to": 1},
            {"seat:2": "You kept Brasil and handed Egito to Ana"},
        ),
        (
            "swapped",
            {"seat": 1, "give": "egito", "take": "brasil", "other": 2},
            {"seat:2": "Ana took your Brasil by a swap and gave you Egito"},
        ),
        ("swapped", {"seat": 1, "give": "egito", "take": "brasil", "other": None}, {}),
        (
            "choice_pending",
            {"seat": 1, "choice": "swap"},
            {"seat:1": "A choice of yours is pending: swap a territory for any other, or decline"},
        ),
        (
            "choice_pending",
            {"seat": 1, "choice": "loss"},
            {"seat:1": "A choice of yours is pending: which territory you give up"},
        ),
        (
            "choice_lapsed",
            {"seat": 1, "choice": "swap", "reason": "closed"},
            {"seat:1": "The round closed without your answer: the swap lapsed"},
        ),
        ("choice_lapsed", {"seat": 1, "choice": "swap", "reason": "declined"}, {}),
        (
            "territory_lost",
            {"scope": "close", "draws": 1, "seat": 2, "territory": "egito"},
            {"seat:2": "The round closed without your answer: the dice took Egito from you"},
        ),
        ("territory_lost", {"scope": None, "draws": 0, "seat": 2, "territory": "egito"}, {}),
        (
            "player_eliminated",
            {"seat": 2, "round": 3, "order": 1, "by": 1, "reason": "conquest"},
            {"seat:2": "You lost your last territory to Ana and are out of the war"},
        ),
        (
            "game_ended",
            {"winner": 1, "reason": "objective", "ranking": [1, 2], "points": {"1": 20, "2": 3}},
            dict.fromkeys(("seat:1", "seat:2"), "The war is over: Ana won it"),
        ),
    ],
)
def test_an_event_is_told_to_whom_it_concerns(type: str, data: dict[str, Any], expected: dict[str, str]) -> None:
    assert lines(Event(type, data)) == expected


def test_a_changed_objective_is_told_to_its_player_alone_and_without_its_content() -> None:
    event = Event("objective_changed", {"seat": 1, "objective": {"id": "O01"}}, ("player:ana",))
    (given,) = given_by(event, NOTICES)
    assert (given.audience, given.data) == ("player:ana", {})


def test_a_player_has_the_audience_of_her_seat() -> None:
    """EXG-15: every reference to a player in an event is a seat."""
    table = play(RULES, 0, 1)
    members = {item.id: item.fields["audiences"] for item in table.documents if item.kind == "member"}
    state = RULES.encode(table.state)
    for id, player in state["players"].items():
        assert members[id] == [f"player:{id}", f"seat:{player['seat']}"]


def test_every_pending_choice_is_told_once() -> None:
    table = play(RULES, random.Random(3).randrange(12))
    events = [event for item in table.journal for event in item.events]
    pending = [event for event in events if event.type == "choice_pending"]
    told_of = [given for event in events for given in given_by(event, NOTICES) if given.code == "choice_pending"]
    assert [given.audience for given in told_of] == [f"seat:{event.data['seat']}" for event in pending]
