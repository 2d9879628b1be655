"""A random player of Space Battle: War Rooms of two to four, two grids, every reading, all commands."""

from collections.abc import Mapping
from random import Random
from typing import Any

from shared.rules.space_battle.tables import CLASSES
from tests.rules.conformance.players import Canonical, Fork, Move

NAMES = ("ana", "bia", "caio", "davi")
SMALL = tuple(name for name in CLASSES if name != "space_base")
READINGS: Mapping[str, tuple[Any, ...]] = {
    "falloff_pct": (0, 10, 25),
    "falloff_mode": ("linear", "compound"),
    "out_of_range": ("reject", "waste"),
    "mine_effect": ("destroy", "damage"),
    "mine_power": (10, 100),
    "shots_detonate_mines": (True, False),
    "first_mover": ("defender", "random"),
    "forfeits_until_surrender": (0, 2, 3),
    "quiet_moves_draw": (None, 30),
    "no_show": ("cancel", "surrender"),
    "surrender_experience": (-10, 0),
    "win_experience": (0, 5),
    "base_loss_forfeits_fleet": (True, False),
    "warning_seconds": (0, 5, {"seconds": 20}),
    "challenge_expires_hours": (72, {"seconds": 30}),
}
MINUTE_MS = 60_000
BEGINS_AFTER_MS = 60
"""From the issue of a challenge to the times that are proposed: a command takes a millisecond."""


class SpaceBattlePlayer:
    """Plays Space Battle; see `Player`."""

    def create(self, random: Random) -> Mapping[str, Any]:
        names = NAMES[: random.randint(2, 4)]
        config = {key: random.choice(values) for key, values in READINGS.items() if random.random() < 0.5}
        config["challenge_fleet"] = random.randint(1, 4)
        if random.random() < 0.5:
            config.update(columns=8, defender_ranks=[7, 8], mine_ranks=[3, 4, 5, 6], rows=5, base_row=3)
        return {"players": {name: {"hangar": _hangar(random, name)} for name in names}, "config": config}

    def move(self, random: Random, state: Canonical) -> Move:
        if random.random() < 0.06:
            return _nonsense(random, state)
        if random.random() < 0.02:
            return _host(random, state)
        if state["phase"] is None or random.random() < 0.04:
            return _diplomacy(random, state)
        if random.random() < 0.04:
            return _said(_player_of(state, random.choice("CD")), "chat", text="Good hunting!")
        if state["phase"] == "deploying":
            return _preparation(random, state)
        return _part(random, state)

    def fork(self, random: Random, state: Canonical) -> Fork | None:
        """Deployments of one player, of one and of another kind and number; the other deploys, talks and tries."""
        unready = [side for side in "CD" if not state["ready"][side]]
        if state["phase"] != "deploying" or not unready:
            return None
        side = random.choice(unready)
        other = _player_of(state, "D" if side == "C" else "C")
        own = _player_of(state, side)
        one = [_deployment(random, state, side) for _ in range(random.randint(1, 2))]
        two = [_deployment(random, state, side) for _ in range(random.randint(0, 3))]
        then = [
            _said(other, "fire", craft=f"{side}:base", target=f"{side}:c0"),
            _said(other, "move_craft", craft=f"{side}:c1", to=[1, 1]),
            _deployment(random, state, "D" if side == "C" else "C"),
            _said(other, "chat", text="Where are you?"),
        ]
        return Fork(one, two, then, [name for name in sorted(state["players"]) if name != own] + ["public"])


PLAYER = SpaceBattlePlayer()


def _hangar(random: Random, name: str) -> dict[str, int]:
    """Of those who come third and fourth some are too poor for a challenge."""
    if name not in NAMES[:2] and random.random() < 0.4:
        return {"space_base": 1}
    return {"space_base": random.randint(1, 2), **{name: random.randint(0, 2) for name in SMALL}, "scout": 4}


