"""The stronger bot: weighs what a territory is worth against the chance to take it, keeps items for where they pay."""

from collections.abc import Iterable, Mapping
from typing import Any

from warledger.bots.acting import ActingBot
from warledger.bots.bot import Command, Sight
from warledger.bots.reading import MOST_REROLLS, PLUS5, PLUS5_DEFENCE, SECOND_CHANCE, WINS_TIE, Position, Reach
from warledger.bots.worth import Worth

CONSIDERED = 4
"""Targets whose chances are asked for: the most valuable ones."""
_DEAR = 80
"""Worth of a target for which items are used as soon as they may be."""
_SURE = 600
"""Chance in per mille beyond which +5 would be wasted."""
_REPEAT_PAYS = 2
"""A second attack on the same target must be worth so many times what another target is."""


class PlannerBot(ActingBot):
    """Attacks where worth times chance is greatest, answers choices by worth, and sets its standing policy.

    The seed decides between equals.
    """

    def _act(self, sight: Sight, position: Position) -> Command | None:
        worth = Worth(position)
        if position.own["pending"] == "loss":
            return Command("resolve_loss", {"territory": min(position.territories(), key=worth.loss)})
        if position.own["pending"] == "swap":
            return _swap(position, worth)
        return _policy(position, worth) or self._attack(sight, position, worth)

    def _attack(self, sight: Sight, position: Position, worth: Worth) -> Command | None:
        if not position.may_pass:
            return None
        reach = Reach(sight)
        if reach.anywhere:
            return self._best(sight, position, worth, reach.anywhere, {"global": True})
        plain = max(map(worth.gain, reach.plain), default=0)
        again = max(map(worth.gain, reach.again), default=0)
        if again > _REPEAT_PAYS * max(plain, 1):
            return self._best(sight, position, worth, reach.again, {"repeat": True})
        if reach.plain:
            return self._best(sight, position, worth, reach.plain, {})
        return Command("pass_round", {})

    def _best(
        self, sight: Sight, position: Position, worth: Worth, targets: Iterable[str], use: Mapping[str, Any]
    ) -> Command:
        """The target where worth times chance is greatest, the items of the attack counted."""
        valued = sorted(((worth.gain(name), self._chance.random(), name) for name in targets), reverse=True)
        chances = _Chances(sight, position)
        considered = [
            (value, _with_items(position, chances, name, value, use)) for value, _, name in valued[:CONSIDERED]
        ]
        _, payload = max(considered, key=lambda item: item[0] * chances.permille(item[1]))
        return Command("attack", payload)


class _Chances:
    """Chances of attacks from one position. Defenders add the same wherever they are attacked (EXG-31): asked once."""

    def __init__(self, sight: Sight, position: Position) -> None:
        self._sight = sight
        self._position = position
        self._told: dict[object, int] = {}

    def permille(self, payload: Mapping[str, Any]) -> int:
        """0 for an attack that the rules refuse."""
        known = self._position.places[payload["target"]]["owner"], tuple(sorted(payload["use"].items()))
        if known not in self._told:
            told = self._sight.ask("attack", payload=payload)
            self._told[known] = 0 if told is None or told.get("refusal") else told["chance"]["permille"]
        return self._told[known]


def _with_items(position: Position, chances: _Chances, name: str, value: int, use: Mapping[str, Any]) -> dict[str, Any]:
    """An attack on a target of this value with the items that it deserves."""
    items = {**use, **_items(position, value)}
    payload = {"target": name, "use": items}
    if not position.usable(PLUS5) or (value < _DEAR and not _lapses(position, PLUS5)):
        return payload
    if chances.permille(payload) >= _SURE:
        return payload
    return {"target": name, "use": {**items, "plus5": True}}


def _items(position: Position, value: int) -> dict[str, Any]:
    """What is used up only where it decides is always declared; second chances where they pay or would lapse."""
    items: dict[str, Any] = {}
    if position.usable(WINS_TIE):
        items["tie"] = True
    held = position.usable(SECOND_CHANCE)
    if held and (value >= _DEAR or _lapses(position, SECOND_CHANCE)):
        items["rerolls"] = min(MOST_REROLLS, held)
    return items


def _lapses(position: Position, effect: str) -> bool:
    """Whether an item of this effect is in its last round."""
    return any(
        item["effect"] == effect and item["usable_to"] == position.view["round"] for item in position.own["inventory"]
    )


def _swap(position: Position, worth: Worth) -> Command:
    """The least useful own territory for the most useful other one, if that is a gain."""
    own = position.territories()
    give = min(own, key=worth.loss)
    take = max(sorted(set(position.places) - set(own)), key=worth.gain)
    if worth.gain(take) <= worth.loss(give):
        return Command("resolve_swap", {"decline": True})
    return Command("resolve_swap", {"give": give, "take": take})


def _policy(position: Position, worth: Worth) -> Command | None:
    """`set_policy` if the standing one is not what it should be (EXG-47)."""
    wanted: dict[str, Any] = {
        "defence_plus5": "next" if position.usable(PLUS5_DEFENCE) else "off",
        "defence_rerolls": position.usable(SECOND_CHANCE),
        "sa_give": [],
    }
    if position.holds(position.seat, "south_america"):
        spare = [name for name in position.territories() if position.places[name]["continent"] != "south_america"]
        wanted["sa_give"] = sorted(spare, key=worth.loss)[:3]
    standing = position.own["policy"]
    changed = {name: value for name, value in wanted.items() if standing[name] != value}
    return Command("set_policy", changed) if changed else None
