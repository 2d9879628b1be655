"""After an eventful session nothing secret stands where it does not belong: in a log, a store or a topic."""

import json
import os
import re
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from shared.adapters import open_log
from shared.config import read_key
from shared.dice import CHAIN_LENGTH, chain_top, step
from shared.host_events import CREATED
from tests.counts import Counts
from tests.e2e.wars import small_war
from tests.faults.waiting import eventually
from tests.hostile.logs import logs_of
from warledger.api import Client, Unreachable
from warledger.demo.installation import Installation, installation
from warledger.journals import journal

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
GROUP = "secrets at rest"
CRASHED = ("orders", "resolver", "projector", "gateway", "polls")


@dataclass
class Session:
    """What was said in it that must not be found again."""

    folder: Path
    logs: Mapping[str, str] = field(default_factory=dict)
    passwords: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    said_in_vain: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    seeds: list[str] = field(default_factory=list)


def random_text(word: str) -> str:
    """A text that stands nowhere by chance."""
    return f"{word} {os.urandom(9).hex()}"


def enter(house: Installation, session: Session) -> Client:
    """Register, mistype the password, log in, change the password, log in again and look around."""
    visitor = Client(house.settings.urls["gateway"])
    name, password, address = random_text("name"), random_text("password"), f"{os.urandom(9).hex()}@example.org"
    wrong, better = random_text("wrong"), random_text("better")
    visitor.post("/accounts", {"name": name, "password": password, "email": address})
    visitor.request("POST", "/accounts", {"name": name, "password": wrong, "email": address})
    visitor.request("POST", "/accounts", {"name": name, "password": password, "e-mail": address})
    visitor.request("POST", "/tokens", {"name": name, "password": wrong})
    first = visitor.post("/tokens", {"name": name, "password": password}).body["token"]
    change = {"password": better, "old_password": password}
    assert visitor.as_token(first).request("PATCH", "/accounts/me", change).status == 200
    second = visitor.post("/tokens", {"name": name, "password": better}).body["token"]
    visitor.as_token(second + "x").request("GET", "/accounts/me")
    visitor.request("GET", f"/games/{second}?token={second}")
    visitor.request("GET", "/games", headers={"Authorization": f"Basic {second}"})
    session.passwords += [password, wrong, better]
    session.tokens += [first, second]
    session.addresses.append(address)
    session.names.append(name)
    return visitor.as_token(second)


def play(house: Installation, game: str, player: Client, session: Session) -> None:
    """Give commands, good and bad, talk, and ask for a stream."""
    said = random_text("words")
    for type, payload in (
        ("join", {"team": "red"}),
        ("place", {"territory": "dunmere"}),
        ("energize", {}),
        ("set_order", {"defend": 2}),
        ("set_order", {"defend": "much"}),
        ("chat", {"channel": "team", "text": said}),
        ("no_such_command", {}),
    ):
        player.request("POST", f"/games/{game}/commands", {"type": type, "payload": payload})
    ticket = player.request("GET", f"/games/{game}/stream")
    found = re.search(r"ticket=([^&]+)", ticket.headers["Location"])
    assert found
    session.tokens.append(found[1])
    session.texts.append(said)


def talk(game: str, player: Client, session: Session) -> None:
    """Say and order something while a service is away."""
    said = random_text("words")
    with suppress(Unreachable):
        player.request("POST", f"/games/{game}/commands", {"type": "chat", "payload": {"channel": "all", "text": said}})
        player.request("POST", f"/games/{game}/commands", {"type": "set_order", "payload": {"defend": 1}})
    session.said_in_vain.append(said)


def crash(house: Installation, name: str, meanwhile: Callable[[], object]) -> None:
    """Kill a process the hard way, do something without it, and wait until everything is ready again."""
    killed = house.services.children[name].process
    os.killpg(killed.pid, signal.SIGKILL)
    meanwhile()
    eventually(
        lambda: house.services.children[name].process is not killed,
        f"{name} is started again",
        meanwhile=house.services.watch,
    )
    assert not house.services.ready(60)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Nobody can write to a file meanwhile, as if its disk hung."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


def provoke(house: Installation, game: str, player: Client, session: Session) -> None:
    """Let every store fail while people log in, order and talk, and send what makes servers stumble."""
    data = house.settings.keys.parent
    with locked(data / "log/orders.db"), locked(data / "log/votes.db"):
        talk(game, player, session)
    with locked(data / "docs/messages.db"):
        talk(game, player, session)
    with locked(data / "docs" / "accounts.db"), suppress(Unreachable):
        password = random_text("password")
        session.passwords.append(password)
        player.request("POST", "/accounts", {"name": random_text("name"), "password": password})
        player.request("POST", "/tokens", {"name": session.names[-1], "password": session.passwords[-2]})
    for path in (f"/games/{game}/inputs/{session.tokens[-1]}", "/games/%00", f"/{session.passwords[-1]}"):
        player.request("GET", path, headers={"Authorization": f"Bearer {session.tokens[-1]}{session.passwords[-1]}"})


