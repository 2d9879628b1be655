"""Most memory of a process that plays: `python -m tests.bench.gxc_memory PLAYERS TERRITORIES TURNS` prints bytes.

All commands are decided and evolved one by one; each turn closes, and its events are packed as the journal has them.
What the services add (logs, judged ids, snapshots) is not in it. From the second turn on everybody defends where she
is, and attacks a neighbour.
"""

import random
import sys
from pathlib import Path
from typing import Any

from shared import collection
from shared.events import JournalEvent, event_type, pack
from shared.rules import rules_of
from shared.rules.gxc.state import ACTIVE, State
from shared.rules.interface import Input, Refusal, Role
from tests.bench.gxc_workload import DAY_MS, SeededDice, resolve, workload


def main(players: int, territories: int, turns: int) -> int:
    """Play so many turns; returns the most bytes the process had."""
    collection.make_rare()
    work = workload(players, territories)
    state, at, seq, chance = work.state, 1, work.close.seq, random.Random(1)
    work = work._replace(canonical={})
    for turn in range(1, turns + 1):
        if turn > 1:
            at = (turn - 1) * DAY_MS + 2
            seq = _orders(state, turn, at, seq, chance)
        close = Input(
            f"close{turn}", "bench", "clock", "clock", "close_turn", {"turn": turn}, "", turn * DAY_MS + 1, seq
        )
        _, _, events = resolve(work._replace(state=state, close=close))
        pack(
            "bench",
            [JournalEvent(n, event_type("gxc", item.type), item.data, item.to) for n, item in enumerate(events)],
        )
    return _most_bytes()


def _most_bytes() -> int:
    """Of this process; `getrusage` would count what its parent had when it started."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise OSError("this system tells no process the most memory that it had")


def _orders(state: State, turn: int, at: int, seq: int, chance: random.Random) -> int:
    """Everybody energizes and orders; returns the number of the last input."""
    rules, dice = rules_of("gxc"), SeededDice(turn)

    def say(actor: str, role: Role, type: str, payload: dict[str, Any]) -> None:
        answer = rules.decide(state, Input(f"i{seq}", "bench", actor, role, type, payload, "", at, seq), dice)
        if isinstance(answer, Refusal):
            raise ValueError(f"{type} of {actor}: {answer}")
        for event in answer:
            rules.evolve(state, event)

    players, board = state.players, state.board
    for number, player in enumerate(players.ids):
        if players.status[number] != ACTIVE:
            continue
        seq += 2
        say(player, "player", "energize", {})
        place, team = players.location[number], players.team[number]
        foreign = [item for item in board.neighbours[place] if state.owner[item] != team]
        attack = {"target": board.ids[chance.choice(foreign)], "energy": 10} if foreign else None
        say(player, "player", "set_order", {"attack": attack, "defend": 5})
    return seq


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:])))
