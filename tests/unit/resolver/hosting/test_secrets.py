"""Seeds and keys come from the master key alone, and in a replay from what the journal reveals."""

from pathlib import Path

import pytest

from services.resolver.hosting.game import Chain
from services.resolver.hosting.secrets import ForeignKey, MasterKey, NotRecorded, RecordedSecrets
from shared.config import ConfigError
from shared.dice import chain_seed, chain_top, sealed_key, step
from tests.unit.resolver.hosting.table import KEY, Table, master_key


def test_the_master_key_gives_the_chain_of_the_rules(tmp_path: Path) -> None:
    secrets = master_key(tmp_path)
    chain = Chain("g1", 0, "ab" * 16, secrets.key_id)
    top = chain_top(bytes.fromhex(KEY), "g1", 0, "ab" * 16)
    assert secrets.seed(chain, 1024) == top
    for index in (0, 1, 2, 31, 32, 33, 500, 992, 993, 1023):
        assert secrets.seed(chain, index) == chain_seed(top, index)
    with pytest.raises(ValueError, match="seeds 0 to 1024"):
        secrets.seed(chain, 1025)
    assert step(secrets.seed(chain, 1)) == secrets.seed(chain, 0)
    assert secrets.sealed_key(chain, "setup") == sealed_key(bytes.fromhex(KEY), "g1", "setup", "ab" * 16)


def test_the_key_id_tells_keys_apart_and_nothing_else(tmp_path: Path) -> None:
    one, two = master_key(tmp_path), master_key(tmp_path, "7a" * 32)
    assert one.key_id == master_key(tmp_path).key_id != two.key_id
    assert KEY[:16] not in one.key_id
    with pytest.raises(ForeignKey, match="start a new chain"):
        two.seed(Chain("g1", 0, "ab" * 16, one.key_id), 1)


def test_salts_and_nonces_are_128_random_bits(tmp_path: Path) -> None:
    secrets = master_key(tmp_path)
    drawn = {secrets.new_salt("g1", 0) for _ in range(100)} | {secrets.new_nonce("g1", 1) for _ in range(100)}
    assert len(drawn) == 200
    assert all(len(item) == 32 and bytes.fromhex(item) for item in drawn)


def test_a_key_file_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "open.key"
    path.write_text(KEY)
    path.chmod(0o644)
    with pytest.raises(ConfigError, match="mode 600"):
        MasterKey(path)


def test_recorded_secrets_are_those_that_were_used(running: Table) -> None:
    running.say("op", "deal", 3000)
    running.say("ana", "double", 3001)
    recorded = RecordedSecrets(running.journal)
    chain = running.hosted.chain
    assert chain is not None
    live = running.context.secrets
    assert recorded.key_id == live.key_id
    assert [recorded.seed(chain, index) for index in range(3)] == [live.seed(chain, index) for index in range(3)]
    assert recorded.sealed_key(chain, "deal") == live.sealed_key(chain, "deal")
    assert recorded.sealed_commitment(chain, "spare") == live.sealed_commitment(chain, "spare")
    assert recorded.new_salt("g1", 0) == chain.salt


def test_what_was_not_revealed_cannot_be_recorded(running: Table) -> None:
    recorded = RecordedSecrets(running.journal)
    chain = running.hosted.chain
    assert chain is not None
    for ask in (
        lambda: recorded.seed(chain, 1),
        lambda: recorded.sealed_key(chain, "deal"),
        lambda: recorded.new_nonce("g1", 1),
        lambda: recorded.new_salt("g1", 1),
        lambda: recorded.sealed_commitment(chain, "other"),
    ):
        with pytest.raises(NotRecorded):
            ask()
