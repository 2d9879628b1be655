"""What concerns a player herself, by her account: corrections, offers, wars, zones and goods that are lost."""

from collections.abc import Mapping

from shared.rules.interface import Sentence
from shared.rules.notices import Notice

NOTICES: Mapping[str, tuple[Notice, ...]] = {
    "fix_opened": (
        Notice(
            "submission_faulty",
            "player:{nations}",
            ("turn", "deadline"),
            (Sentence("Your submission of turn {turn} has faults; mend it by {deadline:time}"),),
        ),
    ),
    "order_failed": (
        Notice(
            "order_failed",
            "player:{nation}",
            ("item", "code"),
            (Sentence("Your order {item} failed: {code}"),),
        ),
    ),
    "deal_offered": (
        Notice(
            "deal_offered",
            "player:{to}",
            ("deal", "from", "kind"),
            (Sentence("{from:team} offers you a deal: {kind}, number {deal}"),),
        ),
    ),
    "deal_done": (
        Notice("deal_given", "player:{from}", ("deal", "to"), (Sentence("Your deal {deal} with {to:team} was made"),)),
        Notice(
            "deal_taken", "player:{to}", ("deal", "from"), (Sentence("Your deal {deal} with {from:team} was made"),)
        ),
    ),
    "zone_conquered": (
        Notice(
            "zone_lost",
            "player:{from}",
            ("nation", "zone"),
            (Sentence("{nation:team} conquered your {zone:place}"),),
        ),
    ),
    "zone_fell": (
        Notice("zone_fallen", "player:{from}", ("zone",), (Sentence("Your {zone:place} fell to Barbaria"),)),
    ),
    "hungry": (Notice("hungry", "player:{nation}", (), (Sentence("Your nation goes hungry: its cities may riot"),)),),
    "nation_rulerless": (
        Notice(
            "rulerless",
            "player:{nation}",
            ("reason",),
            (
                Sentence("You abandoned your nation; you can rejoin until it decays", {"reason": "abandoned"}),
                Sentence("You were silent for too long; you can rejoin until your nation decays"),
            ),
        ),
    ),
    "decay_started": (
        Notice("decaying", "player:{nation}", (), (Sentence("Your nation decays and cannot be taken back"),)),
    ),
    "nation_eliminated": (
        Notice(
            "eliminated",
            "player:{nation}",
            ("turn",),
            (Sentence("You have no zone left and are out of the war"),),
        ),
    ),
    "game_ended": (
        Notice(
            "game_over",
            "player:{ranking}",
            ("winner",),
            (Sentence("The war is over: {winner:team} won it"),),
        ),
    ),
}
"""Event type -> its notices (MAP-46 to MAP-48, MAP-63, MAP-66, MAP-68, MAP-81, MAP-91)."""
