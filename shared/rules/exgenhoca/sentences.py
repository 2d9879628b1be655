"""How the page of a game tells the public events; what others or the map tell is not told twice."""

from collections.abc import Mapping

from shared.rules.interface import Sentence

_UNTOLD: tuple[Sentence, ...] = ()

SENTENCES: Mapping[str, tuple[Sentence, ...]] = {
    "game_created": (Sentence("A war over {territories:territory|territories} was prepared"),),
    "map_territories": _UNTOLD,
    "dealt": (Sentence("{owners:territory was|territories were} dealt"),),
    "deadline_set": (
        Sentence("The round is paused", {"deadline": None}),
        Sentence("The round now ends on {deadline:time}"),
    ),
    "time_shifted": (
        Sentence("The war was moved in time; the round stays paused", {"deadline": None}),
        Sentence("The war was moved in time; the round now ends on {deadline:time}"),
    ),
    "round_opened": (Sentence("Round {round} began"),),
    "round_closed": (
        Sentence("Round {round} ended at its deadline", {"by": "clock"}),
        Sentence("A game master closed round {round}", {"by": "operator"}),
        Sentence("Round {round} ended, nobody having anything left to do"),
    ),
    "attack_rolled": (
        Sentence("{attacker:team} attacked {target:place}: {A} against {D}", {"roll_no": 1}),
        Sentence("A second chance at {target:place}: {A} against {D}"),
    ),
    "attack_resolved": (
        Sentence("{target:place} held out against {attacker:team}", {"taken": False}),
        Sentence("{attacker:team} won {target:place} on a tie", {"tie": "oceania"}),
        Sentence("{attacker:team} won {target:place} on a tie, with P6", {"tie": "P6"}),
        Sentence("{attacker:team} won {target:place}"),
    ),
    "extra_attack": (
        Sentence("Three equal dice: {seat:team} may attack once more", {"source": "europe"}),
        Sentence("{seat:team} may attack once at any distance", {"source": "P5"}),
        Sentence("{seat:team} may attack twice more"),
    ),
    "captured": (
        Sentence("{to:team} took {territory:place}, which was nobody's", {"from": None}),
        Sentence("{to:team} took {territory:place} from {from:team}"),
    ),
    "sa_swapped": (Sentence("{from:team} kept {kept:place} and handed {given:place} to {to:team}"),),
    "effect_revealed": (Sentence("{seat:team} found {effect} in {territory:place}"),),
    "effect_applied": _UNTOLD,
    "item_used": (Sentence("{seat:team} used {effect}"),),
    "items_expired": (Sentence("{expired:item} of {seat:team} ran out"),),
    "penalties_changed": _UNTOLD,
    "choice_pending": (
        Sentence("{seat:team} may swap a territory for any other", {"choice": "swap"}),
        Sentence("{seat:team} must give up a territory"),
    ),
    "choice_lapsed": (
        Sentence("{seat:team} declined to swap", {"reason": "declined"}),
        Sentence("{seat:team} let the swap lapse"),
    ),
    "swapped": (
        Sentence("{seat:team} swapped {give:place} for {take:place}, which was nobody's", {"other": None}),
        Sentence("{seat:team} swapped {give:place} for {take:place} of {other:team}"),
    ),
    "territory_lost": (Sentence("{seat:team} gave up {territory:place}"),),
    "passed": (Sentence("{seat:team} passed"),),
    "player_eliminated": (
        Sentence("{seat:team} resigned", {"reason": "resigned"}),
        Sentence("{seat:team} was idle for too long and is out of the war", {"reason": "inactivity"}),
        Sentence("{seat:team} lost the last territory and is out of the war, by {by:team}", {"reason": "conquest"}),
        Sentence("{seat:team} lost the last territory and is out of the war"),
    ),
    "territories_released": (Sentence("{seat:team} left {territories:place} to nobody"),),
    "idle_counted": _UNTOLD,
    "objectives_revealed": _UNTOLD,
    "game_ended": (
        Sentence("The war is over: {winner:team} fulfilled the objective", {"reason": "objective"}),
        Sentence("The war is over: {winner:team} alone is left", {"reason": "last_survivor"}),
        Sentence("The war is over: the last round was played", {"reason": "max_rounds"}),
        Sentence("The war is over: nobody is left"),
    ),
}
"""Event type -> its sentences, for every type that may be public."""
