"""The MongoDB adapter passes the contract of the documents, on a real server."""

import os
import secrets
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pymongo import MongoClient
from pymongo.database import Database

from shared.documents import COLLECTIONS, DERIVED, Document, DocumentsUnavailable, mongo_server
from shared.documents.mongo import MongoDocuments
from shared.documents.mongo_indexes import KEY, KEYED
from shared.documents.mongo_server import LOOK_SECONDS
from tests.contract.documents_contract import DocumentsContract, DocumentsHouse, document
from tests.servers import MongoServer, fresh_mongo_url
from tests.servers.plugin import unavailable
from tests.servers.proxy import Proxy
from warledger.servers import NoServer
from warledger.servers.mongo import LocalMongo

pytestmark = pytest.mark.servers


@dataclass(frozen=True)
class MongoDocumentsHouse(DocumentsHouse):
    """Documents in a database."""

    url: str

    def documents(self) -> MongoDocuments:
        return MongoDocuments(self.url)


@pytest.fixture
def house(mongo_server: MongoServer) -> Iterator[MongoDocumentsHouse]:
    url = fresh_mongo_url(mongo_server)
    yield MongoDocumentsHouse(url)
    with MongoClient[dict[str, object]](url) as client:
        client.drop_database(urlsplit(url).path[1:])


@pytest.fixture
def documents(house: MongoDocumentsHouse) -> Iterator[MongoDocuments]:
    documents = house.documents()
    yield documents
    documents.close()


@pytest.fixture
def proxy(house: MongoDocumentsHouse) -> Iterator[Proxy]:
    with Proxy(urlsplit(house.url).port or 0) as proxy:
        yield proxy


@pytest.fixture
def behind_proxy(house: MongoDocumentsHouse, proxy: Proxy) -> Iterator[MongoDocuments]:
    documents = MongoDocuments(f"mongodb://127.0.0.1:{proxy.port}{urlsplit(house.url).path}")
    yield documents
    documents.close()


@contextmanager
def away(proxy: Proxy, documents: MongoDocuments) -> Iterator[None]:
    """The server is away for this store; it ends when the store has noticed that the server is back."""
    proxy.refusing()
    yield
    proxy.passing()
    until_it_answers(documents, 60.0)


def until_it_answers(documents: MongoDocuments, seconds: float) -> None:
    """Read until that works; fails after so many seconds."""
    end = time.monotonic() + seconds
    while True:
        try:
            documents.get("heads", ["g1"])
            return
        except DocumentsUnavailable:
            assert time.monotonic() < end, "the store does not recover"
            time.sleep(0.01)


class TestMongoDocuments(DocumentsContract):
    """The contract."""

    @pytest.fixture
    def documents(self, behind_proxy: MongoDocuments) -> MongoDocuments:
        return behind_proxy

    @pytest.fixture
    def outage(self, proxy: Proxy, documents: MongoDocuments) -> object:
        return away(proxy, documents)


@pytest.fixture
def bare(house: MongoDocumentsHouse) -> Iterator[Database[dict[str, Any]]]:
    """The database as the driver alone shows it."""
    with MongoClient[dict[str, Any]](house.url) as client:
        yield client.get_default_database()


def seconds_of(call: Callable[[], object]) -> float:
    """How long a call takes to be refused."""
    started = time.monotonic()
    with pytest.raises(DocumentsUnavailable):
        call()
    return time.monotonic() - started


SOON = LOOK_SECONDS
"""Sooner than a server is given up that nobody has tried before."""


def refused_soon(call: Callable[[], object]) -> bool:
    """Whether a call is refused before a server could be waited for; a busy machine gets five tries."""
    return any(seconds_of(call) < SOON for _ in range(5))


def test_constructing_touches_nothing() -> None:
    MongoDocuments("mongodb://127.0.0.1:1/nobody-there").close()


def test_a_document_is_stored_flat_with_its_body_as_text(
    documents: MongoDocuments, bare: Database[dict[str, Any]]
) -> None:
    documents.write("counters", [document("a|b", 3, z=1, a={"$inc": 2})])
    documents.write("feeds", [document("a|b", 3)])
    assert list(bare["views.counters"].find()) == [{"_id": "a|b", "position": 3, "body": '{"a":{"$inc":2},"z":1}'}]
    assert list(bare["views.feeds"].find()) == [{"_id": "a|b", "position": 3, "body": "{}", "key": "a|b"}]


