"""`warledger doctor` finds what is wrong with an installation, says what it is, and changes nothing."""

import re
import shutil
import sqlite3
import time
from pathlib import Path
from typing import Any

import orjson
import pytest

from shared.config import ConfigError, Settings, from_environment
from shared.events import Submitted
from shared.log import CHRONICLE, TURNS, Draft, TopicPartition, partition_of
from shared.log.reading import Hold
from shared.log.sqlite import SqliteLog
from shared.log.sqlite_schema import table_of
from shared.signing import Keyring, Signer
from tests.unit.gateway.house import House
from tests.unit.warledger.running import call, rows, write_row
from warledger import lagging
from warledger.doctor import Case, examine
from warledger.doctor.master_key import other_master_key
from warledger.doctor.places import check_documents, check_indexes
from warledger.doctor.survey import survey

pytestmark = pytest.mark.slow

DAY_MS = 86_400_000


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a house that was played in and stopped, and its war."""
    folder = tmp_path_factory.mktemp("built") / "data"
    house = House(folder)
    house.run()
    operator = house.somebody("operator")
    game = house.war(operator)
    red = house.recruit(game, "red", "dunmere")
    said = {"channel": "team", "text": "votes and messages have files too"}
    assert red.command(game, "chat", said).status_code == 201
    assert operator.command(game, "close_turn", {"turn": 1}).status_code == 201
    red.command(game, "energize")
    house.close()
    return folder, game


class Patient:
    """A copy of that house, to be broken. `now` is the time of the machine."""

    def __init__(self, folder: Path, game: str) -> None:
        self.folder = folder
        self.game = game
        self.settings = from_environment({"WARLEDGER_DATA": str(folder)})

    def findings(self, *options: str) -> list[dict[str, Any]]:
        """What is found, without the summary."""
        return rows(self.folder, "doctor", *options)[:-1]

    def sql(self, file: str, statement: str, *values: Any) -> None:
        connection = sqlite3.connect(self.folder / file)
        with connection:
            connection.execute(statement, values)
        connection.close()

    def table(self, topic: str) -> str:
        return table_of(topic, partition_of(self.game))

    def order(self) -> None:
        """Append a genuine order, as the intake would."""
        signer = Signer("orders", self.settings.key("orders"))
        log = SqliteLog(self.settings.log_folder, signer, Keyring({"orders": signer.key}))
        given = Submitted("1" * 32, self.game, "u1", "player", "energize", {}, "5" * 32)
        log.append("orders", [Draft(self.game, given.value(), {})])
        log.close()


@pytest.fixture
def patient(built: tuple[Path, str], tmp_path: Path) -> Patient:
    folder, game = built
    shutil.copytree(folder, tmp_path / "data", ignore=shutil.ignore_patterns("nudges"))
    return Patient(tmp_path / "data", game)


def said(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(item["check"], item["level"]) for item in found]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but SQLite's own index of a write-ahead log, which any reader makes."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".db-shm", ".db-wal"))
    return {str(path): path.read_bytes() for path in files}


def test_a_sound_house_has_nothing_wrong_and_is_left_as_it_was(patient: Patient) -> None:
    before = contents(patient.folder)
    done = call(patient.folder, "doctor")
    assert (done.exit_code, done.output) == (0, "1 games, 0 faults, 0 notes\n")
    assert rows(patient.folder, "doctor") == [{"games": 1, "faults": 0, "notes": 0}]
    assert contents(patient.folder) == before


def test_a_fault_ends_with_1_and_says_what_to_do(patient: Patient) -> None:
    (patient.settings.keys / "orders.key").chmod(0o644)
    done = call(patient.folder, "doctor")
    assert done.exit_code == 1
    path = patient.settings.keys / "orders.key"
    assert f"fault (keys): {path}: others may read this key; expected mode 600\n  chmod 600 {path}\n" in done.output
    assert done.output.endswith("1 games, 1 faults, 0 notes\n")


def test_a_folder_that_holds_no_installation_is_said_and_not_made(tmp_path: Path) -> None:
    found = rows(tmp_path / "nothing", "doctor")
    assert said(found[:-1]) == [("files", "fault")] * 3
    assert "`warledger up` makes a new installation" in found[0]["help"]
    assert not (tmp_path / "nothing").exists()


def test_a_new_house_in_which_nothing_was_played_is_sound(tmp_path: Path) -> None:
    house = House(tmp_path / "data")
    house.run()
    house.somebody()
    house.close()
    assert rows(tmp_path / "data", "doctor") == [{"games": 0, "faults": 0, "notes": 0}]


@pytest.mark.parametrize("name", ["master", "orders", "polls", "economy", "ticks", "salt", "calls"])
def test_a_missing_key_is_named(patient: Patient, name: str) -> None:
    (patient.settings.keys / f"{name}.key").unlink()
    found = patient.findings()
    assert said(found) == [("keys", "fault")]
    assert f"{name}.key: No such file" in found[0]["said"]
    assert "put the file back from a backup" in found[0]["help"]
    assert ("renew-chain --all --reason key" in found[0]["help"]) == (name == "master")


@pytest.mark.parametrize("text", ["", "no key", "ab" * 31])
def test_a_key_of_a_wrong_form_is_named(patient: Patient, text: str) -> None:
    patient.settings.secret_file.write_text(text)
    (found,) = patient.findings()
    assert "master.key: expected 64 hex digits" in found["said"]


def test_a_token_that_others_may_read_is_named(patient: Patient) -> None:
    token = patient.settings.keys / "operator.token"
    token.write_text("wl.u1.x\n")
    token.chmod(0o640)
    (found,) = patient.findings()
    assert "others may read the local operator's token" in found["said"]


def test_a_foreign_master_key_is_told_by_the_games_that_run(patient: Patient) -> None:
    patient.settings.secret_file.write_text("ab" * 32)
    (found,) = patient.findings()
    assert found["said"].startswith(f"the dice of {patient.game} come from master key ")
    assert f"renew-chain {patient.game} --reason key" in found["help"]

    assert call(patient.folder, "game", "renew-chain", patient.game, "--reason", "key").exit_code == 0
    assert [item for item in patient.findings() if item["check"] == "keys"] == []


def test_nothing_starts_with_a_master_key_that_no_game_has_its_dice_from(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Settings] = []
    monkeypatch.setattr("warledger.commands.up.supervisor", started.append)
    patient.settings.secret_file.write_text("ab" * 32)

    done = call(patient.folder, "up")
    assert (done.exit_code, started) == (2, [])
    assert f"the dice of {patient.game} come from master key " in done.stderr
    assert "put the right file back, or: warledger game renew-chain" in done.stderr
    assert "`warledger up --any-master-key` starts" in done.stderr

    call(patient.folder, "up", "--any-master-key")
    assert len(started) == 1


def test_a_start_believes_the_journal_of_a_new_chain_that_the_views_do_not_show_yet(patient: Patient) -> None:
    assert other_master_key(patient.settings) is None
    patient.settings.secret_file.write_text("ab" * 32)
    assert other_master_key(patient.settings) is not None
    assert call(patient.folder, "game", "renew-chain", "--all", "--reason", "key").exit_code == 0
    assert other_master_key(patient.settings) is None


def test_a_foreign_master_key_is_nothing_to_a_game_that_is_over(tmp_path: Path) -> None:
    house = House(tmp_path / "data")
    house.run()
    operator = house.somebody("operator")
    game = house.war(operator, last_turn=1)
    assert operator.command(game, "close_turn", {"turn": 1}).status_code == 201
    house.close()
    house.settings.secret_file.write_text("ab" * 32)
    assert rows(tmp_path / "data", "doctor")[:-1] == []
    assert other_master_key(house.settings) is None


@pytest.mark.parametrize(("service", "topic"), [("orders", "orders"), ("polls", "votes")])
def test_a_foreign_key_of_a_service_is_told_by_its_records(patient: Patient, service: str, topic: str) -> None:
    (patient.settings.keys / f"{service}.key").write_text("cd" * 32)
    (found,) = patient.findings()
    assert f"inputs of {topic} was signed with" in found["said"]
    assert f"{service}.key: it is another house's" in found["said"]


@pytest.mark.parametrize(("count", "key", "foreign"), [(300, None, False), (30, None, False), (30, "cd" * 32, True)])
def test_records_without_a_signature_say_nothing_of_a_key(
    patient: Patient, count: int, key: str | None, foreign: bool
) -> None:
    for number in range(count):
        at = time.time_ns() // 1_000_000 + number
        write_row(patient.settings.log_folder, "orders", patient.game, b"unsigned", at, None)
    if key is not None:
        (patient.settings.keys / "orders.key").write_text(key)
    found = [item["said"] for item in patient.findings() if item["check"] == "keys"]
    assert [said.endswith("orders.key: it is another house's") for said in found] == [True] * foreign


@pytest.mark.parametrize(
    ("file", "level", "words"),
    [
        ("log/orders.db", "fault", "of its records were read"),
        ("log/votes.db", "fault", "of its records were read"),
        ("log/journal.db", "fault", "all that was judged"),
        ("docs/accounts.db", "fault", "accounts.db is missing"),
        ("docs/messages.db", "fault", "messages.db is missing"),
        ("docs/views.db", "note", "views.db is missing"),
        ("docs/snapshots.db", "note", "snapshots.db is missing"),
    ],
)
def test_a_missing_file_is_named(patient: Patient, file: str, level: str, words: str) -> None:
    for path in (patient.folder / Path(file).parent).glob(f"{Path(file).stem}.db*"):
        path.unlink()
    done = call(patient.folder, "doctor", "--json")
    *printed, summary = map(orjson.loads, done.stdout.splitlines())
    found = [item for item in printed if item["check"] == "files"]
    assert [(item["level"], words in item["said"], bool(item["help"])) for item in found] == [(level, True, True)]
    assert done.exit_code == min(1, summary["faults"])
    assert level == "note" or summary["faults"]


@pytest.mark.parametrize("file", ["log/journal.db", "log/orders.db", "docs/views.db"])
def test_a_file_that_cannot_be_read_is_a_finding_and_no_crash(patient: Patient, file: str) -> None:
    for path in (patient.folder / Path(file).parent).glob(f"{Path(file).stem}.db*"):
        path.unlink()
    (patient.folder / file).write_bytes(b"this was a database once " * 500)
    done = call(patient.folder, "doctor")
    assert done.exit_code == 1
    assert "file is not a database" in done.output


def test_inputs_that_wait_long_are_a_lag_of_the_resolver(patient: Patient) -> None:
    patient.order()
    now = time.time_ns() // 1_000_000
    assert examine(patient.settings, now, 0)[1] == []  # it has just come

    (found,) = examine(patient.settings, now + 60_000, 0)[1]

    assert (found.check, found.level) == ("lag", "fault")
    told = re.fullmatch(r"1 inputs are not judged, the oldest for (\d+) seconds", found.said)
    assert told is not None, found.said
    assert 59 <= int(told[1]) < 120
    assert found.help.endswith("logs/resolver.log says")


def test_an_open_transaction_is_blamed_and_not_the_resolver(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    patient.order()
    held = Hold(TopicPartition(TURNS, partition_of(patient.game)), 10, 15)
    monkeypatch.setattr(lagging, "holds", lambda *_: [held])

    (found,) = examine(patient.settings, time.time_ns() // 1_000_000 + 60_000, 0)[1]

    assert (found.check, found.level, found.said) == ("lag", "fault", held.said)
    assert "kafka-transactions.sh abort" in found.help


def test_what_an_open_transaction_hides_of_one_topic_is_no_gap_in_the_other(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = patient.table("chronicle")
    patient.sql("log/journal.db", f"DELETE FROM {table} WHERE offset = (SELECT max(offset) FROM {table})")
    assert [finding.check for finding in survey(patient.settings).findings] == ["gaps"]
    hold = Hold(TopicPartition(CHRONICLE, partition_of(patient.game)), 1, 5)
    monkeypatch.setitem(survey.__globals__, "holds", lambda *_: [hold])

    assert survey(patient.settings).findings == []


def test_inputs_of_a_game_that_stands_still_are_no_lag(patient: Patient) -> None:
    out = patient.folder / "war.jsonl"
    assert call(patient.folder, "export", patient.game, "--freeze", "--out", str(out)).exit_code == 0
    patient.order()
    found = examine(patient.settings, time.time_ns() // 1_000_000 + 5_000, 0)[1]
    assert [item.check for item in found] == ["quarantine"]


def test_a_journal_that_the_views_have_not_reached_is_a_lag_of_the_projector(patient: Patient) -> None:
    patient.sql("docs/views.db", "DELETE FROM checkpoints")
    before = time.time_ns() // 1_000_000 - 60_000
    for topic in ("turns", "chronicle"):
        patient.sql("log/journal.db", f"UPDATE {patient.table(topic)} SET at = ?", before)
    (found,) = patient.findings()
    assert (found["check"], "records of the journal are not shown yet" in found["said"]) == ("lag", True)


def test_a_gap_in_the_journal_is_named_with_its_place(patient: Patient) -> None:
    patient.sql("log/journal.db", f"DELETE FROM {patient.table('turns')} WHERE offset = 2")
    found = patient.findings()
    assert [item["check"] for item in found] == ["gaps", "gaps"]
    assert "turns, partition" in found[0]["said"]
    assert "follows event" in found[0]["said"]
    assert "the chronicle of" in found[1]["said"]


def test_a_record_that_cannot_be_read_is_named_with_its_place(patient: Patient) -> None:
    patient.sql("log/journal.db", f"UPDATE {patient.table('turns')} SET value = ? WHERE offset = 1", b"torn")
    place = f"turns, partition {partition_of(patient.game)}, offset 1 cannot be read"
    assert any(place in item["said"] for item in patient.findings())


def test_a_record_under_the_key_of_another_game_is_named(patient: Patient) -> None:
    patient.sql("log/journal.db", f"UPDATE {patient.table('turns')} SET key = 'g9' WHERE offset = 1")
    assert any("stands under 'g9' and tells of" in item["said"] for item in patient.findings())


def test_a_gap_in_the_chronicle_is_named(patient: Patient) -> None:
    patient.sql("log/journal.db", f"DELETE FROM {patient.table('chronicle')} WHERE offset = 1")
    found = patient.findings()
    assert said(found)[0] == ("gaps", "fault")
    assert "public event" in found[0]["said"]


def test_servers_that_cannot_be_reached_end_it_with_3(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARLEDGER_DOCS", "mongodb://127.0.0.1:1/none?serverSelectionTimeoutMS=50")
    done = call(patient.folder, "doctor")
    assert done.exit_code == 3, done.output
    assert "fault (servers): " in done.output
    assert "127.0.0.1:1" in done.output

    monkeypatch.setenv("WARLEDGER_LOG", "kafka://127.0.0.1:1/none")
    monkeypatch.setattr("shared.log.kafka_topics.CONNECT_SECONDS", 0.05)
    done = call(patient.folder, "doctor")
    assert done.exit_code == 3, done.output
    assert "the log cannot be read: no Kafka broker answers at 127.0.0.1:1" in done.output


def test_documents_of_nobody_beside_a_log_with_games_are_said(patient: Patient, tmp_path: Path) -> None:
    played = survey(patient.settings)
    for data, found in ((patient.folder, []), (tmp_path / "other", ["documents"])):
        settings = from_environment({"WARLEDGER_DATA": str(data), "WARLEDGER_LOG": "kafka://127.0.0.1:1"})
        findings = list(check_documents(Case(settings, 0, played)))
        assert [item.check for item in findings] == found
        assert all("1 games" in item.said and "WARLEDGER_DOCS" in item.help for item in findings)


def test_an_index_that_is_missing_is_named_with_the_command_that_makes_it(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.documents.mongo.MongoDocuments.unindexed", lambda _: ["views.feeds"])
    settings = from_environment({"WARLEDGER_DATA": str(patient.folder), "WARLEDGER_DOCS": "mongodb://127.0.0.1:1/none"})

    (found,) = check_indexes(settings)

    assert (found.check, found.level) == ("documents", "fault")
    assert "db.getCollection('views.feeds').createIndex({key: 1})" in found.help
    assert list(check_indexes(patient.settings)) == []


def test_a_password_that_cannot_be_read_ends_it_with_2(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARLEDGER_DOCS", "mongodb://me@127.0.0.1:1/none")
    monkeypatch.setenv("WARLEDGER_DOCS_PASSWORD_FILE", str(patient.folder / "none"))
    done = call(patient.folder, "doctor")
    assert isinstance(done.exception, ConfigError)
    assert "WARLEDGER_DOCS_PASSWORD_FILE" in str(done.exception)


def test_a_clock_behind_the_log_is_said(patient: Patient) -> None:
    later = time.time_ns() // 1_000_000 + DAY_MS
    patient.sql("log/journal.db", f"UPDATE {patient.table('turns')} SET at = ?", later)
    (found,) = patient.findings()
    assert found["check"] == "clock"
    assert "seconds ahead of this machine's clock" in found["said"]


def test_dead_letters_of_today_are_a_fault_and_older_ones_a_note(patient: Patient) -> None:
    table = patient.table("dead-letters")
    letter = orjson.dumps(
        {"topic": "orders", "partition": 1, "offset": 7, "reason": "forged", "detail": "the record has no signature"}
    )
    now = time.time_ns() // 1_000_000
    insert = f"INSERT INTO {table} VALUES (?, ?, 'g', ?, '{{}}', NULL)"
    patient.sql("log/journal.db", insert, 0, now - 2 * DAY_MS, letter)
    (found,) = patient.findings()
    assert (found["level"], found["said"]) == ("note", "of all time: 1 forged")
    assert call(patient.folder, "doctor").exit_code == 0

    patient.sql("log/journal.db", insert, 1, now, letter)
    (found,) = patient.findings()
    assert (found["level"], found["said"]) == ("fault", "of the last day: 1 forged")


def test_a_game_that_stands_still_is_named_with_its_cause(patient: Patient) -> None:
    out = patient.folder / "war.jsonl"
    assert call(patient.folder, "export", patient.game, "--freeze", "--out", str(out)).exit_code == 0
    found = [item for item in patient.findings() if item["check"] == "quarantine"]
    assert found[0]["said"].startswith(f"{patient.game} stands still: set down to be moved")
    assert f"warledger game release {patient.game}" in found[0]["help"]
    assert survey(patient.settings).games[patient.game].quarantined is not None


def test_a_full_disk_is_said(patient: Patient) -> None:
    free = shutil.disk_usage(patient.folder).free // 1_000_000
    found = patient.findings("--min-free", str(free + 1_000_000))
    assert said(found) == [("disk", "fault")] * 2
    assert "MB are free for" in found[0]["said"]
    assert patient.findings("--min-free", "0") == []


def test_inputs_that_are_older_than_the_journal_are_said(patient: Patient) -> None:
    patient.sql("log/orders.db", f"DELETE FROM {patient.table('orders')} WHERE offset > 2")
    found = patient.findings()
    assert said(found) == [("files", "fault")]
    assert "has 3 records, and was read up to" in found[0]["said"]
    assert "renew-chain --all" in found[0]["help"]


def test_views_that_are_newer_than_the_journal_are_said(patient: Patient) -> None:
    for topic in ("turns", "chronicle"):
        patient.sql("log/journal.db", f"DELETE FROM {patient.table(topic)} WHERE offset > 2")
    found = patient.findings()
    assert ("files", "fault") in said(found)
    assert any("the views hold" in item["said"] for item in found)
