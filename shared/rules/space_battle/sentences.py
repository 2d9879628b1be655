"""How the page of a game tells the public events; what others or the map tell is not told twice."""

from collections.abc import Mapping

from shared.rules.interface import Sentence

_UNTOLD: tuple[Sentence, ...] = ()

SENTENCES: Mapping[str, tuple[Sentence, ...]] = {
    "game_created": (Sentence("A War Room for {players:player} was opened"),),
    "players_entered": _UNTOLD,
    "challenge_issued": (Sentence("{challenger:player} challenged {challenged:player} to a battle"),),
    "challenge_accepted": (
        Sentence("{proposed_by:player} accepted with {number} craft on each side, on {proposed_time:time}"),
    ),
    "challenge_refused": (Sentence("{challenged:player} refused the challenge of {challenger:player}"),),
    "challenge_withdrawn": (Sentence("{challenger:player} took the challenge of {challenged:player} back"),),
    "challenge_expired": (Sentence("The challenge between {players:player} expired"),),
    "time_proposed": (Sentence("{proposed_by:player} proposed to start on {proposed_time:time}"),),
    "staff_time_requested": (Sentence("{by:player} asked a game master to set the time"),),
    "time_agreed": (
        Sentence("A game master set the time: the battle starts on {start_time:time}", {"by": None}),
        Sentence("{by:player} agreed: the battle starts on {start_time:time}"),
    ),
    "time_shifted": (Sentence("All times were moved by {by_ms} milliseconds"),),
    "side_ready": (Sentence("{side:team} is ready"),),
    "no_show": (Sentence("The grace was over, and {absent:team} had not come"),),
    "battle_started": (Sentence("The battle started; {to_move:team} has the first move"),),
    "craft_moved": (Sentence("Move {move_no}: {side:team} moved {craft}"),),
    "mine_exploded": (
        Sentence("A mine exploded before {craft}", {"count": 1}),
        Sentence("Two mines exploded before {craft}"),
    ),
    "shot_fired": (
        Sentence("Move {move_no}: {from} fired at {target} without effect", {"damage": 0}),
        Sentence("Move {move_no}: {from} fired at {target} and hit {hit} with {damage}"),
    ),
    "craft_damaged": _UNTOLD,
    "shield_down": (Sentence("The shield of {craft} is down"),),
    "craft_destroyed": (Sentence("{craft}, a {class} of {side:team}, was destroyed"),),
    "time_warning": _UNTOLD,
    "move_forfeited": (
        Sentence("Move {move_no}: the time of {side:team} was over, and nothing was done", {"wholly": True}),
        Sentence("Move {move_no}: the time of {side:team} was over"),
    ),
    "move_ended": _UNTOLD,
    "battle_aborted": (Sentence("A game master aborted the battle: {reason}"),),
    "battle_ended": (
        Sentence("The battle was cancelled", {"result": "cancelled"}),
        Sentence("The battle ended in a draw", {"result": "draw"}),
        Sentence("The battle is over: {winner:team} destroyed the enemy base", {"result": "base_destroyed"}),
        Sentence("The battle is over: {winner:team} destroyed the enemy fleet", {"result": "fleet_destroyed"}),
        Sentence("The battle is over: {winner:team} won by surrender"),
    ),
    "mines_revealed": _UNTOLD,
    "hangar_changed": (Sentence("{player:player} lost {lost:class|classes} of craft and {mines:mine}"),),
    "experience_changed": (Sentence("{player:player} now has {experience} of experience"),),
}
"""Event type -> its sentences, for every type that may be public."""
