"""Flame graph of closing a turn: `python -m tests.bench.flame OUT.svg [--players N --territories M --closes K]`.

py-spy (a development dependency) watches this process from outside while it closes the same turn again and again; what
prepares the states is not in the picture. It needs the right to trace a process of the same user.
"""

import argparse
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

from shared import collection
from tests.bench.gxc_stored import Stored
from tests.bench.gxc_workload import resolve, workload

_RATE = 400
"""Samples a second."""


def main() -> None:
    """Close, watched, as often as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--territories", type=int, default=1_000)
    parser.add_argument("--closes", type=int, default=60)
    given = parser.parse_args()
    stored = Stored(workload(given.players, given.territories))
    fresh = [stored.read() for _ in range(given.closes)]
    collection.make_rare()
    collection.settle()
    program = Path(sys.executable).with_name("py-spy")
    watch = [str(program), "record", "--pid", str(os.getpid()), "--function", "--rate", str(_RATE), "--nonblocking"]
    with subprocess.Popen([*watch, "--output", str(given.out)], stdout=subprocess.PIPE, text=True) as watcher:
        assert watcher.stdout is not None
        watcher.stdout.readline()  # "Sampling process ...": it looks on from here
        for turn in fresh:
            resolve(turn)
        watcher.send_signal(signal.SIGINT)
        said = watcher.stdout.read()
    if watcher.returncode or not given.out.exists():
        sys.exit(f"py-spy wrote nothing: {said}")
    picture = given.out.read_text()
    title = f"A turn of {given.players} players on {given.territories} territories, {given.closes} closes"
    # py-spy writes its own command line there, with paths of the machine.
    given.out.write_text(picture.replace(shlex.join([*watch, "--output", str(given.out)]), title, 1))


if __name__ == "__main__":
    main()
