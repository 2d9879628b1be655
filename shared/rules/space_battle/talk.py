"""The chat of the War Room: the text is kept outside, its event carries where and the salted hash (SPB-80).

The intake puts `message` and `hash` in the place of the text. Where a payload still holds the text (a scenario), the
message is the input's id and the hash null.
"""

from shared.rules.interface import Decision, Dice, Event, Input, Refusal
from shared.rules.space_battle.commands import CHAT_LIMIT
from shared.rules.space_battle.state import State


def chat(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-80, SPB-107: both players read it, also when the battle is over."""
    payload = command.payload
    if len(payload.get("text", "")) > CHAT_LIMIT:
        return Refusal("too_long", "SPB-107", f"text may have at most {CHAT_LIMIT} characters")
    players = () if state.fought is None else state.fought.players
    data = {
        "author": command.actor,
        "message": payload.get("message", command.id),
        "hash": payload.get("hash"),
    }
    return [Event("chat_sent", data, tuple(f"player:{name}" for name in players))]
