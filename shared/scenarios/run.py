"""Playing a scenario and judging its demands, step by step."""

import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path as File
from typing import Any, cast

from shared.dice import Script, ScriptError
from shared.rules.interface import Role
from shared.scenarios.form import Scenario, Step, load
from shared.scenarios.paths import ABSENT, holds, look_up, merge, same
from shared.scenarios.result import Failure, Result
from shared.scenarios.table import BrokenContract, Judgement, Table


def run_file(file: str | File) -> Result:
    """Load and play one file. Raises ScenarioError when it is malformed."""
    return run(load(file))


def run(scenario: Scenario) -> Result:
    """Play a scenario up to its first step that fails. Raises ScenarioError when a `given` does not fit the state."""
    table = Table(scenario.rules, scenario.seed)
    result = Result(scenario.source.file, scenario.about, scenario.game, scenario.rules.version)
    created = table.create(scenario.create)
    result.judgements.append((0, created))
    expected = scenario.create_expect or "accepted"
    if created.code != expected:
        line = scenario.source.line(("create",))
        result.failures.append(Failure(0, line, "creation", expected, _answer(created)))
    for step in scenario.steps:
        if result.failures:
            break
        _play(scenario, table, step, result)
    if table.state is not None:
        result.state = table.rules.encode(table.state)
    return result


def _play(scenario: Scenario, table: Table, step: Step, result: Result) -> None:
    if step.given is not None:
        _give(scenario, table, step)
    script = None if step.draws is None else Script(step.draws)
    before = len(table.journal)
    fail = _Failures(step, result)
    try:
        if step.type is None:
            table.run_clock(step.at, script)
        else:
            role = cast(Role, step.role)
            table.say(f"s{step.number}", step.actor, role, step.type, step.payload, step.at, script)
    except ScriptError as error:
        fail("draws", "a script that fits", str(error))
    except BrokenContract as error:
        fail("the rules", "the contract of deciders", str(error))
    except Exception as error:  # a fault of the rules: the scenario that shows it is a bug report
        fail("the rules", "a judgement", _fault(error))
    judged = table.journal[before:]
    result.judgements.extend((step.number, judgement) for judgement in judged)
    if result.failures:
        return
    if step.type is not None and judged[-1].code != step.expect:
        fail(f"{step.type} by {step.actor}", step.expect, _answer(judged[-1]))
    if script is not None and script.unused:
        fail("draws", "every draw of the script used", list(script.unused))
    _check(fail, "then", table.rules.encode(table.state), step.then)
    for viewer, demands in step.sees.items():
        _check(fail, f"{viewer} sees", _view(table, viewer), demands)
    _check_events(fail, judged, step.emits)


class _Failures:
    """Takes down what fails in one step."""

    def __init__(self, step: Step, result: Result) -> None:
        self._step = step
        self._result = result

    def __call__(self, what: str, expected: Any, actual: Any) -> None:
        self._result.failures.append(Failure(self._step.number, self._step.line, what, expected, actual))


def _give(scenario: Scenario, table: Table, step: Step) -> None:
    """Merge `given` into the canonical state; what the codec refuses or drops makes the file malformed."""
    wanted = merge(table.rules.encode(table.state), step.given)
    place = ("steps", step.number - 1, "given")
    try:
        state = table.rules.decode(wanted)
        kept = table.rules.encode(state)
    except (ValueError, LookupError, TypeError) as error:
        raise scenario.source.wrong(place, f"given must fit the canonical state: {error}") from None
    if (path := _difference(wanted, kept)) is not None:
        raise scenario.source.wrong(place, f"given must fit the canonical state, which has no such value at {path}")
    table.state = state


def _difference(wanted: Any, kept: Any, path: str = "") -> str | None:
    """The first path at which the codec did not keep what was given."""
    if isinstance(wanted, Mapping) and isinstance(kept, Mapping):
        for name in sorted({*wanted, *kept}):
            there = f"{path}.{name}" if path else str(name)
            found = _difference(wanted.get(name, ABSENT), kept.get(name, ABSENT), there)
            if found is not None:
                return found
        return None
    if wanted is ABSENT or kept is ABSENT:
        return path
    return None if same(wanted, kept) else path


def _view(table: Table, name: str) -> Mapping[str, Any]:
    viewer = table.documents.viewer(name)
    return table.rules.view(table.documents.of(viewer), viewer)


def _check(fail: _Failures, what: str, value: Mapping[str, Any], demands: Mapping[str, Any]) -> None:
    for path, expected in demands.items():
        actual = look_up(value, path)
        if not holds(expected, actual):
            fail(f"{what} {path}", expected, actual)


def _check_events(fail: _Failures, judged: list[Judgement], wanted: Iterable[Mapping[str, Any]]) -> None:
    """Each wanted event must come after the one wanted before it; others may stand between them."""
    emitted = [event for judgement in judged for event in _events(judgement)]
    position = 0
    for demand in wanted:
        found = next((i for i in range(position, len(emitted)) if _matches(demand, emitted[i])), None)
        if found is None:
            alike = [event for event in emitted if event["type"] == demand["type"]]
            fail(f"emits {demand['type']}", demand, alike or [event["type"] for event in emitted[position:]])
            return
        position = found + 1


def _matches(demand: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    return all(holds(value, look_up(event, field)) for field, value in demand.items())


def _events(judgement: Judgement) -> list[dict[str, Any]]:
    return [judgement.as_event(), *({**event.data, "type": event.type} for event in judgement.events)]


def _fault(error: Exception) -> str:
    """The error that the rules raised, with the place."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({File(frame.filename).name}, line {frame.lineno}, in {frame.name})"


def _answer(judgement: Judgement) -> str:
    if judgement.refusal is None:
        return "accepted"
    return f"{judgement.refusal.code} ({judgement.refusal.rule}: {judgement.refusal.detail})"
