"""deploy/Dockerfile and .dockerignore, read."""

import fnmatch
import shutil
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[3]
FILE = ROOT / "deploy" / "Dockerfile"


@dataclass
class Stage:
    """One stage: the image that it begins with, its name, and its instructions in order."""

    base: str
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def all(self, instruction: str) -> list[str]:
        """What stands behind each instruction of a kind."""
        return [rest for word, rest in self.steps if word == instruction]


def stages(path: Path = FILE) -> list[Stage]:
    """The stages of the file. Raises ValueError for a line that is no instruction."""
    made: list[Stage] = []
    text = "\n".join(line for line in path.read_text().splitlines() if not line.lstrip().startswith("#"))
    for line in filter(None, map(str.strip, text.replace("\\\n", " ").splitlines())):
        word, _, rest = line.partition(" ")
        rest = " ".join(rest.split())
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            made.append(Stage(base, name))
        elif word in _INSTRUCTIONS and made:
            made[-1].steps.append((word, rest))
        else:
            raise ValueError(f"{line!r} is no instruction")
    return made


_INSTRUCTIONS = frozenset(
    {"CMD", "COPY", "ENV", "EXPOSE", "HEALTHCHECK", "LABEL", "RUN", "STOPSIGNAL", "USER", "WORKDIR"}
)


def ignored(path: str) -> bool:
    """Whether .dockerignore keeps a path of the repository out of a build; the last line that fits decides."""
    out = False
    parents = [path, *(str(item) for item in Path(path).parents if str(item) != ".")]
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern = line.removeprefix("!")
            if any(_fits(item, pattern) for item in parents):
                out = not line.startswith("!")
    return out


def _fits(path: str, pattern: str) -> bool:
    if pattern.startswith("**/"):
        return fnmatch.fnmatch(Path(path).name, pattern[3:])
    return path.count("/") == pattern.count("/") and fnmatch.fnmatch(path, pattern)


def copied() -> list[tuple[list[str], str]]:
    """What the first stage copies out of the repository: sources, and where to."""
    listed = [rest.split() for rest in stages()[0].all("COPY")]
    return [(words[:-1], words[-1]) for words in listed if not words[0].startswith("--from")]


def build_context(folder: Path) -> None:
    """Make in `folder` what the first stage has in its working directory when it builds the wheel."""
    for sources, target in copied():
        for source in sources:
            found = ROOT / source
            if found.is_dir():
                shutil.copytree(found, folder / target, ignore=_leave_out)
            else:
                shutil.copy(found, folder / target)


def _leave_out(folder: str, names: list[str]) -> set[str]:
    place = Path(folder).relative_to(ROOT)
    return {name for name in names if ignored(str(place / name))}
