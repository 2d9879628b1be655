"""The MongoDB adapter passes the contract of the documents, on a real server."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from pymongo import MongoClient

from shared.documents import DocumentsUnavailable
from shared.documents.mongo import MongoDocuments
from tests.contract.documents_contract import DocumentsContract, DocumentsHouse
from tests.contract.proxy import Proxy
from tests.servers import MongoServer, fresh_mongo_url

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
    server = urlsplit(house.url)
    with Proxy(server.hostname or "", server.port or 0) as proxy:
        yield proxy


@pytest.fixture
def behind_proxy(house: MongoDocumentsHouse, proxy: Proxy) -> Iterator[MongoDocuments]:
    documents = MongoDocuments(f"mongodb://{proxy.address}{urlsplit(house.url).path}")
    yield documents
    documents.close()


@contextmanager
def away(proxy: Proxy, documents: MongoDocuments) -> Iterator[None]:
    """The server is away for this store; it ends when the store has noticed that the server is back."""
    with proxy.away():
        yield
    until_it_answers(documents, 5.0)


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
