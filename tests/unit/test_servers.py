"""How servers are named and reached: URLs, security of Kafka, passwords in files; and that none of them is told."""

import subprocess
import sys
from pathlib import Path

import pytest

from shared.adapters import kafka_place, open_documents
from shared.config import ConfigError, Settings, from_environment, make_keys
from shared.servers import mongo_url, shown

SECRET = "hidden word"


def settings(**given: str) -> Settings:
    """The settings of an environment."""
    return from_environment(given)


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("WARLEDGER_LOG", "data/log", "expected sqlite:///FOLDER .* or kafka://HOST:PORT"),
        ("WARLEDGER_LOG", "amqp://host:1", "expected sqlite:///FOLDER .* or kafka://HOST:PORT"),
        ("WARLEDGER_LOG", "kafka://host", "expected kafka://HOST:PORT"),
        ("WARLEDGER_LOG", "sqlite://host/x", "expected sqlite:///FOLDER"),
        ("WARLEDGER_LOG", "kafka://[::1:9092", "or kafka://HOST:PORT"),
        ("WARLEDGER_DOCS", "mongodb://[::1:27017/db", "or mongodb://"),
        ("WARLEDGER_DOCS", "sqlite:///", "expected sqlite:///FOLDER"),
        ("WARLEDGER_DOCS", "postgres://host/x", "or mongodb://"),
        ("WARLEDGER_DOCS", "mongodb://host:x/a", "/DATABASE"),
        ("WARLEDGER_DOCS", "mongodb://host:1/a/b", "/DATABASE"),
        ("WARLEDGER_DOCS", "mongodb://ana@host:1/db", "WARLEDGER_DOCS_PASSWORD_FILE is not set"),
        ("WARLEDGER_KAFKA_SECURITY", "TLS", "expected one of PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL"),
        ("WARLEDGER_KAFKA_SECURITY", "SASL_SSL", "WARLEDGER_KAFKA_USER is not set"),
        ("WARLEDGER_KAFKA_MECHANISM", "GSSAPI", "expected one of SCRAM-SHA-512"),
        ("WARLEDGER_KAFKA_USER", "ana", "takes no user"),
        ("WARLEDGER_KAFKA_CA_FILE", "ca.pem", "takes no WARLEDGER_KAFKA_CA_FILE"),
    ],
)
def test_a_setting_of_servers_that_cannot_be_used_ends_the_start_and_says_what_is_expected(
    variable: str, value: str, expected: str
) -> None:
    with pytest.raises(ConfigError, match=expected):
        settings(**{variable: value})


def test_a_password_in_a_url_is_refused_and_not_repeated() -> None:
    for url in (f"mongodb://ana:{SECRET}@host:1/db", f"postgres://ana:{SECRET}@host:1/db"):
        with pytest.raises(ConfigError) as said:
            settings(WARLEDGER_DOCS=url)
        assert (SECRET in str(said.value), "//ana@host:1/db" in str(said.value)) == (False, True)
    with pytest.raises(ConfigError) as said:
        settings(WARLEDGER_LOG=f"kafka://ana:{SECRET}@host:1")
    assert SECRET not in str(said.value)
    assert shown("kafka://h:1,h:2/prefix") == "kafka://h:1,h:2/prefix"
    assert shown(f"mongodb://ana:a//b@c{SECRET}//d@host:1/db") == "mongodb://ana@host:1/db"
    assert shown(f"ana:{SECRET}@host:1") == "ana@host:1"


def test_kafka_gets_the_user_and_the_password_of_the_file(tmp_path: Path) -> None:
    password, authority = tmp_path / "password", tmp_path / "ca.pem"
    password.write_text(f"{SECRET}\n")
    found = settings(
        WARLEDGER_LOG="kafka://a:1,b:2/north",
        WARLEDGER_KAFKA_SECURITY="SASL_SSL",
        WARLEDGER_KAFKA_USER="resolver",
        WARLEDGER_KAFKA_PASSWORD_FILE=str(password),
        WARLEDGER_KAFKA_CA_FILE=str(authority),
    )
    with pytest.raises(ConfigError, match="expected a file of certificates"):
        kafka_place(found)
    authority.touch()
    place = kafka_place(found)
    assert (place.brokers, place.name("turns")) == (("a:1", "b:2"), "north.turns")
    assert place.options() == {
        "bootstrap_servers": ["a:1", "b:2"],
        "security_protocol": "SASL_SSL",
        "sasl_mechanism": "SCRAM-SHA-512",
        "sasl_plain_username": "resolver",
        "sasl_plain_password": SECRET,
        "ssl_cafile": str(authority),
    }
    assert SECRET not in repr(found)


def test_the_password_of_the_documents_is_in_no_setting_and_fits_into_the_url_whatever_stands_in_it(
    tmp_path: Path,
) -> None:
    file = tmp_path / "password"
    file.write_text("a/b:c@d e\n")
    found = settings(WARLEDGER_DOCS="mongodb://ana@host:1/db?authSource=admin", WARLEDGER_DOCS_PASSWORD_FILE=str(file))
    assert "c@d" not in repr(found)
    wanted = "mongodb://ana:a%2Fb%3Ac%40d%20e@host:1/db?authSource=admin"
    assert mongo_url(found.docs, found.docs_password_file) == wanted
    file.write_text("\n")
    with pytest.raises(ConfigError, match="the file is empty"):
        mongo_url(found.docs, found.docs_password_file)
    file.unlink()
    with pytest.raises(ConfigError, match=r"WARLEDGER_DOCS_PASSWORD_FILE=.*No such file"):
        mongo_url(found.docs, found.docs_password_file)


@pytest.mark.parametrize(
    ("option", "said"),
    [("tls=yes", "tls must be 'true' or 'false'"), ("poolsize=3", "Unknown option"), ("socketTimeoutMS=x", "integer")],
)
def test_an_option_of_the_documents_that_the_driver_would_leave_aside_is_refused(option: str, said: str) -> None:
    with pytest.raises(ConfigError, match=rf"WARLEDGER_DOCS='mongodb://host:1/db.*an option behind the \?.*{said}"):
        open_documents(settings(WARLEDGER_DOCS=f"mongodb://host:1/db?{option}"))
    open_documents(settings(WARLEDGER_DOCS="mongodb://host:1/db?replicaSet=a&tls=true&maxPoolSize=3")).close()


def test_a_log_on_servers_with_records_gets_no_new_keys_on_a_machine_that_has_none(tmp_path: Path) -> None:
    found = settings(WARLEDGER_DATA=str(tmp_path), WARLEDGER_LOG="kafka://host:1/north")
    with pytest.raises(ConfigError, match=r"kafka://host:1/north was written with it; .* copy the folder"):
        make_keys(found, lambda: True)
    assert found.secret_file in make_keys(found, lambda: False)


def test_an_installation_in_folders_loads_no_client_of_a_server() -> None:
    code = (
        "import sys; import services.resolver.bootstrap, services.gateway.bootstrap, warledger.cli;"
        "dict(warledger.cli.cli.commands);"
        "from shared import adapters, config; s = config.from_environment({});"
        "adapters.open_log(s); adapters.open_documents(s); print({'kafka', 'pymongo'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=200, check=True)
    assert done.stdout.strip() == "set()"
