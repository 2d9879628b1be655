"""Chances are counted, not estimated (EXG-63), and agree with every roll thrown out one by one."""

from fractions import Fraction
from itertools import product

import pytest

from shared.rules.exgenhoca.chances import ROLLS, chance, tied_rolls, winning_rolls

THROWS = [sum(dice) for dice in product(range(1, 7), repeat=3)]


def test_a_plain_attack_succeeds_with_21162_of_46656_and_ties_are_9_28_per_cent() -> None:
    """EXG-63."""
    assert sum(attack > defence for attack in THROWS for defence in THROWS) == 21_162
    assert (winning_rolls(0, wins_ties=False), ROLLS) == (21_162, 46_656)
    assert tied_rolls(0) == ROLLS - 2 * 21_162
    assert 928 <= 10_000 * tied_rolls(0) // ROLLS < 929
    assert chance(21_162, 0, 0).permille == 453


@pytest.mark.parametrize("lead", range(-20, 21))
def test_modifiers_and_ties_are_counted_as_the_dice_fall(lead: int) -> None:
    for wins_ties in (False, True):
        counted = sum(
            attack + lead > defence or (wins_ties and attack + lead == defence)
            for attack in THROWS
            for defence in THROWS
        )
        assert winning_rolls(lead, wins_ties) == counted
    assert tied_rolls(lead) == winning_rolls(lead, wins_ties=True) - winning_rolls(lead, wins_ties=False)


def ends_taken(rolls: tuple[bool, ...], attack: int, defence: int) -> bool:
    """EXG-33 as the rules tell it: whoever is behind has the roll repeated while chances are left."""
    number = 0
    while True:
        if not rolls[number] and attack:
            attack -= 1
        elif rolls[number] and defence:
            defence -= 1
        else:
            return rolls[number]
        number += 1


@pytest.mark.parametrize(("attack", "defence"), list(product(range(3), repeat=2)))
def test_second_chances_are_what_all_sequences_of_rolls_give(attack: int, defence: int) -> None:
    """EXG-33, with a roll that wins 1 of 3; every sequence is long enough to be played to its end."""
    sequences = product((True, False), repeat=1 + attack + defence)
    taken = sum(2 ** rolls.count(False) for rolls in sequences if ends_taken(rolls, attack, defence))
    found = chance(ROLLS // 3, attack, defence)
    assert Fraction(found.numerator, found.denominator) == Fraction(taken, 3 ** (1 + attack + defence))


def test_one_more_reroll_never_lowers_the_chance_of_its_side() -> None:
    for winning in (0, 1, 21_162, ROLLS):
        assert chance(winning, 1, 0).permille >= chance(winning, 0, 0).permille >= chance(winning, 0, 1).permille
