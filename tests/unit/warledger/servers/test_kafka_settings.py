"""Properties and storage of brokers."""

from pathlib import Path

import pytest

from warledger.servers.kafka import LocalKafka
from warledger.servers.kafka_settings import NodePorts, format_storage, new_id, node_properties, write_properties

PORTS = [NodePorts(1000 + node, 2000 + node) for node in range(3)]


def test_one_node_keeps_one_copy_of_everything() -> None:
    found = node_properties(1, PORTS[:1], Path("/data"))
    assert found["controller.quorum.voters"] == "1@127.0.0.1:2000"
    assert found["listeners"] == "PLAINTEXT://127.0.0.1:1000,CONTROLLER://127.0.0.1:2000"
    assert found["advertised.listeners"] == "PLAINTEXT://127.0.0.1:1000"
    assert found["offsets.topic.replication.factor"] == "1"
    assert found["min.insync.replicas"] == found["transaction.state.log.min.isr"] == "1"


def test_three_nodes_keep_three_copies_of_which_two_must_be_written() -> None:
    found = node_properties(2, PORTS, Path("/data"))
    assert found["node.id"] == "2"
    assert found["controller.quorum.voters"] == "1@127.0.0.1:2000,2@127.0.0.1:2001,3@127.0.0.1:2002"
    assert found["offsets.topic.replication.factor"] == found["transaction.state.log.replication.factor"] == "3"
    assert found["min.insync.replicas"] == found["transaction.state.log.min.isr"] == "2"


def test_whoever_comes_by_the_second_listener_is_told_the_proxy_s_port() -> None:
    found = node_properties(1, [NodePorts(1, 2, proxied=3, advertised=4)], Path("/data"))
    assert "PROXIED://127.0.0.1:3" in found["listeners"].split(",")
    assert found["advertised.listeners"] == "PLAINTEXT://127.0.0.1:1,PROXIED://127.0.0.1:4"


def test_each_node_needs_a_proxy_of_its_own() -> None:
    with pytest.raises(ValueError, match="3 nodes need 3 advertised ports, not 1"):
        LocalKafka(Path("/nowhere"), nodes=3, advertised=[1])


def test_storage_is_made_once_and_then_used_again(tmp_path: Path) -> None:
    format_storage(tmp_path / "data", "first", 1, b"levels")
    meta = (tmp_path / "data" / "meta.properties").read_text()
    assert "cluster.id=first\n" in meta
    assert "node.id=1\n" in meta
    format_storage(tmp_path / "data", "second", 1, b"other levels")
    assert (tmp_path / "data" / "meta.properties").read_text() == meta
    assert (tmp_path / "data" / "bootstrap.checkpoint").read_bytes() == b"levels"


def test_properties_are_written_as_java_reads_them(tmp_path: Path) -> None:
    write_properties(tmp_path / "it", {"b": "1", "a": r"C:\data"})
    assert (tmp_path / "it").read_text() == "a=C:\\\\data\nb=1\n"


def test_ids_are_of_kafka_s_form() -> None:
    ids = {new_id() for _ in range(500)}
    assert len(ids) == 500
    assert all(len(found) == 22 and not found.startswith("-") for found in ids)
