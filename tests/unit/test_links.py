"""Pages and code point to what exists."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def tracked(*patterns: str) -> list[Path]:
    """Files of the repository that fit."""
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def test_every_link_of_a_page_leads_to_a_file() -> None:
    missing = [
        f"{page.relative_to(ROOT)} -> {target}"
        for page in tracked("*.md")
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
        if not target.startswith(("http://", "https://", "/")) and not (page.parent / target).exists()
    ]
    assert missing == []


def test_every_page_that_code_cites_is_there() -> None:
    cited = {
        (path.relative_to(ROOT), name)
        for path in tracked("*.py", "Makefile", "*.toml")
        for name in re.findall(r"\bdocs/[\w/.-]+\.md\b", path.read_text())
    }
    assert len(cited) > 10
    assert [item for item in cited if not (ROOT / item[1]).exists()] == []


def test_every_decision_has_a_status_a_decision_and_consequences() -> None:
    for record in (ROOT / "docs" / "decisions").glob("0*.md"):
        text = record.read_text().lower()
        assert "status: " in text, record
        for part in ("context", "decision", "consequences", "rejected"):
            assert re.search(rf"^## .*{part}", text, re.MULTILINE), (record, part)
