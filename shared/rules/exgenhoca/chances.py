"""Chances of a considered attack, exact: counts of the 46,656 rolls of six dice (EXG-28 to EXG-33, EXG-63)."""

from math import gcd

from shared.rules.chance import Chance

ROLLS = 6**6


def sums() -> list[int]:
    """Sum of three dice -> how many of the 216 throws have it."""
    counts = [0] * 19
    for one in range(1, 7):
        for two in range(1, 7):
            for three in range(1, 7):
                counts[one + two + three] += 1
    return counts


def winning_rolls(lead: int, wins_ties: bool) -> int:
    """How many of the 46,656 rolls take the territory; `lead` is A's modifiers less D's (EXG-30 to EXG-32)."""
    counts = sums()
    least = 0 if wins_ties else 1
    return sum(
        counts[attack] * counts[defence]
        for attack in range(3, 19)
        for defence in range(3, 19)
        if attack + lead - defence >= least
    )


def tied_rolls(lead: int) -> int:
    """How many rolls end in a tie."""
    counts = sums()
    return sum(counts[attack] * counts[attack + lead] for attack in range(3, 19) if 3 <= attack + lead <= 18)


def chance(winning: int, attack_rerolls: int, defence_rerolls: int) -> Chance:
    """Chance that the attack succeeds when both sides use their second chances as EXG-33 says."""
    numerator = _winning(winning, attack_rerolls, defence_rerolls)
    denominator = ROLLS ** (1 + attack_rerolls + defence_rerolls)
    common = gcd(numerator, denominator)
    return Chance(numerator // common, denominator // common)


def _winning(winning: int, attack: int, defence: int) -> int:
    """Numerator over ROLLS to the power 1 + attack + defence: each roll that fails or succeeds may be thrown again."""
    rest = ROLLS ** (attack + defence)
    succeeded = _winning(winning, attack, defence - 1) if defence else rest
    failed = _winning(winning, attack - 1, defence) if attack else 0
    return winning * succeeded + (ROLLS - winning) * failed
