"""How the page of a game tells the public events; what others or the map tell is not told twice."""

from collections.abc import Mapping

from shared.rules.interface import Sentence

_UNTOLD: tuple[Sentence, ...] = ()

SENTENCES: Mapping[str, tuple[Sentence, ...]] = {
    "game_created": (Sentence("A war over {zones:zone|zones} was prepared"),),
    "map_zones": _UNTOLD,
    "joined": (Sentence("{player:player} joined"),),
    "left": (Sentence("{player:player} left the lobby"),),
    "seats_given": (
        Sentence("{seats:player|players} sat down in the order of joining", {"scope": None}),
        Sentence("{seats:player was|players were} given seats by lot"),
    ),
    "zones_shuffled": _UNTOLD,
    "pick_opened": (Sentence("{seat:team} picks"),),
    "zone_picked": (
        Sentence("{seat:team} was dealt {zone:place}", {"by": "deal"}),
        Sentence("{seat:team} was late, and got {zone:place}", {"by": "clock"}),
        Sentence("A game master picked {zone:place} for {seat:team}", {"by": "operator"}),
        Sentence("{seat:team} picked {zone:place}"),
    ),
    "capitals_opened": (Sentence("Everybody chooses a capital, unseen"),),
    "capitals_revealed": (Sentence("{capitals:capital was|capitals were} revealed"),),
    "credits_granted": (Sentence("{seat:team} begins with {credits:credit}"),),
    "deadline_set": (
        Sentence("There is no deadline now", {"deadline": None}),
        Sentence("The deadline is now {deadline:time}"),
    ),
    "time_shifted": (
        Sentence("The war was moved in time; there is no deadline", {"deadline": None}),
        Sentence("The war was moved in time; the deadline is now {deadline:time}"),
    ),
    "year_opened": (Sentence("The year {year} began"),),
    "turn_submitted": (Sentence("{seat:team} has submitted"),),
    "paid": (Sentence("", {"amount": 0}), Sentence("{seat:team} paid {amount:credit}")),
    "moved": (Sentence("{seat:team} moved {count} {type} from {from:place} to {to:place}"),),
    "stopped": (Sentence("{count} {type} of {seat:team} had to stop in {zone:place}"),),
    "combat_roll": (
        Sentence("{zone:place}: a {type} of {seat:team} threw {r} below {odds} and hit", {"hit": True}),
        Sentence("{zone:place}: a {type} of {seat:team} threw {r}, not below {odds}"),
    ),
    "casualty": (Sentence("{zone:place}: {by:team} destroyed a {type} of {seat:team}"),),
    "zone_taken": (
        Sentence("{seat:team} took {zone:place}, which was nobody's", {"from": None}),
        Sentence("{seat:team} took {zone:place} from {from:team}"),
    ),
    "zone_neutral": (Sentence("{from:team} lost {zone:place}, which is nobody's now"),),
    "factory_captured": (Sentence("{seat:team} captured the factory in {zone:place}"),),
    "player_eliminated": (
        Sentence("{seat:team} resigned", {"reason": "resigned"}),
        Sentence("A game master removed {seat:team}", {"reason": "removed"}),
        Sentence("{seat:team} lost the capital and is out of the war", {"reason": "capital_lost"}),
        Sentence("{seat:team} lost the last zone and is out of the war", {"reason": "no_zones"}),
        Sentence("{seat:team} has neither zones nor Forces and is out of the war"),
    ),
    "forces_removed": (Sentence("The Forces of {seat:team} in {zone:place} are gone"),),
    "placed": (Sentence("{seat:team} has {count} new {type} in {zone:place}"),),
    "not_produced": (
        Sentence("{count} {type} of {seat:team} were not produced: {zone:place} was lost", {"reason": "zone_lost"}),
        Sentence("{count} {type} of {seat:team} were not produced: {zone:place} is contested", {"reason": "contested"}),
        Sentence("{count} {type} of {seat:team} were not produced: she is out of the war"),
    ),
    "refunded": (Sentence("{seat:team} got back {amount:credit}"),),
    "income": (
        Sentence("{seat:team} received nothing", {"amount": 0}),
        Sentence("{seat:team} received {amount:credit}"),
    ),
    "year_resolved": (
        Sentence("The year {year} ended at its deadline", {"by": "clock"}),
        Sentence("A game master closed the year {year}", {"by": "operator"}),
        Sentence("The year {year} ended: everybody had submitted"),
    ),
    "game_ended": (
        Sentence("The war is over: {winner:team} alone is left", {"condition": "last_player"}),
        Sentence("The war is over: nobody is left", {"condition": "nobody"}),
        Sentence("The war is over: {winner:team} holds enough capitals", {"condition": "capitals"}),
        Sentence("The war is over: {winner:team} has enough income", {"condition": "income"}),
        Sentence("The war is over: {winner:team} holds enough zones", {"condition": "zones"}),
        Sentence("The war is over: {winner:team} has enough credits"),
    ),
}
"""Event type -> its sentences, for every type that may be public."""
