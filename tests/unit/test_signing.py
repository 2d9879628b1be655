"""Signatures on records and calls."""

from dataclasses import replace

import pytest

from shared.calls import WINDOW_MS, Caller, call_headers, read_call
from shared.signing import Keyring, Signer

ORDERS = Signer("orders", b"o" * 32)
POLLS = Signer("polls", b"p" * 32)
RING = Keyring({"orders": ORDERS.key, "polls": POLLS.key})
KEY = b"c" * 32
NOW = 1_700_000_000_000
PATH = "/commands"


def test_a_signature_names_the_service_that_made_it() -> None:
    assert RING.verify(ORDERS.sign(b"value"), b"value") == "orders"
    assert RING.verify(POLLS.sign(b"value", 5), b"value", 5) == "polls"


@pytest.mark.parametrize(
    ("signature", "value", "at"),
    [
        (ORDERS.sign(b"value"), b"other", None),
        (ORDERS.sign(b"value", 5), b"value", 6),
        (ORDERS.sign(b"value", 5), b"value", None),
        (replace(ORDERS, key_id="polls").sign(b"value"), b"value", None),
        (replace(ORDERS, key_id="nobody").sign(b"value"), b"value", None),
        ("", b"value", None),
        ("orders", b"value", None),
        ("orders:é", b"value", None),
    ],
)
def test_a_signature_over_something_else_is_none(signature: str, value: bytes, at: int | None) -> None:
    assert RING.verify(signature, value, at) is None


def test_a_call_is_believed_with_its_actor_role_and_body() -> None:
    headers = call_headers(KEY, Caller("ana", "player"), PATH, b"{}", NOW)
    assert read_call(KEY, headers, PATH, b"{}", NOW + WINDOW_MS) == Caller("ana", "player")


@pytest.mark.parametrize(
    "change",
    [
        {"Warledger-Actor": "bia"},
        {"Warledger-Role": "operator"},
        {"Warledger-Role": "clock"},
        {"Warledger-Time": str(NOW + 1)},
        {"Warledger-Time": "yesterday"},
        {"Warledger-Signature": "0" * 64},
        {"Warledger-Signature": "é"},
    ],
)
def test_a_call_with_one_header_changed_is_nobodys(change: dict[str, str]) -> None:
    headers = call_headers(KEY, Caller("ana", "player"), PATH, b"{}", NOW) | change
    assert read_call(KEY, headers, PATH, b"{}", NOW) is None


def test_a_recorded_call_is_worth_nothing_after_a_minute() -> None:
    headers = call_headers(KEY, Caller("ana", "player"), PATH, b"{}", NOW)
    assert read_call(KEY, headers, PATH, b"{}", NOW + WINDOW_MS + 1) is None
    assert read_call(KEY, headers, PATH, b"{}", NOW - WINDOW_MS - 1) is None
    assert read_call(KEY, headers, PATH, b"{} ", NOW) is None


def test_a_recorded_call_is_worth_nothing_at_another_path() -> None:
    headers = call_headers(KEY, Caller("ana", "player"), PATH, b"{}", NOW)
    assert read_call(KEY, headers, "/batches", b"{}", NOW) is None
