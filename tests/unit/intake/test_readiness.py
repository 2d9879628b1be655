"""An intake says what keeps it from making inputs durable, and is ready again when that has passed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from services.orders.app import create_app as orders_app
from services.polls.app import create_app as polls_app
from shared.clock import SystemClock
from shared.documents.sqlite import SqliteDocuments
from shared.intake.admission import Admission
from shared.log.sqlite import SqliteLog
from shared.signing import Keyring, Signer


class Intake:
    """An intake over files that are not there yet."""

    def __init__(self, service: str, topic: str, folder: Path) -> None:
        self.folder = folder
        self.log = SqliteLog(folder / "log", Signer(service, bytes(32)), Keyring({service: bytes(32)}))
        self.documents = SqliteDocuments(folder / "docs")
        admission = Admission(topic, self.log, self.documents, bytes(32), SystemClock())
        create = orders_app if service == "orders" else polls_app
        self.client: FlaskClient = create(admission, call_key=bytes(32), max_body_bytes=1000).test_client()

    def said(self) -> tuple[int, str]:
        answer = self.client.get("/readyz")
        return answer.status_code, answer.get_data(as_text=True).strip()


@pytest.fixture
def intakes(tmp_path: Path) -> Iterator[dict[str, Intake]]:
    (tmp_path / "log").mkdir()
    (tmp_path / "docs").mkdir()
    made = {name: Intake(name, topic, tmp_path) for name, topic in (("orders", "orders"), ("polls", "votes"))}
    yield made
    for intake in made.values():
        intake.log.close()
        intake.documents.close()


def test_an_intake_whose_log_and_documents_are_there_is_ready(intakes: dict[str, Intake]) -> None:
    assert {intake.said() for intake in intakes.values()} == {(200, "ok")}


@pytest.mark.parametrize(("name", "file"), [("orders", "orders.db"), ("polls", "votes.db")])
def test_a_log_that_is_away_is_named_until_it_is_back(intakes: dict[str, Intake], name: str, file: str) -> None:
    path = intakes[name].folder / "log" / file
    path.mkdir()
    code, said = intakes[name].said()
    assert code == 503
    assert said.startswith("the log is away: ")
    path.rmdir()
    assert intakes[name].said() == (200, "ok")


def test_documents_matter_to_the_intake_that_takes_texts(intakes: dict[str, Intake]) -> None:
    path = intakes["polls"].folder / "docs" / "messages.db"
    path.mkdir()
    code, said = intakes["polls"].said()
    assert code == 503
    assert said.startswith("the document store is away: ")
    path.rmdir()
    assert intakes["polls"].said() == (200, "ok")
