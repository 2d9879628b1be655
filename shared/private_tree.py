"""The tree over the private inputs of a resolution (ENG-7): its root tells nobody how many there are.

Pure. A leaf (`shared.dice.leaf`, 64 hex digits) hangs at the place of its first 48 bits, below as many forks. A fork
without any leaf below it is the hash of the nonce and its place: nobody without the nonce can tell it from any other.
So whoever has the path of one leaf knows nothing of others, nor whether there are some.
"""

from collections.abc import Sequence

from shared.canonical import sha256_hex

DEPTH = 48
"""Forks above a leaf. Two leaves whose first 48 bits are alike (one chance in 10^9 among a thousand) have no path."""


def tree(leaves: Sequence[str], nonce: str) -> tuple[str, dict[str, list[str]]]:
    """The root, and leaf -> its path: the other side of each fork above it, the lowest first."""
    paths: dict[str, list[str]] = {leaf: [] for leaf in leaves}
    return _node(sorted(paths), "", nonce, paths), paths


def root_of(leaf: str, path: Sequence[str]) -> str:
    """The root to which a path of 48 leads from a leaf."""
    node = leaf
    for depth, beside in zip(reversed(range(DEPTH)), path, strict=True):
        node = sha256_hex((beside + node if _right(leaf, depth) else node + beside).encode())
    return node


def _node(leaves: list[str], place: str, nonce: str, paths: dict[str, list[str]]) -> str:
    if not leaves:
        return sha256_hex(f"{nonce}|{place}".encode())
    depth = len(place)
    if depth == DEPTH:
        return leaves[0] if len(leaves) == 1 else sha256_hex("".join(leaves).encode())
    sides: tuple[list[str], list[str]] = ([], [])
    for leaf in leaves:
        sides[_right(leaf, depth)].append(leaf)
    left, right = (_node(side, f"{place}{number}", nonce, paths) for number, side in enumerate(sides))
    for side, beside in zip(sides, (right, left), strict=True):
        for leaf in side:
            paths[leaf].append(beside)
    return sha256_hex((left + right).encode())


def _right(leaf: str, depth: int) -> int:
    return int(leaf[: DEPTH // 4], 16) >> (DEPTH - 1 - depth) & 1
