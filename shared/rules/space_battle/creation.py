"""From the creation of a War Room to its first state and the events that announce it."""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.event_rows import parts_of
from shared.rules.interface import Event, Input, Refusal
from shared.rules.shapes import Anything, Integer, Keyed, Object, fault
from shared.rules.space_battle.config import config_of, fault_of
from shared.rules.space_battle.events import PART
from shared.rules.space_battle.state import Player, State
from shared.rules.space_battle.tables import CLASSES, MOST, fault_of_table

FEWEST_PLAYERS, MOST_PLAYERS = 2, 10_000

CREATE = Object(
    {
        "players": Keyed(Object({"hangar": Keyed(Integer(0, MOST))})),
        "config": Keyed(Anything(), keys_are_ids=False),
    },
    optional=frozenset({"config"}),
)
"""Form of the creation of a game: the players with the craft they own (SPB-14)."""


def initial(create: Input) -> tuple[State, list[Event]] | Refusal:
    """The War Room without a challenge, or `malformed`, `not_authorised`, `unknown_id`, `bad_config`."""
    payload = create.payload
    if found := fault(CREATE, payload) or _fault_of_count(payload["players"]):
        return Refusal("malformed", "ENG-5", found)
    if create.role != "operator":
        return Refusal("not_authorised", "SPB, section 17", "an operator creates games")
    given: Mapping[str, Any] = payload.get("config", {})
    if found := _unknown_class(given, payload["players"]):
        return Refusal("unknown_id", "SPB-107", found)
    if found := fault_of(given):
        return Refusal("bad_config", "SPB-20" if ".classes" in found else "SPB, section 2", found)
    config = config_of(given)
    players = {
        name: Player({item: payload["players"][name]["hangar"].get(item, 0) for item in config.classes}, 0)
        for name in sorted(payload["players"])
    }
    state = State(config, players)
    return state, list(_announcement(state))


def _fault_of_count(players: Mapping[str, Any]) -> str | None:
    if FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        return None
    return f"payload.players must name {FEWEST_PLAYERS} to {MOST_PLAYERS} players; there are {len(players)}"


def _unknown_class(given: Mapping[str, Any], players: Mapping[str, Any]) -> str | None:
    """A class of a hangar that the table does not have; of a table that is none nothing is said here."""
    table = given.get("classes", CLASSES)
    if table is not CLASSES and fault_of_table("config.classes", table):
        return None
    for name in sorted(players):
        for item in sorted(players[name]["hangar"]):
            if item not in table:
                return f"payload.players.{name}.hangar names {item}; the classes are {', '.join(sorted(table))}"
    return None


def _announcement(state: State) -> Iterator[Event]:
    yield Event("game_created", {"config": state.config.canonical(), "players": len(state.players)})
    for part, parts, names in parts_of(list(state.players), PART):
        hangars = {name: dict(state.players[name].hangar) for name in names}
        yield Event("players_entered", {"part": part, "parts": parts, "hangars": hangars})
