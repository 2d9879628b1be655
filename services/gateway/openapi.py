"""The OpenAPI 3.1 document, made of the routes of an app and what each says about itself."""

import re
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from marshmallow import Schema
from werkzeug.routing import Rule

from services.gateway.operations import (
    BODY_PROBLEMS,
    COMMON_PROBLEMS,
    GAME_PROBLEMS,
    READ_PROBLEMS,
    Answer,
    Operation,
)
from services.gateway.payloads import command_schemas, creation_schemas
from services.gateway.schemas.fields import ID_PATTERN
from services.gateway.schemas.problems import ProblemView
from services.gateway.schemas.writes import NewCommand, NewGame
from shared.errors import HOST_ERRORS

JSON = "application/json"
PROBLEM_MEDIA = "application/problem+json"
_VARIABLE = re.compile(r"<(?:([a-z]+)(?:\([^)]*\))?:)?([a-z_]+)>")
_FORMS: dict[str, dict[str, Any]] = {
    "int": {"type": "integer", "minimum": 0},
    "": {"type": "string", "pattern": ID_PATTERN},
}
_BASE: dict[str, tuple[str, str]] = {
    "/livez": ("The process lives", "text/plain"),
    "/readyz": ("The process can serve", "text/plain"),
    "/metrics": ("Prometheus metrics, to operators", "text/plain"),
}
_BY_GAME: dict[type[Schema], Any] = {NewCommand: command_schemas, NewGame: creation_schemas}
"""Bodies whose form is that of one of the games'."""
_DESCRIPTION = (
    "Turn-based territory wars whose every order is kept and whose every turn can be recomputed. A write is answered "
    "with its judgement within two seconds, or with 202 and the place where the judgement will be. Errors are "
    "application/problem+json with a stable code. Reads without a token show what everybody may see."
)


def operation_id(method: str, path: str) -> str:
    """A stable name of an operation."""
    return f"{method.lower()}_{re.sub(r'[^a-z0-9]+', '_', path.lower()).strip('_') or 'index'}"


def build_document(app: Flask) -> dict[str, Any]:
    """The document of all routes. Raises LookupError for a route that says nothing about itself."""
    spec = APISpec(
        "Warledger",
        version("warledger"),
        "3.1.0",
        plugins=[MarshmallowPlugin(schema_name_resolver=lambda schema: _class_of(schema).__name__)],
        info={"description": _DESCRIPTION},
    )
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer", "description": "POST /tokens"})
    for name, schema in (*command_schemas(), *creation_schemas()):
        spec.components.schema(name, schema)
    for rule in sorted(app.url_map.iter_rules(), key=str):
        path = _VARIABLE.sub(r"{\2}", rule.rule)
        operations = {method.lower(): _operation(app, rule, method, path) for method in _methods(rule)}
        spec.path(path=path, operations=operations, parameters=_path_parameters(rule))
    return spec.to_dict()


def _methods(rule: Rule) -> list[str]:
    return sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})


def _operation(app: Flask, rule: Rule, method: str, path: str) -> dict[str, Any]:
    if rule.rule in _BASE:
        return _base_operation(rule, method, path)
    said: Operation | None = getattr(app.view_functions[rule.endpoint], "operation", None)
    if said is None:
        raise LookupError(f"{method} {rule.rule} says nothing about itself; decorate it with @documented")
    written: dict[str, Any] = {
        "operationId": operation_id(method, path),
        "tags": [said.tag],
        "summary": said.summary,
        "responses": {
            **{str(status): _answer(answer) for status, answer in said.answers.items()},
            **_problems(_codes(said, rule)),
        },
    }
    if said.parameters:
        written["parameters"] = [
            {"name": item.name, "in": item.place, "description": item.summary, "schema": dict(item.form)}
            for item in said.parameters
        ]
    if said.body:
        written["requestBody"] = {"required": True, "content": {"application/json": {"schema": _body(said.body)}}}
    if said.tag != "site":
        written["security"] = [{"token": []}] if said.scope else [{}, {"token": []}]
    return written


def _body(schema: type[Schema]) -> Any:
    by_game = _BY_GAME.get(schema)
    if by_game is None:
        return schema
    return {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name, _ in by_game()]}


def _base_operation(rule: Rule, method: str, path: str) -> dict[str, Any]:
    """What every service answers, and whose metrics are for operators: they count what everybody sends."""
    summary, media = _BASE[rule.rule]
    text = {"description": summary, "content": {media: {"schema": {"type": "string"}}}}
    answers: dict[str, Any] = {"200": text, **({"503": text} if rule.rule == "/readyz" else {})}
    if rule.rule == "/metrics":
        answers |= _problems(["unauthenticated", "token_expired", "forbidden", "unavailable"])
    written = {"operationId": operation_id(method, path), "tags": ["health"], "summary": summary, "responses": answers}
    return {**written, "security": [{"token": []}]} if rule.rule == "/metrics" else written


def _answer(answer: Answer) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if answer.body:
        content |= {media: {"schema": answer.body} for media in answer.media}
    content |= {media: {"schema": {"type": "object" if media == JSON else "string"}} for media in answer.other}
    return {"description": answer.summary, **({"content": content} if content else {})}


def _codes(said: Operation, rule: Rule) -> list[str]:
    codes = [*said.problems, *COMMON_PROBLEMS]
    if said.tag != "site":
        codes += READ_PROBLEMS
    if said.scope:
        codes.append("forbidden")
    if said.body:
        codes += BODY_PROBLEMS
    if "game" in rule.arguments:
        codes += GAME_PROBLEMS
    return sorted(set(codes), key=lambda code: (HOST_ERRORS[code].status, code))


def _problems(codes: list[str]) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(HOST_ERRORS[code].status, []).append(code)
    return {
        str(status): {
            "description": f"{HTTPStatus(status).phrase}: {', '.join(found)}",
            "content": {PROBLEM_MEDIA: {"schema": ProblemView}},
        }
        for status, found in by_status.items()
    }


def _path_parameters(rule: Rule) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": _FORMS[converter or ""]}
        for converter, name in _VARIABLE.findall(rule.rule)
    ]


def _class_of(schema: Any) -> type[Schema]:
    return schema if isinstance(schema, type) else type(schema)
