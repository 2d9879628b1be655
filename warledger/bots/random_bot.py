"""The simple bot: any legal attack, any answer."""

from typing import Any

from warledger.bots.acting import ActingBot
from warledger.bots.bot import Command, Sight
from warledger.bots.reading import MOST_REROLLS, PLUS5, SECOND_CHANCE, WINS_TIE, Position, Reach


class RandomBot(ActingBot):
    """Attacks whatever it may, uses half of what it could, and passes when nothing is left to attack."""

    def _act(self, sight: Sight, position: Position) -> Command | None:
        if position.own["pending"] is not None:
            return self._answer(position)
        if not position.may_pass:
            return None
        reach = Reach(sight)
        if reach.anywhere:
            return self._attack(position, reach.anywhere, {"global": True})
        if reach.plain:
            return self._attack(position, reach.plain, {})
        return Command("pass_round", {})

    def _attack(self, position: Position, targets: list[str], use: dict[str, Any]) -> Command:
        for effect, name in ((PLUS5, "plus5"), (WINS_TIE, "tie")):
            if position.usable(effect) and self._heads():
                use[name] = True
        if (most := position.usable(SECOND_CHANCE)) and self._heads():
            use["rerolls"] = min(MOST_REROLLS, most)
        return Command("attack", {"target": self._chance.choice(targets), "use": use})

    def _answer(self, position: Position) -> Command:
        own = position.territories()
        if position.own["pending"] == "loss":
            return Command("resolve_loss", {"territory": self._chance.choice(own)})
        if self._heads():
            return Command("resolve_swap", {"decline": True})
        others = sorted(set(position.places) - set(own))
        return Command("resolve_swap", {"give": self._chance.choice(own), "take": self._chance.choice(others)})

    def _heads(self) -> bool:
        return self._chance.random() < 0.5
