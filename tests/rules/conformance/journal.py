"""Prints the hashes of everything that the games of some seeds tell, for a comparison between processes:

python -m tests.rules.conformance.journal GAME VERSION SEED...
"""

import sys
from typing import Any

from shared.canonical import canonical, sha256_hex
from shared.rules import rules_of
from shared.scenarios.table import Table
from tests.rules.conformance.play import play


def journal(table: Table) -> list[Any]:
    """Judgements with their events, the final state and everybody's view, as JSON values."""
    rules = table.rules
    told: list[Any] = [
        [item.as_event(), [[event.type, event.data, event.to] for event in item.events]] for item in table.journal
    ]
    told.append(rules.encode(table.state))
    for name in ("operator", "public", *sorted({item.input.actor for item in table.journal})):
        viewer = table.documents.viewer(name)
        told.append([name, rules.view(table.documents.of(viewer), viewer)])
    return told


if __name__ == "__main__":
    game, version, *seeds = sys.argv[1:]
    for seed in seeds:
        sys.stdout.write(f"{sha256_hex(canonical(journal(play(rules_of(game, version), int(seed)))))}\n")
