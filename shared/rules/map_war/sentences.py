"""How the pages tell public events."""

from collections.abc import Mapping

from shared.rules.interface import Sentence

_UNTOLD: tuple[Sentence, ...] = ()

SENTENCES: Mapping[str, tuple[Sentence, ...]] = {
    "game_created": _UNTOLD,
    "map_zones": _UNTOLD,
    "player_joined": (Sentence("{player:player} takes part"),),
    "nation_founded": (
        Sentence("Barbaria waits for hungry cities", {"kind": "barbaria"}),
        Sentence("{nation:team} begins in {zone:place}"),
    ),
    "players_left_out": (Sentence("{players:player} chose no start and take no part"),),
    "turn_opened": (
        Sentence("Nations may be founded", {"phase": "start"}),
        Sentence("Turn {turn} is open"),
    ),
    "fix_opened": (Sentence("Submissions of turn {turn} have faults, to be mended by {nations:team}"),),
    "turn_closed": (Sentence("Turn {turn} closed"),),
    "game_ended": (
        Sentence("The war is over: {winner:team} owns every zone", {"reason": "every_zone"}),
        Sentence("The war is over: {winner:team} alone is left of the players"),
    ),
    "deadline_set": (
        Sentence("The turn is paused", {"deadline": None}),
        Sentence("The deadline is {deadline:time}"),
    ),
    "time_shifted": (Sentence("All times of the turn were moved"),),
    "submission_made": (Sentence("{nation:team} submitted"),),
    "turn_submitted": _UNTOLD,
    "items_dropped": (Sentence("Faulty orders of {nation:team} were dropped"),),
    "agreement_begun": (Sentence("{from:team} and {to:team} trade with each other"),),
    "agreement_ended": (Sentence("Agreement {deal} has ended"),),
    "deal_done": (Sentence("{from:team} and {to:team} made a deal"),),
    "nation_rulerless": (
        Sentence("{nation:team} was abandoned", {"reason": "abandoned"}),
        Sentence("{nation:team} has been silent too long and has no ruler any more", {"reason": "inactive"}),
        Sentence("{nation:team} has no ruler any more"),
    ),
    "nation_rejoined": (Sentence("{nation:team} has its ruler back"),),
    "inactivity_counted": _UNTOLD,
    "war_declared": (Sentence("{nation:team} is at war with {npc:team}"),),
    "order_failed": (Sentence("An order of {nation:team} failed: {code}"),),
    "piece_moved": _UNTOLD,
    "zone_claimed": (Sentence("{nation:team} claimed {zone:place}"),),
    "zone_conquered": (Sentence("{nation:team} conquered {zone:place} from {from:team}"),),
    "construction_lost": (Sentence("The construction of {structure} in {zone:place} is lost"),),
    "construction_started": (Sentence("{nation:team} builds {structure} {level} in {zone:place}"),),
    "instalment_paid": _UNTOLD,
    "production": _UNTOLD,
    "hungry": (Sentence("{nation:team} goes hungry"),),
    "points_gathered": _UNTOLD,
    "piece_built": (
        Sentence("{nation:team} has a new army in {zone:place}", {"kind": "army"}),
        Sentence("{nation:team} has a new ship in {zone:place}"),
    ),
    "construction_done": (Sentence("{structure} {level} in {zone:place} is complete"),),
    "pieces_handed_over": (Sentence("{pieces:army|armies} serve {nation:team} now"),),
    "piece_lost": _UNTOLD,
    "pollution_moved": _UNTOLD,
    "pollution_emitted": _UNTOLD,
    "pollution_absorbed": _UNTOLD,
    "degraded": (Sentence("{structure} in {zone:place} falls to level {level} for want of technology"),),
    "riot": (
        Sentence("{zone:place} of {nation:team} riots", {"happened": True}),
        Sentence("{zone:place} of {nation:team} is hungry and stays calm"),
    ),
    "barbaria_spread": (
        Sentence("Barbaria spreads to {target:place}", {"happened": True}),
        Sentence("Barbaria stays where it is"),
    ),
    "decay_started": (Sentence("{nation:team} decays"),),
    "decayed": _UNTOLD,
    "zone_fell": (Sentence("{zone:place} of {from:team} fell to Barbaria"),),
    "npc_tested": _UNTOLD,
    "nation_eliminated": (Sentence("{nation:team} has no zone left and is out of the war"),),
}
"""Event type -> its sentences, for every type that may be public."""
