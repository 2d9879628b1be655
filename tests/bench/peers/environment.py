"""Installs peers on demand into build/peers and runs scripts there."""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PEERS = Path("build/peers").absolute()
VERSIONS = {"diplomacy": "1.1.2", "eventsourcing": "9.5.6", "boardgame.io": "0.50.2"}


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


def modules_of(peer: str) -> Path:
    """The folder of node modules that holds the peer; installed by npm on first use, without what is optional."""
    folder = PEERS / f"{peer}-{VERSIONS[peer]}"
    done = folder / "installed"
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        quiet = ("--no-audit", "--no-fund", "--no-save", "--omit=optional", "--loglevel=error")
        subprocess.run(
            ["npm", "install", "--prefix", str(folder), *quiet, f"{peer}@{VERSIONS[peer]}"],
            check=True,
            stdout=sys.stderr,
        )
        done.touch()
    return folder / "node_modules"


def run_node(peer: str, script: str, *arguments: str) -> str:
    """Run a script of this folder by node with the peer's modules, as in production; returns what it printed."""
    environment = {**os.environ, "NODE_ENV": "production", "NODE_PATH": str(modules_of(peer))}
    path = Path(__file__).parent / script
    done = subprocess.run(
        ["node", str(path), *arguments], check=True, stdout=subprocess.PIPE, text=True, env=environment
    )
    return done.stdout
