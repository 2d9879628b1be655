"""The tree over private inputs: every path leads to the root, and nothing in root or path tells how many there are."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from shared.private_tree import DEPTH, root_of, tree

LEAVES = st.lists(st.binary(min_size=32, max_size=32).map(bytes.hex), unique_by=lambda leaf: leaf[:12], max_size=12)


@given(LEAVES)
def test_every_path_leads_to_the_root_and_has_one_length(leaves: list[str]) -> None:
    root, paths = tree(leaves, "00" * 16)
    assert set(paths) == set(leaves)
    for leaf, path in paths.items():
        assert len(path) == DEPTH
        assert all(len(bytes.fromhex(beside)) == 32 for beside in path)
        assert root_of(leaf, path) == root


def test_a_path_does_not_lead_there_from_another_leaf() -> None:
    one, other = (hashlib.sha256(name).hexdigest() for name in (b"one", b"other"))
    root, paths = tree([one], "00" * 16)
    assert root_of(other, paths[one]) != root


def test_the_root_over_nothing_looks_like_any_other_and_depends_on_the_nonce() -> None:
    empty = {tree([], f"{number:032x}")[0] for number in range(3)}
    assert len(empty) == 3
    assert all(len(bytes.fromhex(root)) == 32 for root in empty)


def test_what_hangs_beside_a_path_is_hidden_by_the_nonce() -> None:
    """With another nonce every hash beside a lonely leaf is another: none of them can be tried out."""
    leaf = hashlib.sha256(b"one").hexdigest()
    first, second = (tree([leaf], nonce * 16)[1][leaf] for nonce in ("00", "01"))
    assert not set(first) & set(second)
    assert len(set(first)) == DEPTH


def test_leaves_that_hang_at_one_place_are_below_the_root_both() -> None:
    one, other = "0" * 64, "0" * 63 + "1"
    roots = {tree(leaves, "00" * 16)[0] for leaves in ([one], [other], [one, other])}
    assert len(roots) == 3
