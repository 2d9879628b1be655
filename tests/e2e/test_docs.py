"""Every command of README and docs does what it says: the `sh` blocks of a page are run as one session."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from shared.config import SERVICES
from tests.servers import KafkaServer, MongoServer
from tests.storage import PATIENT
from warledger.cli import cli
from warledger.demo.installation import free_ports

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    if re.search(r"^```sh$", path.read_text(), re.MULTILINE)
)
SERVERS = "sh servers"
"""Mark of blocks that start servers: a session of their own beside that of the page's other blocks."""
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def blocks(page: Path, mark: str) -> list[str]:
    """The blocks of a page with this mark, in order."""
    return re.findall(rf"^```{mark}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def programs(page: Path) -> dict[str, str]:
    """The Python programs of a page: each begins with a docstring that gives its file's name."""
    found = re.findall(r'^```python\n("""(\w+\.py): .*?)^```$', page.read_text(), re.MULTILINE | re.DOTALL)
    return {name: text for text, name in found}


def script(page: Path, mark: str, ports: dict[str, str]) -> str:
    """One shell session of all blocks: it stops at the first failure, waits for the server, and ends it at last."""
    gateway = ports["WARLEDGER_GATEWAY_PORT"]
    lines = ["set -euo pipefail", "trap 'kill $(jobs -p) 2>/dev/null || true; wait || true' EXIT"]
    for block in blocks(page, mark):
        block = block.replace("127.0.0.1:8080", f"127.0.0.1:{gateway}").replace(". .venv/bin/activate\n", "")
        wait = f"until curl -sf http://127.0.0.1:{gateway}/readyz >/dev/null; do sleep 0.1; done\nsleep 0.5\n"
        lines.append(re.sub(r"^(warledger .*up) &$", rf"\1 &\n{wait}", block, flags=re.MULTILINE))
    return "\n".join(lines)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_succeeds(page: Path, tmp_path: Path) -> None:
    run(page, "sh", tmp_path)


@pytest.mark.servers
def test_every_command_about_servers_succeeds(
    tmp_path: Path, kafka_server: KafkaServer, mongo_server: MongoServer
) -> None:
    # The session's servers show that this machine can have some; the commands start their own.
    try:
        output = run(ROOT / "docs" / "operators.md", SERVERS, tmp_path, within=500)
    finally:
        left = CliRunner(env={"WARLEDGER_DATA": str(tmp_path / "data")}).invoke(cli, ["servers", "down"])
    assert output.count(": answers\n") == 2, output
    assert left.stdout == "Kafka: did not run\ndocuments: did not run\n"


def run(page: Path, mark: str, tmp_path: Path, within: float = 400) -> str:
    """Run the blocks of a page with this mark in an empty folder, on free ports; what they printed."""
    ports = free_ports()
    assert len(ports) == len(SERVICES)
    (tmp_path / "tools").symlink_to(ROOT / "tools")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    for name, text in programs(page).items():
        (tmp_path / name).write_text(text)
    environment = {
        **os.environ,
        **ports,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "WARLEDGER_LOGINS_A_MINUTE": "1000",
        **PATIENT,
    }
    done = subprocess.run(
        ["bash", "-c", script(page, mark, ports)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=within,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    refused = re.findall(r'"code":"[^"]*"', done.stdout)
    assert not refused, done.stdout
    return done.stdout


def test_make_targets_that_the_pages_name_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"^ +make (\w+)", page.read_text(), re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), (page, target)
