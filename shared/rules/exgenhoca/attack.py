"""An attack: checks, dice and everything that follows from it, in the order of EXG-35."""

from shared.rules.exgenhoca.attack_checks import Use, refusal_of, use_of
from shared.rules.exgenhoca.battle import Fight, fight
from shared.rules.exgenhoca.departures import eliminate
from shared.rules.exgenhoca.effects import after_gain, reveal
from shared.rules.exgenhoca.endings import judge
from shared.rules.exgenhoca.holding import has_advantage
from shared.rules.exgenhoca.play import Play
from shared.rules.exgenhoca.round_close import close_what_is_complete
from shared.rules.exgenhoca.state import Player, State
from shared.rules.interface import PUBLIC, Decision, Dice, Event, Input, resolved


def attack(state: State, command: Input, dice: Dice) -> Decision:
    """One attack with a resolution of its own (EXG-12), and the close of the round if it was the last (EXG-49).

    Anybody may attack at any time, as what earlier attacks have left allows (EXG-23).
    """
    player = state.players[state.index[command.actor] - 1]
    target, use = state.board.index[command.payload["target"]], use_of(command.payload)
    if refusal := refusal_of(state, player, target, use):
        return refusal
    number, defender = state.attack_count + 1, state.owner[target] or None
    head: dict[str, object] = {
        "round": state.round,
        "attack": number,
        "attacker": player.seat,
        "defender": defender,
        "target": state.board.ids[target],
    }
    label = f"round:{state.round}:attack:{number}"
    stream = dice.resolve(label).stream(f"attack:{number}")
    battle = fight(state, player, target, use, stream, head)
    events = battle.events
    left = _count(state, battle, use, head)
    defence_gained = _extra_attacks(state, battle, left)
    if not battle.roll.taken and not defence_gained and _somebody_else_goes_on(state, player, left):
        events.append(resolved(label))
        return events
    play = Play(state, events)
    if battle.roll.taken:
        _take(play, state, player.seat, target, defender)
        judge(play, player.seat)
    play.mark(label)
    close_what_is_complete(play, command.at, dice)
    return play.events


class _Left:
    """Rights of the attacker after this attack."""

    __slots__ = ("anywhere", "attacks")

    def __init__(self, attacks: int, anywhere: int) -> None:
        self.attacks = attacks
        self.anywhere = anywhere


def _count(state: State, battle: Fight, use: Use, head: dict[str, object]) -> _Left:
    """EXG-35 (1): attack, cooldown and rights; an attack at any distance or a repeat has its own price (EXG-26)."""
    player, roll = battle.attack.player, battle.roll
    left = _Left(player.attacks_left, player.global_attacks)
    if use.anywhere:
        left.anywhere -= 1
    else:
        left.attacks -= 2 if use.repeat else 1
    data = {
        **head,
        "taken": roll.taken,
        "tie": roll.tie,
        "repeat": use.repeat,
        "global": use.anywhere,
        "attacks_left": left.attacks,
        "global_attacks": left.anywhere,
        "attacks_made": player.attacks_made + 1,
        "repeat_used": player.repeat_used or use.repeat,
        "conquests": player.conquests + roll.taken,
    }
    battle.events.append(Event("attack_resolved", data, PUBLIC))
    return left


def _extra_attacks(state: State, battle: Fight, left: _Left) -> bool:
    """EXG-37; whether the defender gained one, which `europe_on_defence` allows."""
    roll, europe = battle.roll, state.board.europe
    if _is_triple(roll.attack) and has_advantage(state, battle.attack.player, europe, state.round):
        left.attacks += 1
        battle.events.append(_extra_attack(battle.attack.player.seat, left.attacks, left.anywhere))
    if battle.defence is None or not state.config.europe_on_defence or not _is_triple(roll.defence):
        return False
    player = battle.defence.player
    if not has_advantage(state, player, europe, state.round):
        return False
    battle.events.append(_extra_attack(player.seat, player.attacks_left + 1, player.global_attacks))
    return True


def _is_triple(dice: list[int]) -> bool:
    return dice[0] == dice[1] == dice[2]


def _extra_attack(seat: int, attacks: int, anywhere: int) -> Event:
    data = {"seat": seat, "source": "europe", "attacks_left": attacks, "global_attacks": anywhere}
    return Event("extra_attack", data, PUBLIC)


def _somebody_else_goes_on(state: State, attacker: Player, left: _Left) -> bool:
    """Whether the round stays open after this attack, which changed no other player (EXG-49)."""
    if left.attacks > 0 or left.anywhere > 0:
        return True
    return any(player is not attacker and (player.pending is not None or player.can_act) for player in state.players)


def _take(play: Play, before: State, seat: int, target: int, defender: int | None) -> None:
    """EXG-35 (3) and (4): swap or capture, elimination of the loser, effect of a first conquest."""
    ids = play.state.board.ids
    given = None if defender is None else _given_instead(before, defender, target)
    if given is not None:
        play.emit("sa_swapped", {"kept": ids[target], "given": ids[given], "from": defender, "to": seat})
        after_gain(play, seat, given)
        return
    play.emit("captured", {"territory": ids[target], "from": defender, "to": seat})
    after_gain(play, seat, target)
    if defender is not None and play.player(defender).total == 0:
        eliminate(play, [defender], "conquest", seat)
    reveal(play, seat, target)


def _given_instead(state: State, defender: int, target: int) -> int | None:
    """EXG-39, EXG-47: the first own territory in her policy that is not the one taken."""
    player = state.players[defender - 1]
    if not has_advantage(state, player, state.board.south_america, state.round):
        return None
    owned = (item for item in player.policy.sa_give if state.owner[item] == defender and item != target)
    return next(owned, None)
