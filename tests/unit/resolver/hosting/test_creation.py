"""How a game comes into being."""

from services.resolver.hosting.creation import PART_BYTES
from shared.canonical import canonical, sha256_hex
from shared.events import MAX_EVENT_BYTES
from shared.host_events import CREATED, DATA_PART
from tests.unit.resolver.hosting.table import Table, code_of, names, told
from tests.unit.resolver.hosting.toy import TOY_2


def test_a_creation_commits_to_the_dice_before_the_first_order(table: Table) -> None:
    judged = table.create({"names": ["ana", "bia"]})
    assert names(judged) == ["input.accepted", "game.created", "welcomed", "welcomed"]
    created = judged.events[1].data
    assert (created["id"], created["kind"], created["rules"], created["chain"]) == ("g1", "toy", "1", 0)
    assert len(created["seed0"]) == 64
    assert len(created["salt"]) == 32
    assert set(created["sealed"]) == {"deal", "spare"}
    assert told(judged)[0].data == created


def test_the_events_of_a_creation_announce_what_the_state_already_holds(table: Table) -> None:
    table.create({"names": ["ana"]})
    assert table.hosted.state.names == ["ana"]
    assert table.hosted.announced == 0


def test_the_newest_rules_are_pinned_when_none_are_named(table: Table) -> None:
    payload = {"game": "toy", "create": {"names": []}}
    table.take(table.submitted("op", "create_game", payload, role="operator"), 1000)
    assert table.hosted.rules is TOY_2


def test_named_data_is_taken_into_the_journal_in_parts_before_the_creation(table: Table) -> None:
    listed = [f"name {number} with é and 😀" for number in range(9000)]
    sha256 = table.store(listed)
    judged = table.create({"names": {"sha256": sha256}})
    parts = [event for event in judged.events if event.type == DATA_PART]
    assert len(parts) > 2
    assert [event.data["part"] for event in parts] == list(range(1, len(parts) + 1))
    assert all(event.data["parts"] == len(parts) for event in parts)
    assert all(len(event.data["text"].encode()) <= PART_BYTES for event in parts)
    assert all(len(event.line()) < MAX_EVENT_BYTES for event in judged.events)
    text = "".join(event.data["text"] for event in parts)
    assert sha256_hex(text.encode()) == sha256
    assert text.encode() == canonical(listed)
    assert judged.events[len(parts) + 1].type == CREATED
    assert table.hosted.state.names == listed


def test_data_that_is_not_stored_refuses_the_creation(table: Table) -> None:
    judged = table.create({"names": {"sha256": "0" * 64}})
    assert code_of(judged) == "unknown_data"
    assert names(judged) == ["input.rejected"]


def test_data_that_is_no_json_refuses_the_creation(table: Table) -> None:
    for broken in (b"{", b"1.5", b"\xff"):
        table.stored[sha256_hex(broken)] = broken
        assert code_of(table.create({"names": {"sha256": sha256_hex(broken)}})) == "unknown_data"


def test_a_refused_creation_leaves_the_id_free(table: Table) -> None:
    assert code_of(table.create({})) == "bad_config"
    assert table.hosted.rules is None
    assert [event.type.split(".")[3] for event in table.journal] == ["rejected"]
    assert code_of(table.create({"names": []}, at=1001)) == "accepted"
    assert table.journal[-2].n == 2


def test_the_host_refuses_a_creation_in_the_order_of_the_rules(table: Table) -> None:
    player = table.submitted("ana", "create_game", {"game": "toy", "create": {"names": []}})
    assert code_of(table.take(player, 1000)) == "not_authorised"
    assert code_of(table.create([])) == "malformed"
    assert code_of(table.create({"names": []}, rules="9")) == "unknown_rules"
    assert code_of(table.create({"names": []}, game="chess")) == "unknown_rules"
    assert code_of(table.create({"names": []}, luck=1)) == "malformed"
    assert code_of(table.create({"names": []})) == "accepted"
    assert code_of(table.create({"names": []})) == "game_exists"


def test_a_creation_names_data_only_where_its_rules_have_a_field(table: Table) -> None:
    """So what one creation takes into the journal is bounded."""
    judged = table.create({"names": [], "more": {"sha256": table.store(["much"])}})
    assert code_of(judged) == "malformed"
    assert names(judged) == ["input.rejected"]
    assert "unknown field 'more'" in judged.events[0].data["detail"]


def test_rules_that_raise_on_a_creation_answer_the_operator(table: Table) -> None:
    judged = table.create({"explode": True})
    assert code_of(judged) == "internal"
    assert "RuntimeError" in judged.events[0].data["detail"]
    assert code_of(table.create({"names": []})) == "accepted"
