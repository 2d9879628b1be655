"""Nothing public of a running game tells a die to come, or a secret that has few values."""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from services.resolver.hosting.game import Chain
from services.resolver.hosting.secrets import MasterKey
from shared.canonical import canonical, sha256_hex
from shared.dice import CHAIN_LENGTH, chain_seed, chain_top, digest_of, leaf, resolution_seed, sealed_key, step
from shared.host_events import CREATED
from shared.messages import hash_of, salt_of
from tests.unit.gateway.house import House, Player
from tests.unit.tools.loading import PATH as VERIFIER
from warledger.commands.journal import export_game, verify_file
from warledger.journals import journal
from warledger.local import local_log

pytestmark = pytest.mark.slow

_HEX = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?:[0-9a-f]{32})?(?![0-9a-f])")
"""Whatever is as long as a hash, seed, key, salt or nonce. With both lengths nothing public is left out."""


class Running:
    """A war in its third turn, with one secret order in it, and the seeds that only the master key tells."""

    def __init__(self, folder: Path) -> None:
        self.house = House(folder, role="streams")
        self.house.run()
        self.operator = self.house.somebody("operator")
        self.game = self.house.war(self.operator)
        self.red = self.house.recruit(self.game, "red", "dunmere")
        self.blue = self.house.recruit(self.game, "blue", "elmgate")
        for turn in (1, 2):
            assert self.blue.command(self.game, "set_order", {"defend": turn}).status_code == 201
            assert self.operator.command(self.game, "close_turn", {"turn": turn}).status_code == 201
            for player in (self.red, self.blue):
                assert player.command(self.game, "energize").status_code == 201
        self.receipt = self._order(7)
        created = next(event.data for event in self.journal() if event.type == CREATED)
        self.master = MasterKey(self.house.settings.secret_file)
        self.chain = Chain(self.game, 0, created["salt"], created["key_id"])
        self.unrevealed = {self.master.seed(self.chain, index) for index in range(3, CHAIN_LENGTH + 1)}

    def _order(self, defend: int) -> dict[str, Any]:
        return self.accepted("set_order", {"defend": defend})

    def accepted(self, type: str, payload: dict[str, Any]) -> dict[str, Any]:
        """The receipt of a command of red's."""
        answer = self.red.command(self.game, type, payload)
        assert answer.status_code == 201, answer.get_data(as_text=True)
        receipt: dict[str, Any] = answer.get_json()
        return receipt

    def journal(self) -> list[Any]:
        with local_log(self.house.settings) as log:
            return list(journal(log, self.game))

    def paths(self) -> list[str]:
        """Every path of the API that can be read, with ids in place of its variables; streams do not end."""
        document = self.house.nobody().get("/openapi.json").get_json()
        ids = {"game": self.game, "n": "2", "id": self.receipt["id"], "account": self.blue.account}
        readable = [path for path, item in document["paths"].items() if "get" in item and not path.endswith("/stream")]
        return [re.sub(r"\{(\w+)\}", lambda found: ids[found[1]], path) for path in readable]

    def public(self, folder: Path, *viewers: Player) -> str:
        """Everything that these viewers, or nobody in particular, can read: bodies and headers; and the export."""
        texts = []
        for viewer in viewers or (self.house.nobody(),):
            for path in self.paths():
                for accept in ("application/json", "text/html", "image/svg+xml"):
                    answer = viewer.get(path, Accept=accept)
                    texts += [str(dict(answer.headers)), answer.get_data(as_text=True)]
        export_game(self.house.settings, self.game, folder / "public.jsonl", "chronicle")
        verified = verify_file(folder / "public.jsonl")
        return "\n".join([*texts, (folder / "public.jsonl").read_text(), str(verified)])


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    made = Running(tmp_path_factory.mktemp("running") / "data")
    yield made
    made.house.close()


def values(text: str) -> set[str]:
    return set(_HEX.findall(text))


def derived(value: bytes, chain: Chain, labels: Iterable[str]) -> Iterator[bytes]:
    """What the functions of the chain make of a value, taken for each thing that it could be."""
    for start in (value, chain_top(value, chain.game, chain.number, chain.salt)):
        seed = start
        for _ in range(CHAIN_LENGTH):
            yield seed
            seed = step(seed)
    for label in labels:
        yield sealed_key(value, chain.game, label, chain.salt)
        yield resolution_seed(value, chain.game, label, digest_of(()))


