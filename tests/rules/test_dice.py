"""Dice: every vector of ENG-9, the primitives of ENG-6, the streams of ENG-8, scripts in their place."""

import hashlib
import itertools
import struct
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared import dice
from shared.canonical import canonical
from shared.dice import Draws, Script, ScriptError, Stream

ZERO = bytes(32)
SEED_1 = bytes.fromhex("2b32db6c2c0a6235fb1397e8225ea85e0f0e6e8c7b126d0016ccbde0e667151e")
RESOLUTION = bytes.fromhex("e06be2a6f4d29469a3909adf18cc98c97eb7ee3da4271cc8bce7b163a1f2de32")
EMPTY = hashlib.sha256(b"").hexdigest()


def stream(scope: str = "test") -> Stream:
    return Stream(RESOLUTION, scope)


# ENG-9, in the order of its text


def test_three_steps_below_zero_bytes_stands_the_published_seed() -> None:
    """ENG-7, ENG-9."""
    seed = dice.step(dice.step(dice.step(ZERO)))
    assert seed.hex() == "12771355e46cd47c71ed1721fd5319b383cca3a1f9fce3aa1c8cd3bd37af20d7"


def test_the_resolution_seed_of_turn_1() -> None:
    """ENG-7, ENG-9: no inputs, no beacon."""
    assert dice.digest_of([]) == EMPTY
    assert dice.resolution_seed(SEED_1, "g1", "turn:1", EMPTY) == RESOLUTION


def test_the_first_words_of_a_scope() -> None:
    """ENG-8, ENG-9."""
    words = stream()
    assert [words.word() for _ in range(3)] == [1940505173, 3014165171, 99634044]


def test_int_100_ten_times_and_the_129th_in_the_second_block() -> None:
    """ENG-8, ENG-9: 128 words a block."""
    draws = stream()
    results = [draws.int(100) for _ in range(129)]
    assert results[:10] == [73, 71, 44, 20, 60, 66, 15, 54, 42, 74]
    assert results[128] == 41
    assert draws.draws == 129


def test_ten_dice() -> None:
    """ENG-6, ENG-9."""
    draws = stream()
    assert [draws.d6() for _ in range(10)] == [6, 6, 1, 1, 5, 3, 4, 1, 5, 5]


def test_a_shuffle_of_five() -> None:
    """ENG-6, ENG-9."""
    letters = list("ABCDE")
    stream().shuffle(letters)
    assert letters == list("BCAED")


def test_another_scope_has_other_draws() -> None:
    """ENG-8, ENG-9."""
    draws = stream("test2")
    assert [draws.int(100) for _ in range(4)] == [55, 24, 50, 79]


A_1 = {"actor": "ana", "game": "g1", "id": "a-1", "payload": {}, "role": "player", "salt": "0" * 32, "type": "energize"}
B_2 = {
    "actor": "bia",
    "game": "g1",
    "id": "b-2",
    "payload": {"territory": "T"},
    "role": "player",
    "salt": "f" * 32,
    "type": "place",
}
HASHES = (
    "056a488be008080fd86c187ca1955b1b622e43507c61327f985908bd36119550",
    "2c030e772881ca84e837d9d04be76ec53e946e264c724f1f87c85edae944104b",
)
LEAVES = (
    "d81e8150f36b1b25a97104011e9f71616369e41f7b19c568c4872d3b9e38f3df",
    "8ecaa8745ab2d7b906b07101c9a5ef52a2b8f70c920f5e131e96ba9b796f4217",
)
DIGEST = "72b8ddfd344bfb5b93be83cb44e2abca5d20607bd509f3f6d27a8d07dc500e7c"


@pytest.mark.parametrize(("said", "hashed", "leaf"), [(A_1, HASHES[0], LEAVES[0]), (B_2, HASHES[1], LEAVES[1])])
def test_hash_and_leaf_of_an_input(said: dict[str, Any], hashed: str, leaf: str) -> None:
    """ENG-7, ENG-9."""
    assert hashlib.sha256(canonical(said)).hexdigest() == hashed
    assert dice.leaf(said["id"], hashed) == leaf


@pytest.mark.parametrize("leaves", [LEAVES, LEAVES[::-1]])
def test_the_digest_does_not_depend_on_the_order_of_the_inputs(leaves: tuple[str, ...]) -> None:
    """ENG-7, ENG-9."""
    assert dice.digest_of(leaves) == DIGEST
    seed = dice.resolution_seed(SEED_1, "g1", "turn:1", DIGEST)
    assert seed.hex() == "4afcdc2c43cbf846b9395852fd7c3d12faa9fcc15ddde9d3586363609b98f555"


# ENG-7: chains and sealed keys


