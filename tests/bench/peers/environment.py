"""Installs peers on demand into build/peers and runs scripts there."""

import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PEERS = Path("build/peers").absolute()
VERSIONS = {"diplomacy": "1.1.2", "eventsourcing": "9.5.6"}


def python_with(peer: str) -> str:
    """The interpreter of an environment that holds the peer; installed on first use."""
    folder = PEERS / f"{peer}-{VERSIONS[peer]}"
    python = folder / "bin" / "python"
    done = folder / "installed"
    if not done.exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", f"{peer}=={VERSIONS[peer]}"], check=True, stdout=sys.stderr
        )
        done.touch()
    return str(python)


def run(peer: str, script: str, *arguments: str) -> str:
    """Run a script of this folder in the peer's environment; returns what it printed."""
    path = Path(__file__).parent / script
    done = subprocess.run(
        [python_with(peer), str(path), *arguments], check=True, stdout=subprocess.PIPE, text=True, cwd=PEERS
    )
    return done.stdout


@contextmanager
def asked(peer: str, script: str, *arguments: str) -> Iterator[Callable[[], float]]:
    """Start a script that prepares itself and then answers each line with a number; yields what asks it once."""
    path = Path(__file__).parent / script
    with subprocess.Popen(
        [python_with(peer), str(path), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=PEERS
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        given, answers = process.stdin, process.stdout

        def ask() -> float:
            given.write("\n")
            given.flush()
            return float(answers.readline())

        try:
            yield ask
        finally:
            given.close()
