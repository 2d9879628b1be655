"""The links file: what a map needs beyond its outlines."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from shared.maps.model import SPECIALS
from shared.maps.naming import LONGEST_NAME, LONGEST_REMARK
from shared.maps.reading import Node, kind, read_json


@dataclass(frozen=True)
class Links:
    """Sea links (pairs in canonical order), specials, names that replace those of the outlines, ids left out.

    `licence` and `source` are those of the outlines.
    """

    sea_links: tuple[tuple[str, str], ...] = ()
    specials: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    drop: frozenset[str] = frozenset()
    licence: str = ""
    source: str = ""


def read_links(path: Path, known: Collection[str]) -> Links:
    """Read a links file for outlines whose ids are `known`.

    It is `{"sea_links": [[id, id], ...], "specials": {id: special}, "names": {id: name}, "drop": [id, ...], "licence",
    "source"}`; each key may be missing. Raises `MapError` for unknown keys and ids, a link of a territory to
    itself, and a link made twice.
    """
    entries = read_json(path).fields((), ("sea_links", "specials", "names", "drop", "licence", "source"))
    drop = frozenset(_id(item, known) for item in entries["drop"].items()) if "drop" in entries else frozenset()
    left = [territory_id for territory_id in known if territory_id not in drop]
    specials = entries["specials"].entries() if "specials" in entries else {}
    names = entries["names"].entries() if "names" in entries else {}
    for section in (specials, names):
        for territory_id, node in section.items():
            _id(Node(node.file, node.place, territory_id), left)
    return Links(
        sea_links=_sea_links(entries["sea_links"], left) if "sea_links" in entries else (),
        specials={territory_id: special(node) for territory_id, node in specials.items()},
        names={territory_id: node.text(LONGEST_NAME, 1) for territory_id, node in names.items()},
        drop=drop,
        licence=entries["licence"].text(LONGEST_REMARK) if "licence" in entries else "",
        source=entries["source"].text(LONGEST_REMARK) if "source" in entries else "",
    )


def special(node: Node) -> str:
    """Return a territory's special, refusing what GXC-14 does not list."""
    if not isinstance(node.value, str) or node.value not in SPECIALS:
        raise node.fault(f"must be one of {', '.join(SPECIALS)}, is {kind(node.value)}")
    return node.value


def _sea_links(node: Node, known: Collection[str]) -> tuple[tuple[str, str], ...]:
    links: set[tuple[str, str]] = set()
    for item in node.items():
        pair = item.items()
        if len(pair) != 2:
            raise item.fault(f"a sea link must name two territories, names {len(pair)}")
        a, b = sorted(_id(end, known) for end in pair)
        if a == b:
            raise item.fault(f"links {a!r} to itself; a sea link joins two territories")
        if (a, b) in links:
            raise item.fault(f"links {a!r} and {b!r} a second time; name each pair once")
        links.add((a, b))
    return tuple(sorted(links))


def _id(node: Node, known: Collection[str]) -> str:
    if isinstance(node.value, str) and node.value in known:
        return node.value
    near = difflib.get_close_matches(str(node.value), list(known), 1)
    raise node.fault(
        f"names the territory {kind(node.value)}, which the map does not have"
        + (f"; meant {near[0]!r}?" if near else "")
    )
