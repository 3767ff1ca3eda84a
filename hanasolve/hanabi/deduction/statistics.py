"""What the deduction adds to the statistics of a position: cards by suit, and the bottom of the deck.

The deals of a player's hand say how many copies of each card he must expect in the deck; every order of the
deck is equally likely, so a card is the last one with probability (copies left - mean copies in hand) / deck.
"""

from __future__ import annotations

from fractions import Fraction

from hanasolve.hanabi.deduction.masks import members
from hanasolve.hanabi.deduction.shown_table import ShownTable
from hanasolve.hanabi.deduction.views import Deduction


def by_suit(shown: ShownTable, mask: int) -> dict[str, list[int]]:
    """The identities of a set, by the letter of their suit."""
    ranks = len(shown.variant.ranks)
    return {
        letter: [c for c in members(mask) if c // ranks == suit]
        for suit, letter in enumerate(shown.variant.letters)
    }


def bottom(deduction: Deduction, seat: int) -> dict[int, Fraction] | None:
    """For each critical card that this player has not located: the chance that it is the last of the deck.

    None if the deck is empty, its size does not go with the other cards, or the view needs hidden cards.
    """
    shown = deduction.shown
    if shown.deck_left == 0 or not deduction.sees_all(seat):
        return None
    count = deduction.count(seat)
    if sum(count.copies) - len(count.sets) != shown.deck_left:
        return None
    found = {}
    for identity in members(shown.critical):
        inside = count.copies[identity] - count.expected(identity)
        if inside:
            found[identity] = inside / shown.deck_left
    return found
