"""Judging one input: the common checks in the order of ENG-5, then the command's own (section 11 of the rules)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from shared.rules.checks import unknown_type, wrong_role
from shared.rules.interface import Command, Decision, Dice, Input, Refusal
from shared.rules.shapes import fault
from shared.rules.space_battle import challenges, clock, deployment, operators, parts_of_moves, starting, talk, times
from shared.rules.space_battle.commands import COMMANDS
from shared.rules.space_battle.state import ACCEPTED, DEPLOYING, ENDED, ISSUED, RUNNING, Challenge, State

Handler = Callable[[State, Input, Dice], Decision]

PHASES: Mapping[str, tuple[str, ...]] = {
    "deploy": (DEPLOYING,),
    "ready": (DEPLOYING,),
    "start_battle": (DEPLOYING,),
    "move_craft": (RUNNING,),
    "fire": (RUNNING,),
    "end_move": (RUNNING,),
    "surrender": (RUNNING,),
    "abort": (DEPLOYING, RUNNING),
    "chat": (DEPLOYING, RUNNING, ENDED),
}
"""Command of the battle -> its phases; all others are possible in each."""
STATUSES: Mapping[str, tuple[str, ...]] = {
    "accept_challenge": (ISSUED,),
    "refuse_challenge": (ISSUED,),
    "propose_time": (ACCEPTED,),
    "agree_time": (ACCEPTED,),
    "request_staff_time": (ACCEPTED,),
    "set_time": (ACCEPTED,),
    "withdraw": (ISSUED, ACCEPTED),
}
"""Command of a challenge -> its statuses."""
OF_THE_CHALLENGED = ("accept_challenge", "refuse_challenge")
PARTS_OF_MOVES = ("move_craft", "fire", "end_move")


def decide(state: State, command: Input, dice: Dice) -> Decision:
    """The events of an input, or why it is refused; the state stays as it is (SPB-73)."""
    row = COMMANDS.get(command.type)
    if row is None:
        return unknown_type(COMMANDS)
    refusal = (
        malformed(row, command.payload)
        or _game_over(state, command)
        or _not_authorised(state, row, command)
        or _unknown_id(state, command)
        or _wrong_phase(state, command)
        or _deadline_passed(state, command)
    )
    return refusal or _HANDLERS[command.type](state, command, dice)


def malformed(row: Command, payload: Any) -> Refusal | None:
    """What is wrong with the form of a command (SPB-70)."""
    found = fault(row.payload, payload)
    if found is None:
        short = next((place for place, square in _squares(payload) if len(square) != 2), None)
        found = None if short is None else f"payload.{short} must be [column, row]"
    return None if found is None else Refusal("malformed", "ENG-5", found)


def _squares(payload: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every square of a payload of the right form, with its place."""
    for name in ("to", "base"):
        if name in payload:
            yield name, payload[name]
    if "base" in payload:
        yield from ((f"craft.{index}.at", item["at"]) for index, item in enumerate(payload["craft"]))
        yield from ((f"mines.{index}", square) for index, square in enumerate(payload.get("mines", ())))


def _game_over(state: State, command: Input) -> Refusal | None:
    if state.phase == ENDED and command.type != "chat":
        return Refusal("game_over", "SPB-102", "the battle has ended; it can be looked at and replayed")
    return None


def _not_authorised(state: State, row: Command, command: Input) -> Refusal | None:
    """Who may say what (section 11). Without a battle nobody is left out of it: the phase is what is wrong."""
    if refusal := wrong_role(row, command):
        return refusal
    if command.role != "player":
        return None
    if command.actor not in state.players:
        return Refusal("not_authorised", "ENG-5", "only players of this War Room take part in it")
    if command.type in PHASES:
        if state.battle is not None and state.side_of(command.actor) is None:
            return Refusal("not_authorised", "ENG-5", f"{command.type} is for the two who fight the battle")
    elif challenge := _challenge_of(state, command):
        return _not_of_challenge(challenge, command)
    return None


def _challenge_of(state: State, command: Input) -> Challenge | None:
    return state.challenges.get(command.payload.get("challenge", 0))


