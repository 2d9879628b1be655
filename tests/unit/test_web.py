"""What every web service answers when something is wrong."""

from flask import Flask, Response

from shared.errors import HOST_ERRORS, Problem
from shared.web import base_app, json_body, json_response


def app() -> Flask:
    made = base_app("warledger.test", max_body_bytes=1000, ready=lambda: "the log is away")

    @made.post("/echo")
    def echo() -> Response:
        return json_response(json_body())

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
