"""What concerns a player herself: challenges and their times, her moves, and what she loses."""

from collections.abc import Mapping

from shared.rules.interface import Sentence
from shared.rules.notices import Notice

NOTICES: Mapping[str, tuple[Notice, ...]] = {
    "challenge_issued": (
        Notice(
            "challenged",
            "player:{challenged}",
            ("challenge", "challenger", "expires_at"),
            (Sentence("{challenger:player} challenges you; answer by {expires_at:time}"),),
        ),
    ),
    "challenge_accepted": (
        Notice(
            "challenge_accepted",
            "player:{challenger}",
            ("challenge", "number", "proposed_time", "proposed_by"),
            (
                Sentence(
                    "{proposed_by:player} accepts your challenge: {number} craft on each side, on {proposed_time:time}"
                ),
            ),
        ),
    ),
    "challenge_refused": (
        Notice(
            "challenge_refused",
            "player:{challenger}",
            ("challenge", "challenged"),
            (Sentence("{challenged:player} refuses your challenge"),),
        ),
    ),
    "challenge_withdrawn": (
        Notice(
            "challenge_withdrawn",
            "player:{challenged}",
            ("challenge", "challenger"),
            (Sentence("{challenger:player} took the challenge back"),),
        ),
    ),
    "challenge_expired": (
        Notice("challenge_expired", "player:{players}", ("challenge",), (Sentence("Challenge {challenge} expired"),)),
    ),
    "time_proposed": (
        Notice(
            "time_proposed",
            "player:{to}",
            ("challenge", "proposed_time", "proposed_by"),
            (Sentence("{proposed_by:player} proposes to start on {proposed_time:time}"),),
        ),
    ),
    "time_agreed": (
        Notice(
            "time_agreed",
            "player:{players}",
            ("challenge", "start_time"),
            (Sentence("Your battle starts on {start_time:time}; deploy and be ready by then"),),
        ),
    ),
    "battle_started": (
        Notice(
            "battle_started",
            "player:{players}",
            ("to_move",),
            (Sentence("Your battle has started; {to_move:team} has the first move"),),
        ),
    ),
    "move_ended": (
        Notice(
            "your_move",
            "side:{to_move}",
            ("move_no", "move_started_at"),
            (Sentence("Move {move_no} is yours"),),
        ),
    ),
    "time_warning": (
        Notice(
            "time_warning",
            "side:{side}",
            ("move_no", "seconds"),
            (Sentence("{seconds:second} are left of your move {move_no}"),),
        ),
    ),
    "move_forfeited": (
        Notice(
            "move_forfeited",
            "side:{side}",
            ("move_no", "forfeits"),
            (Sentence("The time of your move {move_no} is over; {forfeits:forfeit} in a row"),),
        ),
    ),
    "craft_destroyed": (
        Notice(
            "craft_destroyed",
            "side:{side}",
            ("craft", "class", "move_no"),
            (Sentence("You lost {craft}, a {class}, in move {move_no}"),),
        ),
    ),
    "battle_ended": (
        Notice(
            "battle_over",
            "player:{players}",
            ("result", "winner"),
            (
                Sentence("Your battle was cancelled", {"result": "cancelled"}),
                Sentence("Your battle ended in a draw", {"winner": None}),
                Sentence("Your battle is over: {winner:team} won it"),
            ),
        ),
    ),
}
"""Event type -> its notices (SPB-21 to SPB-24, SPB-54 to SPB-59, SPB-63)."""
