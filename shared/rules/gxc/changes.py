"""What the changes of several event types have in common; every value comes from the event (GXC-104)."""

from collections.abc import Callable, Mapping
from typing import Any

from shared.rules.gxc.state import State

Data = Mapping[str, Any]
Change = Callable[[State, Data], None]
"""What an event of one type does to a state, in place."""


def nothing(state: State, data: Data) -> None:
    """Told for those who watch; the state learns it from other events."""
