"""What players, offices and operators change while a turn is open: by event type, in place."""

from collections.abc import Mapping

from shared.rules.gxc.changes import Change, Data, nothing
from shared.rules.gxc.state import (
    ACTIVE,
    DISQUALIFIED,
    EXPELLED,
    NOBODY,
    OUT,
    RUNNING,
    UNPLACED,
    BattlePlan,
    Nomination,
    Poll,
    State,
    order_of,
)


def _joined(state: State, data: Data) -> None:
    players, team = state.players, state.team_index[data["team"]]
    number = players.index.get(data["player"])
    if number is None:
        players.add(data["player"], team)
        return
    players.team[number] = team
    players.status[number] = UNPLACED
    players.streak[number] = players.energized_turn[number] = 0


def _placed(state: State, data: Data) -> None:
    players = state.players
    player, territory = players.index[data["player"]], state.board.index[data["territory"]]
    players.status[player] = ACTIVE
    players.location[player] = territory
    if state.phase == RUNNING:  # GXC-108; in the lobby turn 1 records it at its opening
        players.start[player] = territory
    else:
        players.displaced.append(player)


def _energized(state: State, data: Data) -> None:
    players = state.players
    player = players.index[data["player"]]
    players.energy[player] = data["energy"]
    players.streak[player] = data["streak"]
    players.streak_of[player] = players.energized_turn[player] = data["turn"]


def _order_set(state: State, data: Data) -> None:
    index, players = state.board.index, state.players
    player = players.index[data["player"]]
    before, move_to, attack = players.order[player], data["move_to"], data["attack"]
    players.past[player] = None
    players.order[player] = order = order_of(
        state.board,
        players.ids[player],
        players.location[player],
        NOBODY if move_to is None else index[move_to],
        NOBODY if attack is None else index[attack["target"]],
        0 if attack is None else attack["energy"],
        data["defend"],
        0 if before is None else before.seq,
    )
    if order.move_to != NOBODY and not state.board.transport:
        order.steps = state.geography.short.get(players.location[player] * len(state.owner) + order.move_to, 0)


def _order_numbered(state: State, data: Data) -> None:
    players = state.players
    player = players.index[data["player"]]
    order = players.order[player]
    if order is not None:
        order.seq = data["seq"]


def _order_cleared(state: State, data: Data) -> None:
    state.players.order[state.players.index[data["player"]]] = None


def _leave(state: State, player: int, status: str) -> None:
    players = state.players
    players.status[player] = status
    players.location[player] = players.start[player] = NOBODY
    players.energy[player] = 0
    players.order[player] = None


def _expelled(state: State, data: Data) -> None:
    _leave(state, state.players.index[data["player"]], EXPELLED)


def _players_out(state: State, data: Data) -> None:
    index = state.players.index
    for player in data["players"]:
        _leave(state, index[player], OUT)


def _nominations(state: State, data: Data) -> None:
    record = Nomination(state.team_index[data["team"]], data["kind"], data["target"])
    if data["nominators"]:
        state.nominations[record] = list(data["nominators"])
    else:
        state.nominations.pop(record, None)


def _poll_opened(state: State, data: Data) -> None:
    team = state.team_index[data["team"]]
    state.teams[team].polls += 1
    state.nominations.pop(Nomination(team, data["kind"], data["target"]), None)
    state.polls[data["poll"]] = state.open_polls[data["poll"]] = Poll(
        data["poll"],
        team,
        state.teams[team].polls,
        data["kind"],
        data["target"],
        data["opened_turn"],
        data["closes_turn"],
    )


def _voted(state: State, data: Data) -> None:
    state.polls[data["poll"]].votes[data["player"]] = data["choice"]


def _vote_dropped(state: State, data: Data) -> None:
    state.polls[data["poll"]].votes.pop(data["player"], None)


def _poll_closed(state: State, data: Data) -> None:
    state.open_polls.pop(data["poll"]).result = data["result"]


def _commanders(state: State, data: Data) -> None:
    team = state.teams[state.team_index[data["team"]]]
    team.commanders = set(data["commanders"])


def _commander_elected(state: State, data: Data) -> None:
    _commanders(state, data)
    state.teams[state.team_index[data["team"]]].commander_ever = True


def _shield_votes(state: State, data: Data) -> None:
    state.teams[state.team_index[data["team"]]].shield_votes = dict(data["votes"])


def _shield_activated(state: State, data: Data) -> None:
    team = state.teams[state.team_index[data["team"]]]
    team.shield_used = True
    team.shield_turns_left = data["turns_left"]
    team.protected = {state.board.index[territory] for territory in data["protected"]}


def _shield_counted(state: State, data: Data) -> None:
    state.teams[state.team_index[data["team"]]].shield_turns_left = data["turns_left"]


def _shield_ended(state: State, data: Data) -> None:
    team = state.teams[state.team_index[data["team"]]]
    team.shield_turns_left = 0
    team.protected = set()


def _battle_plan_edited(state: State, data: Data) -> None:
    team = state.teams[state.team_index[data["team"]]]
    team.battle_plan = BattlePlan(data["message"], data["hash"], data["author"], 0)


def _battle_plan_numbered(state: State, data: Data) -> None:
    team = state.teams[state.team_index[data["team"]]]
    if team.battle_plan is not None:
        team.battle_plan = team.battle_plan._replace(seq=data["seq"])


def _suspended_bonuses(state: State, data: Data) -> None:
    state.teams[state.team_index[data["team"]]].suspended_bonuses = set(data["suspended_bonuses"])


def _team_disqualified(state: State, data: Data) -> None:
    state.teams[state.team_index[data["team"]]].status = DISQUALIFIED


def _territories_abandoned(state: State, data: Data) -> None:
    for territory in data["territories"]:
        state.owner[state.board.index[territory]] = NOBODY
    state.geography_cache = None


CHANGES_OF_PLAY: Mapping[str, Change] = {
    "game_created": nothing,
    "map_territories": nothing,
    "teams_assigned": nothing,
    "joined": _joined,
    "placed": _placed,
    "energized": _energized,
    "order_set": _order_set,
    "order_numbered": _order_numbered,
    "order_cleared": _order_cleared,
    "order_reverted": _order_set,
    "player_removed": _expelled,
    "players_out": _players_out,
    "sight_set": nothing,
    "attack_sighted": nothing,
    "defence_sighted": nothing,
    "nominated": _nominations,
    "nomination_dropped": _nominations,
    "poll_opened": _poll_opened,
    "voted": _voted,
    "vote_dropped": _vote_dropped,
    "poll_counted": nothing,
    "poll_closed": _poll_closed,
    "commander_elected": _commander_elected,
    "commander_removed": _commanders,
    "spy_expelled": _expelled,
    "shield_voted": _shield_votes,
    "shield_vote_dropped": _shield_votes,
    "shield_activated": _shield_activated,
    "shield_counted": _shield_counted,
    "shield_ended": _shield_ended,
    "battle_plan_edited": _battle_plan_edited,
    "battle_plan_numbered": _battle_plan_numbered,
    "mail_sent": nothing,
    "chat_sent": nothing,
    "bonus_suspended": _suspended_bonuses,
    "bonus_restored": _suspended_bonuses,
    "team_disqualified": _team_disqualified,
    "territories_abandoned": _territories_abandoned,
}
