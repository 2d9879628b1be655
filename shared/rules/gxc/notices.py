"""What concerns a team or a player herself. A siege that held is in the report alone: its event names no owner."""

from collections.abc import Mapping

from shared.rules.interface import Sentence
from shared.rules.notices import Notice

NOTICES: Mapping[str, tuple[Notice, ...]] = {
    "captured": (
        Notice(
            "territory_lost",
            "team:{from}",
            ("territory", "to"),
            (Sentence("{to:team} attacked your {territory:place} and took it"),),
        ),
    ),
    "order_voided": (
        Notice(
            "order_voided",
            "player:{player}",
            ("part", "code"),
            (
                Sentence("You had to stay: your move had become impossible", {"part": "move"}),
                Sentence("You defended instead: your attack had become impossible"),
            ),
        ),
    ),
    "poll_opened": (
        Notice(
            "vote_pending",
            "team:{team}",
            ("poll", "kind", "target", "closes_turn"),
            (
                Sentence(
                    "Your vote is asked for: shall {target:player} command? Until turn {closes_turn} closes",
                    {"kind": "commander"},
                ),
                Sentence(
                    "Your vote is asked for: shall {target:player} command no more? Until turn {closes_turn} closes",
                    {"kind": "impeach"},
                ),
                Sentence("Your vote is asked for: is {target:player} a spy? Until turn {closes_turn} closes"),
            ),
        ),
    ),
    "commander_elected": (
        Notice("elected", "player:{player}", ("team",), (Sentence("You command {team:team} from now on"),)),
    ),
    "commander_removed": (
        Notice("office_lost", "player:{player}", ("team",), (Sentence("You command {team:team} no more"),)),
    ),
    "spy_expelled": (
        Notice("expelled", "player:{player}", ("team",), (Sentence("{team:team} expelled you as a spy"),)),
    ),
    "player_removed": (
        Notice(
            "removed",
            "player:{player}",
            ("team", "reason"),
            (
                Sentence("A game master removed you from {team:team}", {"reason": ""}),
                Sentence("A game master removed you from {team:team}: {reason}"),
            ),
        ),
    ),
    "mail_sent": (Notice("mail", "team:{team}", ("author", "message"), (Sentence("{author:player} sent you mail"),)),),
    "battle_plan_edited": (
        Notice(
            "battle_plan", "team:{team}", ("author", "message"), (Sentence("{author:player} changed the battle plan"),)
        ),
    ),
    "shield_activated": (
        Notice(
            "shield_up",
            "team:{team}",
            ("protected", "turns_left"),
            (Sentence("Your shield is up over {protected:place} for {turns_left:turn}"),),
        ),
    ),
    "shield_ended": (Notice("shield_down", "team:{team}", (), (Sentence("Your shield is down"),)),),
    "bonus_suspended": (
        Notice("bonus_suspended", "team:{team}", ("bonus",), (Sentence("A game master suspended your {bonus} bonus"),)),
    ),
    "bonus_restored": (
        Notice("bonus_restored", "team:{team}", ("bonus",), (Sentence("A game master restored your {bonus} bonus"),)),
    ),
    "players_out": (  # the team sees nothing of its own any more, each of its players does
        Notice("out", "player:{players}", ("team",), (Sentence("{team:team} is out of the war, and you with it"),)),
    ),
    "game_ended": (
        Notice(
            "game_over",
            "team:{ranking.team}",
            ("winner",),
            (
                Sentence("The war is over, and nobody won it alone", {"winner": None}),
                Sentence("The war is over: {winner:team} won it"),
            ),
        ),
    ),
}
"""Event type -> its notices (GXC-40, GXC-54, GXC-73, GXC-77 to GXC-83, GXC-92 to GXC-95, GXC-109)."""
