"""Which server is taken, and what is said where there is none."""

from pathlib import Path

import pytest

from tests.unit.warledger.running import call
from warledger.servers import NoServer, java
from warledger.servers.containers import no_engine
from warledger.servers.jars import cache_folder, kafka_jars
from warledger.servers.opening import open_kafka, open_mongo, prepare_kafka


def silent(line: str) -> None:
    """A report that nobody reads."""


def nothing_installed(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """No program in the PATH, and nothing fetched."""
    monkeypatch.setenv("PATH", str(folder / "nothing"))
    monkeypatch.setenv("WARLEDGER_CACHE", str(folder / "cache"))


@pytest.mark.parametrize(
    ("variable", "address", "open_it"),
    [
        ("WARLEDGER_TEST_KAFKA", "127.0.0.1:1", open_kafka),
        ("WARLEDGER_TEST_MONGO", "mongodb://127.0.0.1:1", open_mongo),
    ],
)
def test_an_address_that_is_given_is_taken_and_nothing_else_is_tried(
    tmp_path: Path, variable: str, address: str, open_it: object
) -> None:
    assert callable(open_it)
    with pytest.raises(NoServer, match=f"^{variable}={address}: no answer$"):
        open_it(tmp_path, environment={variable: address})
    assert list(tmp_path.iterdir()) == []


def test_an_address_of_another_form_is_refused_and_the_right_one_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoServer, match=r"WARLEDGER_TEST_KAFKA=localhost: expected kafka://HOST:PORT"):
        open_kafka(tmp_path, environment={"WARLEDGER_TEST_KAFKA": "localhost"})


def test_an_unknown_way_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoServer, match="WARLEDGER_SERVERS='docker': expected containers or processes"):
        open_mongo(tmp_path, environment={"WARLEDGER_SERVERS": "docker"})


def test_an_unknown_way_is_malformed_and_no_server_that_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARLEDGER_SERVERS", "docker")
    done = call(tmp_path, "servers", "up")
    assert done.exit_code == 2, done.output
    assert "WARLEDGER_SERVERS='docker'" in done.output


def test_containers_alone_need_an_engine_that_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/docker.sock")
    no_engine.cache_clear()
    try:
        with pytest.raises(NoServer, match="no container engine answers"):
            open_kafka(tmp_path, environment={"WARLEDGER_SERVERS": "containers"})
    finally:
        no_engine.cache_clear()


def test_without_maven_it_is_said_what_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing_installed(monkeypatch, tmp_path)
    with pytest.raises(NoServer, match="no mvn in the PATH: Kafka's jars are fetched with Maven"):
        open_kafka(tmp_path / "kafka", environment={"WARLEDGER_SERVERS": "processes"})


def test_what_was_fetched_before_needs_no_maven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing_installed(monkeypatch, tmp_path)
    fetched = tmp_path / "cache" / "kafka-4.3.1"
    fetched.mkdir(parents=True)
    assert kafka_jars(silent) == fetched


def test_nothing_is_fetched_for_a_server_that_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing_installed(monkeypatch, tmp_path)
    prepare_kafka(silent, {"WARLEDGER_TEST_KAFKA": "127.0.0.1:1"})
    prepare_kafka(silent, {"WARLEDGER_SERVERS": "containers"})
    with pytest.raises(NoServer, match="no mvn"):
        prepare_kafka(silent, {"WARLEDGER_SERVERS": "processes"})


def test_a_failed_fetch_leaves_nothing_that_looks_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    maven = programs / "mvn"
    maven.write_text("#!/bin/sh\necho '[ERROR] cannot reach the repository'\nexit 1\n")
    maven.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setenv("WARLEDGER_CACHE", str(tmp_path / "cache"))
    with pytest.raises(NoServer, match=r"Maven could not fetch Kafka 4\.3\.1: .ERROR. cannot reach the repository"):
        kafka_jars(silent)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["kafka-4.3.1.lock"]


def test_the_cache_is_where_the_environment_says() -> None:
    assert cache_folder({"WARLEDGER_CACHE": "/a/b"}) == Path("/a/b")
    assert cache_folder({"XDG_CACHE_HOME": "/c"}) == Path("/c/warledger")
    assert cache_folder({}) == Path.home() / ".cache" / "warledger"


def test_a_java_is_asked_for_its_version(tmp_path: Path) -> None:
    told = tmp_path / "java"
    told.write_text("""#!/bin/sh\necho 'openjdk version "11.0.2" 2019-01-15' >&2\n""")
    told.chmod(0o755)
    assert java.version(told) == 11
    assert java.version(tmp_path / "none") == 0


def test_a_java_that_is_too_old_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "bin" / "java"
    old.parent.mkdir()
    old.write_text("""#!/bin/sh\necho 'openjdk version "11.0.2" 2019-01-15' >&2\n""")
    old.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    java.java.cache_clear()
    try:
        assert java.version(java.java()) >= java.OLDEST
    finally:
        java.java.cache_clear()
