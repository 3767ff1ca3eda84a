"""Deduction: what each card can be, and how likely, by exact joint counting.

``Deduction(table)`` answers for a position: ``holder(seat)``, ``empathy(viewer, seat)``, ``common(seat)`` and
``public(seat)`` give a ``View`` with ``sets`` (bit masks of identities) and ``marginals`` (fractions);
``count(seat)`` counts a player's own deals and takes joint queries. Clues are facts about cards here; why
they were given belongs to conventions. The definitions, with worked values, are in ``docs/deduction.md``.
"""

from hanasolve.hanabi.deduction.counting import Count
from hanasolve.hanabi.deduction.shown_table import Hint, ShownTable, hint_turns
from hanasolve.hanabi.deduction.views import Deduction, View

__all__ = ["Count", "Deduction", "Hint", "ShownTable", "View", "hint_turns"]
