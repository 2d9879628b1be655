"""The table of all error codes, host's and games': docs/errors.md and /docs/errors are made of it.

`python -m services.gateway.errors_table` writes docs/errors.md anew.
"""

from pathlib import Path
from typing import NamedTuple

from shared import rules as registry
from shared.errors import HOST_ERRORS

DOCS = Path(__file__).parents[2] / "docs" / "errors.md"
_JUDGED_STATUS = 422
_HEAD = """# Error codes

Made from `shared/errors.py` and the games' tables by `python -m services.gateway.errors_table`; a test fails when page
and code differ.

Every error is `application/problem+json` (RFC 9457): `type`, `title`, `status`, the stable `code`, and `detail`, which
says what would have been right.

What an error says of an input:

- with a `receipt` (422, besides `rule`, the rule that decided): it is stored, judged and refused.
- `key_reused`: a record of it is stored too, and is judged a repeat that changes nothing.
- `outcome_unknown`, `internal`: it may be stored or not. Send it again under the same Idempotency-Key, with
  `outcome_unknown` under the one in the answer: if it was stored, it counts once. An `internal` that was sent without a
  key may count twice if it is sent again.
- any other 4xx or 5xx: it was not stored."""


class Row(NamedTuple):
    """One code: the HTTP status it is answered with, and what it means."""

    code: str
    status: int
    meaning: str


class Group(NamedTuple):
    """The codes of the host or of one game."""

    title: str
    codes: list[Row]


def error_groups() -> list[Group]:
    """The host's codes in the order of their table, then what each game has besides, sorted."""
    host = [Row(code, error.status, error.title) for code, error in HOST_ERRORS.items()]
    groups = [Group("Host", host)]
    newest = {item.game: item for item in registry.GAMES}
    for item in newest.values():
        errors = item.load().errors
        rows = [Row(code, _JUDGED_STATUS, errors[code]) for code in sorted(errors) if code not in HOST_ERRORS]
        groups.append(Group(f"Rules of {item.game}", rows))
    return groups


def errors_page() -> str:
    """The text of docs/errors.md."""
    lines = [_HEAD]
    for group in error_groups():
        lines += ["", f"## {group.title}", "", "| code | status | meaning |", "| --- | --- | --- |"]
        lines += [f"| `{row.code}` | {row.status} | {_plain(row.meaning)} |" for row in group.codes]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    DOCS.write_text(errors_page())
