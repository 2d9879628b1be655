"""A command's body is told plain without the schema only if the schema takes it as it is."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from services.gateway.schemas.writes import NewCommand, plain_command

VALUES = st.one_of(
    st.text(max_size=3), st.sampled_from(["", "x" * 64, "x" * 65]), st.none(), st.integers(), st.just({}), st.just([])
)
BODIES = st.dictionaries(st.sampled_from(["type", "payload", "more"]), VALUES)


@given(BODIES)
def test_what_is_plain_is_what_the_schema_makes_of_it(body: dict[str, Any]) -> None:
    try:
        taken = NewCommand().load(body)
    except ValidationError:
        taken = None
    assert plain_command(body) == (taken == body)
