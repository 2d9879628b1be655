"""Accounts: names are unique, passwords are hashed, nothing personal outlives an account."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from services.gateway.accounts import CLAIM_MS, Accounts, Passwords, create_account
from shared.documents import Document, Documents
from shared.documents.sqlite import SqliteDocuments
from shared.errors import Problem
from tests.unit.gateway.clocks import SetClock

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[Documents]:
    store = SqliteDocuments(tmp_path)
    yield store
    store.close()


@pytest.fixture
def clock() -> SetClock:
    return SetClock(1_000_000)


@pytest.fixture
def accounts(documents: Documents, clock: SetClock) -> Accounts:
    return Accounts(documents, clock, Passwords(CHEAP))


def test_an_id_is_opaque_and_the_password_is_stored_as_argon2id(accounts: Accounts, documents: Documents) -> None:
    account = accounts.create("Ana", "player", "correct horse", "ana@example.org")
    assert "ana" not in account.id.lower()
    stored = documents.get("accounts", [account.id])[account.id].body
    assert stored["password"].startswith("$argon2id$")
    assert "correct horse" not in str(stored)


@pytest.mark.parametrize("name", ["Ana", "ana", "ANA", " ana ", "ＡＮＡ"])
def test_a_name_is_taken_whatever_its_case_or_width(accounts: Accounts, name: str) -> None:
    accounts.create("Ana", "player", "correct horse")
    with pytest.raises(Problem) as refused:
        accounts.create(name, "player", "another one")
    assert refused.value.code == "name_taken"


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\nb", "a\x00b", "\u200b"])
def test_a_name_that_cannot_be_shown_is_refused(accounts: Accounts, name: str) -> None:
    with pytest.raises(Problem) as refused:
        accounts.create(name, "player", "correct horse")
    assert refused.value.code == "malformed"


def test_the_right_password_logs_in_and_no_other(accounts: Accounts) -> None:
    account = accounts.create("Ana", "player", "correct horse")
    assert accounts.log_in("ANA", "correct horse") == account
    assert accounts.log_in("Ana", "correct horsE") is None
    assert accounts.log_in("Bia", "correct horse") is None
    assert accounts.log_in("", "correct horse") is None


def test_an_account_without_password_has_no_password_that_fits(accounts: Accounts) -> None:
    accounts.create("bot", "player", None)
    assert accounts.log_in("bot", "") is None
    assert accounts.log_in("bot", "None") is None


def test_a_weak_hash_is_renewed_at_the_next_log_in(documents: Documents, clock: SetClock) -> None:
    account = Accounts(documents, clock, Passwords(CHEAP)).create("Ana", "player", "correct horse")
    stronger = Passwords(PasswordHasher(time_cost=2, memory_cost=8, parallelism=1))
    before = documents.get("accounts", [account.id])[account.id].body["password"]
    assert Accounts(documents, clock, stronger).log_in("Ana", "correct horse") == account
    after = documents.get("accounts", [account.id])[account.id].body["password"]
    assert before != after
    assert ",t=2," in after
    assert Accounts(documents, clock, stronger).log_in("Ana", "correct horse") == account


def test_a_new_password_needs_the_old_one(accounts: Accounts) -> None:
    account = accounts.create("Ana", "player", "correct horse")
    for changes in ({"password": "battery staple"}, {"password": "battery staple", "old_password": "wrong one"}):
        with pytest.raises(Problem) as refused:
            accounts.change(account.id, changes)
        assert refused.value.code == "bad_credentials"
    accounts.change(account.id, {"password": "battery staple", "old_password": "correct horse"})
    assert accounts.log_in("Ana", "battery staple") is not None
    assert accounts.log_in("Ana", "correct horse") is None


def test_a_new_name_frees_the_old_one(accounts: Accounts) -> None:
    account = accounts.create("Ana", "player", "correct horse")
    assert accounts.change(account.id, {"name": "Anna"}).name == "Anna"
    assert accounts.log_in("Ana", "correct horse") is None
    assert accounts.log_in("anna", "correct horse") is not None
    assert accounts.create("Ana", "player", "another one").id != account.id


def test_a_name_that_is_taken_is_not_given_to_a_second(accounts: Accounts) -> None:
    ana, _ = accounts.create("Ana", "player", "correct horse"), accounts.create("Bia", "player", "correct horse")
    with pytest.raises(Problem) as refused:
        accounts.change(ana.id, {"name": "bia"})
    assert refused.value.code == "name_taken"
    assert accounts.log_in("ana", "correct horse") == ana


def test_another_case_of_the_own_name_is_no_conflict(accounts: Accounts) -> None:
    account = accounts.create("ana", "player", "correct horse")
    assert accounts.change(account.id, {"name": "ANA"}).name == "ANA"
    assert accounts.log_in("ana", "correct horse") is not None


def test_a_deleted_account_leaves_its_id_and_nothing_personal(accounts: Accounts, documents: Documents) -> None:
    account = accounts.create("Ana", "player", "correct horse", "ana@example.org")
    accounts.remove(account.id)
    assert accounts.get(account.id) is None
    assert accounts.log_in("Ana", "correct horse") is None
    left = documents.get("accounts", [account.id])[account.id].body
    assert set(left) == {"role", "deleted_at"}
    assert documents.find("names", "") == []
    assert accounts.create("Ana", "player", "correct horse").id != account.id


def test_a_name_claimed_by_a_registration_that_died_is_free_after_a_minute(
    accounts: Accounts, documents: Documents, clock: SetClock
) -> None:
    documents.insert("names", Document("ana", 1, {"account": "ugone", "at": clock.now()}))
    with pytest.raises(Problem):
        accounts.create("Ana", "player", "correct horse")
    clock.advance(CLAIM_MS + 1)
    account = accounts.create("Ana", "player", "correct horse")
    assert accounts.log_in("Ana", "correct horse") == account


def test_who_would_wait_behind_too_many_for_a_hash_is_sent_away() -> None:
    begun, go = threading.Barrier(3), threading.Event()

    class Slow(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            if not go.is_set():
                begun.wait()
                go.wait()
            return CHEAP.hash(password)

    passwords = Passwords(Slow())
    refused: list[Problem] = []

    def attempt(_: int) -> str | None:
        try:
            return passwords.hash("correct horse")
        except Problem as problem:
            refused.append(problem)
            go.set()
            return None

    with ThreadPoolExecutor(5) as pool:
        hashing = [pool.submit(attempt, number) for number in range(2)]
        begun.wait()
        hashing += [pool.submit(attempt, number) for number in range(3)]
    assert [problem.status for problem in refused] == [429]
    made = [item.result() for item in hashing]
    assert sum(hashed is not None and hashed.startswith("$argon2id$") for hashed in made) == 4


def test_the_command_line_makes_operators(documents: Documents) -> None:
    account = create_account(documents, "gm", "operator", None)
    assert account.role == "operator"
    assert documents.get("accounts", [account.id])[account.id].body["role"] == "operator"
