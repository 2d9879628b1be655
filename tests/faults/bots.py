"""Load on an installation, as a process of its own: `python -m tests.faults.bots PLAN`, until SIGTERM.

PLAN is a JSON file: `url`, `operator` (a token), `players` (account -> token), `games` (game -> package of its
rules, tests/faults/loads), `out` (where the answers go, one JSON line each), `pause_ms` (mean pause of a bot between
two commands), `close_ms` (how often a turn is closed early by a near deadline; 0 for never), and `crowd_ms` (pause
after CROWD commands that came at the same moment and were not waited for; 0 for no such crowd).

Every command has an Idempotency-Key and is sent again under it until there is a definite answer: anything but a lost
connection and 503.
"""

import json
import random
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from typing import Any, TextIO

from shared.rules import rules_of
from tests.faults.loads import load_of
from warledger.api import Answer, Client, Unreachable

LAST_TRIES_SECONDS = 20.0
"""After SIGTERM what was begun is still brought to an end for so long."""
CROWD = 12
"""More than the threads of a gateway, so that some go together."""
stop = threading.Event()


class Answers:
    """The file of answers; any thread may write."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._lock = threading.Lock()

    def note(self, game: str, type: str, answer: Answer, tries: int) -> None:
        """A definite answer; with the receipt if there is one."""
        body = answer.body if isinstance(answer.body, dict) else {}
        receipt = body.get("receipt", body)
        line = {
            "game": game,
            "type": type,
            "status": answer.status,
            "code": body.get("code"),
            "id": receipt.get("id"),
            "hash": receipt.get("hash"),
            "at": receipt.get("at"),
            "tries": tries,
        }
        with self._lock:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()


class Bot:
    """One account that gives commands."""

    def __init__(self, name: str, client: Client, answers: Answers, people: Sequence[str]) -> None:
        """`people` are all the accounts that play."""
        self._people = people
        self._chance = random.Random(name)
        self._client = client
        self._answers = answers
        self._name = name
        self._count = 0

    def give(
        self, game: str, type: str, payload: Mapping[str, Any], path: str | None = None, *, waits: bool | None = None
    ) -> None:
        """Give a command until the answer is definite, or the end has come; it waits for the judgement or does not, by
        chance where nothing is said."""
        self._count += 1
        headers = {"Idempotency-Key": f"{self._name}-{self._count}"}
        if waits is None:
            waits = self._chance.random() < 0.5
        if not waits:
            headers["Prefer"] = "respond-async"
        body = {"type": type, "payload": payload} if path is None else payload
        tries = 0
        end: float | None = None
        while end is None or time.monotonic() < end:
            tries += 1
            try:
                answer = self._client.request("POST", path or f"/games/{game}/commands", body, headers=headers)
            except Unreachable:
                answer = None
            if answer is not None and answer.status != 503:
                self._answers.note(game, type, answer, tries)
                return
            if end is None and stop.is_set():
                end = time.monotonic() + LAST_TRIES_SECONDS
            time.sleep(0.1)

    def play(self, games: Mapping[str, str], pause_ms: int) -> None:
        """Say what there is to say in every game until the end."""
        while not stop.wait(self._chance.random() * 2 * pause_ms / 1000):
            self.say(games)

    def say(self, games: Mapping[str, str], *, waits: bool | None = None) -> None:
        """Say something in one of these games."""
        game = self._chance.choice(list(games))
        self.give(game, *load_of(games[game]).said(self._chance, self._people), waits=waits)

    def close(self, games: Mapping[str, str], close_ms: int) -> None:
        """Give turns near deadlines, one game after the other, until the end."""
        while not stop.wait(close_ms / 1000):
            game = self._chance.choice(list(games))
            deadline = time.time_ns() // 1_000_000 + 400
            if "set_deadline" in rules_of(load_of(games[game]).game).commands:
                self.give(game, "set_deadline", {"deadline": deadline, "reason": "operator"})
            else:
                self.give(game, "shift_time", {"by_ms": -close_ms, "reason": "operator"})


def crowd(bots: Sequence[Bot], games: Mapping[str, str], pause_ms: int) -> None:
    """Let all of them say something at the same moment, again and again until the end."""
    with ThreadPoolExecutor(len(bots)) as pool:
        while not stop.wait(pause_ms / 1000):
            for said in [pool.submit(bot.say, games, waits=False) for bot in bots]:
                said.result()


def main(plan: Mapping[str, Any]) -> None:
    """Run the bots."""
    signal.signal(signal.SIGTERM, lambda _number, _frame: stop.set())
    client = Client(plan["url"], connections=len(plan["players"]) + CROWD + 1, timeout=15)
    with open(plan["out"], "a") as file:
        answers = Answers(file)
        people = sorted(plan["players"])
        bots = [Bot(name, client.as_token(token), answers, people) for name, token in plan["players"].items()]
        work = [threading.Thread(target=bot.play, args=(plan["games"], plan["pause_ms"])) for bot in bots]
        if plan["close_ms"]:
            operator = Bot("closer", client.as_token(plan["operator"]), answers, people)
            work.append(threading.Thread(target=operator.close, args=(plan["games"], plan["close_ms"])))
        if plan["crowd_ms"]:
            named = islice(cycle(plan["players"].items()), CROWD)
            many = [
                Bot(f"{name}-of-{n}", client.as_token(token), answers, people) for n, (name, token) in enumerate(named)
            ]
            work.append(threading.Thread(target=crowd, args=(many, plan["games"], plan["crowd_ms"])))
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()


if __name__ == "__main__":
    with open(sys.argv[1]) as given:
        main(json.load(given))
