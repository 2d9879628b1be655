"""What the image holds, made without a container: the wheel that its first stage builds, installed in a folder.

Its dependencies are those of the interpreter that runs the tests; the project itself comes from the wheel alone.
"""

import os
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.unit.deploy.dockerfile import build_context

NOBODY = 65534


@contextmanager
def installed() -> Iterator[Path]:
    """A folder like /opt/warledger, which nobody can write to; removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="warledger-image-"))
    folder.chmod(0o755)
    try:
        source = folder / "source"
        source.mkdir()
        build_context(source)
        wheel = build_wheel(source, folder / "wheels")
        tree = folder / "opt"
        _install(wheel, tree)
        shutil.rmtree(source)
        _forbid_writing(tree)
        yield tree
    finally:
        _allow_writing(folder)
        shutil.rmtree(folder)


def build_wheel(source: Path, target: Path) -> Path:
    """Build the wheel as the first stage of the image does."""
    done = _pip("wheel", "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", str(target), str(source))
    assert done.returncode == 0, done.stdout + done.stderr
    [wheel] = target.glob("*.whl")
    return wheel


@cache
def as_nobody() -> dict[str, int]:
    """Arguments of `subprocess` for a user without rights; none where nobody but us may run a Python."""
    return {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 and _fit(_interpreter(), NOBODY) else {}


@cache
def _interpreter() -> str:
    """A Python of this version that a user without rights may run: root's own is often in root's home."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = [f"{sys.base_prefix}/bin/{name}", f"/usr/local/bin/{name}", f"/usr/bin/{name}"]
    user = NOBODY if os.geteuid() == 0 else os.geteuid()
    return next((path for path in candidates if _fit(path, user)), sys.executable)


def _fit(python: str, user: int) -> bool:
    try:
        done = subprocess.run(
            [python, "-c", "import sqlite3, venv"], user=user, cwd="/", capture_output=True, check=False
        )
    except OSError:
        return False
    return done.returncode == 0


def _install(wheel: Path, tree: Path) -> None:
    made = subprocess.run(
        [_interpreter(), "-m", "venv", "--without-pip", str(tree)], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stdout + made.stderr
    [packages] = tree.glob("lib/python*/site-packages")
    done = _pip("--python", str(tree / "bin" / "python"), "install", "--no-deps", "--no-index", str(wheel))
    assert done.returncode == 0, done.stdout + done.stderr
    # A path in a .pth file is searched, but .pth files there are not read: an editable checkout stays unseen.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")


def _pip(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=250,
    )


def _forbid_writing(tree: Path) -> None:
    for path in [tree, *tree.rglob("*")]:
        if not path.is_symlink():
            path.chmod((path.stat().st_mode | 0o044 | (path.is_dir() and 0o011)) & ~0o222)


def _allow_writing(tree: Path) -> None:
    for path in [tree, *tree.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(path.stat().st_mode | stat.S_IWUSR)
