"""Which keys each process reads, and a folder for each that holds these and no others.

On one machine all processes read one folder. Where each runs apart, polls must not be able to sign orders, and nobody
but the resolver may know the dice: each gets the keys that it reads, and no way to the rest.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from shared.config import ConfigError, Settings, read_key

MASTER = "master"

READ_BY: Mapping[str, tuple[str, ...]] = {
    "gateway": ("calls",),
    "orders": ("orders", "ticks", "salt", "calls"),
    "polls": ("polls", "ticks", "salt", "calls"),
    "economy": ("economy", "ticks", "salt", "calls"),
    "resolver": (MASTER, "orders", "polls", "economy", "ticks"),
}
"""Keyring -> names of its keys. Streams read the gateway's; the projector reads none."""


def share_keys(settings: Settings, folder: Path) -> list[Path]:
    """Copy the keys of an installation into `folder`/<keyring>, each readable by its owner alone; returns new files.

    What is there already stays. Raises ConfigError for a key that is missing, or stands there with other bytes.
    """
    made = []
    for ring, names in READ_BY.items():
        for name in names:
            key = read_key(settings.secret_file) if name == MASTER else settings.key(name)
            path = folder / ring / f"{name}.key"
            if not path.exists():
                _write(path, key)
                made.append(path)
            elif read_key(path) != key:
                raise ConfigError(f"{path} is another key than that of {settings.keys}; remove the one that is wrong")
    return made


def _write(path: Path, key: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(key.hex() + "\n")