def test_a_chain_has_1024_seeds_above_its_commitment() -> None:
    """ENG-7."""
    top = dice.chain_top(b"key", "g1", 0, "ab" * 16)
    assert dice.chain_seed(top, 1024) == top
    assert dice.chain_seed(top, 0) == dice.step(dice.chain_seed(top, 1))
    assert dice.chain_seed(top, 700) == dice.step(dice.chain_seed(top, 701))


@pytest.mark.parametrize("index", [-1, 1025])
def test_a_chain_has_no_other_seeds(index: int) -> None:
    """ENG-7."""
    with pytest.raises(ValueError, match="a chain has seeds 0 to 1024"):
        dice.chain_seed(ZERO, index)


def test_chains_and_sealed_keys_differ_in_everything_they_are_made_of() -> None:
    """ENG-7."""
    made = {
        dice.chain_top(b"key", "g1", 0, "a"),
        dice.chain_top(b"kez", "g1", 0, "a"),
        dice.chain_top(b"key", "g2", 0, "a"),
        dice.chain_top(b"key", "g1", 1, "a"),
        dice.chain_top(b"key", "g1", 0, "b"),
        dice.sealed_key(b"key", "g1", "setup", "a"),
        dice.sealed_key(b"key", "g1", "deal", "a"),
        dice.sealed_key(b"key", "g1", "setup", "b"),
    }
    assert len(made) == 8


# ENG-6: the primitives


def words_of(seed: bytes, scope: str) -> Iterator[int]:
    """ENG-8 by its text: 32-bit words, big-endian, of SHAKE-256 over seed, scope and block, 512 bytes a block."""
    for block in itertools.count():
        data = hashlib.shake_256(seed + f"|{scope}|{block}".encode()).digest(512)
        yield from (int.from_bytes(data[at : at + 4], "big") for at in range(0, 512, 4))


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(2, 2**32), min_size=1, max_size=300))
def test_int_discards_the_words_that_the_rules_discard(seed: bytes, sizes: list[int]) -> None:
    """ENG-8: the next word w, discarded while w >= 2^32 - (2^32 mod n), then w mod n."""
    words, draws = words_of(seed, "x"), Stream(seed, "x")
    for n in sizes:
        word = next(words)
        while word >= 2**32 - 2**32 % n:
            word = next(words)
        assert draws.int(n) == word % n
    assert draws.draws == len(sizes)


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Stream]:
    """Makes a stream whose first words are the given ones and all others 99."""

    def make(*given: int) -> Stream:
        data = struct.pack(">128I", *given, *[99] * (128 - len(given)))
        monkeypatch.setattr("hashlib.shake_256", lambda _: SimpleNamespace(digest=lambda size: data[:size]))
        return Stream(ZERO, "x")

    return make


def test_words_at_and_above_the_limit_are_no_draws(words: Callable[..., Stream]) -> None:
    """ENG-8: for n = 100 the limit is 2^32 - 96."""
    draws = words(2**32 - 1, 2**32 - 96, 2**32 - 97, 5)
    assert [draws.int(100), draws.int(100), draws.draws] == [99, 5, 2]


def test_a_power_of_two_discards_nothing(words: Callable[..., Stream]) -> None:
    """ENG-8."""
    assert words(2**32 - 1).int(2**16) == 2**16 - 1


def test_a_contest_discards_the_same_words(words: Callable[..., Stream]) -> None:
    """ENG-6, ENG-8: 44 costs the second side 1, 45 the first; the words beyond the limit cost nobody."""
    draws = words(2**32 - 1, 44, 2**32 - 96, 45)
    assert (draws.contest(1, 9, 45), draws.draws) == ((0, 8), 2)
    draws = words(2**32 - 97, 44)
    assert (draws.contest(2, 1, 45), draws.draws) == ((1, 0), 2)


@pytest.mark.parametrize("before", [65, 66, 67, 125, 126, 127])
def test_a_shuffle_discards_words_where_a_block_or_its_beginning_ends(
    words: Callable[..., Stream], before: int
) -> None:
    """ENG-6, ENG-8: as single draws do, in results and in what is drawn next."""
    given = [2**32 - 1 if number in (67, 127) else number for number in range(128)]
    shuffled, drawn = words(*given), words(*given)
    for draws in (shuffled, drawn):
        for _ in range(before):
            draws.int(2)
    items, singly = list("abc"), list("abc")
    shuffled.shuffle(items)
    for last in (2, 1):
        other = drawn.int(last + 1)
        singly[last], singly[other] = singly[other], singly[last]
    assert (items, shuffled.draws, shuffled.int(100)) == (singly, drawn.draws, drawn.int(100))


def test_one_choice_needs_no_draw() -> None:
    """ENG-6."""
    draws = stream()
    alone = ["a"]
    draws.shuffle(alone)
    assert (draws.int(1), draws.pick(["a"]), alone, draws.draws) == (0, "a", ["a"], 0)


