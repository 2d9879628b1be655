"""What concerns a player herself, by her seat: attacks on her, choices, and what others do to what is hers."""

from collections.abc import Mapping

from shared.rules.interface import Sentence
from shared.rules.notices import EVERYBODY_NAMED, Notice

NOTICES: Mapping[str, tuple[Notice, ...]] = {
    "attack_resolved": (
        Notice(
            "territory_attacked",
            "seat:{defender}",
            ("round", "attack", "attacker", "target", "taken"),
            (
                Sentence("{attacker:team} attacked your {target:place}, which held out", {"taken": False}),
                Sentence("{attacker:team} attacked your {target:place} and won"),
            ),
        ),
    ),
    "sa_swapped": (
        Notice(
            "territory_handed_over",
            "seat:{from}",
            ("kept", "given", "to"),
            (Sentence("You kept {kept:place} and handed {given:place} to {to:team}"),),
        ),
    ),
    "swapped": (
        Notice(
            "territory_swapped",
            "seat:{other}",
            ("seat", "give", "take"),
            (Sentence("{seat:team} took your {take:place} by a swap and gave you {give:place}"),),
        ),
    ),
    "choice_pending": (
        Notice(
            "choice_pending",
            "seat:{seat}",
            ("choice",),
            (
                Sentence(
                    "A choice of yours is pending: swap a territory for any other, or decline", {"choice": "swap"}
                ),
                Sentence("A choice of yours is pending: which territory you give up"),
            ),
        ),
    ),
    "choice_lapsed": (
        Notice(
            "choice_lapsed",
            "seat:{seat}",
            ("choice",),
            (Sentence("The round closed without your answer: the swap lapsed"),),
            {"reason": "closed"},
        ),
    ),
    "territory_lost": (
        Notice(
            "territory_picked",
            "seat:{seat}",
            ("territory",),
            (Sentence("The round closed without your answer: the dice took {territory:place} from you"),),
            {"scope": "close"},
        ),
    ),
    "player_eliminated": (
        Notice(
            "eliminated",
            "seat:{seat}",
            ("round", "by", "reason"),
            (
                Sentence("You resigned and are out of the war", {"reason": "resigned"}),
                Sentence("You were idle for too long and are out of the war", {"reason": "inactivity"}),
                Sentence("You lost your last territory to {by:team} and are out of the war", {"reason": "conquest"}),
                Sentence("You lost your last territory and are out of the war"),
            ),
        ),
    ),
    "objective_changed": (
        Notice(
            "objective_changed",
            EVERYBODY_NAMED,
            (),
            (Sentence("Your objective has changed: your rival is out of the war, and not by you"),),
        ),
    ),
    "game_ended": (
        Notice(
            "game_over",
            "seat:{points}",
            ("winner", "reason"),
            (
                Sentence("The war is over, and nobody won it", {"winner": None}),
                Sentence("The war is over: {winner:team} won it"),
            ),
        ),
    ),
}
"""Event type -> its notices (EXG-35, EXG-39, EXG-43, EXG-44, EXG-53, EXG-61)."""
