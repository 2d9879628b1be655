"""Views of the game, its map and teams, and of its turns (GXC-13 to GXC-15, GXC-61 to GXC-70, GXC-94, GXC-99)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.rules.gxc.project_common import (
    BOARD,
    conquests_key,
    eliminated_key,
    empire_key,
    energies_write,
    opening_key,
    owner_write,
    place_writes,
    team_writes,
    turn_id,
)
from shared.rules.gxc.state import ACTIVE, DISQUALIFIED, ENDED, LOBBY, RUNNING
from shared.rules.interface import Event, Write
from shared.rules.projecting import OPERATORS, PUBLIC, Projection, game_write


def _game_created(event: Event) -> Iterator[Write]:
    config = event.data["config"]
    yield game_write(
        phase=LOBBY,
        turn=0,
        turn_opened_at=None,
        turn_deadline=None,
        closed_turn=0,
        winner=None,
        ranking=[],
        config=config,
    )
    for team, given in event.data["teams"].items():
        public = {
            "name": given["name"],
            "status": ACTIVE,
            "eliminated_at": None,
            "commander_ever": False,
            "commanders": [],
            "conquered_last_turn": False,
            "conquests_total": 0,
        }
        own: dict[str, Any] = {"shield_votes": {}, "suspended_bonuses": [], "battle_plan": None}
        (public if config["shield_public"] else own).update(shield_used=False, shield_turns_left=0, shield_protected=[])
        yield Write("team", team, PUBLIC, public)
        yield Write("team", team, f"team:{team}", own)


def _map_territories(event: Event) -> Iterator[Write]:
    for territory, entry in event.data["territories"].items():
        yield Write("territory", territory, PUBLIC, entry)


def _teams_assigned(event: Event) -> Iterator[Write]:
    for player, team in event.data["assignments"].items():
        yield Write("assignment", player, OPERATORS, {"team": team})


def _team_disqualified(event: Event) -> Iterator[Write]:
    return team_writes(event, status=DISQUALIFIED)


def _territories_abandoned(event: Event) -> Iterator[Write]:
    yield owner_write(dict.fromkeys(event.data["territories"]))


def _deadline_set(event: Event) -> Iterator[Write]:
    yield game_write(turn_deadline=event.data["deadline"])


def _time_shifted(event: Event) -> Iterator[Write]:
    yield game_write(turn_opened_at=event.data["opened_at"], turn_deadline=event.data["deadline"])


def _stands_on(event: Event) -> Iterable[Write]:
    return place_writes(event, {event.data["player"]: event.data["to"]})


def _captured(event: Event) -> Iterator[Write]:
    yield owner_write({event.data["territory"]: event.data["to"]})


def _energies(event: Event) -> Iterable[Write]:
    return (energies_write(event),)


def _team_eliminated(event: Event) -> Iterator[Write]:
    data = event.data
    yield Write("turn", turn_id(data["turn"]), PUBLIC, {f"eliminated:{data['team']}": data["step"]})
    # In the game's document, which a close writes anyway; of her team's a player is told that she is out, too.
    yield game_write(**{eliminated_key(data["team"]): [data["turn"], data["step"]]})


def _conquests_counted(event: Event) -> Iterator[Write]:
    data = event.data
    # In the game's document, which a close writes anyway.
    yield game_write(**{conquests_key(data["team"]): [data["conquered_last_turn"], data["conquests_total"]]})


def _opening(turn: int, **fields: Any) -> Write:
    """The opening of a turn stands in the document of the turn before, which closes then: one is written, not two."""
    return Write("turn", turn_id(turn - 1), PUBLIC, {opening_key(name): value for name, value in fields.items()})


def _turn_closed(event: Event) -> Iterator[Write]:
    data = event.data
    yield game_write(closed_turn=data["turn"])
    yield Write("turn", turn_id(data["turn"]), PUBLIC, {"closed_at": data["closed_at"], "by": data["by"]})


def _turn_opened(event: Event) -> Iterator[Write]:
    data = event.data
    yield game_write(phase=RUNNING, turn=data["turn"], turn_opened_at=data["opened_at"], turn_deadline=data["deadline"])
    yield _opening(data["turn"], opened_at=data["opened_at"])


def _empires_measured(event: Event) -> Iterator[Write]:
    empires = event.data["empires"]
    yield _opening(event.data["turn"], empires=empires)
    # In one document, for each opening measures all that play. Those who are out keep what they had.
    yield Write("game", "game", PUBLIC, {empire_key(team): size for team, size in empires.items()})


def _strength(event: Event) -> Iterator[Write]:
    turn = event.data["turn"]
    of_turn = {territory: [turn, *strength] for territory, strength in event.data["territories"].items()}
    for audience in event.to:
        yield Write("strength", BOARD, audience, of_turn)


def _game_ended(event: Event) -> Iterator[Write]:
    yield game_write(phase=ENDED, turn_deadline=None, winner=event.data["winner"], ranking=event.data["ranking"])


GAME: Mapping[str, Projection] = {
    "game_created": _game_created,
    "map_territories": _map_territories,
    "teams_assigned": _teams_assigned,
    "team_disqualified": _team_disqualified,
    "territories_abandoned": _territories_abandoned,
    "deadline_set": _deadline_set,
    "time_shifted": _time_shifted,
    "moved": _stands_on,
    "captured": _captured,
    "moved_in": _stands_on,
    "retreated": _stands_on,
    "energies": _energies,
    "team_eliminated": _team_eliminated,
    "conquests_counted": _conquests_counted,
    "turn_closed": _turn_closed,
    "turn_opened": _turn_opened,
    "empires_measured": _empires_measured,
    "strength": _strength,
    "game_ended": _game_ended,
}
"""Event type -> projection."""
