"""Clients that watch an installation while something befalls it: every answer is a promised one, and comes in time.

with Witness(house, "watched", players) as witness:
    with FAULTS["brokers killed"](servers):
        ...
witness.check()
"""

import secrets
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.faults.proof import Acknowledged
from tests.faults.stores import processes
from warledger.api import Answer, Client, Unreachable
from warledger.demo.installation import Installation

ANSWERED_WITHIN = 28.0
"""Almost thrice the longest wait of a gateway for an intake: two cores run everything here."""
WRITERS = 12
"""More than the gateway has threads: who writes must not keep readers from theirs."""
LOOK_SECONDS = 0.5
GROWN_BYTES = 120_000_000
GROWN_THREADS = 24
"""A worker begins a thread for what comes while all others are busy: as many as ask at once, and eight at most in the
gateway and in the intakes. The rest is for the drivers of the stores."""
GROWN_FILES = 150
STORED = (201, 202, 422)


@dataclass(slots=True)
class Footprint:
    """What the processes of one service use, all together."""

    bytes: int = 0
    threads: int = 0
    files: int = 0
    """Open files, connections among them."""

    def most(self, other: "Footprint") -> "Footprint":
        """The larger of each."""
        return Footprint(max(self.bytes, other.bytes), max(self.threads, other.threads), max(self.files, other.files))


def footprint(pids: Iterable[int]) -> Footprint:
    """Of these processes; one that has just ended uses nothing."""
    found = Footprint()
    for pid in pids:
        place = Path(f"/proc/{pid}")
        try:
            status = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
            found.files += sum(1 for _ in (place / "fd").iterdir())
        except OSError:
            continue
        found.bytes += int(status.get("VmRSS", "0 kB").split()[0]) * 1024
        found.threads += int(status["Threads"])
    return found


@dataclass(slots=True)
class Seen:
    """What the clients of one kind were answered."""

    statuses: Counter[int] = field(default_factory=Counter)
    longest: float = 0.0
    oldest: int = 0
    """The largest `Age` that was told, in seconds."""
    broken: list[str] = field(default_factory=list)
    """Answers that are not promised."""


class Witness:
    """Writers, readers and somebody who logs in; a thread each, from the beginning of the block to its end."""

    def __init__(self, house: Installation, game: str, players: Iterable[str]) -> None:
        """`game` is one that the players have joined, by their tokens."""
        self._house = house
        self._game = game
        self._players = [house.operator.as_token(token) for token in players]
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._seen: dict[str, Seen] = defaultdict(Seen)
        self._stored: list[Acknowledged] = []
        self._before = self._footprints()
        self._most = dict(self._before)
        work: list[Callable[[], None]] = [self._look, self._log_in, self._read_page, self._read_map]
        work += [self._writing(number) for number in range(WRITERS)]
        self._threads = [threading.Thread(target=self._again, args=(each,)) for each in work]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def seen(self, kind: str) -> Seen:
        """`write`, `read` or `log in`."""
        return self._seen[kind]

    def acknowledged(self) -> list[Acknowledged]:
        """The receipts of what was stored."""
        return list(self._stored)

    def grown(self, service: str) -> Footprint:
        """By how much a service was larger at most than at the beginning."""
        before, most = self._before[service], self._most[service]
        return Footprint(most.bytes - before.bytes, most.threads - before.threads, most.files - before.files)

    def check(self) -> None:
        """Nothing but what is promised was answered, nothing hung, and nothing grew without bounds."""
        for kind, seen in self._seen.items():
            assert not seen.broken, f"{kind}: {seen.broken[:3]}"
            assert seen.longest < ANSWERED_WITHIN, f"{kind}: an answer took {seen.longest:.1f} seconds"
        for service in self._before:
            grown = self.grown(service)
            assert grown.bytes < GROWN_BYTES, f"{service}: {grown}"
            assert grown.threads < GROWN_THREADS, f"{service}: {grown}"
            assert grown.files < GROWN_FILES, f"{service}: {grown}"

    def _again(self, work: Callable[[], None]) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            work()

    def _footprints(self) -> dict[str, Footprint]:
        return {name: footprint(processes(self._house, name)) for name in self._house.services.children}

    def _look(self) -> None:
        for name, now in self._footprints().items():
            self._most[name] = self._most[name].most(now)

    def _log_in(self) -> None:
        wanted = {"name": "nobody", "password": "not the password"}
        self._ask("log in", (401,), lambda client: client.request("POST", "/tokens", wanted))
        self._stop.wait(3 * LOOK_SECONDS)  # a password costs much to check

    def _read_page(self) -> None:
        self._ask("read", (200,), lambda client: client.request("GET", f"/games/{self._game}"))

    def _read_map(self) -> None:
        self._ask("read", (200,), lambda client: client.request("GET", f"/games/{self._game}/map"))

    def _writing(self, number: int) -> Callable[[], None]:
        client = self._players[number % len(self._players)]

        def write() -> None:
            order = {"type": "set_order", "payload": {"defend": number % 4}}
            key = secrets.token_hex(8)
            headers = {"Idempotency-Key": key, "Prefer": "respond-async"}
            path = f"/games/{self._game}/commands"
            answer = self._ask("write", STORED, lambda _: client.request("POST", path, order, headers=headers))
            if answer is not None and answer.status in STORED:
                receipt = answer.body.get("receipt", answer.body)
                self._stored.append(Acknowledged(receipt["id"], self._game, receipt["hash"], answer.status))

        return write

    def _ask(self, kind: str, well: tuple[int, ...], request: Callable[[Client], Answer]) -> Answer | None:
        started = time.monotonic()
        try:
            answer = request(self._house.operator)
        except Unreachable as error:
            self._note(kind, time.monotonic() - started, None, f"no answer: {error}")
            return None
        self._note(kind, time.monotonic() - started, answer, broken_by(answer, well))
        return answer

    def _note(self, kind: str, took: float, answer: Answer | None, broken: str | None) -> None:
        with self._lock:
            seen = self._seen[kind]
            seen.longest = max(seen.longest, took)
            if answer is not None:
                seen.statuses[answer.status] += 1
                seen.oldest = max(seen.oldest, int(answer.headers.get("Age", 0)))
            if broken is not None:
                seen.broken.append(broken)


def broken_by(answer: Answer, well: tuple[int, ...]) -> str | None:
    """Why this is not an answer that is promised; None if it is one."""
    if answer.status in well:
        return None
    if answer.status != 503 or answer.body["code"] not in ("unavailable", "outcome_unknown"):
        return f"{answer}"
    return None if int(answer.headers.get("Retry-After", 0)) >= 1 else f"no Retry-After: {answer}"
