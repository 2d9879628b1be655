"""What concerns a player herself, by her seat: her pick, the reveal, a year, and what others take from her."""

from collections.abc import Mapping

from shared.rules.interface import Sentence
from shared.rules.notices import Notice

NOTICES: Mapping[str, tuple[Notice, ...]] = {
    "pick_opened": (
        Notice(
            "pick_open",
            "seat:{seat}",
            ("pick_index", "deadline"),
            (
                Sentence("It is your turn to pick a zone", {"deadline": None}),
                Sentence("It is your turn to pick a zone, until {deadline:time}"),
            ),
        ),
    ),
    "zone_picked": (
        Notice(
            "picked_for_you",
            "seat:{seat}",
            ("zone",),
            (Sentence("You were late: {zone:place} was picked for you"),),
            {"by": "clock"},
        ),
    ),
    "capitals_revealed": (
        Notice("capitals_revealed", "seat:{capitals}", (), (Sentence("The capitals are revealed; the war begins"),)),
    ),
    "zone_taken": (
        Notice(
            "zone_lost",
            "seat:{from}",
            ("zone", "seat"),
            (Sentence("{seat:team} took your {zone:place}"),),
        ),
    ),
    "zone_neutral": (
        Notice("zone_neutral", "seat:{from}", ("zone",), (Sentence("You lost {zone:place}, which is nobody's now"),)),
    ),
    "year_resolved": (Notice("year_resolved", "seat:{seats}", ("year",), (Sentence("The year {year} was resolved"),)),),
    "not_produced": (
        Notice(
            "not_produced",
            "seat:{seat}",
            ("zone", "type", "count", "reason"),
            (Sentence("Your {count} {type} for {zone:place} were not produced"),),
        ),
    ),
    "player_eliminated": (
        Notice(
            "eliminated",
            "seat:{seat}",
            ("reason",),
            (
                Sentence("You resigned and are out of the war", {"reason": "resigned"}),
                Sentence("A game master took you out of the war", {"reason": "removed"}),
                Sentence("You lost your capital and are out of the war", {"reason": "capital_lost"}),
                Sentence("You have no zone left and are out of the war"),
            ),
        ),
    ),
    "game_ended": (
        Notice(
            "game_over",
            "seat:{ranking}",
            ("winner", "condition"),
            (
                Sentence("The war is over, and nobody won it", {"winner": []}),
                Sentence("The war is over: {winner:team} won it"),
            ),
        ),
    ),
}
"""Event type -> its notices (FOR-23, FOR-27, FOR-60, FOR-64, FOR-66, FOR-68 to FOR-72, FOR-76)."""