def foreseen(running: Running, published: Iterable[str]) -> set[str]:
    """Which published values lead to a seed that is not revealed, or to the dice of the next turn."""
    label = "turn:3"
    dice = resolution_seed(running.master.seed(running.chain, 3), running.game, label, digest_of(()))
    wanted = {*running.unrevealed, dice}
    return {
        value
        for value in published
        if not wanted.isdisjoint(derived(bytes.fromhex(value), running.chain, (label, "setup")))
    }


def test_no_published_value_leads_to_a_die_to_come(running: Running, tmp_path: Path) -> None:
    published = values(running.public(tmp_path))
    revealed = {running.master.seed(running.chain, index).hex() for index in (0, 1, 2)}
    assert revealed | {running.chain.salt} <= published  # so the search does see what is public
    assert foreseen(running, published) == set()


def test_what_players_may_see_leads_to_none_either(running: Running, tmp_path: Path) -> None:
    published = values(running.public(tmp_path, running.red, running.blue, running.operator))
    assert running.receipt["hash"] in published
    assert foreseen(running, published) == set()


def test_the_search_would_find_a_seed_a_key_or_the_dice(running: Running) -> None:
    key = running.house.settings.secret_file.read_text().strip()
    seeds = [running.master.seed(running.chain, index) for index in (3, 4, CHAIN_LENGTH)]
    dice = resolution_seed(seeds[0], running.game, "turn:3", digest_of(()))
    leaks = {key, dice.hex(), *(seed.hex() for seed in seeds)}
    assert foreseen(running, leaks) == leaks
    assert chain_seed(seeds[2], 3) == seeds[0]


