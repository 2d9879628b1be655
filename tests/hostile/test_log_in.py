"""Guessing passwords and flooding registrations: limited by address and account, whatever the client pretends."""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPConnection
from itertools import count, product, starmap
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson
import pytest

from services.gateway.accounts import create_account
from tests.counts import Counts
from tests.e2e.wars import enlisted, small_war
from tests.hostile.witness import Witness
from warledger.demo.installation import Installation, installation
from warledger.local import local_documents

pytestmark = pytest.mark.slow
GROUP = "log-ins and registrations"
LOGINS, REGISTRATIONS = 5, 8
AT_ONCE, MANY = 24, 40
_addresses = starmap("127.{}.{}.1".format, product(range(1, 250), range(250)))  # no generator: threads take from it
_numbers = count(1)


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: dict[str, Any]

    def told(self) -> tuple[int, dict[str, str], dict[str, Any]]:
        """Everything of it that could tell something."""
        kept = {name: text for name, text in self.headers.items() if name not in ("date", "traceparent")}
        return self.status, kept, self.body


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Two gateway workers with low limits."""
    limits = {"WARLEDGER_LOGINS_A_MINUTE": str(LOGINS), "WARLEDGER_REGISTRATIONS_AN_HOUR": str(REGISTRATIONS)}
    with installation(tmp_path_factory.mktemp("guarded") / "data", {**limits, "WARLEDGER_WORKERS": "2"}) as house:
        yield house


def send(house: Installation, path: str, body: Any, address: str, **headers: str) -> Answer:
    """POST from an address of this machine, over a connection of its own."""
    parts = urlsplit(house.settings.urls["gateway"])
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=30, source_address=(address, 0))
    sent = {"Content-Type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}}
    connection.request("POST", path, orjson.dumps(body), sent)
    got = connection.getresponse()
    answer = Answer(got.status, {name.lower(): text for name, text in got.getheaders()}, orjson.loads(got.read()))
    connection.close()
    return answer


def log_in(house: Installation, name: str, password: str, address: str, **headers: str) -> Answer:
    """Try to log in."""
    return send(house, "/tokens", {"name": name, "password": password}, address, **headers)


def somebody(house: Installation, password: str | None = "her own password") -> str:
    """The name of a new account."""
    name = f"citizen {next(_numbers)}"
    with local_documents(house.settings) as documents:
        create_account(documents, name, "player", password)
    return name


def in_one_window(seconds: int, attempts: Callable[[], list[Answer]]) -> list[Answer]:
    """The answers to attempts that all fell into one window; made again if they did not."""
    while True:
        window = int(time.time()) // seconds
        answers = attempts()
        if int(time.time()) // seconds == window:
            return answers


def many(attempt: Callable[[int], Answer]) -> list[Answer]:
    """MANY attempts at once, then one after the other until the limit is told.

    Of those at once a slow machine may look at fewer than the limit: it refuses the rest as too many at a time.
    """
    answers = at_once([partial(attempt, number) for number in range(MANY)])
    more = count(MANY)
    while not any(map(is_limited, answers)):
        answers.append(attempt(next(more)))
    return answers


def is_limited(answer: Answer) -> bool:
    """Whether the limit refused it."""
    return "attempts in" in answer.body.get("detail", "")


def at_once(tries: list[Callable[[], Answer]]) -> list[Answer]:
    """Do all at once."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda attempt: attempt(), tries))


def looked_at(answers: list[Answer], limit: int, status: int) -> None:
    """At most `limit` attempts were looked at, the others refused: by the limit, or because too many came at once."""
    found = Counter(answer.status for answer in answers)
    limited = sum(map(is_limited, answers))
    busy = len(answers) - found[status] - limited
    assert limited
    assert found[status] <= limit <= found[status] + busy
    for answer in answers:
        if answer.status != status:
            assert answer.body["code"] in ("too_many_requests", "unavailable")
            assert 1 <= int(answer.headers["retry-after"]) <= 3600


def test_one_address_that_guesses_many_names_at_once_is_limited(guarded: Installation, counts: Counts) -> None:
    def attempts() -> list[Answer]:
        address = next(_addresses)
        return many(lambda n: log_in(guarded, f"guess {n}", "password", address))

    answers = in_one_window(60, attempts)
    looked_at(answers, LOGINS, 401)
    assert all(int(answer.headers.get("retry-after", 1)) <= 60 for answer in answers)
    counts.add(GROUP, "log-ins tried from one address", MANY)