def _not_of_challenge(challenge: Challenge, command: Input) -> Refusal | None:
    if command.type in OF_THE_CHALLENGED:
        allowed: tuple[str, ...] = (challenge.challenged,)
    elif command.type == "withdraw":
        allowed = (challenge.challenger,)
    else:
        allowed = challenge.players
    if command.actor in allowed:
        return None
    return Refusal("not_authorised", "ENG-5", f"{command.type} is for {' and '.join(allowed)}")


def _unknown_id(state: State, command: Input) -> Refusal | None:
    """SPB-107. Before the start a player knows of no craft but her own (SPB-30)."""
    payload = command.payload
    match command.type:
        case "issue_challenge" if payload["challenged"] not in state.players:
            return Refusal("unknown_id", "ENG-5", f"there is no player {payload['challenged']} in this War Room")
        case "deploy":
            return next((refusal for _, refusal in unknown_classes(state, payload)), None)
        case "move_craft" | "fire":
            return _unknown_craft(state, command)
    if "challenge" in payload and _challenge_of(state, command) is None:
        return Refusal("unknown_id", "ENG-5", f"there is no challenge {payload['challenge']}")
    return None


def unknown_classes(state: State, payload: Mapping[str, Any]) -> Iterator[tuple[str, Refusal]]:
    """SPB-107: classes of a deployment that the table does not have, with their places."""
    known = state.config.classes
    for number, item in enumerate(payload["craft"]):
        if item["class"] not in known:
            told = f"there is no class {item['class']}; the classes are {', '.join(sorted(known))}"
            yield f"craft.{number}.class", Refusal("unknown_id", "SPB-107", told)


def _unknown_craft(state: State, command: Input) -> Refusal | None:
    side = state.side_of(command.actor)
    for name in (command.payload[key] for key in ("craft", "target") if key in command.payload):
        craft = state.craft.get(name)
        if craft is None or (state.phase != RUNNING and craft.side != side):
            return Refusal("unknown_id", "SPB-107", f"there is no craft {name} in the battle")
    return None


def _wrong_phase(state: State, command: Input) -> Refusal | None:
    if command.type in PHASES and state.phase not in PHASES[command.type]:
        legal = " or ".join(PHASES[command.type])
        return Refusal("wrong_phase", "SPB, section 3", f"{command.type} is possible in the phase {legal}")
    if command.type in STATUSES:
        challenge = _challenge_of(state, command)
        if challenge is not None and challenge.status not in STATUSES[command.type]:
            legal = " or ".join(STATUSES[command.type])
            told = f"{command.type} is possible while a challenge is {legal}; this one is {challenge.status}"
            return Refusal("wrong_phase", "SPB, section 3", told)
    return None


def _deadline_passed(state: State, command: Input) -> Refusal | None:
    """SPB-55: a host that keeps ENG-3 applies the forfeit first; a part handed in without it is late all the same."""
    if command.type not in PARTS_OF_MOVES or state.move_started_at is None:
        return None
    if command.at - state.move_started_at > state.config.move_ms:
        end = state.move_started_at + state.config.move_ms
        return Refusal("deadline_passed", "SPB-55", f"a part of this move must be in by {end}")
    return None


_HANDLERS: Mapping[str, Handler] = {
    "issue_challenge": challenges.issue_challenge,
    "accept_challenge": challenges.accept_challenge,
    "refuse_challenge": challenges.refuse_challenge,
    "withdraw": challenges.withdraw,
    "propose_time": times.propose_time,
    "agree_time": times.agree_time,
    "request_staff_time": times.request_staff_time,
    "set_time": times.set_time,
    "deploy": deployment.deploy,
    "ready": deployment.ready,
    "start_battle": starting.start_battle,
    "move_craft": parts_of_moves.move_craft,
    "fire": parts_of_moves.fire,
    "end_move": parts_of_moves.end_move,
    "surrender": parts_of_moves.surrender,
    "chat": talk.chat,
    "tick": clock.tick,
    "abort": operators.abort,
    "shift_time": operators.shift_time,
}
