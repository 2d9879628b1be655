"""Games of Exgenhoca Wars for the benchmarks: attacks decided and evolved on the pure rules, timed by themselves."""

import random
from time import perf_counter
from typing import Any

from shared.rules.exgenhoca import RULES
from shared.rules.exgenhoca.attack_checks import NO_USE, refusal_of
from shared.rules.exgenhoca.state import Player, State
from shared.rules.interface import RESOLVED, Input, Refusal, Role
from warledger.bots.dice import ChainDice

SEATS = 6
MOST_ROUNDS = 60
_KEY = b"bench" * 7


class TimedGame:
    """One game of random legal attacks; `spent` are the seconds that its `attacks` took, closes of rounds included."""

    def __init__(self, name: str, chance: random.Random) -> None:
        self._name = name
        self._chance = chance
        self._seq = 1
        self._dice = ChainDice(_KEY, name)
        self.attacks = 0
        self.spent = 0.0
        players = [f"p{seat}" for seat in range(1, SEATS + 1)]
        create = {"players": players, "config": {"max_rounds": MOST_ROUNDS}}
        begun = RULES.initial(self._input("operator", "operator", "create_game", create))
        assert not isinstance(begun, Refusal), begun
        self.state: State = begun[0]
        self._say("operator", "operator", "start_game", {})

    def play(self) -> None:
        """To the end."""
        while not RULES.over(self.state):
            name = self._chance.choice(RULES.waiting(self.state))
            player = self.state.players[self.state.index[name] - 1]
            if player.pending == "swap":
                self._say(name, "player", "resolve_swap", {"decline": True})
            elif player.pending == "loss":
                lost = self.state.board.ids[self.state.territories_of(player.seat)[0]]
                self._say(name, "player", "resolve_loss", {"territory": lost})
            elif targets := self._targets(player):
                target = self.state.board.ids[self._chance.choice(targets)]
                self.spent += self._say(name, "player", "attack", {"target": target})
                self.attacks += 1
            else:
                self._say(name, "player", "pass_round", {})

    def _targets(self, player: Player) -> list[int]:
        places = range(len(self.state.board.ids))
        return [target for target in places if refusal_of(self.state, player, target, NO_USE) is None]

    def _say(self, actor: str, role: Role, type: str, payload: dict[str, Any]) -> float:
        """Seconds that deciding and evolving took."""
        given = self._input(actor, role, type, payload)
        self._dice.given(given)
        started = perf_counter()
        decided = RULES.decide(self.state, given, self._dice)
        assert not isinstance(decided, Refusal), decided
        for event in decided:
            if event.type != RESOLVED:
                self.state = RULES.evolve(self.state, event)
        return perf_counter() - started

    def _input(self, actor: str, role: Role, type: str, payload: dict[str, Any]) -> Input:
        self._seq += 1
        return Input(f"i{self._seq}", self._name, actor, role, type, payload, "", self._seq, self._seq)
