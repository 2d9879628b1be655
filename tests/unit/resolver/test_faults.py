"""Named steps at which a process can be killed (shared/faults.py)."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared import faults


@pytest.fixture
def deaths(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    found: list[str] = []
    monkeypatch.setattr(faults, "_die", lambda: found.append("dead"))
    yield found
    faults.arm("")


def test_nothing_happens_while_no_fault_is_armed(deaths: list[str]) -> None:
    faults.point("resolver.after_commit")

    assert deaths == []


def test_the_armed_step_kills_when_it_is_reached_as_often_as_said(deaths: list[str]) -> None:
    faults.arm("resolver.after_commit:2,resolver.before_close")
    faults.point("resolver.after_commit")
    faults.point("resolver.before_commit")
    assert deaths == []

    faults.point("resolver.after_commit")
    faults.point("resolver.before_close")
    assert deaths == ["dead", "dead"]


@pytest.mark.parametrize("text", ["nowhere", "resolver.after_commit:x", ":3"])
def test_a_step_that_is_not_in_the_table_is_refused_with_the_table(text: str) -> None:
    with pytest.raises(faults.UnknownPoint, match=r"resolver\.after_commit"):
        faults.arm(text)


def test_a_killed_process_dies_by_sigkill() -> None:
    code = "from shared.faults import point\npoint('resolver.after_commit')\nprint('alive')"
    environment = {**os.environ, faults.VARIABLE: "resolver.after_commit"}

    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=False)

    assert done.returncode == -signal.SIGKILL
    assert done.stdout == b""


def test_a_file_kills_one_running_process_and_stays_as_the_sign_of_it(
    deaths: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "fault"
    monkeypatch.setattr(faults, "_file", faults._File(str(file)))
    faults.point("intake.after_append")
    file.write_text("intake.after_append:2\n")
    faults.point("intake.after_append")
    faults.point("intake.before_append")
    assert deaths == []

    faults.point("intake.after_append")
    faults.point("intake.after_append")
    assert deaths == ["dead"]
    assert [path.name for path in tmp_path.iterdir()] == ["fault.struck"]


def test_a_file_armed_again_counts_from_the_beginning(
    deaths: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "fault"
    monkeypatch.setattr(faults, "_file", faults._File(str(file)))
    for _ in range(2):
        file.write_text("resolver.before_commit:2")
        faults.point("resolver.before_commit")
        faults.point("resolver.before_commit")

    assert deaths == ["dead", "dead"]


def test_every_step_stands_in_the_code_and_no_other_does() -> None:
    folder = Path(faults.__file__).parents[1]
    code = "".join(path.read_text() for part in ("services", "shared") for path in (folder / part).rglob("*.py"))
    used = set(re.findall(r'point\("(\w+\.\w+)"\)', code))

    assert used == set(faults.POINTS)
