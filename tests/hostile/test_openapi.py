"""Requests made from the OpenAPI document, valid and not: every answer is one that the document describes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from services.gateway.accounts import AccountRole, create_account
from services.gateway.tokens import issue_token
from tests.counts import Counts
from tests.e2e.wars import enlisted, small_war
from tests.hostile.logs import faults_logged
from warledger.demo.installation import Installation
from warledger.local import local_documents

GROUP = "OpenAPI document"
GATEWAY, STREAMS = "gateway", "streams"
CHECKS: list[Callable[..., Any]] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
SPARE = 130
"""Percent of the cases asked for: an operation without parameters has fewer different ones than its share."""
_numbers = count(1)


@dataclass(frozen=True)
class Senders:
    """Who sends: nobody, a player of the game, an operator; each has a token of her own for every case."""

    house: Installation
    game: str

    def token(self, who: str) -> str | None:
        """A new token, because some operations revoke it or remove its account."""
        if who == "nobody":
            return None
        role: AccountRole = "operator" if who == "operator" else "player"
        with local_documents(self.house.settings) as documents:
            account = create_account(documents, f"sender {next(_numbers)}", role, None)
            return issue_token(documents, account.id, role).token


@pytest.fixture
def senders(besieged: Installation) -> Senders:
    """Senders into a war that has closed a turn and has a player."""
    game = small_war(besieged)
    enlisted(besieged, game, "red", "dunmere")
    besieged.operator.command(game, "close_turn", {"turn": 1})
    return Senders(besieged, game)


def operations(house: Installation, instance: str) -> Iterator[Any]:
    """Every operation of the live document; of the streams instance all but the stream, which does not end."""
    schema = schemathesis.openapi.from_url(f"{house.settings.urls[instance]}/openapi.json")
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        if instance != STREAMS or not operation.path.endswith("/stream"):
            yield operation


def send(operation: Any, mode: GenerationMode, senders: Senders, cases: int) -> int:
    """Send so many cases of one operation and check each answer. Returns how many were sent."""
    sent = count()

    @settings(
        max_examples=cases,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=operation.as_strategy(generation_mode=mode),
        who=st.sampled_from(["nobody", "player", "operator"]),
        real=st.booleans(),
    )
    def one(case: Any, who: str, real: bool) -> None:
        if real and "game" in (case.path_parameters or {}):
            case.path_parameters["game"] = senders.game
        token = senders.token(who)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        response = case.call(headers=headers, allow_redirects=False)
        next(sent)
        case.validate_response(response, checks=CHECKS)

    one()
    return next(sent)


@pytest.mark.parametrize(
    ("instance", "cases"),
    [
        pytest.param(GATEWAY, 140, marks=pytest.mark.slow),
        pytest.param(STREAMS, 80, marks=pytest.mark.slow),
        pytest.param(GATEWAY, 10_000, marks=[pytest.mark.faults, pytest.mark.timeout(1800)]),
        pytest.param(STREAMS, 1_000, marks=[pytest.mark.faults, pytest.mark.timeout(1800)]),
    ],
)
def test_every_answer_is_one_that_the_document_describes(
    besieged: Installation, senders: Senders, counts: Counts, instance: str, cases: int
) -> None:
    found = list(operations(besieged, instance))
    each = -(-cases * SPARE // (100 * len(found) * len(MODES)))
    sent, faults = 0, []
    for operation in found:
        for mode in MODES:
            try:
                sent += send(operation, mode, senders, each)
            except Unsatisfiable:
                continue  # without parameters there is nothing to get wrong
            except (Exception, FailureGroup) as fault:
                faults.append(f"{operation.label}, {mode.value}: {fault}")
    assert not faults, "\n\n".join([*faults, *faults_logged(besieged)])
    assert sent >= cases
    counts.add(GROUP, f"cases sent to {instance}", sent)
    counts.add(GROUP, f"operations of {instance}", len(found))