@pytest.mark.parametrize("n", [0, -1])
def test_no_choice_is_an_error(n: int) -> None:
    """ENG-6."""
    with pytest.raises(ValueError, match="needs n >= 1"):
        stream().int(n)


@pytest.mark.parametrize(("p", "verdict"), [(0, False), (-5, False), (100, True), (101, True)])
def test_a_sure_per_cent_needs_no_draw(p: int, verdict: bool) -> None:
    """ENG-6."""
    draws = stream()
    assert draws.pct(p) is verdict
    assert draws.draws == 0


def test_per_cent_is_true_below_p() -> None:
    """ENG-6: the first draw of `test` is 73."""
    assert (stream().pct(74), stream().pct(73)) == (True, False)


def test_a_pick_takes_the_drawn_index() -> None:
    """ENG-6: 1940505173 mod 7 is 5."""
    assert stream().pick("abcdefg") == "abcdefg"[1940505173 % 7]


@given(
    st.binary(min_size=32, max_size=32),
    st.integers(0, 300),
    st.integers(0, 300),
    st.integers(0, 100),
    st.integers(0, 200),
)
def test_a_contest_is_the_same_as_single_draws(seed: bytes, first: int, second: int, below: int, before: int) -> None:
    """ENG-6: in results, in draws counted, and in what is drawn next."""
    fast, slow = Stream(seed, "x"), Stream(seed, "x")
    for draws in (fast, slow):
        for _ in range(before):
            draws.int(100)
    left = fast.contest(first, second, below)
    while first and second:
        if slow.int(100) < below:
            second -= 1
        else:
            first -= 1
    assert left == (first, second)
    assert fast.draws == slow.draws
    assert fast.int(1000) == slow.int(1000)


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(1, 2**33), max_size=150))
def test_draws_stay_in_their_range_and_repeat(seed: bytes, sizes: list[int]) -> None:
    """ENG-6, ENG-11."""
    sizes = [min(size, 2**32) for size in sizes]
    first, again = Stream(seed, "x"), Stream(seed, "x")
    results = [first.int(n) for n in sizes]
    assert all(0 <= result < n for result, n in zip(results, sizes, strict=True))
    assert results == [again.int(n) for n in sizes]
    assert first.draws == sum(1 for n in sizes if n > 1)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 40))
def test_a_shuffle_keeps_what_it_shuffles_and_draws_once_an_index(seed: bytes, size: int) -> None:
    """ENG-6."""
    draws, items = Stream(seed, "x"), list(range(size))
    draws.shuffle(items)
    assert sorted(items) == list(range(size))
    assert draws.draws == max(0, size - 1)


# Scripts in place of streams


def test_a_script_gives_its_entries_in_order() -> None:
    """ENG-6."""
    script = Script([12, "d5", 1, 44, 45])
    assert (script.int(100), script.d6(), script.pick(["a", "b"])) == (12, 5, "b")
    assert script.contest(1, 2, 45) == (0, 1)
    assert script.unused == ()
    assert script.draws == 5


def test_a_script_shuffles_like_a_stream() -> None:
    """ENG-6: for i = 2, 1: j = int(i + 1), swap."""
    items = list("abc")
    Script([0, 0]).shuffle(items)
    assert items == list("bca")


def test_what_a_script_does_not_give_is_told() -> None:
    """ENG-6."""
    script = Script([1, 2])
    script.int(100)
    assert script.unused == (2,)


@pytest.mark.parametrize(
    ("entries", "draw", "message"),
    [
        ([], lambda script: script.int(100), r"the script of 0 draws is used up; the rules want int\(100\)"),
        ([], lambda script: script.d6(), r"the rules want d6\(\)"),
        ([100], lambda script: script.int(100), r"draw 1 of the script is 100; the rules want int\(100\)"),
        ([-1], lambda script: script.int(100), r"draw 1 of the script is -1"),
        (["d5"], lambda script: script.int(100), r"draw 1 of the script is 'd5'; the rules want int\(100\)"),
        ([5], lambda script: script.d6(), r"draw 1 of the script is 5; the rules want a die"),
        (["d7"], lambda script: script.d6(), r"draw 1 of the script is 'd7'"),
        ([99], lambda script: script.contest(2, 2, 50), r"the script of 1 draws is used up"),
    ],
)
def test_a_script_that_does_not_fit_says_both(
    entries: list[int | str], draw: Callable[[Draws], Any], message: str
) -> None:
    """ENG-6."""
    with pytest.raises(ScriptError, match=message):
        draw(Script(entries))


def test_a_script_draws_nothing_where_a_stream_draws_nothing() -> None:
    """ENG-6."""
    script = Script([])
    assert (script.int(1), script.pct(0), script.pct(100), script.pick(["a"]), script.draws) == (0, False, True, "a", 0)
