"""`python -m shared.asyncapi`: write what is generated from the topics. A test fails where a file is stale."""

import json
from pathlib import Path

from shared.asyncapi.document import document
from shared.asyncapi.page import page

ROOT = Path(__file__).parents[2]


def files() -> dict[str, str]:
    """Path below the repository -> text, of every generated file."""
    described = json.dumps(document(), indent=1, ensure_ascii=False) + "\n"
    return {"docs/asyncapi.json": described, "docs/topics.md": page()}


if __name__ == "__main__":
    for path, text in files().items():
        (ROOT / path).write_text(text)