def test_an_address_that_claims_to_be_others_is_limited_all_the_same(guarded: Installation) -> None:
    def attempts() -> list[Answer]:
        address = next(_addresses)
        return [
            log_in(
                guarded,
                f"guess {n}",
                "password",
                address,
                X_Forwarded_For=f"192.0.2.{n}",
                Forwarded=f"for=192.0.2.{n}",
                X_Real_IP=f"192.0.2.{n}",
            )
            for n in range(LOGINS + 5)
        ]

    assert [answer.status for answer in in_one_window(60, attempts)] == [401] * LOGINS + [429] * 5


@pytest.mark.parametrize("exists", [True, False])
def test_one_account_tried_from_many_addresses_at_once_is_limited_whether_it_exists_or_not(
    guarded: Installation, counts: Counts, exists: bool
) -> None:
    def attempts() -> list[Answer]:
        name = somebody(guarded) if exists else f"nobody {next(_numbers)}"
        spelt = (name, name.upper(), f" {name}")
        return many(lambda n: log_in(guarded, spelt[n % 3], f"guess {n}", next(_addresses)))

    answers = in_one_window(60, attempts)
    looked_at(answers, LOGINS, 401)
    counts.add(GROUP, "log-ins tried on one account", MANY)


def test_honest_log_ins_are_not_counted(guarded: Installation) -> None:
    name, address = somebody(guarded), next(_addresses)
    assert {log_in(guarded, name, "her own password", address).status for _ in range(2 * LOGINS)} == {201}


def test_an_honest_log_in_gives_back_nothing_of_what_others_tried(guarded: Installation) -> None:
    def attempts() -> list[Answer]:
        own, other, address = somebody(guarded), somebody(guarded), next(_addresses)
        answers = []
        for n in range(LOGINS + 3):
            log_in(guarded, own, "her own password", address)
            answers.append(log_in(guarded, other, f"guess {n}", address))
        return answers

    assert [answer.status for answer in in_one_window(60, attempts)] == [401] * LOGINS + [429] * 3


def test_a_flood_of_registrations_is_limited(guarded: Installation, counts: Counts) -> None:
    def attempts() -> list[Answer]:
        address = next(_addresses)

        def register(_: int) -> Answer:
            return send(
                guarded, "/accounts", {"name": f"flood {next(_numbers)}", "password": "a long password"}, address
            )

        return many(register)

    answers = in_one_window(3600, attempts)
    looked_at(answers, REGISTRATIONS, 201)
    counts.add(GROUP, "registrations tried from one address", MANY)


def test_no_answer_tells_whether_an_account_exists(guarded: Installation) -> None:
    names = [somebody(guarded), somebody(guarded, None), f"nobody {next(_numbers)}", "\u00df" * 300, "\ufdfa" * 40]
    told = [log_in(guarded, name, "a wrong password", next(_addresses)).told() for name in names[:3]]
    assert told[0] == told[1] == told[2]
    assert told[0][0] == 401
    assert log_in(guarded, names[3], "a wrong password", next(_addresses)).status == 400
    assert log_in(guarded, names[4], "a wrong password", next(_addresses)).told() == told[0]


@pytest.mark.timeout(600)
def test_no_time_tells_whether_an_account_exists(besieged: Installation) -> None:
    known, tokens_only = somebody(besieged), somebody(besieged, None)
    least: dict[str, float] = {}
    for n in range(40):
        for kind, name in (("known", known), ("tokens only", tokens_only), ("unknown", f"nobody {n}")):
            began = time.perf_counter()
            log_in(besieged, name, "a wrong password", "127.0.0.1")
            least[kind] = min(least.get(kind, math.inf), time.perf_counter() - began)
        # The least is what it takes on a machine that does nothing else; a busy one needs more tries to come to that.
        if n >= 5 and max(least.values()) < 1.5 * min(least.values()):
            return
    pytest.fail(f"seconds: {least}")


def test_a_storm_of_log_ins_from_everywhere_holds_nobody_up(guarded: Installation, counts: Counts) -> None:
    game = small_war(guarded)
    witness = Witness(enlisted(guarded, game, "red", "dunmere"), game)
    with witness.ordering() as took:
        answers = at_once([lambda n=n: log_in(guarded, f"storm {n}", "x", next(_addresses)) for n in range(120)])  # type: ignore[misc]
    assert {answer.status for answer in answers} <= {401, 429, 503}
    assert all("retry-after" in answer.headers for answer in answers if answer.status != 401)
    counts.add(GROUP, "log-ins from as many addresses", 120)
    counts.largest(GROUP, "slowest honest order meanwhile, ms", max(took))
