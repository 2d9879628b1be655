"""Judging one input: the common checks in the order of ENG-5, then the command's own (section 4 of the rules)."""

from collections.abc import Callable, Mapping

from shared.rules.checks import unknown_type, wrong_period, wrong_role
from shared.rules.gxc import entering, offices, operators, orders, shield, talk
from shared.rules.gxc.close import close_turn
from shared.rules.gxc.commands import COMMANDS
from shared.rules.gxc.state import ACTIVE, ENDED, LOBBY, RUNNING, UNPLACED, State
from shared.rules.interface import Command, Decision, Dice, Event, Input, Refusal
from shared.rules.shapes import fault

Handler = Callable[[State, Input], list[Event] | Refusal]

LOBBY_COMMANDS = frozenset({"start_game", "join", "place", "chat", "remove_player"})
"""What the lobby takes; everything but `start_game` is possible in a running game (section 3, phases)."""
STATUSES: Mapping[str, tuple[str, ...]] = {"place": (UNPLACED, ACTIVE), "energize": (UNPLACED, ACTIVE)}
"""Status of the actor where it need not be active (GXC-20)."""
ANY_STATUS = frozenset({"join", "chat"})


def decide(state: State, command: Input, dice: Dice) -> Decision:
    """The events of an input, or why it is refused; the state stays as it is."""
    if refusal := _common_checks(state, command):
        return refusal
    if command.type == "close_turn":
        return close_turn(state, command, dice)
    return _HANDLERS[command.type](state, command)


def _common_checks(state: State, command: Input) -> Refusal | None:
    row = COMMANDS.get(command.type)
    if row is None:
        return unknown_type(COMMANDS)
    return (
        _malformed(row, command)
        or _game_over(state, command)
        or _not_authorised(state, row, command)
        or _unknown_id(state, command)
        or _wrong_phase(state, command)
        or wrong_period(command, "turn", state.turn)
        or _not_active(state, command)
        or _deadline_passed(state, command)
    )


def _malformed(row: Command, command: Input) -> Refusal | None:
    payload = command.payload
    found = fault(row.payload, payload)
    if found is None and row.texts:
        given = {name for name in (*row.texts, "message", "hash") if name in payload}
        if given not in (set(row.texts), {"message", "hash"}):
            found = f"payload must hold {' and '.join(row.texts)}, or message and hash in their place"
    return None if found is None else Refusal("malformed", "ENG-5", found)


def _game_over(state: State, command: Input) -> Refusal | None:
    if state.phase == ENDED and command.type != "chat":
        return Refusal("game_over", "ENG-5", "the game has ended; only chat goes on")
    return None


def _not_authorised(state: State, row: Command, command: Input) -> Refusal | None:
    if refusal := wrong_role(row, command):
        return refusal
    if command.role == "player" and command.type != "join" and command.actor not in state.players.index:
        return Refusal("not_authorised", "ENG-5", "somebody who is not in the game may only join")
    return None


def _unknown_id(state: State, command: Input) -> Refusal | None:
    payload, players = command.payload, state.players.index
    attack = payload.get("attack")
    for name, known, what in (
        (payload.get("team"), state.team_index, "team"),
        (payload.get("territory"), state.board.index, "territory"),
        (payload.get("move_to"), state.board.index, "territory"),
        (attack["target"] if attack else None, state.board.index, "territory"),
        (payload.get("target"), players, "player"),
        (payload.get("player"), players, "player"),
    ):
        if name is not None and name not in known:
            return Refusal("unknown_id", "ENG-5", f"there is no {what} {name} in this game")
    if command.type == "vote":
        poll, actor = state.polls.get(payload["poll"]), players[command.actor]
        member = state.players.status[actor] in (UNPLACED, ACTIVE)  # nobody else may know of its polls (GXC-103)
        if poll is None or poll.team != state.players.team[actor] or not member:  # GXC-100
            return Refusal("unknown_id", "ENG-5", f"your team has no poll {payload['poll']}")
    return None


def _wrong_phase(state: State, command: Input) -> Refusal | None:
    if state.phase == LOBBY and command.type not in LOBBY_COMMANDS:
        possible = ", ".join(sorted(LOBBY_COMMANDS))
        return Refusal("wrong_phase", "GXC-13", f"the game is in the lobby, which takes {possible}")
    if state.phase != LOBBY and command.type == "start_game":
        return Refusal("wrong_phase", "GXC-13", "start_game is possible in the lobby; this game has started")
    return None


def _not_active(state: State, command: Input) -> Refusal | None:
    if command.role != "player" or command.type in ANY_STATUS:
        return None
    status = state.players.status[state.players.index[command.actor]]
    wanted = STATUSES.get(command.type, (ACTIVE,))
    if status in wanted:
        return None
    return Refusal(
        "not_active", "GXC-20", f"{command.type} is for players who are {' or '.join(wanted)}; you are {status}"
    )


def _deadline_passed(state: State, command: Input) -> Refusal | None:
    """GXC-106. A host that keeps ENG-3 never brings it about."""
    if command.role != "player" or state.phase != RUNNING:
        return None
    closed, deadline = state.clock_closed_at, state.turn_deadline
    if (closed is None or command.at > closed) and (deadline is None or command.at <= deadline):
        return None
    return Refusal("deadline_passed", "GXC-106", f"a command of turn {state.turn} must be in by its deadline")


_HANDLERS: Mapping[str, Handler] = {
    "start_game": operators.start_game,
    "join": entering.join,
    "place": entering.place,
    "energize": entering.energize,
    "set_order": orders.set_order,
    "clear_order": orders.clear_order,
    "nominate": offices.nominate,
    "vote": offices.vote,
    "activate_shield": shield.activate_shield,
    "vote_shield": shield.vote_shield,
    "edit_battle_plan": talk.edit_battle_plan,
    "send_team_mail": talk.send_team_mail,
    "chat": talk.chat,
    "suspend_bonus": operators.suspend_bonus,
    "restore_bonus": operators.restore_bonus,
    "remove_player": operators.remove_player,
    "disqualify_team": operators.disqualify_team,
    "set_deadline": operators.set_deadline,
    "shift_time": operators.shift_time,
}
