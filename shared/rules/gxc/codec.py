"""The canonical state: what is hashed, snapshotted and patched by scenarios (GXC-13 to GXC-18); decoding.py reads it.

Besides the names of the rules it holds `assignments` (player -> team, empty unless `team_choice` is `assigned`) and
`clock_closed_at` (the deadline at which the clock last closed a turn, GXC-106).
"""

from shared.rules.gxc.decoding import decode
from shared.rules.gxc.state import NOBODY, Order, Poll, State, Team
from shared.rules.interface import Json

__all__ = ["decode", "encode"]


def encode(state: State) -> dict[str, Json]:
    """The canonical state; sets are sorted lists, collections of things with ids are objects keyed by id."""
    return {
        "phase": state.phase,
        "turn": state.turn,
        "turn_opened_at": state.turn_opened_at,
        "turn_deadline": state.turn_deadline,
        "clock_closed_at": state.clock_closed_at,
        "winner": state.winner,
        "ranking": [dict(entry) for entry in state.ranking],
        "nominations": _nominations(state),
        "polls": {poll.id: _poll(state, poll) for poll in state.polls.values()},
        "config": state.config.canonical(),
        "assignments": dict(state.assignments),
        "territories": _territories(state),
        "teams": {team.id: _team(state, team) for team in state.teams},
        "players": _players(state),
    }


def encode_order(state: State, order: Order) -> dict[str, Json]:
    """An order without its seq, as events and the canonical state have it (GXC-17)."""
    ids = state.board.ids
    return {
        "move_to": None if order.move_to == NOBODY else ids[order.move_to],
        "attack": None if order.target == NOBODY else {"target": ids[order.target], "energy": order.attack},
        "defend": order.defend,
    }


def _nominations(state: State) -> list[Json]:
    return [
        {
            "team": state.teams[record.team].id,
            "kind": record.kind,
            "target": record.target,
            "nominators": list(state.nominations[record]),
        }
        for record in sorted(state.nominations)
    ]


def _poll(state: State, poll: Poll) -> dict[str, Json]:
    return {
        "team": state.teams[poll.team].id,
        "kind": poll.kind,
        "target": poll.target,
        "opened_turn": poll.opened_turn,
        "closes_turn": poll.closes_turn,
        "votes": dict(poll.votes),
        "result": poll.result,
    }


def _territories(state: State) -> dict[str, Json]:
    names: list[str | None] = [team.id for team in state.teams] + [None]  # NOBODY is the last one
    board = state.board
    ids = board.ids
    # As Board.entry has them; asked for each of them it took half as long again, at every certificate.
    return {
        territory: {
            "name": name,
            "neighbours": [ids[item] for item in around],
            "centroid": {"x": x, "y": y},
            "special": special,
            "owner": names[owner],
        }
        for territory, name, around, x, y, special, owner in zip(
            ids, board.names, board.neighbours, board.x, board.y, board.special, state.owner, strict=True
        )
    }


def _team(state: State, team: Team) -> dict[str, Json]:
    plan = team.battle_plan
    return {
        "name": team.name,
        "status": team.status,
        "eliminated_at": None
        if team.eliminated_at is None
        else {"turn": team.eliminated_at[0], "step": team.eliminated_at[1]},
        "commander_ever": team.commander_ever,
        "commanders": sorted(team.commanders),
        "shield": {
            "used": team.shield_used,
            "turns_left": team.shield_turns_left,
            "protected": [state.board.ids[territory] for territory in sorted(team.protected)],
        },
        "shield_votes": dict(team.shield_votes),
        "conquered_last_turn": team.conquered_last_turn,
        "conquests_total": team.conquests_total,
        "empire": team.empire,
        "suspended_bonuses": sorted(team.suspended_bonuses),
        "battle_plan": None if plan is None else plan._asdict(),
    }


def _players(state: State) -> dict[str, Json]:
    players, closed = state.players, state.closed_turn
    teams = [team.id for team in state.teams]
    territories: list[str | None] = [*state.board.ids, None]  # NOBODY is the last one
    return {
        player: {
            "team": teams[team],
            "status": status,
            "location": territories[location],
            "energy": energy,
            "turn_start_location": territories[start],
            "energized_turn": energized_turn,
            "streak": streak if streak_of >= closed else 0,
            "order": None if order is None else {**encode_order(state, order), "seq": order.seq},
        }
        for player, team, status, location, energy, start, energized_turn, streak, streak_of, order in zip(
            players.ids,
            players.team,
            players.status,
            players.location,
            players.energy,
            players.start,
            players.energized_turn,
            players.streak,
            players.streak_of,
            players.order,
            strict=True,
        )
    }
