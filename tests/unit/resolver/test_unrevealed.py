"""What the master key tells and nobody has seen yet stands in no file; a used sealed key only in the journal."""

from collections.abc import Iterator

from services.resolver.hosting.game import Chain
from services.resolver.hosting.secrets import MasterKey
from shared.dice import CHAIN_LENGTH
from shared.export import write_export
from tests.unit.resolver.hosting.table import KEY
from tests.unit.resolver.house import House


def written(house: House) -> Iterator[bytes]:
    """Everything that the house has on disk, but for the master key."""
    house.resolver.close()  # stores a snapshot
    for path in house.folder.rglob("*"):
        if path.is_file() and path.suffix != ".key":
            yield path.read_bytes()


def test_no_file_holds_an_unrevealed_seed_an_unused_sealed_key_or_the_master_key(house: House) -> None:
    house.open("g1")
    house.say("g1", "ana", "roll", faces=6)
    house.say("g1", "op", "deal")
    house.settle()
    created = house.chronicle("g1")[0].data
    master, chain = MasterKey(house.folder / f"{KEY[:4]}.key"), Chain("g1", 0, created["salt"], created["key_id"])

    texts = b"\n".join(written(house)) + b"".join(write_export("g1", "journal", house.journal("g1")))
    chronicle = b"".join(write_export("g1", "chronicle", house.chronicle("g1")))

    revealed, used = master.seed(chain, 1), master.sealed_key(chain, "deal")
    assert revealed.hex().encode() in texts
    assert revealed.hex().encode() in chronicle
    assert used.hex().encode() in texts
    assert used.hex().encode() not in chronicle
    hidden = [master.seed(chain, index) for index in range(2, CHAIN_LENGTH + 1)]
    for secret in (bytes.fromhex(KEY), master.sealed_key(chain, "spare"), *hidden):
        assert secret not in texts
        assert secret.hex().encode() not in texts
