"""A question as an address has it becomes what the rules ask for, or is refused with what would be right."""

import pytest

from services.economy.questions import question_of
from shared.errors import Problem
from shared.rules.shapes import Array, Choice, Id, Integer, Object

FORM = Object(
    {"order": Choice(("claim", "sale")), "zone": Id(), "amount": Integer(1), "support": Array(Integer(1), 3)},
    frozenset({"order", "zone", "amount", "support"}),
)


def test_numbers_and_lists_are_read_as_the_form_has_them() -> None:
    given = {"order": ["sale"], "amount": ["12"], "zone": ["12"], "support": ["1,2", "3"]}
    assert question_of(FORM, given) == {"order": "sale", "amount": 12, "zone": "12", "support": [1, 2, 3]}
    assert question_of(FORM, {}) == {}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"order": ["claim", "sale"]}, "query.order must be given once"),
        ({"order": ["buy"]}, "query.order must be one of claim, sale"),
        ({"amount": ["1.5"]}, "query.amount must be an integer"),
        ({"amount": ["9" * 5000]}, "query.amount must be an integer"),
        ({"amount": ["٣"]}, "query.amount must be an integer"),
        ({"amount": ["0"]}, "query.amount must be an integer of at least 1"),
        ({"support": ["1,,2"]}, "query.support.1 must be an integer"),
        ({"support": ["1,2,3,4"]}, "query.support must have at most 3 entries"),
        ({"price": ["1"]}, "query has the unknown field 'price'; known fields: order, zone, amount, support"),
    ],
)
def test_what_has_another_form_is_refused_with_what_would_be_right(query: dict[str, list[str]], said: str) -> None:
    found = question_of(FORM, query)
    assert isinstance(found, Problem)
    assert (found.code, found.detail) == ("malformed", said)
