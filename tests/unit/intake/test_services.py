"""Every command has an intake that an installation starts, and each intake has a topic of its own."""

from importlib import import_module

import pytest

from shared.commands import WRITERS, commands_of
from shared.config import SERVICES
from shared.log import INPUT_TOPICS
from shared.rules import GAMES
from warledger.keyrings import READ_BY
from warledger.processes import MODULES


def test_every_topic_of_a_command_is_written_by_a_service_of_an_installation() -> None:
    written = {WRITERS[service] for service in SERVICES if service in WRITERS}
    named = {command.topic for item in GAMES for command in item.load().commands.values()}
    assert named <= written
    assert written == set(INPUT_TOPICS)
    for topic in INPUT_TOPICS:
        assert commands_of(topic), f"no game has commands for {topic}"


@pytest.mark.parametrize(("service", "topic"), WRITERS.items())
def test_an_intake_says_who_it_is_and_has_its_key(service: str, topic: str) -> None:
    app = import_module(f"{MODULES[service]}.app")
    assert (service, topic) == (app.SERVICE, app.TOPIC)
    assert READ_BY[service] == (service, "ticks", "salt", "calls")
    assert service in READ_BY["resolver"]
