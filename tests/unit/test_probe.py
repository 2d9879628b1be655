"""What a container's health check says of the process beside it."""

import os
import subprocess
import sys
from collections.abc import Mapping

import pytest

from shared.health import HealthServer


def probe(given: Mapping[str, str]) -> tuple[int, str]:
    """The check's exit status, and what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "shared.probe"],
        env={"PATH": os.environ["PATH"], **given},
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    return done.returncode, (done.stdout + done.stderr).strip()


def variables(port: int) -> dict[str, str]:
    """Of a resolver that listens on every address, as in a container."""
    return {"WARLEDGER_ROLE": "resolver", "WARLEDGER_INNER_HOST": "0.0.0.0", "WARLEDGER_RESOLVER_PORT": str(port)}


def test_a_ready_process_is_healthy() -> None:
    server = HealthServer("127.0.0.1", 0, lambda: None, lambda: None, lambda: ["game g is quarantined"])
    assert probe(variables(server.port)) == (0, "ok")
    server.close()


def test_a_process_that_is_not_ready_says_why() -> None:
    server = HealthServer("127.0.0.1", 0, lambda: None, lambda: "the log is away")
    assert probe(variables(server.port)) == (1, "the log is away")
    server.close()
    code, said = probe(variables(server.port))
    assert code == 1
    assert "refused" in said


@pytest.mark.parametrize(
    "given", [{}, {"WARLEDGER_ROLE": "mailer"}, {"WARLEDGER_ROLE": "orders", "WARLEDGER_WORKERS": "x"}]
)
def test_settings_without_meaning_are_said(given: Mapping[str, str]) -> None:
    code, said = probe(given)
    assert code == 2
    assert "WARLEDGER_" in said
