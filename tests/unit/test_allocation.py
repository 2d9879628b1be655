"""What is freed goes back to the system, seen by the size of a process of its own; on Linux with glibc."""

import subprocess
import sys

_PIECES = """
import sys
from shared.allocation import give_back, keep_large_apart

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

if sys.argv[1] == "apart":
    assert keep_large_apart()
block = bytes(30_000_000)
del block  # from now on pieces up to this size are taken from the heap
before = resident()
large, small = [], []
for _ in range(60):
    large.append(b"x" * 1_000_000)
    small.append(b"x" * 20_000)
large.clear()
freed = resident() - before
assert give_back()
print(freed, resident() - before)
"""


def _left(mode: str) -> tuple[float, float]:
    """MB that a process is larger after it has freed 60 MB in large pieces, and then given free memory back."""
    done = subprocess.run([sys.executable, "-c", _PIECES, mode], capture_output=True, text=True, check=True)
    freed, given_back = map(float, done.stdout.split())
    return freed, given_back


def test_large_pieces_go_back_when_they_are_freed_whatever_small_ones_stay() -> None:
    assert _left("apart")[0] < 10 < 50 < _left("as it is")[0]


def test_what_is_free_between_small_pieces_goes_back_when_it_is_asked_for() -> None:
    assert _left("as it is")[1] < 10
