"""Ports that are free, and stay so until all are known."""

import socket

import pytest

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


def test_listening_says_whether_somebody_takes_connections() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert listening(port)
    assert not listening(port)
