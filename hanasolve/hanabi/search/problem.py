"""A known-deck question in small ints, and lines that answer it.

``Problem`` is what the independent solvers (``cpsat.py`` and the tests' naive one) work on: no records, no
numba. Every suit is relabelled so that it is built upwards: the *step* of a card is its place in the building
order, 0 = the first card to be placed, and ``identity = suit * stack_size + step``.

The *value* of a problem is the highest number of placed cards that any sequence of legal actions reaches
before the game ends, the last action included, if the third strike is not on the way to it.

A *line* is a list of ``(kind, order)``: play or discard the card of that order (its place in the drawing
order, as in files), or give a clue (order None) of the named or of any kind. A play of a card that does not
fit is a strike, as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hanasolve.errors import IllegalAction, NotationError, UnsupportedVariant

PLAY, DISCARD, CLUE_COLOR, CLUE_RANK = 0, 1, 2, 3  # as rules.py numbers them
ANY_CLUE = -1  # a clue of whichever kind is legal: it only passes the turn

LineStep = tuple[int, int | None]
Line = list[LineStep]


@dataclass(frozen=True)
class Problem:
    """Everything that decides which scores a known deck can reach. Tokens are in the engine's units.

    Hands are oldest card first; ``hand_orders`` are the orders of these cards and ``deck_order`` is that of
    the next card of the deck (the cards behind it follow one by one).
    """

    players: int
    suits: int
    stack_size: int
    stacks: tuple[int, ...]  # cards placed, per suit
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    hand_orders: tuple[tuple[int, ...], ...]
    deck_order: int
    to_move: int = 0
    clues: int = 8
    clues_max: int = 8
    clue_cost: int = 1
    discard_gain: int = 1  # capped at clues_max
    bonus: tuple[int, ...] = ()  # tokens for completing each suit, capped at clues_max
    strikes: int = 0
    strikes_max: int = 3
    discard_at_max: bool = False
    last_round: bool = True  # False: no last round, play on with shrinking hands
    turns_left: int | None = None  # turns still to come in the last round, None before it
    empty_hand_ends: bool = False  # the game ends when a player without cards would begin a turn
    stop_when_impossible: bool = False  # the game ends when the full score is out of reach
    deck_plays: bool = False  # the last card of the deck may be played blindly
    deck_discards: bool = False  # ... and discarded
    over: bool = False  # the game has ended already
    clue_always: bool = True  # any other player with a card can always be given some legal clue
    # Which clues are legal: what follows matters if not clue_always, or if the other hands may be empty.
    alternating: bool = False  # the two kinds of clue must alternate
    last_clue: int | None = None  # CLUE_COLOR, CLUE_RANK
    color_free: bool = False  # a colour clue may touch nothing (then also with all other hands empty)
    rank_free: bool = False
    color_touchable: tuple[bool, ...] = ()  # by identity: some colour clue touches it
    rank_touchable: tuple[bool, ...] = ()
    original: tuple[int, ...] = ()  # identity here -> identity in the variant

    @property
    def full_score(self) -> int:
        return self.suits * self.stack_size

    @property
    def placed(self) -> int:
        return sum(self.stacks)

    def identity_of(self, order: int) -> int:
        """The identity of a card by its order; KeyError if it is in no hand and not in the deck."""
        if self.deck_order <= order < self.deck_order + len(self.deck):
            return self.deck[order - self.deck_order]
        for hand, orders in zip(self.hands, self.hand_orders, strict=True):
            if order in orders:
                return hand[orders.index(order)]
        raise KeyError(order)

    def reachable_score(self) -> int:
        """Cards placed if every suit is built until an identity has no copy in any hand or in the deck."""
        left = {card for hand in self.hands for card in hand} | set(self.deck)
        total = 0
        for suit, height in enumerate(self.stacks):
            while height < self.stack_size and suit * self.stack_size + height in left:
                height += 1
            total += height
        return total


def problem_from_table(table: Any) -> Problem:
    """The Problem of a ``game.Table``; refuses by name what has no fixed building order or hidden cards.

    UnsupportedVariant for Up or Down, Sudoku and bonus tiles; NotationError if a card of a hand or of the
    deck is unknown.
    """
    variant, rules, game = table.variant, table.rules, table.game
    _refuse_unsupported(variant, rules)
    steps = _steps(variant)
    deck: list[int] = game["deck"].tolist()
    sizes: list[int] = game["hand_sizes"][: rules["players"]].tolist()
    orders: list[list[int]] = [
        hand[:size] for hand, size in zip(game["hands"][: rules["players"]].tolist(), sizes, strict=True)
    ]
    deck_order, deck_end = int(game["next"]), int(game["deck_size"])
    _refuse_unknown(deck, orders, deck_order, deck_end)
    original = [0] * len(steps)
    for identity, step in enumerate(steps):
        original[step] = identity
    turns_left = int(game["turns_left"])
    mode = ("normal", "perfect_or_defeat", "royal_favor")[int(rules["mode"])]
    return Problem(
        players=int(rules["players"]),
        suits=int(rules["suits"]),
        stack_size=int(rules["stack_size"]),
        stacks=tuple(game["stacks"][: rules["suits"]].tolist()),
        hands=tuple(tuple(steps[deck[order]] for order in hand) for hand in orders),
        deck=tuple(steps[card] for card in deck[deck_order:deck_end]),
        hand_orders=tuple(tuple(hand) for hand in orders),
        deck_order=deck_order,
        to_move=int(game["to_move"]),
        clues=int(game["clues"]),
        clues_max=int(rules["clues_max"]),
        clue_cost=int(rules["clue_cost"]),
        discard_gain=int(rules["discard_gain"]),
        bonus=tuple(rules["bonus"][: rules["suits"]].tolist()),
        strikes=int(game["strikes"]),
        strikes_max=int(rules["strikes_max"]),
        discard_at_max=bool(rules["discard_at_max"]),
        last_round=mode == "normal",
        turns_left=turns_left if turns_left >= 0 else None,
        empty_hand_ends=mode == "royal_favor",
        stop_when_impossible=bool(rules["stop_when_impossible"] or rules["speedrun"]),
        deck_plays=bool(rules["deck_plays"]),
        deck_discards=bool(rules["deck_plays"] and rules["inverted"]),
        over=int(game["ended"]) != 0,
        original=tuple(original),
        **_clue_fields(rules, int(game["last_clue"]), original),
    )


def _clue_fields(rules: Any, last_clue: int, original: Sequence[int]) -> dict[str, Any]:
    """The fields of Problem that say which clues are legal."""
    color = _touched(rules["color_touch"][: rules["colors"]], original)
    rank = _touched(rules["rank_touch"][: rules["clue_ranks"]], original)
    color_free = bool(rules["empty_color_clues"] and rules["colors"] > 0)
    rank_free = bool(rules["empty_rank_clues"] and rules["clue_ranks"] > 0)
    alternating = bool(rules["alternating_clues"])
    touchable = color_free or rank_free or all(c or r for c, r in zip(color, rank, strict=True))
    return {
        "clue_always": not alternating and touchable,
        "alternating": alternating,
        "last_clue": last_clue if last_clue >= 0 else None,
        "color_free": color_free,
        "rank_free": rank_free,
        "color_touchable": tuple(color),
        "rank_touchable": tuple(rank),
    }


def _refuse_unsupported(variant: Any, rules: Any) -> None:
    for flag, name in (("upOrDown", "Up or Down"), ("sudoku", "Sudoku")):
        if flag in variant.flags:
            raise UnsupportedVariant(
                f"{variant.name}: the suits of {name} have no fixed building order, "
                "the known-deck solver cannot search them"
            )
    if rules["tiles"] > 0:
        raise UnsupportedVariant("bonus tiles: the known-deck solver cannot search games with tiles")


def _refuse_unknown(deck: Sequence[int], hands: Sequence[Sequence[int]], deck_order: int, deck_end: int) -> None:
    in_deck = sum(1 for card in deck[deck_order:deck_end] if card < 0)
    in_hands = sum(1 for hand in hands for order in hand if deck[order] < 0)
    if in_deck or in_hands:
        found = [f"{in_deck} of the {deck_end - deck_order} cards of the deck"] if in_deck else []
        if in_hands:
            found.append(f"{in_hands} of the {sum(len(hand) for hand in hands)} cards in the hands")
        raise NotationError(f"{' and '.join(found)} are unknown: a known-deck search needs every card")


def _steps(variant: Any) -> list[int]:
    """Identity of the variant -> identity in building order."""
    ranks = len(variant.ranks)
    steps = []
    for identity in range(len(variant.suits) * ranks):
        suit, rank = divmod(identity, ranks)
        steps.append(suit * ranks + (ranks - 1 - rank if variant.orders[suit] == "down" else rank))
    return steps


def _touched(masks: Any, identities: Sequence[int]) -> list[bool]:
    """Whether one of the masks has the bit of an identity."""
    together = 0
    for mask in masks.tolist():
        together |= mask
    return [bool((together >> identity) & 1) for identity in identities]


# --- lines on the real table -----------------------------------------------------------------------------


def pass_action(table: Any, kind: int = ANY_CLUE) -> tuple[int, int, int] | None:
    """A legal clue ``(kind, seat, value)``, to the next player if possible; None if there is none."""
    from hanasolve.hanabi.game import rules as engine

    rules, game = table.rules, table.game
    players, seat = int(rules["players"]), int(game["to_move"])
    clues = [(CLUE_COLOR, value) for value in range(int(rules["colors"]))]
    clues += [(CLUE_RANK, int(value)) for value in rules["rank_values"][: rules["clue_ranks"]]]
    for distance in range(1, players):
        target = (seat + distance) % players
        for clue_kind, value in clues:
            if kind in (ANY_CLUE, clue_kind) and engine.legal(rules, game, clue_kind, target, value) == 0:
                return clue_kind, target, value
    return None


def replay_line(table: Any, line: Sequence[LineStep]) -> tuple[Any, list[Any]]:
    """Replay a line on a copy of ``table`` with the rules engine; the final table and the stored actions.

    IllegalAction names the step that the rules refuse.
    """
    from hanasolve.hanabi.game.records import Action
    from hanasolve.hanabi.game.table import act, stored_action

    table = table.copy()
    actions = []
    for index, (kind, order) in enumerate(line):
        where = f"line[{index}]: "
        if kind in (PLAY, DISCARD):
            action = Action(kind, -1 if order is None else order)
        else:
            clue = pass_action(table, kind)
            if clue is None:
                raise IllegalAction(f"{where}no legal clue of kind {kind}", "no_clue_token")
            action = stored_action(table, *clue)
        act(table, action, where)
        actions.append(action)
    return table, actions
