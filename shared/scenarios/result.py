"""What became of a scenario."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.canonical import canonical, sha256_hex
from shared.scenarios.paths import ABSENT
from shared.scenarios.table import Judgement


@dataclass(frozen=True, slots=True)
class Failure:
    """One demand that did not hold. `step` 0 is the creation; `what` names the demand, as `then players.r1.energy`."""

    step: int
    line: int
    what: str
    expected: Any
    actual: Any

    def sentence(self) -> str:
        return f"{self.what}: expected {_show(self.expected)}, was {_show(self.actual)}"

    def to_json(self) -> dict[str, Any]:
        actual = None if self.actual is ABSENT else self.actual
        return {
            "step": self.step,
            "line": self.line,
            "what": self.what,
            "expected": self.expected,
            "actual": actual,
            "absent": self.actual is ABSENT,
        }


@dataclass(slots=True)
class Result:
    """One scenario played. Play stops after the first step that fails; all that failed in it is in `failures`.

    `state` is the canonical state then, None while there is no game; `hash` the SHA-256 of its canonical JSON.
    """

    file: str
    about: str
    game: str
    rules: str
    failures: list[Failure] = field(default_factory=list)
    judgements: list[tuple[int, Judgement]] = field(default_factory=list)
    state: Mapping[str, Any] | None = None

    @property
    def passed(self) -> bool:
        return not self.failures

    @property
    def hash(self) -> str | None:
        return None if self.state is None else sha256_hex(canonical(self.state))

    def to_json(self) -> dict[str, Any]:
        """What `warledger scenario run --json` prints for the file."""
        return {
            "file": self.file,
            "about": self.about,
            "game": self.game,
            "rules": self.rules,
            "passed": self.passed,
            "failures": [failure.to_json() for failure in self.failures],
            "judgements": [_judgement(step, judgement) for step, judgement in self.judgements],
            "events": [
                {"step": step, "type": event.type, "to": list(event.to), "data": event.data}
                for step, judgement in self.judgements
                for event in judgement.events
            ],
            "state": self.state,
            "hash": self.hash,
        }


def _judgement(step: int, judgement: Judgement) -> dict[str, Any]:
    said = judgement.input
    refusal = judgement.refusal
    return {
        "step": step,
        "seq": said.seq,
        "at": said.at,
        "input": said.id,
        "actor": said.actor,
        "type": said.type,
        "payload": said.payload,
        "judgement": judgement.code,
        "rule": None if refusal is None else refusal.rule,
        "detail": None if refusal is None else refusal.detail,
    }


def _show(value: Any) -> str:
    return "nothing" if value is ABSENT else canonical(value).decode()


def describe(result: Result) -> str:
    """The line of a scenario, and below it one for each demand that failed."""
    if result.passed:
        return f"ok    {result.file}  {result.about}"
    lines = [f"FAIL  {result.file}  {result.about}"]
    for failure in result.failures:
        place = "creation" if failure.step == 0 else f"step {failure.step}"
        lines.append(f"      {place} (line {failure.line}): {failure.sentence()}")
    return "\n".join(lines)


def exit_code(results: Iterable[Result]) -> int:
    """0 if every scenario holds, else 1. (A malformed file is a ScenarioError: 2.)"""
    return 0 if all(result.passed for result in results) else 1
