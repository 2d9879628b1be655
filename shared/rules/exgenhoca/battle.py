"""The dice of one attack and what they are added to (EXG-28 to EXG-34)."""

from typing import NamedTuple

from shared.dice import Draws
from shared.rules.exgenhoca.attack_checks import Use
from shared.rules.exgenhoca.events import to_owner_of_items
from shared.rules.exgenhoca.forms import inventory_form, penalties_form
from shared.rules.exgenhoca.holding import has_advantage
from shared.rules.exgenhoca.items import PLUS5_ATTACK, PLUS5_DEFENCE, SECOND_CHANCE, WINS_TIE, usable, without
from shared.rules.exgenhoca.policies import policy_event
from shared.rules.exgenhoca.state import NEXT, OFF, Item, Penalties, Player, State
from shared.rules.interface import PUBLIC, Event

ASIA_BONUS, AFRICA_BONUS, ITEM_BONUS, PENALTY = 2, 1, 5, 5
DRAWS_OF_A_ROLL = 6


class Roll(NamedTuple):
    """The roll that counts: dice of both sides, and how it ended."""

    attack: list[int]
    defence: list[int]
    taken: bool
    tie: str | None
    """By what a tie was won: `oceania`, `P6`, or None."""


class Side:
    """One player in this attack: her modifiers, and her items as they are used."""

    __slots__ = ("inventory", "modifiers", "player", "total")

    def __init__(self, player: Player) -> None:
        self.player = player
        self.inventory: tuple[Item, ...] = player.inventory
        self.modifiers: dict[str, int] = {}
        self.total = 0
        """Sum of the modifiers."""

    def add(self, source: str, amount: int) -> None:
        self.modifiers[source] = amount
        self.total += amount


def fight(state: State, player: Player, target: int, use: Use, stream: Draws, head: dict[str, object]) -> "Fight":
    """Throw the dice of an attack on the state as it is; `head` are the fields that all its events share."""
    battle = Fight(state, player, target, use, head)
    battle.prepare_attack()
    if battle.defence is not None:
        battle.prepare_defence(battle.defence)
    battle.throw(stream)
    return battle


class Fight:
    """Collects the events of one attack up to the roll that counts, in `events`; `roll` is that roll."""

    __slots__ = ("_head", "_oceania", "_rerolls", "_state", "_target", "_use", "attack", "defence", "events", "roll")

    def __init__(self, state: State, player: Player, target: int, use: Use, head: dict[str, object]) -> None:
        self._state = state
        self._target = target
        self._use = use
        self._head = head
        self._oceania = has_advantage(state, player, state.board.oceania, state.round)
        self._rerolls = 0
        owner = state.owner[target]
        self.attack = Side(player)
        self.defence = Side(state.players[owner - 1]) if owner else None
        self.events: list[Event] = []
        self.roll: Roll

    def prepare_attack(self) -> None:
        """EXG-30, EXG-34, EXG-46: what is declared and what is due stays in force for all rolls and is used up once."""
        state, side, player = self._state, self.attack, self.attack.player
        if has_advantage(state, player, state.board.asia, state.round):
            side.add("asia", ASIA_BONUS)
        if self._use.plus5:
            self._use_item(side, PLUS5_ATTACK)
            side.add(PLUS5_ATTACK, ITEM_BONUS)
        if player.penalties.minus_attack:
            side.add("N1", -PENALTY * player.penalties.minus_attack)
            self._change_penalties(player, player.penalties._replace(minus_attack=0))

    def prepare_defence(self, side: Side) -> None:
        """EXG-31, EXG-34, EXG-47: what is missing is simply not used."""
        state, player = self._state, side.player
        policy, penalties = player.policy, player.penalties
        if has_advantage(state, player, state.board.africa, state.round):
            side.add("africa", AFRICA_BONUS)
        plus5 = policy.defence_plus5
        wanted = plus5 == NEXT or (not isinstance(plus5, str) and self._target in plus5)
        if wanted and usable(side.inventory, PLUS5_DEFENCE, state.round):
            self._use_item(side, PLUS5_DEFENCE)
            side.add(PLUS5_DEFENCE, ITEM_BONUS)
            if plus5 == NEXT:
                self.events.append(policy_event(state, player.seat, policy._replace(defence_plus5=OFF)))
        if penalties.minus_defence:
            side.add("N2", -PENALTY * penalties.minus_defence)
            self._change_penalties(player, penalties._replace(minus_defence=0))
        if policy.defence_rerolls:
            self._rerolls = min(policy.defence_rerolls, usable(side.inventory, SECOND_CHANCE, state.round))

    def throw(self, stream: Draws) -> None:
        """EXG-33: who is behind may have the whole roll repeated; P6 is used up only where it decided (EXG-34)."""
        use, defence = self._use, self.defence
        left, number = use.rerolls, 1
        roll = self._roll(stream, number)
        while True:
            if roll.taken and defence is not None and self._rerolls:
                self._rerolls -= 1
                self._use_item(defence, SECOND_CHANCE)
            elif not roll.taken and left:
                left -= 1
                self._use_item(self.attack, SECOND_CHANCE)
            else:
                break
            number += 1
            roll = self._roll(stream, number)
        if roll.tie == WINS_TIE:
            self._use_item(self.attack, WINS_TIE)
        self.roll = roll

    def _roll(self, stream: Draws, number: int) -> Roll:
        """EXG-28, EXG-29, EXG-32: six dice, the attack's first."""
        d6, defence = stream.d6, self.defence
        attack_dice = [d6(), d6(), d6()]
        defence_dice = [d6(), d6(), d6()]
        a = sum(attack_dice) + self.attack.total
        d = sum(defence_dice)
        if defence is not None:
            d += defence.total
        tie = None
        if a == d:
            tie = "oceania" if self._oceania else WINS_TIE if self._use.tie else None
        modifiers = {"attack": self.attack.modifiers, "defence": {} if defence is None else defence.modifiers}
        self.events.append(
            Event(
                "attack_rolled",
                {
                    **self._head,
                    "scope": f"attack:{self._head['attack']}",
                    "draws": DRAWS_OF_A_ROLL,
                    "roll_no": number,
                    "attack_dice": attack_dice,
                    "defence_dice": defence_dice,
                    "A": a,
                    "D": d,
                    "modifiers": modifiers,
                },
                PUBLIC,
            )
        )
        return Roll(attack_dice, defence_dice, a > d or tie is not None, tie)

    def _use_item(self, side: Side, effect: str) -> None:
        state, player = self._state, side.player
        side.inventory = without(side.inventory, effect, state.round)
        data = {"seat": player.seat, "effect": effect, "inventory": inventory_form(side.inventory)}
        self.events.append(Event("item_used", data, to_owner_of_items(player.id, state.config.inventory_public)))

    def _change_penalties(self, player: Player, penalties: Penalties) -> None:
        data = {"seat": player.seat, "penalties": penalties_form(penalties)}
        to = to_owner_of_items(player.id, self._state.config.inventory_public)
        self.events.append(Event("penalties_changed", data, to))
