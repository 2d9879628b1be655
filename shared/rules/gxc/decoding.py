"""From the canonical state to the working state.

Players and territories are read as columns: each column is checked at once, and only where that fails the shapes are
asked which path is wrong. A state of 100,000 players is read in a small multiple of what its JSON takes.
"""

from collections.abc import Mapping
from itertools import repeat
from operator import itemgetter
from typing import Any

from shared.rules.decoding import config_in, refuse
from shared.rules.gxc.board import Board
from shared.rules.gxc.canonical_form import FORM, ORDER, PLAYER
from shared.rules.gxc.config import KEYS, config_of, fault_of
from shared.rules.gxc.decoding_map import board_of, owners_of
from shared.rules.gxc.state import (
    ACTIVE,
    ENDED,
    NOBODY,
    PLAYER_STATUSES,
    RUNNING,
    BattlePlan,
    Nomination,
    Order,
    Players,
    Poll,
    State,
    Team,
    order_of,
)
from shared.rules.interface import Json
from shared.rules.shapes import ID, fault

_PLAYER_FIELDS = tuple(PLAYER.fields)
_ORDER_FIELDS = tuple(ORDER.fields)
_ATTACK_FIELDS = ("target", "energy")


def decode(canonical: Mapping[str, Json]) -> State:
    """The working state of a canonical one. Raises ValueError naming the path that is wrong."""
    if not isinstance(canonical, Mapping) or not {"players", "territories"} <= set(canonical):
        raise ValueError("state must be an object with players and territories")
    rest = {key: value for key, value in canonical.items() if key not in ("players", "territories")}
    config = config_in(rest, FORM, KEYS, fault_of)
    teams = [_team(team, rest["teams"][team]) for team in sorted(rest["teams"])]
    state = State(board_of(canonical["territories"]), teams, config_of(config))
    _read_turn(state, rest)
    state.owner = owners_of(canonical["territories"], state.board, state.team_index)
    state.players = _players(state, canonical["players"])
    for team in state.teams:
        _read_politics_of(state, team, rest["teams"][team.id])
    _read_nominations(state, rest["nominations"])
    for poll in sorted(rest["polls"]):
        _read_poll(state, poll, rest["polls"][poll])
    state.open_polls = {poll.id: poll for poll in state.polls.values() if poll.result is None}
    return state


def _known(index: Mapping[str, int], name: str, place: str, what: str) -> int:
    if name not in index:
        raise ValueError(f"{place} names {name!r}, which must be a {what} of the game")
    return index[name]


def _sorted(names: list[str], place: str) -> list[str]:
    if list(names) != sorted(set(names)):
        raise ValueError(f"{place} must be in ascending order without repeats")
    return names


def _read_turn(state: State, rest: Mapping[str, Any]) -> None:
    state.phase = rest["phase"]
    state.turn = rest["turn"]
    state.closed_turn = {RUNNING: state.turn - 1, ENDED: state.turn}.get(state.phase, 0)
    if (state.turn > 0) != (state.phase in (RUNNING, ENDED)):
        raise ValueError(f"turn must be 0 in the lobby and from 1 afterwards, not {state.turn} in phase {state.phase}")
    state.turn_opened_at = rest["turn_opened_at"]
    if (state.turn_opened_at is None) != (state.turn == 0):
        raise ValueError("turn_opened_at must be null in the lobby and an integer afterwards")
    state.turn_deadline = rest["turn_deadline"]
    state.clock_closed_at = rest["clock_closed_at"]
    state.winner = rest["winner"]
    if state.winner is not None:
        _known(state.team_index, state.winner, "winner", "team")
    for number, entry in enumerate(rest["ranking"]):
        _known(state.team_index, entry["team"], f"ranking.{number}.team", "team")
    state.ranking = [dict(entry) for entry in rest["ranking"]]
    for player, team in rest["assignments"].items():
        _known(state.team_index, team, f"assignments.{player}", "team")
    state.assignments = dict(rest["assignments"])