def forms(secret: bytes) -> Iterator[bytes]:
    """How 32 bytes may stand in a file."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    for shift in range(3):
        # What base64 makes of them inside longer data, but for the characters that its neighbours share.
        yield base64.b64encode(b"\0" * shift + secret)[4 if shift else 0 : -4]


def found_in(texts: Iterable[bytes], secrets: Iterable[bytes]) -> list[bytes]:
    whole = b"\n".join(texts)
    return [secret for secret in secrets if any(form in whole for form in forms(secret))]


def test_no_file_but_the_key_holds_what_is_not_revealed(running: Running, tmp_path: Path) -> None:
    """Log, views, snapshots, accounts: nothing on the disk of the running house, and no export of it."""
    settings = running.house.settings
    files = [path for path in settings.keys.parent.rglob("*") if path.is_file() and settings.keys not in path.parents]
    assert {"journal.db", "orders.db", "views.db"} <= {path.name for path in files}
    export_game(settings, running.game, tmp_path / "journal.jsonl")
    texts = [path.read_bytes() for path in [*files, tmp_path / "journal.jsonl"]]
    master = bytes.fromhex(settings.secret_file.read_text())
    soon = [running.master.seed(running.chain, index) for index in (*range(3, 40), CHAIN_LENGTH)]

    assert found_in(texts, [master, *soon]) == []

    revealed = running.master.seed(running.chain, 2)
    assert found_in(texts, [revealed]) == [revealed]


ORDERS = {f"defend {defend}": {"defend": defend} for defend in range(21)}
"""Every order that it could have been."""
WORDS = ("yes", "no", "attack", "wait")
"""What a short text may say."""


def marks(given: dict[str, Any], payload: dict[str, Any], salts: Iterable[str]) -> Iterator[str]:
    """The hashes that an input with this payload would have, everything but the salt being known."""
    bare = {**given, "payload": payload}
    for form in (bare, *({**bare, "salt": salt} for salt in salts)):
        for text in (canonical(form), canonical(form["payload"])):
            hashed = sha256_hex(text)
            mark = leaf(given["id"], hashed)
            yield from (hashed, mark, digest_of([mark]), sha256_hex(mark.encode()), hashed[:32], mark[:32])


def guessed(
    given: dict[str, Any], space: Mapping[str, dict[str, Any]], published: set[str], salts: Iterable[str]
) -> set[str]:
    """Which of the payloads that it could have been fit something published."""
    return {name for name, payload in space.items() if not published.isdisjoint(marks(given, payload, salts))}


def guessed_words(given: dict[str, Any], published: set[str], salts: Iterable[str]) -> set[str]:
    """Which of the words fit something published, with any salt for the text; the input then has that salt or none."""
    found: set[str] = set()
    for word in WORDS:
        texts = {"text": word}
        for salt in salts:
            hashed = hash_of(salt, texts)
            payload = {**given["payload"], "hash": hashed}
            made = {hashed, hashed[:32], sha256_hex(word.encode()), sha256_hex(canonical(texts))}
            if not published.isdisjoint(made | set(marks(given, payload, (salt,)))):
                found.add(word)
    return found


def salts_in(published: set[str]) -> set[str]:
    return {"", "0" * 32, *(value for value in published if len(value) == 32)}


def without_salt(receipt: dict[str, Any]) -> tuple[dict[str, Any], str]:
    known = dict(receipt["input"])
    return known, known.pop("salt")


def test_no_public_hash_tells_an_order_before_or_after_the_close(tmp_path: Path) -> None:
    running = Running(tmp_path / "data")
    try:
        known, salt = without_salt(running.receipt)
        for closed in (False, True):
            if closed:
                assert running.operator.command(running.game, "close_turn", {"turn": 3}).status_code == 201
            published = values(running.public(tmp_path, running.house.nobody(), running.blue))
            assert guessed(known, ORDERS, published, salts_in(published)) == set()
        # The one who has the receipt, and so the salt, finds the leaf; the search does look in the right place.
        assert guessed(known, ORDERS, published, {salt}) == {"defend 7"}
    finally:
        running.house.close()


def test_no_public_hash_tells_a_nomination_a_vote_or_what_is_said_in_a_team(tmp_path: Path) -> None:
    running = Running(tmp_path / "data")
    try:
        mate = running.house.recruit(running.game, "red", "ashford")
        other = running.house.recruit(running.game, "red", "ashford")
        choice = {"kind": "commander", "target": mate.account}
        nominated = running.accepted("nominate", choice)
        assert other.command(running.game, "nominate", choice).status_code == 201
        voted = running.accepted("vote", {"poll": "red-1", "choice": "yes"})
        told = running.accepted("chat", {"channel": "team", "text": "attack"})
        accounts = (running.red.account, mate.account, running.blue.account)
        spaces = {
            "nominate": {
                f"{kind} {accounts.index(target)}": {"kind": kind, "target": target}
                for kind in ("commander", "impeach", "spy")
                for target in accounts
            },
            "vote": {choice: {"poll": "red-1", "choice": choice} for choice in ("yes", "no")},
        }
        right = {"nominate": "commander 1", "vote": "yes"}
        for closed in (False, True):
            if closed:
                assert running.operator.command(running.game, "close_turn", {"turn": 3}).status_code == 201
            published = values(running.public(tmp_path, running.house.nobody(), running.blue))
            for receipt in (nominated, voted):
                known, _ = without_salt(receipt)
                assert guessed(known, spaces[known["type"]], published, salts_in(published)) == set()
            assert guessed_words(without_salt(told)[0], published, salts_in(published)) == set()

        for receipt in (nominated, voted):  # with the salts the search finds each: it looks in the right place
            known, salt = without_salt(receipt)
            assert guessed(known, spaces[known["type"]], published, {salt}) == {right[known["type"]]}
        known, salt = without_salt(told)  # of which nothing is public, as its number is not
        assert guessed(known, {"told": known["payload"]}, published, {salt}) == set()
        assert guessed(known, {"told": known["payload"]}, {told["hash"]}, {salt}) == {"told"}
        salt = salt_of(running.house.settings.key("salt"), known["id"], {"text": "attack"})
        assert guessed_words(known, {known["payload"]["hash"]}, {salt}) == {"attack"}
    finally:
        running.house.close()


def test_a_receipt_is_checked_by_a_stranger_while_the_game_runs(running: Running, tmp_path: Path) -> None:
    """As docs/proof.md says: the receipt of an order of turn 1, the chronicle, and one file of Python."""
    nobody = running.house.nobody()
    (tmp_path / "game.jsonl").write_bytes(nobody.get(f"/games/{running.game}/chronicle").data)
    assert nobody.get("/verify_turn.py").data == VERIFIER.read_bytes()
    accepted = [e.data for e in running.journal() if e.data.get("input", {}).get("actor") == running.blue.account]
    order = next(data for data in accepted if data["input"]["type"] == "set_order")
    answer = running.blue.get(f"/games/{running.game}/inputs/{order['input']['id']}").get_json()
    receipts = {"own": {"input": order["input"], "hash": answer["hash"]}, "waiting": running.receipt}
    for name, receipt in receipts.items():
        (tmp_path / f"{name}.json").write_bytes(canonical(receipt))

    code, lines = verify_file(tmp_path / "game.jsonl", "--receipt", str(tmp_path / "own.json"))
    assert code == 0
    assert any("is in turn:1, certificate 1, as leaf" in line for line in lines)
    code, lines = verify_file(tmp_path / "game.jsonl", "--receipt", str(tmp_path / "waiting.json"))
    assert code == 1
    assert any("is in no resolution" in line for line in lines)
    assert hashlib.sha256(canonical(running.receipt["input"])).hexdigest() == running.receipt["hash"]
