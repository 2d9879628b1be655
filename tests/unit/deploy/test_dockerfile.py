"""deploy/Dockerfile builds from what is there, and its image may do little."""

import json
import re
import sys
import tomllib

import pytest

from shared.config import from_environment
from tests.unit.deploy.compose import own
from tests.unit.deploy.dockerfile import FILE, ROOT, copied, ignored, stages
from warledger.keyrings import READ_BY

BUILD, FINAL = stages()


def test_its_base_images_are_pinned_to_a_version() -> None:
    for stage in stages():
        assert re.fullmatch(r"[a-z]+:[0-9]+\.[0-9]+[a-z0-9.-]*", stage.base), stage.base


def test_it_has_a_python_that_the_project_is_tested_with() -> None:
    assert {stage.base.partition("-")[0] for stage in stages()} == {"python:3.11"}
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert wanted == ">=3.11"
    assert sys.version_info >= (3, 11)


def test_it_copies_what_exists_and_reaches_the_build() -> None:
    sources = [source for listed, _ in copied() for source in listed]
    assert len(sources) >= 7
    for source in sources:
        assert (ROOT / source).exists(), source
        assert not ignored(source), source


def test_nothing_else_reaches_a_build() -> None:
    for path in ("data/keys/master.key", ".git/config", ".venv/bin/python", "tests/conftest.py", "docker-compose.yml"):
        assert ignored(path), path
    assert ignored("shared/__pycache__/config.cpython-311.pyc")


def test_every_package_of_the_project_is_copied() -> None:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]["include"]
    assert {pattern.rstrip("*") for pattern in patterns} <= {source for listed, _ in copied() for source in listed}


def test_the_first_stage_takes_wheels_of_pinned_versions() -> None:
    downloads = [step for run in BUILD.all("RUN") for step in run.split(" && ") if " download " in step]
    assert len(downloads) == 1
    assert "--only-binary :all:" in downloads[0]
    assert "--constraint constraints.txt" in downloads[0]
    assert "setuptools==" in (ROOT / "constraints.txt").read_text()


def test_the_last_stage_takes_the_installed_tree_alone_and_has_no_pip() -> None:
    assert FINAL.all("COPY") == ["--from=build /opt/warledger /opt/warledger"]
    assert BUILD.name == "build"
    assert any("venv --without-pip /opt/warledger" in run for run in BUILD.all("RUN"))
    assert any("pip uninstall --yes pip" in run for run in FINAL.all("RUN"))


def test_it_does_not_run_as_root_and_its_user_is_that_of_the_compose_file() -> None:
    [user] = FINAL.all("USER")
    assert user == "10001:10001"
    assert {service["user"] for service in own().values()} == {user}
    assert any("useradd --uid 10001" in run for run in FINAL.all("RUN"))


def test_the_folders_of_volumes_are_there_and_its_users_own() -> None:
    [made] = [run for run in FINAL.all("RUN") if "install --directory" in run]
    assert "--owner=10001 --group=10001 --mode=0700" in made
    folders = set(re.findall(r" (/[a-z/]+)(?= |$)", made.partition("install --directory")[2]))
    assert folders == {"/keys/all", "/exports"} | {f"/keys/{ring}" for ring in READ_BY}


def test_it_exposes_the_ports_of_the_services() -> None:
    [ports] = FINAL.all("EXPOSE")
    assert list(map(int, ports.split())) == sorted(from_environment({}).ports.values())


def test_its_health_check_is_that_of_the_compose_file() -> None:
    [check] = FINAL.all("HEALTHCHECK")
    command = json.loads(check.partition(" CMD ")[2])
    assert all(
        ["CMD", *command] == service["healthcheck"]["test"] for service in own().values() if service["restart"] != "no"
    )


@pytest.mark.parametrize("label", ["title", "description", "version"])
def test_it_says_what_it_is(label: str) -> None:
    [labels] = FINAL.all("LABEL")
    assert f"org.opencontainers.image.{label}=" in labels
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f'image.version="{version}"' in labels
    assert {service["image"] for service in own().values()} == {f"warledger:{version}"}


def test_a_line_that_is_no_instruction_is_found() -> None:
    with pytest.raises(ValueError, match="no instruction"):
        stages(FILE.parent.parent / ".dockerignore")
