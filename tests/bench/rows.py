"""A row of the table: a job, the ratio measured, and the bars it must and should reach."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

Sense = Literal["min", "max"]


@dataclass(frozen=True, slots=True)
class Bars:
    """What a ratio must reach, and what it should; `sense` says whether more or less is better."""

    sense: Sense
    must: float | None
    goal: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One measured job: the median of `runs`, each a ratio of two measurements taken one after the other."""

    job: str
    bars: Bars
    runs: Sequence[float]
    note: str = ""

    @property
    def value(self) -> float:
        return median(self.runs)

    @property
    def verdict(self) -> str:
        """`goal`, `must` or `MISSED`, by the bars reached; empty for a row without bars."""
        if self.bars.goal is not None and self._reaches(self.bars.goal):
            return "goal"
        if self.bars.must is None:
            return ""
        return "must" if self._reaches(self.bars.must) else "MISSED"

    def _reaches(self, bar: float) -> bool:
        return self.value >= bar if self.bars.sense == "min" else self.value <= bar

    def to_json(self) -> dict[str, object]:
        return {
            "job": self.job,
            "value": self.value,
            "sense": self.bars.sense,
            "must": self.bars.must,
            "goal": self.bars.goal,
            "runs": list(self.runs),
            "note": self.note,
        }


def ratios(ours: Callable[[], float], theirs: Callable[[], float], runs: int) -> list[float]:
    """Ratios ours/theirs of rates (or of times), measured in turn: ours, theirs, ours, theirs, ..."""
    found = []
    for _ in range(runs):
        first = ours()
        found.append(first / theirs())
    return found
