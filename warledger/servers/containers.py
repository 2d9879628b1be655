"""Kafka and MongoDB in containers, through testcontainers; only where an engine answers: a client alone is none."""

import contextlib
import functools
import socket
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from warledger.servers import NoServer
from warledger.servers.child import Child
from warledger.servers.kafka import READY_WITHIN, brokers_in
from warledger.servers.kafka_settings import KAFKA, cluster_properties, new_id
from warledger.servers.mongo import answers
from warledger.servers.ports import free_ports

KAFKA_IMAGE = f"apache/kafka:{KAFKA}"
MONGO_IMAGE = "mongo:8.0"
_ENGINE_SECONDS = 5
_LOOPBACK = "127.0.0.1"


@functools.cache
def no_engine() -> str | None:
    """Why no container can be run here; None if an engine answers."""
    try:
        docker: Any = import_module("docker")
        import_module("testcontainers.core.container")
    except ImportError as error:
        return f"{error.name} is not installed; warledger[servers] brings it"
    try:
        _connect(docker.utils.kwargs_from_env().get("base_url") or docker.constants.DEFAULT_UNIX_SOCKET)
        client = docker.from_env(timeout=_ENGINE_SECONDS)
        try:
            client.ping()
        finally:
            client.close()
    except (docker.errors.DockerException, OSError) as error:
        return f"no container engine answers: {error}"
    return None


def _connect(url: str) -> None:
    """Connect to an engine's socket, if that is a Unix one: where it fails, the client leaves its own attempt open."""
    scheme, _, path = url.partition("://")
    if scheme in ("unix", "http+unix"):
        with socket.socket(socket.AF_UNIX) as attempt:
            attempt.settimeout(_ENGINE_SECONDS)
            attempt.connect(path)


class Container:
    """One server in a container. What it stores is gone with it."""

    way = "container"

    def __init__(self, image: str, *, outlive: bool = False) -> None:
        self.image = image
        self.address = ""
        self._outlive = outlive
        self._container: Any = None

    @property
    def id(self) -> str:
        """The engine's id of the container."""
        return str(self._container.get_container_id())

    @property
    def children(self) -> list[Child]:
        """Processes of this machine: none that are ours."""
        return []

    def start(self) -> None:
        """Fetch the image if need be and start it; returns when it answers. Raises NoServer."""
        config: Any = import_module("testcontainers.core.config").testcontainers_config
        if self._outlive:
            # The reaper would remove the container as soon as this process ends.
            config.ryuk_disabled = True
        try:
            client: Any = import_module("testcontainers.core.docker_client").DockerClient()
            host = str(client.host())
            client.client.close()
            self._container = import_module("testcontainers.core.container").DockerContainer(self.image)
            self._configure(_LOOPBACK if host == "localhost" else host)
            self._container.start()
            self._await(self._answers)
        except NoServer:
            self.stop()
            raise
        except Exception as error:
            # The engine's client raises errors of several libraries; each means that the server cannot be had.
            self.stop()
            raise NoServer(f"{self.image}: {error}") from error

    def stop(self) -> None:
        """End and remove it."""
        if self._container is not None:
            self._container.stop()
            self._container = None

    def _configure(self, host: str) -> None:
        raise NotImplementedError

    def _publish(self, inner: int, host: str, port: int) -> None:
        """Make a port of the container one of the engine's machine; of this one it is reached by nobody else.

        Neither server asks who somebody is. An engine of another machine, or one that this process reaches from within
        a container, has to listen to others.
        """
        self._container.ports[f"{inner}/tcp"] = (_LOOPBACK, port) if host == _LOOPBACK else port

    def _answers(self) -> bool:
        raise NotImplementedError

    def _await(self, ready: Callable[[], bool]) -> None:
        end = time.monotonic() + READY_WITHIN
        while not ready():
            if time.monotonic() > end:
                raise NoServer(f"{self.image} did not answer at {self.address} within {READY_WITHIN:.0f} seconds")
            time.sleep(0.2)


class KafkaContainer(Container):
    """One KRaft node; `address` is HOST:PORT."""

    def __init__(self, *, outlive: bool = False) -> None:
        super().__init__(KAFKA_IMAGE, outlive=outlive)

    def _configure(self, host: str) -> None:
        port = free_ports(1)[0]
        self.address = f"{host}:{port}"
        properties = {
            **cluster_properties(1),
            "node.id": "1",
            "controller.quorum.voters": "1@localhost:9093",
            "listeners": "PLAINTEXT://:9092,CONTROLLER://:9093",
            "advertised.listeners": f"PLAINTEXT://{self.address}",
        }
        for key, value in properties.items():
            self._container.with_env("KAFKA_" + key.upper().replace(".", "_"), value)
        self._container.with_env("CLUSTER_ID", new_id())
        self._publish(9092, host, port)

    def _answers(self) -> bool:
        return brokers_in(self.address) >= 1


class MongoContainer(Container):
    """One standalone server; `address` is mongodb://HOST:PORT."""

    def __init__(self, *, outlive: bool = False) -> None:
        super().__init__(MONGO_IMAGE, outlive=outlive)

    def _configure(self, host: str) -> None:
        port = free_ports(1)[0]
        self.address = f"mongodb://{host}:{port}"
        self._publish(27017, host, port)

    def _answers(self) -> bool:
        return answers(self.address)


def exists(id: str) -> bool:
    """Whether a container runs. Raises NoServer if the engine cannot be asked."""
    with _engine() as (client, missing):
        try:
            return bool(client.containers.get(id).status == "running")
        except missing:
            return False


def remove(id: str) -> bool:
    """Remove a container by its id; False if it was gone. Raises NoServer if the engine cannot be asked."""
    with _engine() as (client, missing):
        try:
            client.containers.get(id).remove(force=True, v=True)
        except missing:
            return False
    return True


@contextlib.contextmanager
def _engine() -> Iterator[tuple[Any, type[Exception]]]:
    """A client of the engine, and the error by which it says that a container is not there."""
    if reason := no_engine():
        raise NoServer(reason)
    docker: Any = import_module("docker")
    client = docker.from_env()
    try:
        yield client, docker.errors.NotFound
    finally:
        client.close()
