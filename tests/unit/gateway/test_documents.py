"""The API describes itself: every route is in a valid OpenAPI 3.1 document, every code in one table."""

import re
import time
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from services.gateway.errors_table import DOCS, error_groups, errors_page
from services.gateway.openapi import build_document
from services.gateway.payloads import payload_schema
from shared.commands import HOST_COMMANDS
from shared.errors import HOST_ERRORS
from shared.host_events import REPEATED
from shared.rules import GAMES
from tests.unit.gateway.house import House, Player


@pytest.fixture(scope="module")
def document(house: House) -> dict[str, Any]:
    found: dict[str, Any] = house.nobody().get("/openapi.json").get_json()
    return found


def test_the_document_is_valid_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    from openapi_spec_validator import OpenAPIV31SpecValidator  # as much as all other imports of a worker

    OpenAPIV31SpecValidator(document).validate()


def test_every_route_and_method_is_in_the_document(house: House, document: dict[str, Any]) -> None:
    for rule in house.app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            assert method.lower() in document["paths"][path], f"{method} {path}"


def test_a_route_that_says_nothing_about_itself_is_an_error(tmp_path: Any) -> None:
    house = House(tmp_path)
    try:
        house.app.add_url_rule("/silent", "silent", lambda: "nothing")
        with pytest.raises(LookupError, match="/silent"):
            build_document(house.app)
    finally:
        house.close()


def test_every_command_of_every_game_has_its_payload_in_the_document(document: dict[str, Any]) -> None:
    body = document["paths"]["/games/{game}/commands"]["post"]["requestBody"]
    named = {item["$ref"].rpartition("/")[2] for item in body["content"]["application/json"]["schema"]["anyOf"]}
    wanted = {f"command.host.{type}" for type in HOST_COMMANDS if type != "create_game"}
    wanted |= {f"command.{item.game}.{type}" for item in GAMES for type in item.load().commands}
    assert named == wanted
    assert wanted <= set(document["components"]["schemas"])


def test_a_text_is_sent_as_itself_not_as_the_id_that_takes_its_place() -> None:
    chat = payload_schema(GAMES[0].load().commands["chat"])
    assert set(chat["properties"]) == {"turn", "channel", "text"}
    assert chat["properties"]["text"] == {"type": "string", "maxLength": 2000}
    assert chat["required"] == ["channel", "text"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/games"),
        ("get", "/games/{game}"),
        ("get", "/games/{game}/map"),
        ("get", "/games/{game}/roster"),
        ("get", "/games/{game}/turns/{n}"),
        ("get", "/games/{game}/certificates"),
        ("get", "/accounts/me"),
        ("get", "/nowhere/at/all"),
        ("get", "/games/{game}/turns/77"),
    ],
)
def test_answers_are_as_the_document_says(
    house: House, document: dict[str, Any], played: str, method: str, path: str
) -> None:
    answer = house.somebody().send(method.upper(), path.replace("{game}", played).replace("{n}", "1"))
    if path.startswith("/nowhere"):
        schema = document["components"]["schemas"]["ProblemView"]
    else:
        operation = document["paths"][path.replace("77", "{n}")][method]
        schema = operation["responses"][str(answer.status_code)]["content"][answer.mimetype]["schema"]
    full = {**schema, "components": document["components"]}
    Draft202012Validator(full).validate(answer.get_json())


def test_written_answers_are_as_the_document_says(house: House, operator: Player, document: dict[str, Any]) -> None:
    game = house.war(operator)
    red = house.recruit(game, "red", "dunmere")
    responses = document["paths"]["/games/{game}/commands"]["post"]["responses"]
    for answer in (
        red.command(game, "set_order", {"defend": 1}),
        red.command(game, "set_order", {"defend": 1}, Prefer="respond-async"),
        red.command(game, "set_order", {"attack": {"target": "elmgate", "energy": 0}}),
        red.command(game, "close_turn", {"turn": 1}),
    ):
        schema = responses[str(answer.status_code)]["content"][answer.mimetype]["schema"]
        Draft202012Validator({**schema, "components": document["components"]}).validate(answer.get_json())


def test_the_page_of_error_codes_is_what_the_code_says() -> None:
    assert DOCS.read_text() == errors_page(), "run: python -m services.gateway.errors_table"


def test_the_page_of_error_codes_names_every_refusal_that_may_leave_a_record(house: House, operator: Player) -> None:
    said = errors_page().partition("\n## ")[0]
    assert all(f"`{code}`" in said for code in ("key_reused", "outcome_unknown", "internal"))
    assert "nothing was stored" not in said
    game = house.war(operator)
    player = house.recruit(game, "red", "dunmere")
    answers = [player.command(game, "set_order", {"defend": n}, Idempotency_Key="k1").status_code for n in (1, 2)]
    assert answers == [201, 422]

    def repeats() -> list[bool]:
        feed = house.context.reads.at_head(game, lambda head: house.context.reads.views.feed(head, ("",), {}, 1000))
        return [entry.data["same"] for entry in feed if entry.type == REPEATED]

    end = time.monotonic() + 60
    while not repeats() and time.monotonic() < end:
        time.sleep(0.02)
    assert repeats() == [False]


def test_every_code_is_in_the_table_once_a_group_and_linked_from_its_problem(house: House) -> None:
    html = house.nobody().get("/docs/errors").get_data(as_text=True)
    for group in error_groups():
        codes = [row.code for row in group.codes]
        assert len(codes) == len(set(codes))
        assert all(f'id="{code}"' in html for code in codes)
    assert [row.code for row in error_groups()[0].codes] == list(HOST_ERRORS)
    problem = house.nobody().get("/games/nowhere").get_json()
    assert problem["type"] == "/docs/errors#unknown_game"


def test_the_reference_lists_every_operation_and_schema(house: House, document: dict[str, Any]) -> None:
    html = house.nobody().get("/docs").get_data(as_text=True)
    for item in document["paths"].values():
        for method, operation in item.items():
            if method != "parameters":
                assert f'id="{operation["operationId"]}"' in html
    for name in document["components"]["schemas"]:
        assert f'id="schema-{name}"' in html
