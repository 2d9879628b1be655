"""A malformed scenario names file, line and what was expected; exit status 2."""

import json
from typing import Any

import pytest

from shared.scenarios import MALFORMED, Scenario, ScenarioError, load, loads
from tests.unit.scenarios.toy import find_toy

GOOD = """{
  "about": "TOY-1: a die",
  "game": "toy",
  "create": {"faces": 6},
  "steps": [
    {"as": "ana", "type": "join"},
    {"as": "ana", "type": "keep",
     "payload": {"number": 10},
     "expect": "too_big"},
    {"until": 100, "draws": ["d5"],
     "then": {
       "thrown.0": 5,
       "thrown.#": 1
     },
     "sees": {"ana": {"last": 5}},
     "emits": [
       {"type": "thrown", "value": 5}
     ]}
  ]
}
"""


def read(text: str) -> Scenario:
    return loads(text, "story.json", find_toy)


def test_a_well_formed_file_is_read_with_its_defaults() -> None:
    scenario = read(GOOD)
    first, second, third = scenario.steps
    assert (scenario.game, scenario.seed, scenario.create_expect) == ("toy", "0" * 64, None)
    assert (first.at, first.payload, first.expect, first.draws, first.given) == (0, {}, "accepted", None, None)
    assert (second.at, second.expect, second.role, second.line) == (1, "too_big", "player", 7)
    assert (third.at, third.type, third.draws, third.line) == (100, None, ("d5",), 10)


def test_the_next_step_is_one_millisecond_after_the_one_before() -> None:
    steps = read(GOOD.replace('{"as": "ana", "type": "join"}', '{"as": "ana", "type": "join", "at": 7}')).steps
    assert [step.at for step in steps] == [7, 8, 100]


def test_operator_and_clock_are_roles_of_their_own() -> None:
    operator, clock = (read(GOOD.replace('"as": "ana"', f'"as": "{name}"')).steps[0] for name in ("operator", "clock"))
    assert (operator.role, clock.role) == ("operator", "clock")


MALFORMED_TEXTS: tuple[tuple[str, str, int, str], ...] = (
    ('"about": "TOY-1: a die",', "", 1, "about must be a text"),
    ('"game": "toy"', '"game": "chess"', 3, "no rules chess; known: toy 1"),
    ('"game": "toy"', '"game": "toy", "rules": "7"', 3, "no rules toy; known: toy 1"),
    ('"game": "toy"', '"game": "toy", "rules": 1', 3, "rules must be a version as a string"),
    ('"game": "toy"', '"game": "toy", "seed": "00"', 3, "seed must be 64 hex digits in lower case"),
    ('"game": "toy"', '"gane": "toy"', 3, "a scenario may not hold 'gane'; it may hold about, game, rules, seed"),
    ('"create": {"faces": 6}', '"create": 6', 4, "create must be an object"),
    ('"create": {"faces": 6}', '"create": {"faces": 6.5}', 4, "a number must be an integer of at most"),
    ('"create": {"faces": 6}', '"create": {"faces": 1e2}', 4, "a number must be an integer of at most"),
    ('"create": {"faces": 6}', '"create": {"faces": NaN}', 4, "a number must be an integer of at most"),
    ('"create": {"faces": 6}', '"create": {"faces": 9007199254740992}', 4, "a number must be an integer of at most"),
    ('"create": {"faces": 6}', '"create": {"faces": ' + "9" * 5000 + "}", 4, "a number must be an integer of at most"),
    ('"create": {"faces": 6}', '"create": {"faces": 6, "faces": 7}', 4, "an object may hold 'faces' once, not twice"),
    ('"create": {"faces": 6}', '"create": {"name": "\\ud800"}', 4, "a string must be Unicode text"),
    ('"create": {"faces": 6}', '"create": ' + '{"a":' * 40 + "1" + "}" * 40, 4, "JSON may be nested 32 levels deep"),
    (
        '"create": {"faces": 6}',
        '"create": {}, "create_expect": "malformed"',
        5,
        "a scenario with create_expect has no steps",
    ),
    (
        '"create": {"faces": 6}',
        '"create": {}, "create_expect": "odd"',
        4,
        "create_expect must be an error code of the game, not 'odd'",
    ),
    ('"as": "ana", "type": "join"', '"type": "join"', 6, "step 1 needs `as`, a player's id, operator or clock"),
    ('"as": "ana", "type": "join"', '"as": "ana b", "type": "join"', 6, "step 1 needs `as`"),
    ('"as": "ana", "type": "join"', '"as": "public", "type": "join"', 6, "step 1 needs `as`"),
    ('"as": "ana", "type": "join"', '"as": "ana"', 6, "step 1 needs `type`, the name of a command"),
    ('"as": "ana", "type": "join"', '"as": "ana", "type": "join", "at": -1', 6, "at must be UTC milliseconds"),
    ('"as": "ana", "type": "join"', '"as": "ana", "type": "join", "at": true', 6, "at must be UTC milliseconds"),
    (
        '"as": "ana", "type": "join"',
        '"as": "ana", "type": "join", "at": 200',
        10,
        "until must not lie before the step before it, at 201",
    ),
    ('"as": "ana", "type": "join"', '"as": "ana", "type": "join", "given": []', 6, "given must be an object"),
    ('"as": "ana", "type": "join"', '"as": "ana", "type": "join", "then": {"a..b": 1}', 6, "'a..b' must be a path"),
    (
        '"as": "ana", "type": "join"',
        '"as": "ana", "type": "join", "then": {"a": {"hidden": true}}',
        6,
        '{"hidden": true} is for `sees`',
    ),
    ('"payload": {"number": 10}', '"payload": [10]', 8, "payload must be an object"),
    (
        '"payload": {"number": 10}',
        '"paylode": {"number": 10}',
        8,
        "step 2, which says something, may not hold 'paylode'",
    ),
    (
        '"expect": "too_big"',
        '"expect": "to_big"',
        9,
        "expect must be an error code of the game, not 'to_big'; known: bad_deadline",
    ),
    ('"until": 100', '"until": 100, "expect": "accepted"', 10, "step 3, which runs the clock, may not hold 'expect'"),
    ('"draws": ["d5"]', '"draws": ["d7"]', 10, "a draw must be an integer from 0 or a die"),
    ('"draws": ["d5"]', '"draws": [-1]', 10, "a draw must be an integer from 0 or a die"),
    ('"draws": ["d5"]', '"draws": 5', 10, "draws must be a list"),
    ('{"ana": {"last": 5}}', '{"ana b": {"last": 5}}', 15, "a viewer must be a player's id, operator or public"),
    ('{"ana": {"last": 5}}', '{"ana": 5}', 15, "what ana sees must be an object of paths and values"),
    ('{"type": "thrown", "value": 5}', '{"value": 5}', 17, 'an event must be an object with a "type"'),
    ('"emits": [', '"emits": 3, "then": [', 16, "an object may hold 'then' once, not twice"),
)