def _said(name: str, type: str, **payload: Any) -> Move:
    return Move(name, "player", type, payload)


def _battle(state: Canonical) -> Mapping[str, Any] | None:
    fought = ("deploying", "running", "ended", "cancelled")
    return next((item for item in state["challenges"].values() if item["status"] in fought), None)


def _player_of(state: Canonical, side: str) -> str:
    battle = _battle(state)
    assert battle is not None
    name: str = battle["challenger" if side == "C" else "challenged"]
    return name


def _time(random: Random, state: Canonical, challenge: Mapping[str, Any]) -> int:
    hours = state["config"]["challenge_expires_hours"]
    lasts = hours * 60 * MINUTE_MS if isinstance(hours, int) else hours["seconds"] * 1000
    issued: int = challenge["expires_at"] - lasts
    return issued + random.randint(BEGINS_AFTER_MS // 2, BEGINS_AFTER_MS)


def _diplomacy(random: Random, state: Canonical) -> Move:
    names = sorted(state["players"])
    opened = [item for item in state["challenges"].values() if item["status"] in ("issued", "accepted")]
    if not opened or random.random() < 0.1:
        one, other = random.sample(names, 2)
        return _said(one, "issue_challenge", challenged=other)
    challenge = random.choice(opened)
    number = challenge["id"]
    both = challenge["challenger"], challenge["challenged"]
    if random.random() < 0.06:
        return _said(both[0], "withdraw", challenge=number)
    if challenge["status"] == "issued":
        if random.random() < 0.15:
            return _said(both[1], "refuse_challenge", challenge=number)
        craft, time = random.randint(2, 5), _time(random, state, challenge)
        return _said(both[1], "accept_challenge", challenge=number, number=craft, time=time)
    answering = both[0] if challenge["proposed_by"] == both[1] else both[1]
    chosen = random.random()
    if chosen < 0.2:
        return _said(answering, "propose_time", challenge=number, time=_time(random, state, challenge))
    if chosen < 0.5 and not challenge["staff_requested"]:
        return _said(random.choice(both), "request_staff_time", challenge=number)
    if chosen < 0.7:
        payload = {"challenge": number, "time": _time(random, state, challenge)}
        return Move("operator", "operator", "set_time", payload)
    return _said(answering, "agree_time", challenge=number, time=challenge["proposed_time"])


def _deployment(random: Random, state: Canonical, side: str) -> Move:
    config, name = state["config"], _player_of(state, side)
    battle = _battle(state)
    assert battle is not None
    ranks = config["challenger_ranks" if side == "C" else "defender_ranks"]
    base = [min(ranks) if side == "C" else max(ranks), config["base_row"]]
    free = [[col, row] for col in ranks for row in range(1, config["rows"] + 1) if [col, row] != base]
    owned = [item for item, count in sorted(state["players"][name]["hangar"].items()) for _ in range(count)]
    fleet = [item for item in owned if item != "space_base"]
    number = battle["number"]
    squares = random.sample(free, number)
    kinds = random.sample(fleet, number) if random.random() < 0.95 else ["dreadnought"] * number
    craft = [
        {"id": f"c{count}", "class": kind, "at": at}
        for count, (kind, at) in enumerate(zip(kinds, squares, strict=True))
    ]
    field = [[col, row] for col in config["mine_ranks"] for row in range(1, config["rows"] + 1)]
    mines = random.sample(field, random.randint(0, config["mines_per_player"]))
    payload: dict[str, Any] = {"base": base, "craft": craft}
    if mines or random.random() < 0.5:
        payload["mines"] = mines
    return Move(name, "player", "deploy", payload)


def _preparation(random: Random, state: Canonical) -> Move:
    unready = [side for side in "CD" if not state["ready"][side]]
    side = random.choice(unready or ["C"])
    if not unready and random.random() < 0.5:
        return Move(_player_of(state, side), "player", "chat", {"text": "Soon."}, MINUTE_MS)
    if f"{side}:base" in state["craft"] and random.random() < 0.03:
        return _said(_player_of(state, side), "ready")
    if random.random() < 0.3:
        return _said(random.choice(sorted(state["players"])), "chat", text="Soon.")
    return _deployment(random, state, side)


def _part(random: Random, state: Canonical) -> Move:
    side = state["to_move"]
    name = _player_of(state, side)
    own = [item for _, item in sorted(state["craft"].items()) if item["side"] == side and item["alive"]]
    chosen = random.random()
    if chosen < 0.05:
        return _said(name, "end_move")
    if chosen < 0.055:
        return _said(name, "surrender")
    if chosen < 0.5 and not state["moved_this_move"]:
        craft = random.choice(own)
        reach = state["config"]["classes"][craft["class"]]["move"]
        step = random.randint(1, max(1, reach))
        across, down = random.choice(((-1, 0), (1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)))
        to = [craft["col"] + step * across, craft["row"] + step * down]
        return Move(name, "player", "move_craft", {"craft": craft["id"], "to": to}, random.choice((1, 1, 1, 58_000)))
    return _shot(random, state, name, own)


def _shot(random: Random, state: Canonical, name: str, own: list[Any]) -> Move:
    others = [item for _, item in sorted(state["craft"].items()) if item["alive"]]
    pairs = [
        (one["id"], other["id"])
        for one in own
        for other in others
        if one is not other and one["shots_left"] and _aligned(one, other)
    ]
    enemies = [pair for pair in pairs if pair[1][0] != pair[0][0]]
    if not pairs:
        return _said(name, "end_move")
    craft, target = random.choice(enemies if enemies and random.random() < 0.9 else pairs)
    return _said(name, "fire", craft=craft, target=target)


def _aligned(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    across: int = one["col"] - other["col"]
    down: int = one["row"] - other["row"]
    return across == 0 or down == 0 or abs(across) == abs(down)


def _host(random: Random, state: Canonical) -> Move:
    chosen = random.random()
    if chosen < 0.6:
        by = random.choice((-MINUTE_MS, 0, 1_000, MINUTE_MS))
        return Move("operator", "operator", "shift_time", {"by_ms": by, "reason": "credit"})
    if chosen < 0.75 and state["phase"] == "running" and state["move_no"] > 12:
        return Move("operator", "operator", "abort", {"reason": "a fault"})
    if state["phase"] == "deploying":
        return Move("clock", "clock", "tick", {}, 1)
    return Move("clock", "clock", "tick", {}, random.choice((1, 56_000, 61_000)))


def _nonsense(random: Random, state: Canonical) -> Move:
    name = random.choice(sorted(state["players"]))
    craft = random.choice(sorted(state["craft"]) or ["C:base"])
    other = random.choice(sorted(state["craft"]) or ["D:base"])
    return random.choice(
        (
            _said(name, "fly"),
            _said(name, "issue_challenge", challenged=name),
            _said(name, "issue_challenge", challenged="nobody"),
            _said(name, "accept_challenge", challenge=99, number=1, time=1),
            _said(name, "accept_challenge", challenge=1, number=0, time=1),
            _said(name, "agree_time", challenge=1, time=1),
            _said(name, "move_craft", craft=craft, to=[0, 0]),
            _said(name, "move_craft", craft=craft, to=[3]),
            _said(name, "fire", craft=craft, target=other),
            _said(name, "fire", craft=craft, target="D:nothing"),
            _said(name, "deploy", base=[1, 1], craft=[], mines=[]),
            _said(name, "ready"),
            _said(name, "end_move"),
            _said(name, "tick"),
            _said(name, "chat", text="x" * 501),
            _said("stranger", "surrender"),
            Move("operator", "operator", "start_battle", {}),
            Move("operator", "operator", "set_time", {"challenge": 1, "time": 1}),
        )
    )