def test_indexes_that_are_gone_are_named_and_made_again_under_a_running_process(
    documents: MongoDocuments, bare: Database[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    documents.write("documents", [document("a|1")])
    documents.write("feeds", [document("a|1")])
    assert documents.unindexed() == []
    for name in ("views.documents", "views.feeds"):
        bare[name].drop_indexes()
    assert documents.unindexed() == ["views.documents", "views.feeds"]

    monkeypatch.setattr(mongo_server, "INDEX_SECONDS", 0.0)
    assert [each.id for each in documents.find("documents", "a|")] == ["a|1"]

    assert documents.unindexed() == ["views.feeds"]


def test_indexes_are_those_that_are_declared(documents: MongoDocuments, bare: Database[dict[str, Any]]) -> None:
    for name, store in COLLECTIONS.items():
        documents.write(name, [document("a")])
        indexed = {field for index in bare[f"{store}.{name}"].index_information().values() for field, _ in index["key"]}
        assert indexed == ({"_id", KEY} if name in KEYED else {"_id"})


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_majority_has_what_is_written_and_only_what_can_be_made_again_does_not_wait_for_the_disk(
    documents: MongoDocuments, collection: str
) -> None:
    with documents._server.calls(collection) as stored:
        concern = stored.write_concern.document
    assert concern["w"] == "majority"
    assert concern.get("j", False) is (COLLECTIONS[collection] not in DERIVED)


@pytest.mark.parametrize("collection", ["documents", "judgements"])
def test_of_racing_first_writes_the_highest_position_stays(documents: MongoDocuments, collection: str) -> None:
    ids = [f"d{number}" for number in range(60)]

    def write(position: int) -> None:
        documents.write(collection, [document(id, position, x=position) for id in ids])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, [3, 4, 1, 2]))
    assert documents.get(collection, ids) == {id: document(id, 4, x=4) for id in ids}


def test_documents_stored_over_together_are_each_guarded_and_those_that_are_not_there_are_made(
    documents: MongoDocuments,
) -> None:
    ids = [f"d{number:02}" for number in range(50)]
    documents.write("documents", [document(id, 5, x="as $it. was") for id in ids[10:]])
    documents.write("documents", [document(id, 9, x="higher") for id in ids[20:30]])
    documents.write("documents", [document(id, 7, x="$now") for id in ids])
    assert documents.get("documents", ids) == {
        id: document(id, 9, x="higher") if id in ids[20:30] else document(id, 7, x="$now") for id in ids
    }


@pytest.mark.parametrize(
    ("collection", "there", "missing"),
    [
        pytest.param("heads", ["a"], ["b"], id="one of two, in a collection whose writes wake"),
        pytest.param("documents", [f"d{number:02}" for number in range(1, 21)], ["d00"], id="the last of 21 alone"),
    ],
)
def test_a_document_that_is_not_there_is_made_beside_others_that_are(
    documents: MongoDocuments, collection: str, there: list[str], missing: list[str]
) -> None:
    """What an update of several has found is not mixed up with what those beside it have found."""
    documents.write(collection, [document(id, 1) for id in there])
    ids = sorted(missing + there)
    documents.write(collection, [document(id, 2) for id in ids])
    assert documents.get(collection, ids) == {id: document(id, 2) for id in ids}


def test_large_documents_are_stored_over_one_by_one(documents: MongoDocuments) -> None:
    ids = ["a", "b", "c"]
    for position, size in ((1, 10), (2, 1_000_000), (3, 7_000_000)):
        documents.write("documents", [document(id, position, x="y" * size) for id in ids])
    assert {item.position for item in documents.get("documents", ids).values()} == {3}


def test_what_was_written_between_two_waits_ends_the_second_at_once(
    house: MongoDocumentsHouse, documents: MongoDocuments
) -> None:
    documents.write("heads", [document("g1", 1)])
    documents.wait("views", 0)
    other = house.documents()
    other.write("heads", [document("g1", 2)])
    other.close()
    started = time.monotonic()
    documents.wait("views", 60.0)
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("broken", [{"body": "{no json"}, {}], ids=["a body that is no JSON", "no body"])
def test_a_document_that_somebody_has_broken_is_named(
    documents: MongoDocuments, bare: Database[dict[str, Any]], broken: dict[str, Any]
) -> None:
    bare["views.heads"].insert_one({"_id": "h|1", "position": 1, **broken})
    for read in (lambda: documents.get("heads", ["h|1"]), lambda: documents.find("heads", "h|")):
        with pytest.raises(DocumentsUnavailable, match=r"the document 'h\|1' cannot be read"):
            read()


def test_the_count_of_writes_is_no_document(documents: MongoDocuments) -> None:
    documents.write("heads", [document("g1", 1)])
    assert documents.find("heads", "") == [document("g1", 1)]
    assert documents.delete_prefix("heads", "") == 1
    documents.write("heads", [])
    assert documents.find("heads", "") == []


def test_a_forked_child_opens_its_own(documents: MongoDocuments) -> None:
    documents.write("documents", [document("parent")])
    inherited = documents._server._client()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            documents.write("documents", [document("child")])
            found = documents.find("documents", "")
            code = 0 if len(found) == 2 and documents._server._client() is not inherited else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    documents.write("documents", [document("parent again")])
    assert [each.id for each in documents.find("documents", "")] == ["child", "parent", "parent again"]


