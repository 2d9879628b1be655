"""How a server in a container is started; the engine is played."""

from types import SimpleNamespace
from typing import Any

import pytest

from warledger.servers import containers
from warledger.servers.containers import KafkaContainer, MongoContainer


class Engine:
    """What testcontainers is asked for; the machine of the engine is called `host`."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.environment: dict[str, str] = {}
        self.ports: dict[str, Any] = {}
        self.started = False

    def module(self, _name: str) -> Any:
        client = SimpleNamespace(host=lambda: self.host, client=SimpleNamespace(close=lambda: None))
        return SimpleNamespace(
            DockerClient=lambda: client, DockerContainer=lambda _image: self, testcontainers_config=SimpleNamespace()
        )

    def with_env(self, name: str, value: str) -> None:
        self.environment[name] = value

    def start(self) -> None:
        self.started = True


@pytest.mark.parametrize(("kind", "inner"), [(KafkaContainer, "9092/tcp"), (MongoContainer, "27017/tcp")])
@pytest.mark.parametrize(("host", "bound"), [("localhost", ["127.0.0.1"]), ("10.0.0.7", [])])
def test_a_server_on_this_machine_is_reached_from_this_machine_alone(
    kind: type[KafkaContainer] | type[MongoContainer],
    inner: str,
    host: str,
    bound: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = Engine(host)
    monkeypatch.setattr(containers, "import_module", engine.module)
    monkeypatch.setattr(kind, "_answers", lambda _self: True)
    server = kind()
    server.start()
    reached, _, port = server.address.removeprefix("mongodb://").partition(":")
    assert reached == (bound[0] if bound else host)
    assert engine.ports == {inner: ("127.0.0.1", int(port)) if bound else int(port)}
    assert engine.started
