"""Stored schemas and shapes say the same, for what is written now and for what was written once."""

from typing import Any

import jsonschema
import pytest

from services.resolver.hosting.judging import quarantine, remind
from services.resolver.hosting.reminders import Reminder
from shared import schemas
from shared.host_events import HOST_EVENTS
from shared.log import Mark
from shared.rules.interface import Deadline
from shared.rules.shapes import (
    Anything,
    Array,
    Boolean,
    Choice,
    Id,
    Integer,
    Keyed,
    Maybe,
    Object,
    OneOf,
    Shape,
    Text,
    fault,
)
from tests.unit.resolver.hosting.table import Table, install_toy
from tests.unit.resolver.hosting.test_folding import eventful
from tests.unit.resolver.hosting.toy import Toy


def test_the_stored_schemas_are_those_of_the_code() -> None:
    for full, schema in schemas.current().items():
        path = schemas.FOLDER / f"{full}.json"
        assert path.exists(), f"{full} has no schema; run: python -m shared.schemas"
        assert path.read_text() == schemas.written(schema), f"{full} has changed; make it a new version"


def test_every_stored_schema_is_a_schema() -> None:
    stored = sorted(path.stem for path in schemas.FOLDER.glob("*.json"))
    assert len(stored) >= len(schemas.current())
    for full in stored:
        jsonschema.Draft202012Validator.check_schema(schemas.stored(full))
        assert schemas.stored(full)["title"] == full


def test_a_type_without_a_schema_says_how_to_make_it() -> None:
    with pytest.raises(LookupError, match=r"python -m shared\.schemas"):
        schemas.stored("warledger.host.nothing.v1")


def test_everything_the_host_writes_fits_its_stored_schema(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for step in eventful(table):
        step()
    monkeypatch.setattr(Toy, "waiting", lambda _toy, _state: ["ana"])
    table.keep(remind(table.hosted, Reminder(2, 60, Deadline(60_002, "close", {"turn": 3}))))
    table.keep(quarantine(table.hosted, "a cause", {"orders": Mark(1, 2)}, 3))
    checked = set()
    for event in [*table.journal, *table.chronicle]:
        if event.type.startswith("warledger.host."):
            jsonschema.validate(event.data, schemas.stored(event.type))
            checked.add(event.type)
    assert len(checked) == len(HOST_EVENTS) - 2  # all but ruling.made and input.covered (tools/test_private_inputs.py)


SAMPLES: list[Any] = [
    None, True, 0, -1, 7, 11, "", "a", "abc", "x:y", "C:1", "a b", [], [1], ["a"], [1, 2, 3], {}, {"a": 1},
    {"a": "b"}, {"a b": 1}, {"a": 1, "b": 2}, {"b": 2}, {"c": None},
]  # fmt: skip
SHAPES: list[Shape] = [
    Integer(), Integer(0, 10), Boolean(), Text(), Text(2), Id(), Id(("C:",)), Choice(("a", "abc")), Array(Integer(), 2),
    Keyed(Integer()), Keyed(Integer(), keys_are_ids=False), Maybe(Id()), OneOf((Integer(), Text())), Anything(),
    Object({"a": Integer(), "b": Integer()}, optional=frozenset({"b"})), Object({}),
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_a_schema_accepts_what_the_shape_accepts(shape: Shape) -> None:
    validator = jsonschema.Draft202012Validator(schemas.json_schema(shape))
    answers = {fault(shape, sample) is None for sample in SAMPLES}
    for sample in SAMPLES:
        assert validator.is_valid(sample) == (fault(shape, sample) is None), sample
    assert answers == {True, False} or isinstance(shape, Anything)


@pytest.fixture
def table(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Table:
    install_toy(monkeypatch)
    return Table(tmp_path)