@pytest.mark.parametrize(
    ("old", "new", "line", "expected"), MALFORMED_TEXTS, ids=[item[3][:40] for item in MALFORMED_TEXTS]
)
def test_a_malformed_file_names_line_and_what_was_expected(old: str, new: str, line: int, expected: str) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(ScenarioError) as caught:
        read(GOOD.replace(old, new))
    assert caught.value.file == "story.json"
    assert expected in caught.value.expected
    assert caught.value.line == line
    assert str(caught.value).startswith(f"story.json:{line}: ")


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        (b"", 1, "the file must be JSON"),
        (b"[]", 1, "a scenario must be an object"),
        (b'{\n"about": "x",\n}', 3, "the file must be JSON"),
        (b'{\n"about": "\xff"}', 2, "the file must be UTF-8 text"),
        (b"\xef\xbb\xbf{}", 1, "the file must be JSON"),
        (b"[" * 100_000, 1, "JSON may be nested 32 levels deep"),
        (b'{"about": "x", "game": "toy", "create": {}}', 1, "steps must be a list of at least one step"),
        (b'{"about": "x", "game": "toy", "create": {}, "steps": []}', 1, "steps must be a list of at least one step"),
        (b'{"about": "x", "game": "toy", "create": {}, "steps": [1]}', 1, "step 1 must be an object"),
    ],
)
def test_what_is_no_scenario_at_all(text: bytes, line: int, expected: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        loads(text, "story.json", find_toy)
    assert (caught.value.line, expected in caught.value.expected) == (line, True)


def test_a_malformed_file_on_disk_is_named(tmp_path: Any) -> None:
    file = tmp_path / "broken.json"
    file.write_text('{"about": 1}')
    with pytest.raises(ScenarioError, match=r"broken\.json:1: about must be a text"):
        load(file)
    assert MALFORMED == 2


def test_every_line_is_the_line_of_its_name() -> None:
    lines = read(GOOD).source.lines
    text = GOOD.splitlines()
    for path, line in lines.items():
        if path and isinstance(path[-1], str):
            assert json.dumps(path[-1]) in text[line - 1]