def _team(team: str, entry: Mapping[str, Any]) -> Team:
    place, end, plan = f"teams.{team}", entry["eliminated_at"], entry["battle_plan"]
    return Team(
        team,
        entry["name"],
        entry["status"],
        None if end is None else (end["turn"], end["step"]),
        entry["commander_ever"],
        set(_sorted(entry["commanders"], f"{place}.commanders")),
        entry["shield"]["used"],
        entry["shield"]["turns_left"],
        shield_votes=dict(entry["shield_votes"]),
        conquered_last_turn=entry["conquered_last_turn"],
        conquests_total=entry["conquests_total"],
        empire=entry["empire"],
        suspended_bonuses=set(_sorted(entry["suspended_bonuses"], f"{place}.suspended_bonuses")),
        battle_plan=None if plan is None else BattlePlan(plan["message"], plan["hash"], plan["author"], plan["seq"]),
    )


def _read_politics_of(state: State, team: Team, entry: Mapping[str, Any]) -> None:
    place = f"teams.{team.id}"
    for player in (*entry["commanders"], *entry["shield_votes"]):
        _known(state.players.index, player, f"{place}.commanders or shield_votes", "player")
    protected = f"{place}.shield.protected"
    names = _sorted(entry["shield"]["protected"], protected)
    team.protected = {_known(state.board.index, name, protected, "territory") for name in names}


def _read_nominations(state: State, entries: list[Mapping[str, Any]]) -> None:
    for number, entry in enumerate(entries):
        place = f"nominations.{number}"
        team = _known(state.team_index, entry["team"], f"{place}.team", "team")
        for player in (entry["target"], *entry["nominators"]):
            _known(state.players.index, player, place, "player")
        nominators = list(_sorted(entry["nominators"], f"{place}.nominators"))
        state.nominations[Nomination(team, entry["kind"], entry["target"])] = nominators
    if list(state.nominations) != sorted(state.nominations) or len(state.nominations) != len(entries):
        raise ValueError("nominations must be in the order of team, kind and target, without repeats")


def _read_poll(state: State, poll: str, entry: Mapping[str, Any]) -> None:
    place = f"polls.{poll}"
    team = _known(state.team_index, entry["team"], f"{place}.team", "team")
    number = poll.removeprefix(f"{entry['team']}-")
    if not (number.isascii() and number.isdigit() and number == str(int(number))):
        raise ValueError(f"{place} must be named {entry['team']}-1, {entry['team']}-2, ...")
    for player in (entry["target"], *entry["votes"]):
        _known(state.players.index, player, place, "player")
    state.polls[poll] = Poll(
        poll,
        team,
        int(number),
        entry["kind"],
        entry["target"],
        entry["opened_turn"],
        entry["closes_turn"],
        dict(entry["votes"]),
        entry["result"],
    )
    state.teams[team].polls = max(state.teams[team].polls, int(number))


def _players(state: State, entries: Any) -> Players:
    if not isinstance(entries, Mapping):
        raise ValueError("players must be an object")
    ids = sorted(entries)
    rows = [entries[player] for player in ids]
    try:
        players = _columns(state, ids, rows)
    except (LookupError, TypeError, ValueError):
        for player, row in zip(ids, rows, strict=True):
            if not ID.match(player):
                raise ValueError(f"players has the key {player!r}; keys must be ids") from None
            refuse(fault(PLAYER, row, f"players.{player}"))
            _check_player(state, f"players.{player}", row)
        raise
    return players


