"""The envelope of a command is told well-formed without the schema exactly when the schema takes it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from shared.intake.schemas import SubmissionSchema, well_formed

TEXTS = st.one_of(
    st.text(max_size=3),
    st.sampled_from(["g1", "set_order", "-", "", "x" * 64, "x" * 65, "a b", "ok\n", "é", "٣"]),
)
VALUES = st.one_of(TEXTS, st.none(), st.booleans(), st.integers(), st.just([]), st.just({}), st.just({"a": 1}))
ENVELOPES = st.fixed_dictionaries(
    {"game": VALUES, "kind": VALUES, "rules": VALUES, "type": VALUES, "payload": VALUES},
    optional={"key": VALUES, "more": VALUES},
)
GOOD = {"game": "g1", "kind": "gxc", "rules": "1", "type": "join", "payload": {"team": "red"}, "key": "k-1"}


def taken(body: dict[str, Any]) -> bool:
    try:
        return bool(SubmissionSchema().load(body) == body)
    except ValidationError:
        return False


@given(st.one_of(ENVELOPES, st.dictionaries(st.sampled_from([*GOOD, "more"]), VALUES)))
def test_schema_and_short_cut_agree(body: dict[str, Any]) -> None:
    assert well_formed(body) == taken(body)


@given(st.sampled_from([*GOOD, "more"]), VALUES)
def test_they_agree_where_one_field_differs_from_a_good_envelope(name: str, value: Any) -> None:
    body = {**GOOD, name: value}
    assert well_formed(body) == taken(body)


@pytest.mark.parametrize("missing", [None, "key"])
def test_a_good_envelope_is_well_formed(missing: str | None) -> None:
    assert well_formed({name: value for name, value in GOOD.items() if name != missing})
