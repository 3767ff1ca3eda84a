"""Rounds and matches between two strategies, as a kernel that stops wherever Python has to decide.

A pair is two matches over the same deals: A deals first in match 0, B in match 1; the dealer of a round
always gets the deal's dealer hand. Streams: 0 deals (rewound for the second match), 1 strategy A, 2 strategy
B.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.jit import kernel
from hanasolve.koikoi.conventions import heuristic as h
from hanasolve.koikoi.game import rules as engine
from hanasolve.koikoi.game.deck import shuffle
from hanasolve.koikoi.game.rules import DRAW, NOBODY, OVER, PLAY
from hanasolve.koikoi.game.yaku import NAMES, names, points

# Columns of a pair's row of results; SCORE + 2 * match + player.
SCORE, WON, UNDECIDED, DEALER_WON, CALLS, FOLLOWED = 0, 4, 6, 7, 8, 10
LUCKY, BY_YAKU, TURNS_BY_YAKU, ROUNDS, YAKU = 12, 13, 14, 15, 16
COLUMNS = YAKU + len(NAMES)
# Entries of the course: where a run of pairs stands.
PAIR, MATCH, ROUND, DEALER, NEXT_DEAL, START_PILE = range(6)
COURSE_SIZE = 6
DONE, BUDGET, ASK = range(3)
DEALS_PER_ROUND = 1000


@kernel
def step(game: Any, strategies: Any, course: Any, states: Any, rules: Any) -> bool:
    """One step of the mover by his strategy. False: that part of the strategy is not a kernel's."""
    mover = game["mover"]
    strategy, state = strategies[mover], states[1 + mover]
    hand, field = game["hands"][mover], game["field"]
    pile, other = game["piles"][mover], game["piles"][1 - mover]
    kind = strategy["cards"]
    if game["phase"] == PLAY:
        course[START_PILE] = pile
        if kind == h.OTHER_CARDS:
            return False
        card, taken = h.choose_play(kind, hand, field, pile, other, state, rules)
        engine.play(game, card, taken, rules)
        return True
    if game["phase"] == DRAW:
        if kind == h.OTHER_CARDS and engine.take_count(field, game["drawn"], rules) > 1:
            return False
        start = course[START_PILE]
        engine.match(
            game, h.choose_match(kind, game["drawn"], field, pile, start, other, state, rules), rules
        )
        return True
    if strategy["call"] == h.OTHER_CALLS:
        return False
    if h.choose_call(strategy, hand, points(pile, rules)):
        engine.call(game, rules)
    else:
        engine.stop(game, rules)
    return True


@kernel
def playout(game: Any, strategies: Any, course: Any, states: Any, rules: Any) -> None:
    """Play a round to its end with kernel strategies."""
    while game["phase"] != OVER and step(game, strategies, course, states, rules):
        pass


@kernel
def _deal_round(game: Any, course: Any, deck: Any, state: Any, rules: Any) -> None:
    for _ in range(DEALS_PER_ROUND):
        for card in range(48):
            deck[card] = card
        shuffle(deck, 48, 40, state)  # the last eight cards are never seen
        if engine.deal(game, deck, course[DEALER], rules):
            break
    course[NEXT_DEAL] = 0


@kernel
def _book_round(game: Any, course: Any, row: Any, rules: Any) -> None:
    """Add a finished round to the pair's results and pass the deal."""
    winner, dealer = game["winner"], game["dealer"]
    row[ROUNDS] += 1
    for player in range(2):
        row[CALLS + player] += game["calls"][player]
    if winner != NOBODY:
        row[SCORE + 2 * course[MATCH] + winner] += game["score"]
    if game["undecided"] == 1:
        row[UNDECIDED] += 1
    else:
        row[WON + winner] += 1
        row[DEALER_WON] += winner == dealer
    by_yaku = winner != NOBODY and game["exhausted"] == 0 and game["piles"][winner] != 0
    row[LUCKY] += game["lucky"][0] + game["lucky"][1] > 0 and rules["lucky_hands"] == 0
    if by_yaku:
        row[BY_YAKU] += 1
        row[TURNS_BY_YAKU] += game["turn"]
        row[FOLLOWED + winner] += game["calls"][winner]
        held = names(game["piles"][winner], rules)
        for which in range(13):
            row[YAKU + which] += (held >> which) & 1
    course[DEALER] = engine.next_dealer(game, rules)
    if game["undecided"] == 0 or rules["undecided_counts"] == 1:
        course[ROUND] += 1
    course[NEXT_DEAL] = 1


@kernel
def play_pairs(
    seeds: Any,
    states: Any,
    game: Any,
    deck: Any,
    course: Any,
    strategies: Any,
    results: Any,
    rules: Any,
    budget: int,
) -> int:
    """Go on with the pairs of ``seeds`` (pairs, 3, 4) for at most ``budget`` steps. DONE, BUDGET or ASK."""
    while course[PAIR] < seeds.shape[0]:
        pair = course[PAIR]
        row = results[pair]
        if course[MATCH] == 0 and course[ROUND] == 0 and course[NEXT_DEAL] == 1:
            states[:] = seeds[pair]
        while course[ROUND] < rules["rounds"]:
            if course[NEXT_DEAL] == 1:
                _deal_round(game, course, deck, states[0], rules)
            while game["phase"] != OVER:
                if not step(game, strategies, course, states, rules):
                    return ASK
                budget -= 1
            _book_round(game, course, row, rules)
            if budget <= 0:
                return BUDGET
        course[ROUND] = 0
        course[MATCH] += 1
        course[DEALER] = 1
        states[0] = seeds[pair, 0]
        if course[MATCH] == 2:
            course[MATCH] = 0
            course[DEALER] = 0
            course[PAIR] += 1
    return DONE


def new_course() -> Any:
    """The course before the first pair."""
    course = np.zeros(COURSE_SIZE, np.int64)
    course[NEXT_DEAL] = 1
    return course
