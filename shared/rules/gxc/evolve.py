"""The state after one event. Nothing is decided here: every value comes from the event (GXC-104)."""

from collections.abc import Mapping

from shared.rules.gxc.changes import Change
from shared.rules.gxc.changes_of_play import CHANGES_OF_PLAY
from shared.rules.gxc.changes_of_turn import CHANGES_OF_TURN
from shared.rules.gxc.state import State
from shared.rules.interface import Event

CHANGES: Mapping[str, Change] = {**CHANGES_OF_PLAY, **CHANGES_OF_TURN}
"""Event type -> what it does, for every type of the game."""


def evolve(state: State, event: Event) -> State:
    """Apply an event in place and return the state. Raises KeyError for a type that GXC does not have."""
    CHANGES[event.type](state, event.data)
    return state
