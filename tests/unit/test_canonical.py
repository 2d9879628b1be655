"""Canonical JSON (ENG-7): the bytes of the standard library's json, and what is refused from outside."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.canonical import MAX_INTEGER, NotCanonical, _check, _fits, canonical, parse, parse_strictly, sha256_hex

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=30,
)


@given(VALUES)
def test_canonical_bytes_are_those_of_the_standard_library(value: Any) -> None:
    assert canonical(value) == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@given(VALUES)
def test_what_is_written_is_read_back(value: Any) -> None:
    assert parse(canonical(value)) == value


@given(VALUES)
def test_writing_what_was_read_gives_the_same_bytes(value: Any) -> None:
    assert canonical(parse(json.dumps(value, indent=2))) == canonical(value)


def test_keys_are_sorted_and_letters_are_written_as_they_are() -> None:
    value = {"b": [1, (2, None)], "a": "Łódź ☂ \u0007\u007f", "B": True}
    assert canonical(value) == '{"B":true,"a":"Łódź ☂ \\u0007\u007f","b":[1,[2,null]]}'.encode()


@given(st.dictionaries(TEXTS, st.none(), min_size=2, max_size=8))
def test_keys_are_sorted_by_code_point(value: dict[str, None]) -> None:
    assert list(json.loads(canonical(value))) == sorted(value)


@pytest.mark.parametrize("value", [{1, 2}, object(), 2**64, {1: "a"}, b"bytes"])
def test_what_json_does_not_know_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        canonical(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NaN", "not JSON"),
        ("[Infinity]", "not JSON"),
        ("[-Infinity]", "not JSON"),
        ("1.5", "not made of integers: "),
        ("[1.0]", "not made of integers: "),
        ('{"a": 1e3}', "not made of integers: "),
        ("1e400", "not JSON|only integers"),
        (str(2**64), "not made of integers|not JSON"),
        ("9" * 400, "not made of integers|not JSON"),
        (str(MAX_INTEGER + 1), "not made of integers within"),
        (str(-MAX_INTEGER - 1), "not made of integers within"),
        ("[" * 34 + "]" * 34, "nested more than 32"),
        ('{"a":' * 40 + "1" + "}" * 40, "nested more than 32"),
        ("[" * 100_000, "not JSON|nested"),
        ("", "not JSON"),
        ("{", "not JSON"),
        ("{'a': 1}", "not JSON"),
        ("[1,]", "not JSON"),
        ("01", "not JSON"),
        (b'"\xff"', "not JSON"),
        ('"\\ud800"', "not JSON"),
    ],
)
def test_what_has_no_canonical_form_is_refused(text: str | bytes, message: str) -> None:
    with pytest.raises(NotCanonical, match=message):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        b'{"a": 1, "a": 1}',
        b'{"a": 1, "\\u0061": 2}',
        b'[{"b": {"a": [], "c": 1, "a": []}}]',
        b'{"a": {"b": 1}, "a": 2}',
        b'{"a": "x:y", "b": 1, "b": 2}',
        b'{"a": 1, "a": "\\u003a"}',
        b'{"a:": 1, "a:": 2}',
    ],
)
def test_a_key_twice_in_an_object_is_refused_from_outside(text: bytes) -> None:
    with pytest.raises(NotCanonical, match="twice"):
        parse_strictly(text)


@given(VALUES)
def test_whatever_has_each_key_once_is_read_from_outside(value: Any) -> None:
    assert parse_strictly(json.dumps(value).encode()) == value


@pytest.mark.parametrize("value", [MAX_INTEGER, -MAX_INTEGER, 0])
def test_integers_of_53_bits_are_read(value: int) -> None:
    assert parse(str(value)) == value


def test_32_levels_are_read() -> None:
    assert canonical(parse("[" * 32 + "]" * 32)) == b"[" * 32 + b"]" * 32


def test_the_hash_of_nothing() -> None:
    assert sha256_hex(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.text(max_size=2), st.integers(-(2**54), 2**54), st.floats()),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=2), inner, max_size=3)),
    ),
    st.integers(0, 34),
)
def test_what_fits_at_a_glance_is_what_a_close_look_finds_no_fault_with(value: Any, depth: int) -> None:
    try:
        _check(value, depth, "")
    except NotCanonical:
        assert not _fits(value, depth)
    else:
        assert _fits(value, depth)
