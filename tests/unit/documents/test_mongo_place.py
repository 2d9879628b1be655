"""URLs of a MongoDB database: what is read from them, and what is not repeated."""

import pytest
from pymongo.errors import (
    AutoReconnect,
    BulkWriteError,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
)

from shared.documents.mongo_place import MongoPlace, parse_place
from shared.documents.mongo_server import reason

WORD = "hush-hush"


@pytest.mark.parametrize(
    ("url", "hosts", "database"),
    [
        ("mongodb://127.0.0.1:27017/games", "127.0.0.1:27017", "games"),
        ("mongodb://mongo", "mongo", "warledger"),
        ("mongodb://mongo/", "mongo", "warledger"),
        ("mongodb://[::1]:27017/a_b-C1", "[::1]:27017", "a_b-C1"),
        ("mongodb://ana:p%40ss@a:1,b:2/games?replicaSet=rs0", "a:1,b:2", "games"),
        ("mongodb+srv://ana:x@cluster.example/games", "cluster.example", "games"),
    ],
)
def test_hosts_and_database_are_read(url: str, hosts: str, database: str) -> None:
    place = parse_place(url)
    assert (place.url, place.hosts, place.database) == (url, hosts, database)


def test_options_are_told_by_name_alone() -> None:
    assert parse_place("mongodb://a/b?socketTimeoutMS=5&authSource=admin").options == {"sockettimeoutms", "authsource"}


@pytest.mark.parametrize(
    "url",
    [
        "",
        f"postgres://ana:{WORD}@a/b",
        f"mongodb://ana:{WORD}@/b",
        f"mongodb://ana:{WORD}@a,,b/c",
        f"mongodb://ana:{WORD}@a:port/b",
        f"mongodb://ana:{WORD}@a:70000/b",
        f"mongodb://ana:{WORD}/x@a/b",
        f"mongodb://ana:{WORD}@x@a/b",
        f"mongodb://ana:{WORD}@a/b/c",
        f"mongodb://ana:{WORD}@a/b.c",
        f"mongodb://ana:{WORD}@a/{'b' * 39}",
        f"mongodb://ana:{WORD}@a/b?replicaSet",
        f"mongodb://ana:{WORD}@a/b#c",
        f"mongodb://ana:{WORD}@[a/b",
    ],
)
def test_another_url_is_refused_with_what_was_expected_and_without_what_was_given(url: str) -> None:
    with pytest.raises(ValueError, match="expected mongodb://") as refused:
        parse_place(url)
    assert WORD not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_place_does_not_show_its_password() -> None:
    place = parse_place(f"mongodb://ana:{WORD}@a/b")
    assert isinstance(place, MongoPlace)
    assert WORD not in repr(place)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ServerSelectionTimeoutError(WORD), "no server that takes writes answered in time"),
        (NetworkTimeout(WORD), "no answer in time"),
        (AutoReconnect(WORD), "AutoReconnect"),
        (OperationFailure(WORD, 8000), "code 8000"),
        (OperationFailure(WORD, 13, {"codeName": "Unauthorized"}), "Unauthorized; the account of WARLEDGER_DOCS needs"),
        (OperationFailure(WORD, 18, {"codeName": "AuthenticationFailed"}), "AuthenticationFailed; user, password or"),
        (BulkWriteError({"writeErrors": [{"code": 121, "op": WORD}], "writeConcernErrors": []}), "failed: code 121"),
        (BulkWriteError({"writeErrors": [], "writeConcernErrors": [{"codeName": "Late"}]}), "a write failed: Late"),
    ],
)
def test_a_reason_repeats_nothing_of_the_driver_s_text(error: PyMongoError, said: str) -> None:
    assert said in reason(error)
    assert WORD not in reason(error)