def test_while_the_server_is_away_no_call_waits_for_long_and_then_all_goes_on(
    proxy: Proxy, behind_proxy: MongoDocuments
) -> None:
    behind_proxy.write("heads", [document("g1", 1)])
    proxy.refusing()
    with ThreadPoolExecutor(8) as pool:
        first = list(pool.map(lambda _: seconds_of(lambda: behind_proxy.get("heads", ["g1"])), range(8)))
    assert max(first) < 30
    later = [seconds_of(lambda: behind_proxy.write("heads", [document("g1", 2)])) for _ in range(50)]
    assert max(later) < 30
    assert sorted(later)[len(later) // 2] < SOON
    assert refused_soon(lambda: behind_proxy.wait("views", 60.0))
    proxy.passing()
    until_it_answers(behind_proxy, 60.0)
    behind_proxy.write("heads", [document("g1", 2)])
    assert behind_proxy.get("heads", ["g1"]) == {"g1": document("g1", 2)}


def test_a_server_that_hangs_is_given_up_within_seconds(proxy: Proxy, behind_proxy: MongoDocuments) -> None:
    behind_proxy.write("heads", [document("g1", 1)])
    proxy.holding()
    with ThreadPoolExecutor(8) as pool:
        first = list(pool.map(lambda _: seconds_of(lambda: behind_proxy.get("heads", ["g1"])), range(8)))
    assert max(first) < 30
    assert refused_soon(lambda: behind_proxy.get("heads", ["g1"]))
    assert proxy.open < 40
    proxy.passing()
    until_it_answers(behind_proxy, 60.0)
    behind_proxy.write("heads", [document("g1", 2)])


def test_reads_outlive_a_cut_connection_and_a_write_fails_at_most_once(
    proxy: Proxy, behind_proxy: MongoDocuments
) -> None:
    for position in range(1, 4):
        try:
            behind_proxy.write("heads", [document("g1", position)])
        except DocumentsUnavailable:
            behind_proxy.write("heads", [document("g1", position)])
        proxy.reset()
        assert behind_proxy.get("heads", ["g1"]) == {"g1": document("g1", position)}
        proxy.reset()


def test_a_write_that_is_cut_half_way_is_whole_once_it_is_repeated(proxy: Proxy, behind_proxy: MongoDocuments) -> None:
    batch = [document(f"d{number}", 2, text="x" * 500) for number in range(1_500)]
    behind_proxy.write("documents", [document("d0", 1), document("d1", 3, text="newer")])
    proxy.cutting(700_000)  # the first part has come through, the second has not
    with pytest.raises(DocumentsUnavailable):
        behind_proxy.write("documents", batch)
    proxy.passing()
    until_it_answers(behind_proxy, 60.0)
    assert 0 < len(behind_proxy.find("documents", "")) < 1_500
    behind_proxy.write("documents", batch)
    stored = {each.id: each for each in behind_proxy.find("documents", "")}
    assert stored == {each.id: each for each in batch} | {"d1": document("d1", 3, text="newer")}


def test_a_slow_network_is_no_outage(proxy: Proxy, behind_proxy: MongoDocuments) -> None:
    proxy.delaying(0.05)
    for position in range(1, 4):
        behind_proxy.write("heads", [document("g1", position)])
        assert behind_proxy.get("heads", ["g1"]) == {"g1": document("g1", position)}


def test_a_killed_server_that_is_back_has_all_that_it_confirmed(tmp_path: Path) -> None:
    server = LocalMongo(tmp_path / "mongo")
    try:
        server.start()
    except NoServer as error:
        unavailable(str(error))
    documents = MongoDocuments(f"{server.address}/killed")
    try:
        documents.write("documents", [document(f"d{number}") for number in range(500)])
        assert documents.insert("names", document("ana"))
        server.kill()
        assert seconds_of(lambda: documents.insert("names", document("bia"))) < 10
        server.restart()
        until_it_answers(documents, 60.0)
        assert len(documents.find("documents", "")) == 500
        assert not documents.insert("names", document("ana"))
        assert documents.insert("names", document("bia"))
    finally:
        documents.close()
        server.stop()


def test_a_failure_tells_neither_password_nor_what_was_written(
    house: MongoDocumentsHouse, documents: MongoDocuments, bare: Database[dict[str, Any]]
) -> None:
    word = secrets.token_hex(8)
    bare.create_collection("messages.messages", validator={"position": {"$lt": 5}})
    with pytest.raises(DocumentsUnavailable, match=r"DocumentValidationFailure|121") as refused:
        documents.write("messages", [Document("a", 9, {"text": word})])
    assert word not in "".join(traceback.format_exception(refused.value))
    stranger = MongoDocuments(house.url.replace("//", f"//ana:{word}@"))
    with pytest.raises(DocumentsUnavailable) as refused:
        stranger.get("heads", ["g1"])
    stranger.close()
    assert word not in "".join(traceback.format_exception(refused.value))
    assert word not in repr(stranger._server._place)
