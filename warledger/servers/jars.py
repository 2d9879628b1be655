"""The jars of the Kafka broker: fetched once with Maven into a cache folder that all projects of a user share."""

import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from warledger.servers import NoServer
from warledger.servers.java import java
from warledger.servers.kafka_settings import CHECKPOINT, KAFKA, format_checkpoint

Report = Callable[[str], None]

_POM = Path(__file__).with_name("pom.xml")
_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies"
_NEEDED = (
    "Kafka's jars are fetched with Maven (`mvn`, Debian's package maven), once, into {folder}; "
    "with a container engine, or with WARLEDGER_TEST_KAFKA=HOST:PORT, neither is needed"
)


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where downloads are kept: WARLEDGER_CACHE, else below XDG_CACHE_HOME or ~/.cache."""
    if chosen := environment.get("WARLEDGER_CACHE"):
        return Path(chosen).absolute()
    return Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "warledger"


def kafka_jars(report: Report) -> Path:
    """The folder with the jars and a formatted storage's checkpoint. Raises NoServer if they cannot be fetched."""
    folder = cache_folder() / f"kafka-{KAFKA}"
    if folder.exists():
        return folder
    maven = shutil.which("mvn")
    if maven is None:
        raise NoServer("no mvn in the PATH: " + _NEEDED.format(folder=folder))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _locked(folder.with_name(folder.name + ".lock")):
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=folder.name + ".part-") as part:
                jars = Path(part, "jars")
                _download(maven, jars, report)
                (jars / CHECKPOINT).write_bytes(format_checkpoint(jars, Path(part)))
                jars.rename(folder)
    return folder


def _download(maven: str, jars: Path, report: Report) -> None:
    report(f"fetching Kafka {KAFKA} with Maven, once")
    environment = {**os.environ}
    if shutil.which("java") is None:
        environment.setdefault("JAVA_HOME", str(java().parents[1]))
    command = [maven, "-B", "-C", "-f", str(_POM), _PLUGIN, f"-DoutputDirectory={jars}"]
    lines, files = [], 0
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in process.stdout or ():
            lines.append(line.strip())
            if line.startswith("Downloaded") and line.split("(")[0].strip().endswith(".jar"):
                files += 1
                if files % 20 == 0:
                    report(f"{files} files fetched")
    if process.returncode != 0:
        errors = [line for line in lines if "ERROR" in line] or lines or ["no output"]
        raise NoServer(f"Maven could not fetch Kafka {KAFKA}: {errors[0]}")
    found = list(jars.glob("*.jar"))
    report(f"{len(found)} jars, {sum(jar.stat().st_size for jar in found) // 1_000_000} MB")


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One process at a time; the lock is gone with its process, however that ends."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
