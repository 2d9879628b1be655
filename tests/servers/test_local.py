"""Servers of this machine whose ports somebody else has taken."""

import socket
from pathlib import Path

import pytest

from tests.servers import KafkaServer, MongoServer
from warledger.servers.kafka import LocalKafka, brokers_in
from warledger.servers.kafka_settings import NodePorts
from warledger.servers.mongo import LocalMongo, answers
from warledger.servers.ports import free_ports

pytestmark = [pytest.mark.servers, pytest.mark.slow]


def test_a_broker_whose_port_is_taken_gets_another(tmp_path: Path, kafka_server: KafkaServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        kafka = LocalKafka(tmp_path, ports=[NodePorts(taken.getsockname()[1], free_ports(1)[0])])
        kafka.start()
        try:
            assert kafka.nodes[0].ports.broker != taken.getsockname()[1]
            assert brokers_in(kafka.address) == 1
        finally:
            kafka.stop()


def test_a_document_server_whose_port_is_taken_gets_another(tmp_path: Path, mongo_server: MongoServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        mongo = LocalMongo(tmp_path, port=taken.getsockname()[1])
        mongo.start()
        try:
            assert mongo.port != taken.getsockname()[1]
            assert answers(mongo.address)
        finally:
            mongo.stop()
