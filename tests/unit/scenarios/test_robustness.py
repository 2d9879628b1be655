"""Whatever stands in a file, the runner answers with a result or with a ScenarioError."""

import copy
import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.scenarios import Result, ScenarioError, loads, run

FOLDER = Path(__file__).parents[2] / "scenarios" / "gxc"
STORIES = [
    json.loads((FOLDER / f"{name}.json").read_text())
    for name in ("e05-a-target-without-defenders-falls", "040-a-move-that-became-impossible", "100-what-team-mates-see")
]
VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 10**13),
    st.sampled_from(["", "r1", "T", "red", "accepted", "operator", "clock", "yes", "no", "a.b", "#", "d5", "\ud800"]),
    st.just([]),
    st.just({}),
    st.dictionaries(st.sampled_from(["any", "hidden", "not", "type", "r1", "target"]), st.booleans(), max_size=2),
    st.lists(st.integers(-1, 200), max_size=3),
    st.floats(allow_nan=True),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in items for place in places(item, (*path, key)))]


def changed(story: dict[str, Any], path: tuple[Any, ...], value: Any, how: str) -> Any:
    if not path:
        return value
    story = copy.deepcopy(story)
    holder: Any = story
    for key in path[:-1]:
        holder = holder[key]
    if how == "drop":
        del holder[path[-1]]
    elif how == "add" and isinstance(holder, dict):
        holder["unheard-of"] = value
    else:
        holder[path[-1]] = value
    return story


def outcome(text: str | bytes) -> Result | ScenarioError:
    """What the runner makes of a text."""
    try:
        return run(loads(text))
    except ScenarioError as error:
        return error


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_changed_story_gives_a_result_or_says_what_is_malformed(data: st.DataObject) -> None:
    story = data.draw(st.sampled_from(STORIES))
    for _ in range(data.draw(st.integers(1, 3))):
        how, value = data.draw(st.sampled_from(["put", "put", "drop", "add"])), data.draw(VALUES)
        story = changed(story, data.draw(st.sampled_from(places(story))), value, how)
    found = outcome(json.dumps(story))
    if isinstance(found, ScenarioError):
        assert found.line >= 1
        assert len(found.expected) > 10
    else:
        assert not any(failure.what == "the rules" for failure in found.failures), found.failures
        json.dumps(found.to_json())


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_bytes_that_are_no_story_are_malformed(text: bytes) -> None:
    assert isinstance(outcome(text), ScenarioError)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_file_cut_or_spoiled_anywhere_is_malformed_with_its_line(data: st.DataObject) -> None:
    text = json.dumps(STORIES[0], indent=1).encode()
    at = data.draw(st.integers(0, len(text) - 5))
    spoiled = text[:at] + data.draw(st.sampled_from([b"", b"\x00", b"\xff", b"}", b"]", b'"', b",,"]))
    found = outcome(spoiled)
    assert isinstance(found, ScenarioError)
    assert 1 <= found.line <= spoiled.count(b"\n") + 1