def seeds_of(house: Installation, game: str) -> list[str]:
    """Every seed of a game's chain, revealed or not, as hex."""
    log = open_log(house.settings)
    created = next(event.data for event in journal(log, game) if event.type == CREATED)
    log.close()
    seed = chain_top(read_key(house.settings.secret_file), game, 0, created["salt"])
    seeds = [seed.hex()]
    for _ in range(CHAIN_LENGTH):
        seed = step(seed)
        seeds.append(seed.hex())
    assert seeds[-1] == created["seed0"]
    return seeds


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A session with log-ins, failures, commands, a closed turn and crashes; everything has stopped after it."""
    folder = tmp_path_factory.mktemp("eventful") / "data"
    said = Session(folder)
    with installation(folder, {"WARLEDGER_LOG_LEVEL": "debug"}) as house:
        game = small_war(house)
        player = enter(house, said)
        play(house, game, player, said)
        provoke(house, game, player, said)
        house.operator.command(game, "close_turn", {"turn": 1})
        for name in CRASHED:
            crash(house, name, lambda: talk(game, player, said))
            play(house, game, enter(house, said), said)
        house.operator.command(game, "close_turn", {"turn": 2})
        said.seeds = seeds_of(house, game)
        said.tokens.append((house.settings.keys / "operator.token").read_text().strip())
        said.keys = [path.read_text().strip() for path in house.settings.keys.glob("*.key")]
    said.logs = logs_of(house)
    return said


_SAID = {
    "committed",
    "documents_unavailable",
    "input_appended",
    "input_refused",
    "judged",
    "log_unavailable",
    "projected",
    "request",
    "request_not_served",
    "shown",
}
"""What the logs of an eventful session have lines of, at the least."""


def stored(folder: Path, pattern: str) -> dict[str, bytes]:
    """The bytes of every file of a store, write-ahead logs included."""
    found = {path.name: path.read_bytes() for path in folder.glob(pattern) if path.is_file()}
    assert found
    return found


def secret_of(token: str) -> str:
    """The part of a token, or of a ticket, that proves anything."""
    return token.rpartition(".")[2]


def test_no_log_line_holds_a_secret(session: Session, counts: Counts) -> None:
    assert len(session.keys) > 4
    hidden = [
        *session.passwords,
        *map(secret_of, session.tokens),
        *session.addresses,
        *session.names,
        *session.texts,
        *session.said_in_vain,
        *session.keys,
        *session.seeds,
    ]
    events = Counter(
        json.loads(line)["event"] for text in session.logs.values() for line in text.splitlines() if line[:1] == "{"
    )
    assert events.keys() >= _SAID, events
    assert events.total() > 200
    for name, text in session.logs.items():
        assert not [word for word in hidden if word in text], name
    counts.add(GROUP, "secrets looked for in the logs", len(hidden))
    counts.add(GROUP, "lines of logs", sum(text.count("\n") for text in session.logs.values()))


def test_passwords_and_tokens_are_stored_hashed(session: Session, counts: Counts) -> None:
    hidden = [*session.passwords, *map(secret_of, session.tokens)]
    files = {**stored(session.folder / "docs", "*"), **stored(session.folder / "log", "**/*")}
    for name, data in files.items():
        assert not [word for word in hidden if word.encode() in data], name
    counts.add(GROUP, "files of stores searched", len(files))


def test_names_and_addresses_are_with_the_accounts_alone(session: Session) -> None:
    accounts = stored(session.folder / "docs", "accounts.db*")
    for word in (*session.addresses, *session.names):
        assert any(word.encode() in data for data in accounts.values())
    others = {name: data for name, data in stored(session.folder / "docs", "*").items() if name not in accounts}
    for name, data in {**others, **stored(session.folder / "log", "**/*")}.items():
        assert not [word for word in (*session.addresses, *session.names) if word.encode() in data], name


def test_texts_of_players_are_in_no_topic(session: Session) -> None:
    messages = stored(session.folder / "docs", "messages.db*")
    assert all(any(text.encode() in data for data in messages.values()) for text in session.texts)
    for name, data in stored(session.folder / "log", "**/*").items():
        assert not [text for text in session.texts if text.encode() in data], name


def test_files_that_hold_secrets_are_their_owners_alone(session: Session) -> None:
    for path in [*session.folder.glob("keys/*"), *session.folder.glob("docs/*"), *session.folder.glob("log/**/*.db*")]:
        assert path.stat().st_mode & 0o077 == 0 or path.parent.stat().st_mode & 0o077 == 0, path
