"""W3C Trace Context: what is taken for one, and what takes its place."""

import re

import pytest

from shared.tracing import new_traceparent, read_traceparent, trace_id, traceparent_of

TRACE = "0af7651916cd43dd8448eb211c80319c"
SPAN = "b7ad6b7169203331"
GIVEN = f"00-{TRACE}-{SPAN}-01"


def test_a_trace_context_is_kept_as_it_is() -> None:
    assert read_traceparent(GIVEN) == traceparent_of(GIVEN) == GIVEN
    assert trace_id(GIVEN) == TRACE


@pytest.mark.parametrize("more", ["", "-what-is-to-come"])
def test_of_a_later_version_what_is_known_is_taken(more: str) -> None:
    assert read_traceparent(f"cc-{TRACE}-{SPAN}-01{more}") == GIVEN


@pytest.mark.parametrize(
    "given",
    [
        None,
        "",
        "x",
        TRACE,
        f"00-{TRACE}-{SPAN}",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-01-more",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE}-{SPAN}-01\n",
        f" {GIVEN}",
        f"cc-{TRACE}-{SPAN}-01-{'x' * 1000}",
    ],
)
def test_anything_else_is_replaced_by_a_new_one(given: str | None) -> None:
    assert read_traceparent(given) is None
    made = traceparent_of(given)
    assert read_traceparent(made) == made
    assert TRACE not in made


def test_no_two_new_ones_are_the_same() -> None:
    made = {trace_id(new_traceparent()) for _ in range(100)}
    assert len(made) == 100
    assert all(re.fullmatch("[0-9a-f]{32}", str(trace)) for trace in made)


def test_without_a_context_there_is_no_trace_id() -> None:
    assert trace_id(None) is None
    assert trace_id("") is None
