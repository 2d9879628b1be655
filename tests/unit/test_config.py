"""Settings from the environment."""

from pathlib import Path

import pytest

from shared.config import KEY_NAMES, LEAST_BODY_BYTES, ConfigError, from_environment, make_keys, read_key


def test_a_new_installation_gets_keys_that_its_owner_alone_can_read(tmp_path: Path) -> None:
    settings = from_environment({"WARLEDGER_DATA": str(tmp_path)})
    made = make_keys(settings)
    assert {path.name for path in made} == {f"{name}.key" for name in (*KEY_NAMES, "master")}
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in made)
    assert len({read_key(path) for path in made}) == len(made)
    assert make_keys(settings) == []


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    settings = from_environment({"WARLEDGER_DATA": str(tmp_path)})
    make_keys(settings)
    (tmp_path / "keys" / "orders.key").chmod(0o644)
    with pytest.raises(ConfigError, match="expected mode 600"):
        settings.key("orders")


def test_a_house_with_a_log_gets_no_other_key_for_a_missing_one(tmp_path: Path) -> None:
    settings = from_environment({"WARLEDGER_DATA": str(tmp_path)})
    make_keys(settings)
    settings.log_folder.mkdir()
    (settings.log_folder / "orders.db").write_bytes(b"orders")
    assert make_keys(settings) == []
    path = settings.keys / "orders.key"
    path.unlink()
    with pytest.raises(ConfigError, match=f"{path}: the key is missing.* put it back from the backup") as said:
        make_keys(settings)
    assert ("renew-chain" in str(said.value), path.exists()) == (False, False)
    settings.secret_file.unlink()
    with pytest.raises(ConfigError, match="for a lost master key see `warledger game renew-chain"):
        make_keys(settings)


def test_keys_are_made_where_the_log_holds_nothing_yet(tmp_path: Path) -> None:
    settings = from_environment({"WARLEDGER_DATA": str(tmp_path)})
    settings.log_folder.mkdir()
    (settings.log_folder / "orders.db").touch()
    assert settings.secret_file in make_keys(settings)


@pytest.mark.parametrize("text", ["", "zz", "00" * 31])
def test_a_broken_key_file_is_refused_with_what_is_expected(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.key"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(ConfigError, match="expected 64 hex digits"):
        read_key(path)


def test_a_missing_key_file_says_who_makes_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="warledger up"):
        read_key(tmp_path / "none.key")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("WARLEDGER_GATEWAY_PORT", "http"),
        ("WARLEDGER_GATEWAY_PORT", "70000"),
        ("WARLEDGER_THREADS", "0"),
        ("WARLEDGER_WORKERS", "-1"),
        ("WARLEDGER_WAIT_MS", "²"),
        ("WARLEDGER_MAX_BODY_BYTES", str(LEAST_BODY_BYTES - 1)),
    ],
)
def test_a_setting_of_a_wrong_form_names_variable_value_and_range(variable: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"{variable}='{value}': expected an integer from"):
        from_environment({variable: value})


@pytest.mark.parametrize("url", ["kafka://h:9092", "sqlite://host/x", "sqlite:///", "data/log"])
def test_a_folder_that_is_no_sqlite_url_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="expected sqlite:///FOLDER"):
        _ = from_environment({"WARLEDGER_LOG": url}).log_folder


def test_a_service_is_reached_where_it_listens() -> None:
    settings = from_environment({"WARLEDGER_HOST": "0.0.0.0", "WARLEDGER_INNER_HOST": "127.0.0.2"})
    assert settings.local_url("gateway") == "http://127.0.0.1:8080"
    assert settings.local_url("orders") == settings.urls["orders"] == "http://127.0.0.2:8082"


def test_folders_follow_the_data_folder(tmp_path: Path) -> None:
    settings = from_environment({"WARLEDGER_DATA": str(tmp_path)})
    assert settings.log_folder == tmp_path / "log"
    assert settings.docs_folder == tmp_path / "docs"
    assert settings.secret_file == tmp_path / "keys" / "master.key"
