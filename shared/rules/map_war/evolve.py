"""The state after one event. Nothing is decided here: every value comes from the event (MAP-93)."""

from collections.abc import Mapping

from shared.rules.interface import Event
from shared.rules.map_war.changes import Change
from shared.rules.map_war.changes_of_nations import CHANGES_OF_NATIONS
from shared.rules.map_war.changes_of_setup import CHANGES_OF_SETUP
from shared.rules.map_war.changes_of_turn import CHANGES_OF_TURN
from shared.rules.map_war.state import State

CHANGES: Mapping[str, Change] = {**CHANGES_OF_SETUP, **CHANGES_OF_NATIONS, **CHANGES_OF_TURN}
"""Event type -> what it does, for every type of the game."""


def evolve(state: State, event: Event) -> State:
    """Apply an event in place and return the state. Raises KeyError for a type that the game does not have."""
    CHANGES[event.type](state, event.data)
    return state
