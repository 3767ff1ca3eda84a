"""Statistics of a position: pace, clues still usable, efficiency, and the printed game's score bands.

Words: *pace* = how many discards the team can still afford and reach the maximum; *usable clues* = tokens
that can still be spent before the last round; *efficiency* = cards got per clue spent. The pure functions
take plain numbers; ``statistics`` reads them off a table. Tokens are whole tokens, fractions in Clue Starved.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from hanasolve.hanabi.game import fireworks as board
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.table import Table, official_score

SCORE_WORDS = {
    "english": ("horrible", "mediocre", "honourable", "excellent", "amazing", "legendary"),
    "abacus": ("oh dear", "poor", "ok", "good", "very good", "legendary"),
}
"""The words of an edition for the six steps of the scale."""
_BAND_TOPS = (5, 10, 15, 20, 24)


def score_band(score: int, full_score: int, scale: str = "scaled") -> int:
    """The step 1 to 6 of the printed game's scale, for which each edition has a word (``SCORE_WORDS``).

    The table is made for 25 points. ``scaled``: other full scores map to it in proportion, step 6 only for
    the full score itself; ``absolute``: the table as it is, 25 and more = step 6.
    """
    if scale == "scaled":
        if score >= full_score:
            return 6
        score = min(24, 25 * score // full_score)
    return 1 + sum(score > top for top in _BAND_TOPS)


def score_word(table: Table, points: int) -> str | None:
    """The word for a final score by the table's scale and edition; None in the modes that know only won and lost."""
    if table.rules["mode"] != engine.NORMAL:
        return None
    step = score_band(points, int(table.rules["full_score"]), table.options.scale)
    return SCORE_WORDS[table.options.score_words][step - 1]


def final_word(table: Table) -> str | None:
    """The word for the score of a game that is over, with "lost" where it was lost; None while it runs."""
    ended = int(table.game["ended"])
    word = None if ended == engine.RUNNING else score_word(table, official_score(table))
    lost = ended in (engine.STRIKEOUT, engine.SPEEDRUN_FAIL) or ended >= engine.SITE_END
    return f"{word}, lost" if word and lost else word


def with_word(points: int | str, word: str | None) -> str:
    """``23 (amazing)``; the score alone where there is no word."""
    return f"{points} ({word})" if word else str(points)


def pace(score: int, deck: int, players: int, max_score: int) -> int | None:
    """Discards that are left before the maximum is out of reach; None once the deck is empty."""
    return None if deck == 0 else score + deck + players - max_score


def pace_risk(value: int | None, players: int) -> str:
    """How tight a pace is: ``low`` (also without a pace), ``medium``, ``high`` or ``zero``."""
    if value is None:
        return "low"
    if value <= 0:
        return "zero"
    if value - players + players // 2 < 0:
        return "high"
    return "medium" if value - players < 0 else "low"


def clues_still_usable(
    stacks: Sequence[int],
    max_per_suit: Sequence[int],
    deck: int,
    last_round_turns: int,
    tokens: Fraction,
    *,
    stack_size: int = 5,
    per_discard: Fraction = Fraction(1),
    per_suit: Fraction = Fraction(1),
) -> int | None:
    """Clues that can still be given if the maximum is to be reached; None once the deck is empty.

    Tokens in hand, those of the discards that the deck still allows, and those of the suits that can be
    completed before the last round (fewest missing cards first).
    """
    if deck == 0:
        return None
    missing = sum(max_per_suit) - sum(stacks)
    discards = 0
    if missing <= last_round_turns + 1:
        discards = deck - 1
    elif missing <= last_round_turns + deck:
        discards = last_round_turns + deck - missing
    plays = min(missing, last_round_turns + deck) - min(missing, last_round_turns + 1)
    completed = 0
    goals = zip(stacks, max_per_suit, strict=True)
    for need in sorted(goal - stack for stack, goal in goals if goal == stack_size and stack < goal):
        plays -= need
        if plays < 0:
            break
        completed += 1
    return math.floor(discards * per_discard + completed * per_suit + tokens)


def efficiency(got: int, spent: Fraction | int) -> Fraction | None:
    """Cards got per clue spent; None before the first clue."""
    return None if spent == 0 else Fraction(got) / Fraction(spent)


def needed_efficiency(cards: int, usable: int | None) -> Fraction | None:
    """Cards that each usable clue must still get; None without usable clues."""
    return None if not usable else Fraction(cards, usable)


@dataclass(frozen=True)
class Statistics:
    """The statistics of one position; None where a value is not defined.

    ``got`` counts cards placed and clued cards in hands that are not known trash; ``spent`` clues, strikes
    and lost bonus tokens. ``current`` = got / spent, ``future`` = what is still to get per usable clue,
    ``minimum`` = full score per usable clue at the start of the game. ``max_score`` is what the cards that are left
    allow, ``most`` what the turns that are left allow as well.
    """

    score: int
    max_score: int
    most: int
    full_score: int
    pace: int | None
    pace_risk: str
    clues: Fraction
    strikes: int
    deck: int
    usable: int | None
    got: int
    spent: Fraction | None
    current: Fraction | None
    future: Fraction | None
    minimum: Fraction | None


