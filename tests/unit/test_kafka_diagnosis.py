"""What is said where a client and a broker do not speak the same: which setting to change."""

import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest
from kafka.errors import KafkaTimeoutError

from shared.log import LogUnavailable, kafka_client, kafka_diagnosis
from shared.log.kafka_client import make_client
from shared.log.kafka_diagnosis import diagnose
from shared.log.kafka_place import KafkaPlace

CERTIFICATE = Path(__file__).parent / "broker.pem"
"""Of a broker of these tests, signed by itself, with the key that opens nothing else."""
MECHANISMS = ("SCRAM-SHA-512", "SCRAM-SHA-256")


class Broker:
    """Answers which log-ins it takes, as Kafka does, over TLS or not; `sasl` false: it asks nobody who he is."""

    def __init__(self, *, tls: bool, sasl: bool) -> None:
        self._sasl = sasl
        self._context: ssl.SSLContext | None = None
        if tls:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(CERTIFICATE)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                with client, suppress(OSError, struct.error):
                    client.settimeout(5)
                    with self._context.wrap_socket(client, server_side=True) if self._context else client as talk:
                        self._answer(talk)

    def _answer(self, talk: socket.socket) -> None:
        (size,) = struct.unpack(">i", talk.recv(4, socket.MSG_WAITALL) if self._context is None else talk.recv(4))
        if size > 1000:
            return  # the first bytes of somebody who speaks TLS
        _, _, correlation = struct.unpack_from(">hhi", talk.recv(size))
        error, known = (0, MECHANISMS) if self._sasl else (34, ())
        body = struct.pack(">ihi", correlation, error, len(known))
        body += b"".join(struct.pack(">h", len(name)) + name.encode() for name in known)
        talk.sendall(struct.pack(">i", len(body)) + body)


PROTOCOLS = {
    "PLAINTEXT": (False, False),
    "SSL": (True, False),
    "SASL_PLAINTEXT": (False, True),
    "SASL_SSL": (True, True),
}


@pytest.fixture
def brokers(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Broker]]:
    """One that speaks each protocol; on a busy machine it takes its time."""
    monkeypatch.setattr(kafka_diagnosis, "SECONDS", 30.0)
    monkeypatch.setattr(kafka_diagnosis, "_STEP_SECONDS", 10.0)
    made = {name: Broker(tls=tls, sasl=sasl) for name, (tls, sasl) in PROTOCOLS.items()}
    yield made
    for broker in made.values():
        broker.close()


def place(broker: Broker, protocol: str, **options: Any) -> KafkaPlace:
    own = {"ssl_cafile": str(CERTIFICATE)} if protocol.endswith("SSL") else {}
    return KafkaPlace((broker.address,), "", {"security_protocol": protocol, **own, **options})


def test_a_broker_that_speaks_otherwise_is_said_with_the_setting_to_change(brokers: dict[str, Broker]) -> None:
    for spoken, broker in brokers.items():
        for set_to in PROTOCOLS.keys() - {spoken}:
            said = diagnose(place(broker, set_to)) or ""
            assert f"speaks {spoken}, and WARLEDGER_KAFKA_SECURITY is {set_to}: set it to {spoken}" in said
            assert ("with WARLEDGER_KAFKA_USER" in said) == (spoken.startswith("SASL") > set_to.startswith("SASL"))
            assert ("without WARLEDGER_KAFKA_CA_FILE" in said) == (set_to.endswith("SSL") > spoken.endswith("SSL"))


def test_of_a_broker_that_speaks_as_set_nothing_is_said_but_what_a_log_in_can_lack(brokers: dict[str, Broker]) -> None:
    assert diagnose(place(brokers["PLAINTEXT"], "PLAINTEXT")) is None
    assert diagnose(place(brokers["SSL"], "SSL")) is None
    for protocol in ("SASL_PLAINTEXT", "SASL_SSL"):
        said = diagnose(place(brokers[protocol], protocol, sasl_mechanism="SCRAM-SHA-256")) or ""
        assert "refuses WARLEDGER_KAFKA_USER or the password in WARLEDGER_KAFKA_PASSWORD_FILE" in said
        said = diagnose(place(brokers[protocol], protocol, sasl_mechanism="PLAIN")) or ""
        assert said.endswith("takes the log-ins SCRAM-SHA-512, SCRAM-SHA-256, and WARLEDGER_KAFKA_MECHANISM is PLAIN")


def test_a_certificate_that_is_not_believed_is_said_with_its_setting(brokers: dict[str, Broker]) -> None:
    said = diagnose(place(brokers["SSL"], "SSL", ssl_cafile=None)) or ""
    assert "is not believed, self-signed certificate: WARLEDGER_KAFKA_CA_FILE names who signed it" in said


def test_of_brokers_that_are_away_and_of_what_is_none_nothing_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        away = f"127.0.0.1:{closed.getsockname()[1]}"
    assert diagnose(KafkaPlace((away,), "", {})) is None
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert diagnose(KafkaPlace((away, f"127.0.0.1:{silent.getsockname()[1]}"), "", {})) is None


def test_a_client_that_nobody_lets_in_says_so_unless_it_was_let_in_before(
    brokers: dict[str, Broker], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Away:
        DEFAULT_CONFIG: ClassVar = {"kafka_client": None}

        def __init__(self, **_options: Any) -> None:
            raise KafkaTimeoutError("Unable to bootstrap")

    wrong = place(brokers["SSL"], "PLAINTEXT")
    monkeypatch.setattr(kafka_client, "_let_in", set())
    with pytest.raises(LogUnavailable, match="speaks SSL, and WARLEDGER_KAFKA_SECURITY is PLAINTEXT"):
        make_client(Away, wrong)
    monkeypatch.setattr(kafka_client, "_let_in", {wrong.brokers})
    with pytest.raises(LogUnavailable, match="no Kafka broker answers at"):
        make_client(Away, wrong)
