"""What every web service answers when something is wrong."""

from io import BytesIO

import pytest
from flask import Flask, Response

from shared.errors import HOST_ERRORS, Problem
from shared.web import base_app, json_body, json_response


def app() -> Flask:
    made = base_app("warledger.test", max_body_bytes=1000, ready=lambda: "the log is away")

    @made.post("/echo")
    def echo() -> Response:
        return json_response(json_body())

    @made.get("/things/<int:n>")
    def thing(n: int) -> Response:
        return json_response({"n": n})

    @made.get("/refused")
    def refused() -> Response:
        raise Problem("unavailable", "come again", headers={"Retry-After": "1"})

    @made.get("/broken")
    def broken() -> Response:
        raise ZeroDivisionError("secret inside")

    return made


def test_every_error_is_a_problem_with_a_known_code() -> None:
    client = app().test_client()
    answers = {
        client.get("/nowhere"): 404,
        client.get("/echo"): 405,
        client.post("/echo", data="{}"): 415,
        client.post("/echo", data="{", content_type="application/json"): 400,
        client.post("/echo", data='{"a": 1.5}', content_type="application/json"): 400,
        client.post("/echo", data='{"a": NaN}', content_type="application/json"): 400,
        client.post("/echo", data="[]", content_type="application/json"): 400,
        client.post("/echo", data=b"x" * 1001, content_type="application/json"): 413,
        client.get("/refused"): 503,
        client.get("/broken"): 500,
    }
    for answer, status in answers.items():
        assert answer.status_code == status
        assert answer.content_type == "application/problem+json"
        assert answer.json is not None
        assert answer.json["status"] == status
        assert HOST_ERRORS[answer.json["code"]].status == status


def test_a_fault_of_the_server_tells_nothing_of_its_inside() -> None:
    assert "secret" not in app().test_client().get("/broken").get_data(as_text=True)


def test_allow_and_retry_after_are_kept() -> None:
    client = app().test_client()
    assert client.get("/refused").headers["Retry-After"] == "1"
    assert "POST" in client.get("/echo").headers["Allow"]


def test_a_trace_context_is_carried_and_a_broken_one_replaced() -> None:
    client = app().test_client()
    given = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"
    assert client.get("/livez", headers={"traceparent": given}).headers["traceparent"] == given
    assert client.get("/livez", headers={"traceparent": "00-zz"}).headers["traceparent"] != "00-zz"


def test_health_and_metrics_are_there() -> None:
    client = app().test_client()
    assert client.get("/livez").status_code == 200
    ready = client.get("/readyz")
    assert (ready.status_code, ready.get_data(as_text=True)) == (503, "the log is away\n")
    assert "warledger_requests_total" in client.get("/metrics").get_data(as_text=True)


@pytest.mark.parametrize(("length", "status"), [(1000, 200), (1001, 413), (2000, 413)])
def test_a_body_without_a_length_has_the_same_limit(length: int, status: int) -> None:
    body = b'{"a":"' + b"x" * (length - 8) + b'"}'
    environ = {"wsgi.input": BytesIO(body), "wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    answer = app().test_client().post("/echo", content_type="application/json", environ_overrides=environ)
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("content_type", "encoding", "status"),
    [
        ("application/json", "gzip", 415),
        ("application/json", "Identity", 200),
        ("application/json; charset=utf-16", "identity", 415),
        ('application/json; charset="UTF-8"', "identity", 200),
    ],
)
def test_a_body_in_another_coding_is_refused(content_type: str, encoding: str, status: int) -> None:
    headers = {"Content-Encoding": encoding}
    answer = app().test_client().post("/echo", data="{}", content_type=content_type, headers=headers)
    assert answer.status_code == status


def test_a_key_twice_in_an_object_is_malformed() -> None:
    answer = app().test_client().post("/echo", data='{"a": 1, "a": 2}', content_type="application/json")
    assert (answer.status_code, answer.get_json()["code"]) == (400, "malformed")
    assert "the key a twice" in answer.get_json()["detail"]


@pytest.mark.parametrize(("path", "status"), [("/things/1", 200), ("/things/\u0661", 404), ("/things/\uff11", 404)])
def test_a_number_in_an_address_is_of_ascii_digits(path: str, status: int) -> None:
    assert app().test_client().get(path).status_code == status
