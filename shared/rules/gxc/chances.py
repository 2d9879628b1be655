"""Chances of a considered attack, exact and in whole per mille (GXC-41, GXC-43)."""

from math import comb

from shared.rules.chance import PER_MILLE

LARGEST_STACK = 400
"""Above this the exact chance is not computed: it would take long, and is nearly certain one way or the other."""


def win_permille(attack: int, defence: int, attacker_pct: int) -> int | None:
    """Chance, rounded down, that an attack stack wears down a defence, one exchange at a time; None for huge stacks.

    Defenders with the same percentage one after the other are as one with the sum of their stacks, since what is left
    of the attacker goes on (GXC-45).
    """
    if attack < 1:
        return 0
    if defence < 1:
        return PER_MILLE
    if attack > LARGEST_STACK or defence > LARGEST_STACK:
        return None
    win, lose = attacker_pct, 100 - attacker_pct
    # She wins with exactly k lost exchanges among defence + k, the last one won; k is below her stack.
    wins = sum(
        comb(defence - 1 + lost, lost) * win**defence * lose**lost * 100 ** (attack - 1 - lost)
        for lost in range(attack)
    )
    return int(PER_MILLE * wins // 100 ** (defence + attack - 1))


def row_permille(defenders: int, attacker_pct: int) -> int:
    """Chance, rounded down, that an attacker beats so many defenders one after the other, one roll each (GXC-43)."""
    return int(PER_MILLE * attacker_pct**defenders // 100**defenders)
