"""Log lines of every process."""

import subprocess
import sys
from pathlib import Path

CODE = """
import resource, sys
import structlog
from shared import logs
logs.configure("test")
structlog.get_logger().warning("before", password="x")
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
structlog.get_logger().warning("lost")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
structlog.get_logger().warning("after")
print("alive")
"""


def test_a_line_that_the_disk_does_not_take_ends_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with path.open("w") as log:
        done = subprocess.run([sys.executable, "-c", CODE], stdout=subprocess.PIPE, stderr=log, text=True, check=False)

    assert (done.returncode, done.stdout) == (0, "alive\n")
    assert '"event": "before"' in path.read_text()
    assert '"event": "after"' in path.read_text()
    assert "[hidden]" in path.read_text()