def _columns(state: State, ids: list[str], rows: list[Any]) -> Players:
    if not all(map(ID.match, ids)) or {*map(len, rows)} - {len(_PLAYER_FIELDS)}:
        raise ValueError("players must be objects keyed by ids")
    columns = [list(column) for column in zip(*map(itemgetter(*_PLAYER_FIELDS), rows), strict=True)]
    team, status, location, energy, start, energized_turn, streak, order = columns or [[] for _ in _PLAYER_FIELDS]
    for column in (energy, energized_turn, streak):
        if set(map(type, column)) - {int} or min(column, default=0) < 0:
            raise ValueError("players must have amounts from 0")
    if set(status) - set(PLAYER_STATUSES) or max(energized_turn, default=0) > state.turn:
        raise ValueError("players must have a known status")
    territory: dict[Any, int] = {None: NOBODY, **state.board.index}
    players = Players()
    players.ids = ids
    players.canonical_cache = list(range(len(ids)))
    players.index = {player: number for number, player in enumerate(ids)}
    players.team = [state.team_index[item] for item in team]
    players.status = status
    players.location = [territory[item] for item in location]
    players.energy = energy
    players.start = [territory[item] for item in start]
    players.energized_turn = energized_turn
    players.streak = streak
    players.streak_of = [max(turn, state.closed_turn) for turn in energized_turn]
    players.order = _orders(state.board, territory, ids, players.location, order)
    players.past = [None] * len(ids)
    for number, (state_of, place) in enumerate(zip(status, players.location, strict=True)):
        if (state_of == ACTIVE) != (place >= 0) or (place < 0 and (energy[number] or order[number])):
            raise ValueError("players must stand somewhere exactly when they are active")
    for number, given in enumerate(players.order):
        if given is not None and given.attack + given.defend > energy[number]:
            raise ValueError("players must have the energy of their orders")
    players.displaced = [
        number for number, (first, now) in enumerate(zip(players.start, players.location, strict=True)) if first != now
    ]
    return players


def _orders(
    board: Board, territory: Mapping[Any, int], ids: list[str], location: list[int], entries: list[Any]
) -> list[Order | None]:
    given = [entry for entry in entries if entry is not None]
    attacks = [entry["attack"] for entry in given]
    fought = [attack for attack in attacks if attack is not None]
    if {*map(len, given)} - {len(_ORDER_FIELDS)} or {*map(len, fought)} - {len(_ATTACK_FIELDS)}:
        raise ValueError("orders must have their fields and no others")
    energy = [attack["energy"] for attack in fought]
    defend, seq = [entry["defend"] for entry in given], [entry["seq"] for entry in given]
    if {*map(type, energy), *map(type, defend), *map(type, seq)} - {int}:
        raise ValueError("orders must have integers as amounts")
    if min(energy, default=1) < 1 or min(defend, default=0) < 0 or min(seq, default=0) < 0:
        raise ValueError("orders must have amounts from 0, attacks from 1")
    if any(attack["target"] is None for attack in fought):
        raise ValueError("attacks must have a target")
    moves = [territory[entry["move_to"]] for entry in given]
    targets = [NOBODY if attack is None else territory[attack["target"]] for attack in attacks]
    stacks = [0 if attack is None else attack["energy"] for attack in attacks]
    givers = [player for player, entry in zip(ids, entries, strict=True) if entry is not None]
    places = [place for place, entry in zip(location, entries, strict=True) if entry is not None]
    read = map(order_of, repeat(board), givers, places, moves, targets, stacks, defend, seq)
    return [None if entry is None else next(read) for entry in entries]


def _check_player(state: State, place: str, row: Mapping[str, Any]) -> None:
    """Raise ValueError for what the form allows and the rules do not (GXC-16, GXC-17)."""
    _known(state.team_index, row["team"], f"{place}.team", "team")
    order = row["order"]
    attack = order["attack"] if order else None
    territories = [row["location"], row["turn_start_location"], order["move_to"] if order else None]
    for territory in [*territories, attack["target"] if attack else None]:
        if territory is not None:
            _known(state.board.index, territory, place, "territory")
    if (row["status"] == ACTIVE) != (row["location"] is not None):
        raise ValueError(f"{place}.location must be a territory exactly when the status is {ACTIVE}")
    if row["location"] is None and (row["energy"] or order):
        raise ValueError(f"{place} must have energy 0 and no order unless the status is {ACTIVE}")
    if row["energized_turn"] > state.turn:
        raise ValueError(f"{place}.energized_turn must be at most the present turn {state.turn}")
    needed = (attack["energy"] if attack else 0) + (order["defend"] if order else 0)
    if needed > row["energy"]:
        raise ValueError(f"{place}.energy must be at least {needed}, the attack and defence of the order")
