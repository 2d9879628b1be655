"""Several gateway processes share names, limits and tokens through one database."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.gateway.accounts import Accounts, Passwords
from services.gateway.limits import Attempts, Limit
from services.gateway.tokens import Tokens
from shared.documents.mongo import MongoDocuments
from shared.errors import Problem
from tests.unit.gateway.clocks import SetClock

pytestmark = pytest.mark.servers

GATEWAYS = 3


@pytest.fixture
def stores(fresh_mongo_url: str) -> Iterator[list[MongoDocuments]]:
    """What each gateway opened for itself."""
    stores = [MongoDocuments(fresh_mongo_url) for _ in range(GATEWAYS)]
    yield stores
    for store in stores:
        store.close()


def test_of_gateways_that_give_a_name_at_once_one_succeeds(stores: list[MongoDocuments]) -> None:
    clock = SetClock(600_000)
    gateways = [Accounts(store, clock, Passwords()) for store in stores]

    def create(number: int) -> str:
        try:
            return gateways[number % GATEWAYS].create(["Ana", "ana", "ANA"][number % 3], "player", None).id
        except Problem as refused:
            return refused.code

    with ThreadPoolExecutor(6) as pool:
        found = Counter(pool.map(create, range(12)))
    assert found.pop("name_taken") == 11
    [id] = found
    assert [gateway.get(id) is not None for gateway in gateways] == [True] * GATEWAYS


def test_a_limit_counts_the_attempts_at_all_gateways(stores: list[MongoDocuments]) -> None:
    gateways = [Attempts(store, SetClock(600_000)) for store in stores]
    limit = Limit("login", 10, 60)

    def take(number: int) -> str:
        try:
            gateways[number % GATEWAYS].take(limit, "192.0.2.1")
        except Problem as refused:
            return refused.code
        return "let through"

    with ThreadPoolExecutor(6) as pool:
        assert Counter(pool.map(take, range(40))) == {"let through": 10, "too_many_requests": 30}


def test_a_token_revoked_at_one_gateway_is_refused_at_the_others_once_their_cache_has_aged(
    stores: list[MongoDocuments],
) -> None:
    clock = SetClock(600_000)
    account = Accounts(stores[0], clock, Passwords()).create("Ana", "player", None)
    first, second, _ = (Tokens(store, clock) for store in stores)
    issued = first.issue(account.id, "player", None)
    assert second.check(issued.token).account == account.id
    first.revoke_all(account.id)
    clock.advance(2_001)
    with pytest.raises(Problem, match="the token is not valid"):
        second.check(issued.token)
