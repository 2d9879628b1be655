"""What stands at the end of a resolution, computed here a second time from the journal."""

import hashlib

import pytest

from services.resolver.hosting.certifying import LEAVES_A_PART
from services.resolver.hosting.game import DeciderFailed
from services.resolver.hosting.judging import start_chain
from services.resolver.hosting.secrets import ForeignKey
from shared.canonical import canonical, sha256_hex
from shared.dice import Stream, digest_of, leaf, resolution_seed, sealed_key
from shared.events import CERTIFIED, JournalEvent
from shared.host_events import CHAIN_STARTED, LEAVES, SEALED_REVEALED
from tests.unit.resolver.hosting.table import KEY, Table, master_key, names, told
from tests.unit.resolver.hosting.toy import TURN_MS


def certificates(events: list[JournalEvent]) -> list[JournalEvent]:
    return [event for event in events if event.type == CERTIFIED]


def running_hash(lines: list[bytes]) -> str:
    value = bytes(32)
    for line in lines:
        value = hashlib.sha256(value + line + b"\n").digest()
    return value.hex()


@pytest.mark.parametrize("at_once", [2, 3, 16_384])
def test_the_digest_holds_every_input_since_the_last_resolution_but_talk(
    running: Table, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr("services.resolver.hosting.game.LEAVES_AT_ONCE", at_once)
    order = running.submitted("ana", "order", {"name": "x"})
    talk = running.submitted("ana", "chat", {"text": "hello"})
    refused = running.submitted("ana", "roll", {"faces": 0})
    roll = running.submitted("ana", "roll", {"faces": 6})
    for at, submitted in enumerate((order, talk, refused, roll), 3000):
        running.take(submitted, at)
    first = [event.data["input"] for event in running.journal if event.type.endswith("input.accepted.v1")][:2]
    expected = [leaf(given["id"], sha256_hex(canonical(given))) for given in first]
    expected += [leaf(item.id, item.hash()) for item in (order, roll)]
    published = next(event for event in running.chronicle if event.type == LEAVES)
    assert published.data == {"k": 1, "label": "roll:1", "part": 1, "parts": 1, "leaves": sorted(expected)}
    assert certificates(running.chronicle)[0].data["digest"] == digest_of(expected)


def test_a_second_resolution_of_a_command_has_the_digest_of_nothing(running: Table) -> None:
    judged = running.say("ana", "double", 3000)
    wanted = ["input.accepted", *["rolled", "resolution.leaves", "resolution.certified"] * 2]
    assert names(judged) == wanted
    first, second = certificates(told(judged))
    assert (first.data["k"], second.data["k"]) == (1, 2)
    assert second.data["digest"] == digest_of([])
    assert judged.events[5].data["leaves"] in ((), [])
    assert bytes.fromhex(first.data["seed"]) == hashlib.sha256(bytes.fromhex(second.data["seed"])).digest()


def test_each_input_is_in_one_digest_only(running: Table) -> None:
    for turn in range(1, 4):
        running.say("ana", "order", 3000 + (turn - 1) * TURN_MS, name=f"x{turn}")
        running.run_clock(2000 + turn * TURN_MS)
    leaves = [item for event in running.chronicle if event.type == LEAVES for item in event.data["leaves"]]
    assert len(leaves) == len(set(leaves)) == 2 + 3 + 3


def test_the_seeds_lead_back_to_the_commitment(running: Table) -> None:
    for at in range(3000, 3005):
        running.say("ana", "roll", at, faces=6)
    seed = bytes.fromhex(running.chronicle[0].data["seed0"])
    for certificate in certificates(running.chronicle):
        revealed = bytes.fromhex(certificate.data["seed"])
        assert hashlib.sha256(revealed).digest() == seed
        seed = revealed


def test_the_dice_come_from_seed_digest_and_label(running: Table) -> None:
    running.say("ana", "roll", 3000, faces=100)
    certificate = certificates(running.chronicle)[0].data
    seed = resolution_seed(bytes.fromhex(certificate["seed"]), "g1", "roll:1", certificate["digest"])
    rolled = next(event for event in running.chronicle if event.type == "warledger.toy.rolled.v1")
    assert rolled.data["value"] == Stream(seed, "roll").int(100)


def test_certificates_hash_what_was_written_since_the_one_before(running: Table) -> None:
    running.say("ana", "roll", 3000, faces=6)
    running.say("ana", "order", 3001, name="secret")
    running.run_clock(2000 + TURN_MS)
    lines: dict[str, list[bytes]] = {"journal": [], "chronicle": []}
    sealed = []
    for event in running.journal:
        if event.type == CERTIFIED:
            data = event.data
            journal = running_hash(lines["journal"])
            sealed.append(data["sealed"])
            assert data["sealed"] == sha256_hex(f"{data['nonce']}|{journal}|{data['state']}".encode())
            lines["journal"].clear()
        else:
            lines["journal"].append(event.line())
    previous = ""
    for event in running.chronicle:
        if event.type == CERTIFIED:
            assert event.data["public"] == running_hash(lines["chronicle"])
            assert event.data["previous"] == previous
            assert event.data["sealed"] == sealed.pop(0)
            previous = sha256_hex(event.line())
            lines["chronicle"].clear()
        else:
            lines["chronicle"].append(event.line())
    assert running.hosted.previous == previous
    assert running.hosted.rules is not None
    state = sha256_hex(canonical(running.hosted.rules.encode(running.hosted.state)))
    assert certificates(running.journal)[-1].data["state"] == state


def test_the_chronicles_certificate_holds_no_nonce_state_or_key(running: Table) -> None:
    running.say("op", "deal", 3000)
    public = certificates(running.chronicle)[0].data
    assert set(public) == {"k", "label", "previous", "seed", "digest", "public", "sealed"}
    assert public["seed"] is None
    assert {"nonce", "state", "sealed_key"} < set(certificates(running.journal)[0].data)


def test_a_sealed_resolution_takes_no_seed_and_its_key_fits_the_commitment(running: Table) -> None:
    running.say("op", "deal", 3000)
    running.say("ana", "roll", 3001, faces=6)
    created = running.chronicle[0].data
    dealt, rolled = certificates(running.journal)
    key = bytes.fromhex(dealt.data["sealed_key"])
    assert key == sealed_key(bytes.fromhex(KEY), "g1", "deal", created["salt"])
    assert sha256_hex(key) == created["sealed"]["deal"]
    assert hashlib.sha256(bytes.fromhex(rolled.data["seed"])).hexdigest() == created["seed0"]
    assert set(running.hosted.sealed) == {"spare"}


def test_the_sealed_keys_become_public_when_the_game_ends(running: Table) -> None:
    running.say("op", "deal", 3000)
    assert not any(event.type == SEALED_REVEALED for event in running.chronicle)
    running.say("op", "end", 3001)
    revealed = [event for event in running.chronicle if event.type == SEALED_REVEALED]
    assert [event.data["keys"] for event in revealed] == [{"deal": certificates(running.journal)[0].data["sealed_key"]}]
    running.say("ana", "chat", 3002, text="well played")
    assert sum(event.type == SEALED_REVEALED for event in running.journal) == 1


def test_many_leaves_are_published_in_parts(running: Table) -> None:
    running.hosted.leaves.extend(sha256_hex(str(number).encode()) for number in range(LEAVES_A_PART))
    judged = running.say("ana", "roll", 3000, faces=6)
    parts = [event.data for event in judged.events if event.type == LEAVES]
    assert [(part["part"], part["parts"], len(part["leaves"])) for part in parts] == [(1, 2, 3000), (2, 2, 3)]
    joined = [item for part in parts for item in part["leaves"]]
    assert joined == sorted(joined)


def test_a_used_up_chain_publishes_the_next_commitment(running: Table) -> None:
    for at in range(1023):
        running.say("ana", "roll", 3000 + at, faces=6)
    judged = running.say("ana", "double", 5000)
    assert names(judged)[1:] == [
        "rolled",
        "resolution.leaves",
        "resolution.certified",
        "chain.started",
        "rolled",
        "resolution.leaves",
        "resolution.certified",
    ]
    started = judged.events[4].data
    assert (started["chain"], started["reason"], started["sealed"]) == (1, "renewed", {})
    assert started["salt"] == running.chronicle[0].data["salt"]
    assert hashlib.sha256(bytes.fromhex(judged.events[7].data["seed"])).hexdigest() == started["seed0"]
    assert running.hosted.next_seed == 2


@pytest.mark.parametrize(("reason", "kinds"), [("import", ["game.moved"]), ("restore", ["game.moved"]), ("key", [])])
def test_another_house_or_key_starts_a_new_chain_and_says_so(running: Table, reason: str, kinds: list[str]) -> None:
    running.say("op", "deal", 3000)
    other = "7a" * 32
    folder = running.folder
    running.context = type(running.context)(master_key(folder, other), running.stored.get)
    judged = running.keep(start_chain(running.hosted, reason, 4000, running.context))  # type: ignore[arg-type]
    assert names(judged) == [*kinds, "chain.started"]
    started = next(event.data for event in judged.events if event.type == CHAIN_STARTED)
    assert started["reason"] == reason
    assert started["salt"] != running.chronicle[0].data["salt"]
    assert set(started["sealed"]) == {"spare"}
    running.say("ana", "roll", 4001, faces=6)
    seed = bytes.fromhex(certificates(running.journal)[-1].data["seed"])
    assert hashlib.sha256(seed).hexdigest() == started["seed0"]


def test_a_foreign_master_key_rolls_no_dice(running: Table) -> None:
    running.context = type(running.context)(master_key(running.folder, "7a" * 32), running.stored.get)
    with pytest.raises(DeciderFailed, match="start a new chain") as failed:
        running.say("ana", "roll", 3000, faces=6)
    assert isinstance(failed.value.__cause__, ForeignKey)
