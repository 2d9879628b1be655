"""What every process says of itself: alive, ready, counts; also with several workers."""

import os
import re
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from http.client import HTTPException

import pytest

from shared.config import OUTER, SERVICES
from tests.e2e.wars import enlisted, small_war
from tests.faults.waiting import eventually
from tests.storage import PATIENT
from warledger.demo.installation import Installation, installation

pytestmark = pytest.mark.slow
WORKERS = 2


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation whose web services have two workers each."""
    with installation(
        tmp_path_factory.mktemp("workers") / "data", {"WARLEDGER_WORKERS": str(WORKERS), **PATIENT}
    ) as running:
        yield running


def ask(house: Installation, service: str, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, str]:
    """What a process answers, on a connection of its own; 0 where it dies meanwhile, or nobody answers."""
    request = urllib.request.Request(house.settings.local_url(service) + path, headers=dict(headers or {}))
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except (OSError, HTTPException):
        return 0, ""


def metrics(house: Installation, service: str) -> dict[str, float]:
    """Sample -> value, as an operator sees them."""
    code, text = ask(house, service, "/metrics", {"Authorization": f"Bearer {house.operator.token}"})
    assert code == 200
    return {name: float(value) for name, value in re.findall(r"^(\w+(?:\{.*\})?) (\S+)$", text, re.MULTILINE)}


def total(found: Mapping[str, float], name: str, **labels: str) -> float:
    """The sum of a metric's samples with these labels."""
    wanted = [f'{label}="{value}"' for label, value in labels.items()]
    samples = {sample: value for sample, value in found.items() if sample.partition("{")[0] == name}
    return sum(value for sample, value in samples.items() if all(label in sample for label in wanted))


def appended(house: Installation) -> float:
    """Inputs that the orders service has made durable, as one of its workers says."""
    return total(metrics(house, "orders"), "warledger_inputs_appended_total")


@pytest.mark.parametrize("service", SERVICES)
def test_every_process_is_alive_and_ready_and_counts(house: Installation, service: str) -> None:
    assert ask(house, service, "/livez") == (200, "ok\n")
    assert ask(house, service, "/readyz") == (200, "ok\n")
    assert ask(house, service, "/metrics")[0] == (401 if service in OUTER else 200)
    assert any(name.startswith("warledger_") for name in metrics(house, service))


def test_any_worker_shows_what_all_have_counted(house: Installation) -> None:
    game = small_war(house)
    player = enlisted(house, game, "red", "dunmere")
    before = appended(house)
    for defend in range(1, 13):
        player.command(game, "set_order", {"defend": defend % 3})

    assert [appended(house) - before for _ in range(8)] == [12.0] * 8
    assert total(metrics(house, "orders"), "warledger_append_seconds_count", topic="orders") >= 12
    gateway = [metrics(house, "gateway") for _ in range(4)]
    route = "/games/<game>/commands"
    counted = {total(found, "warledger_requests_total", route=route, method="POST", status="201") for found in gateway}
    assert len(counted) == 1
    assert counted.pop() >= 12
    assert {total(found, "warledger_request_seconds_count", route=route) for found in gateway} == {
        total(gateway[0], "warledger_request_seconds_count", route=route)
    }
    assert {total(found, "warledger_writes_waiting") for found in gateway} == {0.0}


def test_a_worker_that_was_killed_takes_its_counts_to_no_grave(house: Installation) -> None:
    before = appended(house)
    server = house.services.children["orders"].process.pid
    with open(f"/proc/{server}/task/{server}/children") as listed:
        workers = [int(pid) for pid in listed.read().split()]
    assert len(workers) == WORKERS
    os.kill(workers[0], signal.SIGKILL)
    eventually(lambda: ask(house, "orders", "/readyz") == (200, "ok\n"), "another worker serves")
    assert appended(house) == before


def test_the_resolver_tells_how_it_keeps_up(house: Installation) -> None:
    game = small_war(house)
    house.operator.command(game, "close_turn", {"turn": 1})
    found = metrics(house, "resolver")
    assert total(found, "warledger_partitions_owned", service="resolver") == 12
    assert total(found, "warledger_commit_seconds_count") > 0
    assert total(found, "warledger_inputs_judged_total", verdict="accepted") > 0
    assert found["warledger_deadline_overdue_seconds"] == 0


@pytest.mark.parametrize("service", ["resolver", "projector"])
def test_it_is_shown_how_far_each_partition_is_behind(house: Installation, service: str) -> None:
    small_war(house)

    def behind() -> dict[str, float]:
        found = metrics(house, service)
        return {name: value for name, value in found.items() if name.startswith("warledger_records_behind{")}

    eventually(lambda: len(behind()) == 12, "every partition is shown")
    eventually(lambda: not any(behind().values()), "nothing is left")


def test_the_projector_tells_how_late_the_views_are(house: Installation) -> None:
    small_war(house)
    found = metrics(house, "projector")
    assert total(found, "warledger_partitions_owned", service="projector") == 12
    assert total(found, "warledger_view_lag_seconds_count") > 0
