"""How the page of a game tells the public events of GXC; what is told by others, or by the map, is not told twice."""

from collections.abc import Mapping

from shared.rules.interface import Sentence

_UNTOLD: tuple[Sentence, ...] = ()

SENTENCES: Mapping[str, tuple[Sentence, ...]] = {
    "game_created": (Sentence("A war over {territories:territory|territories} was prepared"),),
    "map_territories": _UNTOLD,
    "joined": (Sentence("{player:player} joined {team:team}"),),
    "player_removed": (
        Sentence("A game master removed {player:player} from {team:team}", {"reason": ""}),
        Sentence("A game master removed {player:player} from {team:team}: {reason}"),
    ),
    "spy_expelled": (Sentence("{team:team} expelled {player:player} as a spy"),),
    "commander_elected": (Sentence("{team:team} elected {player:player} commander"),),
    "commander_removed": (Sentence("{player:player} commands {team:team} no more"),),
    "shield_activated": (Sentence("{team:team} raised a shield over {protected:place} for {turns_left:turn}"),),
    "shield_counted": (Sentence("The shield of {team:team} will hold for {turns_left:turn} more"),),
    "shield_ended": (Sentence("The shield of {team:team} is down"),),
    "chat_sent": _UNTOLD,
    "team_disqualified": (
        Sentence("{team:team} was disqualified", {"reason": ""}),
        Sentence("{team:team} was disqualified: {reason}"),
    ),
    "territories_abandoned": (Sentence("{team:team} left {territories:place} to nobody"),),
    "deadline_set": (
        Sentence("The turn is paused", {"deadline": None}),
        Sentence("The turn now ends on {deadline:time}"),
    ),
    "time_shifted": (
        Sentence("The war was moved in time; the turn stays paused", {"deadline": None}),
        Sentence("The war was moved in time; the turn now ends on {deadline:time}"),
    ),
    "orders_revealed": (Sentence("{orders:order was|orders were} carried out"),),
    "order_voided": (
        Sentence("{player:player} had to stay: the move had become impossible", {"part": "move"}),
        Sentence("{player:player} defended instead: the attack had become impossible", {"part": "attack"}),
    ),
    "moved": (
        Sentence("{player:player} moved from {from:place} to {to:place} for free", {"cost": 0}),
        Sentence("{player:player} moved from {from:place} to {to:place} for {cost} energy"),
    ),
    "battle": (
        Sentence("Border fight between {place:border}: {duels:duel}", {"stage": "border"}),
        Sentence("Rivals met before {place:place}: {duels:duel}", {"stage": "melee"}),
        Sentence("Siege of {place:place}: {duels:duel}", {"stage": "siege"}),
    ),
    "assaults_ordered": (Sentence("Assaults were made on {targets:place}"),),
    "captured": (
        Sentence("{to:team} took {territory:place}, which was nobody's", {"from": None}),
        Sentence("{to:team} took {territory:place} from {from:team}"),
    ),
    "moved_in": (Sentence("{player:player} marched from {from:place} into {to:place}"),),
    "retreated": (Sentence("{player:player} fell back from {from:place} to {to:place}"),),
    "team_eliminated": (Sentence("{team:team} lost its last territory and is out of the war"),),
    "players_out": (Sentence("{team:team} goes home: {players:player}"),),
    "conquests_counted": _UNTOLD,
    "turn_closed": (
        Sentence("A game master closed turn {turn}", {"by": "operator"}),
        Sentence("Turn {turn} ended at its deadline"),
    ),
    "turn_opened": (Sentence("Turn {turn} began"),),
    "empires_measured": _UNTOLD,
    "strength": _UNTOLD,
    "game_ended": (
        Sentence("The war is over, and nobody won it alone", {"winner": None}),
        Sentence("The war is over: {winner:team} won it"),
    ),
}
"""Event type -> its sentences, for every type that may be public."""
