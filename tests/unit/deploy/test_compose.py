"""docker-compose.yml names nothing that the code does not have, and leaves nothing out.

No container is run here: what follows is what can be known without one. tests/servers/test_installed.py runs the same
commands with the same variables from the wheel that the image installs.
"""

import importlib.util
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import pytest
from jsonschema import Draft202012Validator

from shared.commands import WRITERS
from shared.config import OUTER, SERVICES, Settings, from_environment
from shared.probe import ROLE
from tests.unit.deploy.compose import FILE, ONCE, STORES, TOOL, mounts, own, project, services
from tests.unit.deploy.shape import SHAPE
from warledger.cli import cli
from warledger.keyrings import MASTER, READ_BY
from warledger.processes import MODULES

ALL = services()
INTAKES = tuple(WRITERS)
RING = {name: name for name in READ_BY} | {"streams": "gateway"}
"""Process -> whose keys it reads."""


class Noting(Mapping[str, str]):
    """An environment that notes what is asked of it."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return self._given[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)


def environment_of(name: str) -> dict[str, str]:
    """The variables of a service; those without a value are taken from the shell of whoever starts it."""
    return {key: str(item) for key, item in ALL[name]["environment"].items() if item is not None}


def settings_of(name: str) -> Settings:
    """The settings that a service reads."""
    return from_environment(environment_of(name))


def test_it_has_the_form_of_a_compose_file() -> None:
    faults = [
        f"{'.'.join(map(str, item.path))}: {item.message}"
        for item in Draft202012Validator(SHAPE).iter_errors(project())
    ]
    assert faults == []


def test_a_misspelt_key_would_be_found() -> None:
    broken = project()
    broken["services"]["gateway"]["helthcheck"] = {}
    assert not Draft202012Validator(SHAPE).is_valid(broken)


def test_every_service_of_an_installation_is_in_it_and_nothing_unknown() -> None:
    assert set(ALL) == {*SERVICES, *STORES, *ONCE, TOOL}


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_runs_the_module_that_the_supervisor_would_run(name: str) -> None:
    assert ALL[name]["command"] == ["python", "-m", MODULES[name]]
    assert environment_of(name)[ROLE] == name
    assert importlib.util.find_spec(f"{MODULES[name]}.__main__") is not None


@pytest.mark.parametrize("name", [*ONCE, TOOL])
def test_a_command_of_the_command_line_exists_with_its_options(name: str) -> None:
    words = [*ALL[name].get("entrypoint", ()), *ALL[name]["command"]]
    assert words[0] == "warledger"
    command: click.Command = cli
    rest = words[1:]
    while rest and isinstance(command, click.Group) and not rest[0].startswith("-"):
        command = command.commands[rest.pop(0)]
    options = {option for parameter in command.get_params(click.Context(command)) for option in parameter.opts}
    assert {word for word in rest if word.startswith("-")} <= options | {"--help"}


@pytest.mark.parametrize("name", sorted(own()))
def test_every_variable_is_one_that_the_code_reads(name: str) -> None:
    noting = Noting(environment_of(name))
    from_environment(noting)
    assert set(ALL[name]["environment"]) - noting.asked <= {ROLE, "WARLEDGER_TOKEN"}


def test_the_variables_that_people_may_set_are_on_the_page_of_operators() -> None:
    page = (FILE.parent / "docs" / "operators.md").read_text()
    named = set(re.findall(r"\$\{([A-Z_]+)", FILE.read_text()))
    assert len(named) > 3
    assert [name for name in sorted(named) if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", sorted(own()))
def test_log_and_documents_are_the_servers_of_the_file(name: str) -> None:
    found = settings_of(name)
    assert found.log == "kafka://kafka:9092"
    assert "PLAINTEXT://kafka:9092" in ALL["kafka"]["environment"]["KAFKA_ADVERTISED_LISTENERS"]
    assert found.docs == "mongodb://mongo:27017/warledger"


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_reached_where_it_listens(name: str) -> None:
    port = settings_of(name).ports[name]
    for other in (*SERVICES, TOOL):
        url = settings_of(other).urls[name]
        assert url == (f"http://localhost:{port}" if name == "streams" else f"http://{name}:{port}"), other
    assert {settings_of(name).host, settings_of(name).inner_host} == {"0.0.0.0"}


def test_only_the_front_door_is_published_and_on_this_machine_alone() -> None:
    published = {name: service["ports"] for name, service in ALL.items() if "ports" in service}
    assert set(published) == set(OUTER)
    for name, ports in published.items():
        port = settings_of(name).ports[name]
        assert ports == [{"target": port, "host_ip": "127.0.0.1", "published": port}]


def test_a_range_of_ports_makes_room_for_several_gateways() -> None:
    ports = services({"WARLEDGER_PUBLISH_GATEWAY": "8090-8093"})["gateway"]["ports"]
    assert ports[0]["published"] == "8090-8093"


def test_only_the_front_door_is_on_a_network_that_leads_out() -> None:
    networks = project()["networks"]
    out = {name for name, options in networks.items() if options is None}
    assert out == {"front"}
    assert {name for name, service in ALL.items() if out & set(service["networks"])} == set(OUTER)


def test_who_talks_to_whom_shares_a_network() -> None:
    def members(network: str) -> set[str]:
        return {name for name, service in ALL.items() if network in service["networks"]}

    assert set().union(*(service["networks"] for service in ALL.values())) == set(project()["networks"])
    assert members("log") == {"kafka", *INTAKES, "resolver", "projector", *ONCE, TOOL}
    assert members("documents") == {"mongo", *SERVICES, TOOL}
    assert members("calls") == {*OUTER, *INTAKES, TOOL}


@pytest.mark.parametrize("name", SERVICES)
def test_its_health_is_what_the_process_says_of_itself(name: str) -> None:
    check = ALL[name]["healthcheck"]
    assert check["test"] == ["CMD", "python", "-m", "shared.probe"]
    assert importlib.util.find_spec(check["test"][-1]) is not None


@pytest.mark.parametrize("name", [*SERVICES, *ONCE])
def test_a_process_begins_when_what_it_needs_is_there(name: str) -> None:
    needs = {other: item["condition"] for other, item in ALL[name].get("depends_on", {}).items()}
    reached = {other for other in STORES if set(ALL[other]["networks"]) & set(ALL[name]["networks"])}
    assert reached <= set(needs) | ({"kafka"} if name == "keys" else set())
    for other, condition in needs.items():
        once = other in ONCE
        assert condition == ("service_completed_successfully" if once else "service_healthy")
        assert ALL[other]["restart"] == ("no" if once else "unless-stopped")
        assert once == ("disable" in ALL[other]["healthcheck"])
    if name in RING:
        assert "keys" in needs


def test_no_service_waits_for_itself() -> None:
    def waits(name: str, behind: tuple[str, ...]) -> None:
        assert name not in behind
        for other in ALL[name].get("depends_on", {}):
            waits(other, (*behind, name))

    for name in ALL:
        waits(name, ())


@pytest.mark.parametrize("name", sorted(own()))
def test_a_process_may_do_nothing_that_it_does_not_need(name: str) -> None:
    service = ALL[name]
    assert service["user"] == "10001:10001"
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp:size=64m,mode=1777"]
    assert "privileged" not in service


@pytest.mark.parametrize("name", SERVICES)
def test_a_process_has_its_own_keys_alone_and_cannot_change_them(name: str) -> None:
    mounted = mounts(ALL[name])
    if name not in RING:
        assert mounted == {}
        return
    ring = RING[name]
    assert mounted == {f"keys-{ring}": (f"/keys/{ring}", False)}
    assert settings_of(name).keys == Path(f"/keys/{ring}")


def test_the_master_key_is_with_the_resolver_alone() -> None:
    assert [name for name, ring in RING.items() if MASTER in READ_BY[ring]] == ["resolver"]
    assert settings_of("resolver").secret_file == Path("/keys/resolver/master.key")
    assert {name for name, service in ALL.items() if "keys" in mounts(service)} == {"keys", TOOL}


def test_keys_are_made_where_the_processes_look_for_them() -> None:
    made = mounts(ALL["keys"])
    assert made == {"keys": ("/keys/all", True)} | {f"keys-{ring}": (f"/keys/{ring}", True) for ring in READ_BY}
    assert settings_of("keys").keys == settings_of(TOOL).keys == Path("/keys/all")
    assert ALL["keys"]["command"][-2:] == ["--share", "/keys"]


def test_what_is_stored_stands_in_named_volumes() -> None:
    used = {volume for service in ALL.values() for volume in mounts(service)}
    assert used == set(project()["volumes"])
    assert mounts(ALL["kafka"])["kafka-data"] == (ALL["kafka"]["environment"]["KAFKA_LOG_DIRS"], True)
    assert mounts(ALL["mongo"])["mongo-data"] == ("/data/db", True)


def test_kafka_keeps_everything_in_the_order_of_its_own_clock() -> None:
    given = ALL["kafka"]["environment"]
    assert given["KAFKA_LOG_RETENTION_MS"] == -1
    assert given["KAFKA_LOG_MESSAGE_TIMESTAMP_TYPE"] == "LogAppendTime"
    assert given["KAFKA_AUTO_CREATE_TOPICS_ENABLE"] == "false"
    assert given["KAFKA_PROCESS_ROLES"] == "broker,controller"


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_may_run_more_than_once(name: str) -> None:
    assert "container_name" not in ALL[name]


@pytest.mark.parametrize("name", SERVICES)
def test_it_has_longer_to_stop_than_it_takes(name: str) -> None:
    assert int(ALL[name]["stop_grace_period"].removesuffix("s")) > 8  # what `warledger up` allows