def statistics(
    table: Table, *, history: bool = True, possible: Mapping[int, int] | None = None
) -> Statistics:
    """The statistics of a table. Before the first action ``minimum`` is the starting value as well.

    ``history`` False: the table is a position whose past is unknown, so nothing is said about spent clues.
    ``possible`` may give the identities (a mask, by order) that are common knowledge for cards in hands;
    without it, those that agree with the clues on each card alone are taken.
    """
    rules, game = table.rules, table.game
    score, most = int(board.score(rules, game)), int(board.max_score(rules, game))
    deck, players = int(engine.deck_left(game)), int(rules["players"])
    running = not game["ended"]
    value = pace(score, deck, players, most) if running else None
    usable = _usable(table) if running else None
    got = min(most, score + _clued(table, possible))
    spent = _spent(table) if history else None
    current = None if spent is None else efficiency(got, spent)
    return Statistics(
        score=score,
        max_score=most,
        most=min(most, score + turns_to_come(table)),
        full_score=int(rules["full_score"]),
        pace=value,
        pace_risk=pace_risk(value, players),
        clues=Fraction(int(game["clues"]), int(rules["token_unit"])),
        strikes=int(game["strikes"]),
        deck=deck,
        usable=usable,
        got=got,
        spent=spent,
        current=current,
        future=needed_efficiency(most - got, usable),
        minimum=minimum_efficiency(table),
    )


def turns_to_come(table: Table) -> int:
    """No more turns than these can place a card: those of the last round, and before it one for every card to draw.

    Without a last round there is no such bound, and it is the full score.
    """
    if table.game["ended"]:
        return 0
    if table.rules["mode"] != engine.NORMAL:
        return int(table.rules["full_score"])
    turns = int(table.game["turns_left"])
    return turns if turns >= 0 else int(engine.deck_left(table.game)) + int(table.rules["players"])


def score_line(table: Table, stats: Statistics) -> str:
    """The score and what is still possible, or the final score with its word."""
    if table.game["ended"]:
        return f"final score {with_word(f'{official_score(table)} of {stats.full_score}', final_word(table))}"
    few = ", too few turns for more" if stats.most < stats.max_score else ""
    bound = "at most " if few else ""
    return f"score {stats.score} of {bound}{stats.most} still possible ({stats.full_score} full{few})"


def minimum_efficiency(table: Table) -> Fraction | None:
    """Full score per clue that is usable at the start of a game of this variant and table."""
    start = engine.new_game(table.rules, [-1] * table.variant.deck_size)
    usable = _usable(Table(table.variant, table.options, table.names, table.rules, start))
    return needed_efficiency(int(table.rules["full_score"]), usable)


def _usable(table: Table) -> int | None:
    rules, game, suits = table.rules, table.game, range(len(table.variant.suits))
    unit = int(rules["token_unit"])
    bonuses = {int(rules["bonus"][suit]) for suit in suits}
    return clues_still_usable(
        [int(game["stacks"][suit]) for suit in suits],
        [_suit_goal(table, suit) for suit in suits],
        int(engine.deck_left(game)),
        int(rules["players"]),
        Fraction(int(game["clues"]), unit),
        stack_size=int(rules["stack_size"]),
        per_discard=Fraction(int(rules["discard_gain"]), unit),
        per_suit=Fraction(max(bonuses), unit),
    )


def _suit_goal(table: Table, suit: int) -> int:
    """Cards that a suit can reach; for an unstarted Sudoku suit from its best start."""
    rules, game = table.rules, table.game
    if rules["order"][suit] != board.ORDER_SUDOKU or game["stacks"][suit] > 0:
        return int(board.suit_max(rules, game, suit))
    size = int(rules["ranks"])
    best = 0
    for start in range(size):
        if board.playable(rules, game, suit * size + start):
            run = 0
            while run < size and board.alive(rules, game, suit * size + (start + run) % size):
                run += 1
            best = max(best, run)
    return best


def _clued(table: Table, possible: Mapping[int, int] | None) -> int:
    """Cards in hands that a clue touched and that are not known to be trash."""
    rules, game = table.rules, table.game
    needed = int(board.needed_mask(rules, game))
    count = 0
    for seat in range(int(rules["players"])):
        for order in game["hands"][seat, : game["hand_sizes"][seat]].tolist():
            mask = int(game["fits"][order]) if possible is None else possible[order]
            count += bool(game["told_yes"][order] and mask & needed)
    return count


def _spent(table: Table) -> Fraction:
    """Clues given, strikes and lost bonus tokens; the latter two count half in Clue Starved."""
    game = table.game
    lost = int(game["strikes"]) + int(game["bonus_lost"])
    return int(game["clues_given"]) + Fraction(lost, int(table.rules["token_unit"]))
