"""Why no broker lets a client in: what is spoken at its port, held against what the settings say.

kafka-python (3.0) says the same of a broker that is away, of one that speaks TLS or does not, of a wrong password: that
it cannot begin. So a port is asked by hand which log-ins it knows; Kafka answers that before anybody has logged in.
"""

import socket
import ssl
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from shared.log.kafka_place import KafkaPlace
from shared.servers import CA_FILE, LOG, MECHANISM, MECHANISMS, PASSWORD_FILE, PROTOCOLS, SECURITY, USER

SECONDS = 2.0
"""Time for the whole question; whoever asks has waited for a broker already."""
_STEP_SECONDS = 0.5
_SASL_HANDSHAKE, _VERSION, _CORRELATION = 17, 1, 7
_ILLEGAL_SASL_STATE = 34
"""Error of Kafka's protocol: this port asks nobody who he is."""
_MOST_BYTES = 10_000


class Door(NamedTuple):
    """What a broker speaks at a port. `mechanisms` are the log-ins that it takes, None where it asks for none."""

    tls: bool
    mechanisms: tuple[str, ...] | None

    @property
    def protocol(self) -> str:
        """The value of WARLEDGER_KAFKA_SECURITY that fits."""
        return f"{'' if self.mechanisms is None else 'SASL_'}{'SSL' if self.tls else 'PLAINTEXT'}"


def diagnose(place: KafkaPlace) -> str | None:
    """What is probably wrong with the settings, and which one to change; None where a broker is away or says nothing.

    Asks the first broker that takes a connection. Raises nothing; returns within SECONDS and the look-up of a name.
    """
    until = time.monotonic() + SECONDS
    for address in place.brokers:
        host, _, port = address.rpartition(":")
        with suppress(OSError, UnicodeError):
            socket.create_connection((host.strip("[]"), int(port)), _left(until)).close()
            return _said(place, address, _door((host.strip("[]"), int(port)), _mechanism(place), until), until)
    return None


def _said(place: KafkaPlace, address: str, door: Door | None, until: float) -> str | None:
    own = str(place.security.get("security_protocol", PROTOCOLS[0]))
    if door is None:
        return None
    if door.protocol != own:
        return (
            f"the broker at {address} speaks {door.protocol}, and {SECURITY} is {own}: set it to {door.protocol}"
            f"{_with(door, own)}, or {LOG} to the port of a listener that speaks {own}"
        )
    if door.mechanisms is not None and _mechanism(place) not in door.mechanisms:
        known = ", ".join(door.mechanisms) or "none"
        return f"the broker at {address} takes the log-ins {known}, and {MECHANISM} is {_mechanism(place)}"
    if door.tls and (doubt := _doubt(place, address, until)):
        return f"the certificate of the broker at {address} is not believed, {doubt}: {CA_FILE} names who signed it"
    if door.mechanisms is not None:
        return (
            f"the broker at {address} speaks {own}, as {SECURITY} says; it probably refuses {USER} or the password in"
            f" {PASSWORD_FILE}"
        )
    return None


def _with(door: Door, own: str) -> str:
    """What else has to be set, or no more, where the protocol changes."""
    needed = []
    if door.mechanisms is not None and not own.startswith("SASL_"):
        needed.append(f"with {USER} and {PASSWORD_FILE}")
    if door.mechanisms is None and own.startswith("SASL_"):
        needed.append(f"without {USER} and {PASSWORD_FILE}")
    if door.tls and not own.endswith("SSL"):
        needed.append(f"with {CA_FILE} if this system does not know who signed its certificate")
    if not door.tls and own.endswith("SSL"):
        needed.append(f"without {CA_FILE}")
    return f" ({', '.join(needed)})" if needed else ""


def _mechanism(place: KafkaPlace) -> str:
    return str(place.security.get("sasl_mechanism", MECHANISMS[0]))


def _door(address: tuple[str, int], mechanism: str, until: float) -> Door | None:
    """What is spoken there; None for what is no broker, or one that is too busy to say it."""
    for tls, wrap in ((False, lambda sock: sock), (True, _trusting)):
        with suppress(OSError, struct.error, UnicodeDecodeError):
            return Door(tls, _ask(address, mechanism, wrap, until))
    return None


def _ask(
    address: tuple[str, int], mechanism: str, wrap: Callable[[socket.socket], socket.socket], until: float
) -> tuple[str, ...] | None:
    """Which log-ins are taken; None if there are none. Raises OSError, struct.error, UnicodeDecodeError."""
    name = mechanism.encode()
    body = struct.pack(">hhih", _SASL_HANDSHAKE, _VERSION, _CORRELATION, -1) + struct.pack(">h", len(name)) + name
    with socket.create_connection(address, _left(until)) as plain:
        plain.settimeout(_left(until))
        with wrap(plain) as sock:
            sock.sendall(struct.pack(">i", len(body)) + body)
            (size,) = struct.unpack(">i", _read(sock, 4))
            if not 10 <= size <= _MOST_BYTES:
                raise OSError("this is no answer of a broker")
            answer = _read(sock, size)
    correlation, error, count = struct.unpack_from(">ihi", answer)
    if correlation != _CORRELATION:
        raise OSError("this is no answer of a broker")
    return None if error == _ILLEGAL_SASL_STATE else _texts(answer[10:], count)


def _texts(data: bytes, count: int) -> tuple[str, ...]:
    texts = []
    for _ in range(count):
        (length,) = struct.unpack_from(">h", data)
        texts.append(data[2 : 2 + length].decode())
        data = data[2 + length :]
    return tuple(texts)


def _read(sock: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        if not (piece := sock.recv(size - len(data))):
            raise OSError("the connection was closed")
        data += piece
    return data


def _trusting(sock: socket.socket) -> socket.socket:
    """TLS with whoever it is: nothing secret is said."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context.wrap_socket(sock)


def _doubt(place: KafkaPlace, address: str, until: float) -> str | None:
    """Why the certificate of a broker is not believed with the settings; None if it is, or cannot be had now."""
    host, _, port = address.rpartition(":")
    name = host.strip("[]")
    try:
        context = ssl.create_default_context(cafile=place.security.get("ssl_cafile"))
        with socket.create_connection((name, int(port)), _left(until)) as plain:
            plain.settimeout(_left(until))
            context.wrap_socket(plain, server_hostname=name).close()
    except ssl.SSLCertVerificationError as error:
        return str(error.verify_message)
    except OSError:
        return None
    return None


def _left(until: float) -> float:
    """Seconds for the next step, never none: that would be a socket that does not wait."""
    return max(0.05, min(_STEP_SECONDS, until - time.monotonic()))
