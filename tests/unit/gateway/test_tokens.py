"""Bearer tokens: shown once, stored hashed, limited in scope and time, revocable."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.gateway.accounts import create_account
from services.gateway.tokens import CACHE_MS, MOST_TOKENS, Tokens
from shared.documents import Documents
from shared.documents.sqlite import SqliteDocuments
from shared.errors import Problem
from tests.unit.gateway.clocks import SetClock


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[Documents]:
    store = SqliteDocuments(tmp_path)
    yield store
    store.close()


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def tokens(documents: Documents, clock: SetClock) -> Tokens:
    return Tokens(documents, clock)


@pytest.fixture
def ana(documents: Documents) -> str:
    return create_account(documents, "ana", "player", None).id


def refusal(tokens: Tokens, token: str) -> str:
    """The code with which a token is refused."""
    with pytest.raises(Problem) as refused:
        tokens.check(token)
    assert refused.value.status == 401
    assert refused.value.headers["WWW-Authenticate"] == "Bearer"
    return refused.value.code


def test_a_token_is_stored_as_a_hash_only(tokens: Tokens, documents: Documents, ana: str) -> None:
    token = tokens.issue(ana, "player", None).token
    secret = token.split(".")[2]
    assert len(secret) == 43
    stored = documents.find("tokens", "")
    assert len(stored) == 1
    assert secret not in str(stored)


def test_a_token_tells_account_role_and_scope(tokens: Tokens, ana: str) -> None:
    identity = tokens.check(tokens.issue(ana, "player", "read").token)
    assert (identity.account, identity.role, identity.scope) == (ana, "player", "read")
    assert identity.may("read")
    assert not identity.may("play")


def test_only_an_operator_gets_the_scope_operate(tokens: Tokens, documents: Documents, ana: str) -> None:
    with pytest.raises(Problem, match="operate"):
        tokens.issue(ana, "player", "operate")
    master = create_account(documents, "gm", "operator", None).id
    assert tokens.check(tokens.issue(master, "operator", None).token).role == "operator"
    assert tokens.check(tokens.issue(master, "operator", "play").token).role == "player"


@pytest.mark.parametrize(
    "change", [lambda t: t[:-1], lambda t: t + "A", lambda t: t.replace("wl.", "wx."), lambda t: ""]
)
def test_a_forged_token_is_refused(tokens: Tokens, ana: str, change: object) -> None:
    token = tokens.issue(ana, "player", None).token
    assert refusal(tokens, change(token)) == "unauthenticated"  # type: ignore[operator]


@pytest.mark.parametrize("token", ["wl.a|b.c", "wl..", "wl.x", "\udcff", "wl." + "a" * 65 + ".x", "wl.a." + "x" * 129])
def test_a_text_that_is_no_token_is_refused(tokens: Tokens, token: str) -> None:
    assert refusal(tokens, token) == "unauthenticated"


def test_an_expired_token_is_refused_to_the_millisecond(tokens: Tokens, clock: SetClock, ana: str) -> None:
    issued = tokens.issue(ana, "player", None, seconds=60)
    clock.advance(59_999)
    tokens.check(issued.token)
    clock.advance(1)
    assert refusal(tokens, issued.token) == "token_expired"


def test_a_revoked_token_is_refused_at_once_here_and_soon_elsewhere(
    documents: Documents, clock: SetClock, ana: str
) -> None:
    here, elsewhere = Tokens(documents, clock), Tokens(documents, clock)
    token = here.issue(ana, "player", None).token
    elsewhere.check(token)
    here.revoke(here.check(token))
    assert refusal(here, token) == "unauthenticated"
    clock.advance(CACHE_MS + 1)
    assert refusal(elsewhere, token) == "unauthenticated"


def test_revoking_all_but_one_keeps_that_one(tokens: Tokens, ana: str) -> None:
    first, second = tokens.issue(ana, "player", None).token, tokens.issue(ana, "player", None).token
    tokens.check(first)
    tokens.revoke_all(ana, but=tokens.check(second).token)
    assert refusal(tokens, first) == "unauthenticated"
    assert tokens.check(second).account == ana
    tokens.revoke_all(ana)
    assert refusal(tokens, second) == "unauthenticated"


def test_a_deleted_account_has_no_valid_token(tokens: Tokens, documents: Documents, clock: SetClock, ana: str) -> None:
    token = tokens.issue(ana, "player", None).token
    stored = documents.get("accounts", [ana])[ana]
    documents.replace("accounts", stored._replace(position=2, body={"role": "player", "deleted_at": 1}), 1)
    assert refusal(tokens, token) == "unauthenticated"


def test_expired_and_surplus_tokens_are_cleared_away(
    tokens: Tokens, documents: Documents, clock: SetClock, ana: str
) -> None:
    oldest = tokens.issue(ana, "player", None).token
    tokens.issue(ana, "player", None, seconds=1)
    for _ in range(MOST_TOKENS):
        clock.advance(1000)
        newest = tokens.issue(ana, "player", None).token
    assert len(documents.find("tokens", f"{ana}|")) == MOST_TOKENS
    assert refusal(tokens, oldest) == "unauthenticated"
    tokens.check(newest)
