"""Ports that are free, and stay so until all are known."""

import socket
import subprocess
import sys

import pytest

from warledger.servers import ports
from warledger.servers.ports import free_ports, held_ports, listening


def test_ports_are_different_and_nobody_else_gets_them_meanwhile() -> None:
    with held_ports(20) as ports:
        assert len(set(ports)) == 20
        for port in ports:
            with socket.socket() as other, pytest.raises(OSError, match="in use"):
                other.bind(("127.0.0.1", port))
    with socket.socket() as other:
        other.bind(("127.0.0.1", ports[0]))


def test_no_port_is_one_that_the_system_gives_to_clients() -> None:
    assert all(port < 32_768 for port in free_ports(50))


FOUR_OF_SEVEN = """
from warledger.servers import ports
ports._LOWEST, ports._HIGHEST = 19_001, 19_007
print(*ports.free_ports(4))
"""


def test_no_two_processes_choose_the_same_port_though_neither_listens_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_LOWEST", 19_001)
    monkeypatch.setattr(ports, "_HIGHEST", 19_007)
    monkeypatch.setattr(ports, "_chosen", set())
    ours = set(free_ports(3))
    other = subprocess.run([sys.executable, "-c", FOUR_OF_SEVEN], capture_output=True, text=True, check=False)
    assert other.returncode == 0, other.stderr
    assert not ours & set(map(int, other.stdout.split()))
    with pytest.raises(OSError, match="no free port"):
        free_ports(5)


def test_listening_says_whether_somebody_takes_connections() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert listening(port)
    assert not listening(port)
