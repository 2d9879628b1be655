"""What teams and players of GXC are told of what happens to them."""

from typing import Any

import pytest

from services.gateway.telling import Names, told
from shared.rules.gxc.notices import NOTICES
from shared.rules.interface import Event
from shared.rules.notices import given_by, sentences_by_code

NAMES = Names({"t": "Tarn"}, {"red": "Red", "blue": "Blue"}, {"ana": "Ana"})
PUBLIC, RED = ("public",), ("team:red",)


def lines(event: Event) -> dict[str, str | None]:
    """Audience -> sentence."""
    sentences = sentences_by_code(NOTICES)
    return {given.audience: told(sentences[given.code], given.data, NAMES) for given in given_by(event, NOTICES)}


@pytest.mark.parametrize(
    ("type", "data", "to", "expected"),
    [
        (
            "captured",
            {"step": 1, "territory": "t", "from": "blue", "to": "red"},
            PUBLIC,
            {"team:blue": "Red attacked your Tarn and took it"},
        ),
        ("captured", {"step": 1, "territory": "t", "from": None, "to": "red"}, PUBLIC, {}),
        (
            "order_voided",
            {"player": "ana", "part": "move", "code": "no_path"},
            PUBLIC,
            {"player:ana": "You had to stay: your move had become impossible"},
        ),
        (
            "poll_opened",
            {"team": "red", "kind": "spy", "target": "ana", "poll": "red-1", "opened_turn": 3, "closes_turn": 4},
            RED,
            {"team:red": "Your vote is asked for: is Ana a spy? Until turn 4 closes"},
        ),
        (
            "commander_elected",
            {"team": "red", "player": "ana", "commanders": ["ana"]},
            PUBLIC,
            {"player:ana": "You command Red from now on"},
        ),
        ("spy_expelled", {"player": "ana", "team": "red"}, PUBLIC, {"player:ana": "Red expelled you as a spy"}),
        (
            "player_removed",
            {"player": "ana", "team": "red", "reason": "two accounts"},
            PUBLIC,
            {"player:ana": "A game master removed you from Red: two accounts"},
        ),
        (
            "players_out",
            {"part": 1, "parts": 1, "team": "red", "players": ["ana", "bia"]},
            PUBLIC,
            dict.fromkeys(("player:ana", "player:bia"), "Red is out of the war, and you with it"),
        ),
        (
            "shield_activated",
            {"team": "red", "protected": ["t"], "turns_left": 3},
            RED,
            {"team:red": "Your shield is up over Tarn for 3 turns"},
        ),
        (
            "game_ended",
            {"winner": "red", "ranking": [{"team": "red", "rank": 1}, {"team": "blue", "rank": 2}]},
            PUBLIC,
            dict.fromkeys(("team:red", "team:blue"), "The war is over: Red won it"),
        ),
    ],
)
def test_an_event_is_told_to_whom_it_concerns(
    type: str, data: dict[str, Any], to: tuple[str, ...], expected: dict[str, str]
) -> None:
    assert lines(Event(type, data, to)) == expected


def test_the_mail_of_another_team_is_no_notice() -> None:
    """GXC-100: it is for the team alone, whatever team the event would name."""
    mail = {"team": "red", "author": "ana", "message": "m", "hash": None}
    assert list(lines(Event("mail_sent", mail, RED))) == ["team:red"]
    assert not lines(Event("mail_sent", mail, ("team:blue",)))
