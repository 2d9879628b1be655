"""The envelope: values, ids, records, and what the chronicle shows of an event."""

from dataclasses import replace

import orjson
import pytest

from shared.canonical import sha256_hex
from shared.events import (
    CERTIFIED,
    MAX_EVENT_BYTES,
    MAX_RECORD_BYTES,
    RECORD_BYTES,
    JournalEvent,
    Origin,
    Packing,
    Submitted,
    Unreadable,
    event_type,
    input_id,
    lines,
    pack,
    public_form,
    read_submitted,
    salt_of,
    split_type,
    unpack,
)
from shared.host_events import CREATED, HOST_EVENTS, host_type

ANA = Submitted("a-1", "g1", "ana", "player", "energize", {}, "0" * 32)
ANA_HASH = "056a488be008080fd86c187ca1955b1b622e43507c61327f985908bd36119550"


def test_the_hash_of_an_input_is_that_of_the_rules() -> None:
    assert ANA.hash() == ANA_HASH
    bia = Submitted("b-2", "g1", "bia", "player", "place", {"territory": "T"}, "f" * 32)
    assert bia.hash() == "2c030e772881ca84e837d9d04be76ec53e946e264c724f1f87c85edae944104b"


def test_an_input_comes_back_from_its_value() -> None:
    assert read_submitted(ANA.value()) == ANA


def test_the_hash_of_a_stored_input_is_made_once_from_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_submitted(ANA.value())
    with monkeypatch.context() as patch:
        patch.setattr(Submitted, "value", None)
        assert read.hash() == read.hash() == ANA_HASH
    assert replace(read, actor="bia").hash() == sha256_hex(replace(ANA, actor="bia").value())


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"[]",
        b"{}",
        ANA.value() + b" ",
        ANA.value().replace(b'"player"', b'"clock"'),
        ANA.value().replace(b'"player"', b'"king"'),
        ANA.value().replace(b'"a-1"', b"1"),
        ANA.value().replace(b'"payload":{}', b'"payload":[]'),
        ANA.value().replace(b'"payload":{}', b'"payload":{"x":1.5}'),
        ANA.value().replace(b"}", b',"zzz":1}', 1),
    ],
)
def test_what_is_no_input_is_unreadable(value: bytes) -> None:
    with pytest.raises(Unreadable):
        read_submitted(value)


def test_id_and_salt_of_an_input_are_functions_of_the_request() -> None:
    assert input_id("g1", "ana", "key-1") == input_id("g1", "ana", "key-1")
    assert len({input_id("g1", "ana", "k"), input_id("g1", "bia", "k"), input_id("g2", "ana", "k")}) == 3
    salts = {
        salt_of(key, actor="ana", game="g1", id=id, payload={}, role="player", type="join")
        for key in (b"one", b"two")
        for id in ("a", "b")
    }
    assert len(salts) == 4
    assert all(len(salt) == 32 and bytes.fromhex(salt) for salt in salts)


def test_type_names_come_apart_and_together() -> None:
    assert event_type("space-battle", "craft_moved", 2) == "warledger.space-battle.craft_moved.v2"
    assert split_type("warledger.host.input.accepted.v1") == ("host", "input.accepted", 1)
    for strange in (
        "",
        "warledger",
        "warledger.gxc.v1",
        "other.gxc.moved.v1",
        "warledger.gxc.moved",
        "warledger..a.v1",
    ):
        with pytest.raises(ValueError, match="is no event type"):
            split_type(strange)


def event(n: int, size: int = 10) -> JournalEvent:
    return JournalEvent(n, "warledger.toy.said.v1", {"text": "é" * size}, ("public", "team:red"))


def test_a_line_is_canonical() -> None:
    assert event(3, 1).line().decode() == (
        '{"data":{"text":"é"},"n":3,"to":["public","team:red"],"type":"warledger.toy.said.v1"}'
    )
    assert b"".join(lines([event(1), event(2)])).count(b"\n") == 2


def test_records_hold_the_events_in_order_and_keep_the_limit() -> None:
    events = [event(n, 20_000) for n in range(1, 101)]
    origins = [Origin(1, "orders", 3, 17, None), Origin(5, "votes", 3, 4, "00-ab-cd-01")]
    values = pack("g1", events, origins)
    batches = [unpack(value) for value in values]
    assert len(values) > 1
    assert all(len(value) <= MAX_RECORD_BYTES for value in values)
    assert [item for batch in batches for item in batch.events] == events
    assert [(batch.part, batch.parts) for batch in batches] == [(i + 1, len(values)) for i in range(len(values))]
    assert batches[0].origins == tuple(origins)
    assert batches[1].origins == ()


def test_lines_that_come_one_by_one_stand_in_the_same_records() -> None:
    sizes = [1, RECORD_BYTES - 2, 1, RECORD_BYTES, RECORD_BYTES + 1, 3, 20_000, 44_000, 30_000]
    made = [b"x" * size for size in sizes]
    at_once, one_by_one = Packing(), Packing()
    at_once.add(made)
    for line in made:
        one_by_one.add([line])
    values = at_once.values("g1")
    assert values == one_by_one.values("g1")
    assert [value.count(b",") - 4 for value in values] == [1, 0, 0, 0, 1, 0, 0]
    assert at_once.values("g1") == [b'{"events":[],"game":"g1","origins":[],"part":1,"parts":1}']


def test_a_record_is_canonical_json() -> None:
    (value,) = pack("g1", [event(1)], [Origin(1, "orders", 3, 17, None)])
    assert orjson.dumps(orjson.loads(value), option=orjson.OPT_SORT_KEYS) == value


def test_an_event_that_is_too_large_is_named() -> None:
    with pytest.raises(ValueError, match=r"event 7 of g1, warledger\.toy\.said\.v1"):
        pack("g1", [event(7, MAX_EVENT_BYTES)])


@pytest.mark.parametrize("value", [b"", b"{}", b"[]", b'{"events":[{}],"game":"g","origins":[],"part":1,"parts":1}'])
def test_what_is_no_batch_is_unreadable(value: bytes) -> None:
    with pytest.raises(Unreadable):
        unpack(value)


def test_only_public_events_have_a_public_form() -> None:
    assert public_form(event(1)) == (event(1).type, event(1).data)
    assert public_form(JournalEvent(1, "warledger.toy.said.v1", {}, ("team:red",))) is None
    assert public_form(JournalEvent(1, "warledger.toy.said.v1", {}, ())) is None


def test_the_public_form_of_a_certificate_lacks_what_would_open_it() -> None:
    data = {"k": 1, "seed": "s", "nonce": "n", "state": "h", "sealed_key": "k"}
    assert public_form(JournalEvent(1, CERTIFIED, data, ("public",))) == (CERTIFIED, {"k": 1, "seed": "s"})


def test_the_catalogue_of_host_events_is_complete_and_named_as_the_topics_are() -> None:
    for name, described in HOST_EVENTS.items():
        assert name == described.name
        assert split_type(host_type(name)) == ("host", name, described.version)
        assert described.summary.split(".")[0] in ("Public", "Operators", "Player", "Its player and operators") or (
            described.summary.startswith(("Public without", "Public; to operators alone"))
        )
    assert CREATED == "warledger.host.game.created.v1"
