"""What the image installs is whole: nothing is only there in a checkout."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.deploy.dockerfile import ROOT
from tests.unit.deploy.installed import as_nobody, installed

pytestmark = pytest.mark.slow
PARTS = ("services", "shared", "tools", "warledger")


@pytest.fixture(scope="module")
def tree() -> Iterator[Path]:
    with installed() as made:
        yield made


def run(tree: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """A command of the installed tree, as a user without rights in a folder that cannot be written."""
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [str(tree / "bin" / words[0]), *words[1:]],
        cwd=tree,
        env={"PATH": f"{tree / 'bin'}:/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
        **as_nobody(),  # type: ignore[call-overload]
    )
    return done


def test_every_file_of_the_project_is_in_it(tree: Path) -> None:
    [packages] = tree.glob("lib/python*/site-packages")
    listed = subprocess.run(["git", "ls-files", *PARTS], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]
    assert len(files) > 300
    assert [name for name in files if not (packages / name).exists()] == []


def test_the_command_line_runs_from_it(tree: Path) -> None:
    done = run(tree, "warledger", "--help")
    assert done.returncode == 0, done.stderr
    assert "territory wars" in done.stdout


def test_it_is_what_was_installed_and_not_the_checkout(tree: Path) -> None:
    code = "import shared, services.gateway, warledger; print(shared.__path__, services.__path__, warledger.__path__)"
    done = run(tree, "python", "-c", code)
    assert done.returncode == 0, done.stderr
    assert str(ROOT) not in done.stdout


def test_the_checker_of_exports_comes_with_it(tree: Path) -> None:
    names = "services.gateway.routes_site import CHECKER", "warledger.commands.journal import VERIFIER"
    done = run(
        tree, "python", "-c", "\n".join([*(f"from {name}" for name in names), "CHECKER.open(), VERIFIER.open()"])
    )
    assert done.returncode == 0, done.stderr


def test_its_files_cannot_be_written(tree: Path) -> None:
    files = [path for path in tree.rglob("*") if not path.is_symlink()]
    assert len(files) > 500
    assert [path for path in files if path.stat().st_mode & 0o222] == []
