"""The compact known-deck state of the search kernels, and the moves between states.

The rules engine replays every line that comes out of here; this is an abstraction of it, not a second one:
it only keeps what can matter for one *target*, a height for every suit.

- Identities are building steps: ``suit * steps + step``, step 0 is placed first (reversed suits included).
- A card is *needed* if its step is below its suit's target height and it is not placed. All other cards, and
  the second copy in one hand, are trash, and all trash is alike.
- A state is ``players + 1`` uint64 words: one word a hand (bits 0 to 47 the needed identities, bits 56 to 59
  the number of cards) and one word packed as below.
- A clue is a pass that costs tokens; whom and what it names is chosen when the line is written out.

What is left out, with the proof that nothing is lost. Let A and B be two games with the same deck, the same
draws so far and the same player to move; A has every card placed that B has and ``e`` more (excess), A's
hands hold what B's hold except that excess cards may be anything, A's tokens are B's plus ``d`` >= 0, and
A's strikes are B's minus ``k``. *If k >= e + d, A can follow any plan of B to at least the same height*:
  - B clues: A clues. B plays a card that A has not placed: A plays it.
  - B plays an excess card c: A throws its copy away: by a discard if A has fewer than the maximum of tokens
    (e - 1, d + 1), else by a misplay (e - 1, k - 1).
  - B discards: A discards (d unchanged) or, at the maximum, misplays (d - 1, k - 1); if the card is playable
    for A at that moment, A plays it (e + 1, d - 1).
  - B misplays a card: A misplays it; if it is playable for A, A discards it below the maximum (d + 1, k + 1)
    and plays it at the maximum (e + 1, k + 1, no token is gained).
  The last card of a suit pays a token; A has it paid earlier or both at the same time, capped at the maximum.
Three uses, each of them with the same draw on both sides:
  1. Below the maximum of tokens a misplay is never better than the discard of the same card (d = 1, k = 1).
     So misplays are searched at the maximum only, where nobody may discard.
  2. At the maximum a misplay of trash that is in truth a playable second copy is no worse done as a play
     (e = 1, k = 1), so trash needs no look at what it is.
  3. Throwing away a needed card while holding trash is never better than throwing the trash: keep the card in
     the slot of the trash and treat it as trash from then on.
More tokens alone are *not* better: with all tokens nobody may discard.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.bits import bit, count_bits
from hanasolve.jit import kernel

MAX_PLAYERS, MAX_SUITS, MAX_IDS, MAX_DRAWS = 6, 7, 48, 80
NEVER = 120  # next position of a card that does not come any more

KNOWN_DECK = np.dtype(
    [
        ("players", np.int64),
        ("suits", np.int64),
        ("steps", np.int64),
        ("draws", np.int64),  # cards in the draw pile at the root
        ("to_move", np.int64),
        ("tokens", np.int64),
        ("tokens_max", np.int64),
        ("clue_cost", np.int64),
        ("discard_gain", np.int64),
        ("misplays", np.int64),  # strikes that may still be taken without losing
        ("turns_left", np.int64),  # -1 before the last round
        ("discard_at_max", np.bool_),
        ("last_round", np.bool_),  # False: play on without drawing until hands or tokens run out
        ("clue_without_cards", np.bool_),  # play on: a player without cards may clue
        ("deck_plays", np.bool_),
        ("deck_discards", np.bool_),
        ("full_height", np.int8, (MAX_SUITS,)),
        ("height", np.int8, (MAX_SUITS,)),  # cards placed at the root
        ("bonus", np.int8, (MAX_SUITS,)),
        ("hand_size", np.int8, (MAX_PLAYERS,)),
        ("hand", np.uint64, (MAX_PLAYERS,)),  # identities held at the root, placed or not
        ("deck", np.int8, (MAX_DRAWS,)),
        ("last_at", np.int8, (MAX_IDS,)),  # last position of an identity in `deck`, -1 if it is not there
        ("next_at", np.int8, (MAX_IDS, MAX_DRAWS + 1)),  # first position >= d of an identity, or NEVER
    ]
)

# The packed word: heights 3 bits a suit, then tokens, misplays left, cards drawn.
TOKENS_SHIFT, MISPLAYS_SHIFT, DRAWN_SHIFT = 21, 29, 35
SIZE_SHIFT = 56

# Moves: what the player to move does. PLAY + id, DROP + id (needed card), DROP_TRASH, PASS, MISPLAY + id, ...
PLAY, DROP, MISPLAY = 0, 64, 128
DROP_TRASH, MISPLAY_TRASH, PASS, DECK_PLAY = 192, 193, 194, 195
IDLE = 196  # any legal action, in the last round
DECK_THROW = 197  # a blind play of the last card that is a strike (or its discard where that is allowed)


@kernel
def height_of(word: Any, suit: int) -> int:
    return int((word >> np.uint64(3 * suit)) & np.uint64(7))


@kernel
def tokens_of(word: Any) -> int:
    return int((word >> np.uint64(TOKENS_SHIFT)) & np.uint64(255))


@kernel
def misplays_of(word: Any) -> int:
    return int((word >> np.uint64(MISPLAYS_SHIFT)) & np.uint64(63))


@kernel
def drawn_of(word: Any) -> int:
    return int((word >> np.uint64(DRAWN_SHIFT)) & np.uint64(127))


@kernel
def size_of(hand: Any) -> int:
    return int((hand >> np.uint64(SIZE_SHIFT)) & np.uint64(15))


@kernel
def count_cards(hand: Any) -> int:
    """How many identities (bits 0 to 47) a hand's word has."""
    return count_bits(hand & np.uint64(0xFFFFFFFFFFFF))


@kernel
def pack(heights: Any, suits: int, tokens: int, misplays: int, drawn: int) -> Any:
    word = np.uint64(0)
    for suit in range(suits):
        word |= np.uint64(heights[suit]) << np.uint64(3 * suit)
    word |= np.uint64(tokens) << np.uint64(TOKENS_SHIFT)
    word |= np.uint64(misplays) << np.uint64(MISPLAYS_SHIFT)
    word |= np.uint64(drawn) << np.uint64(DRAWN_SHIFT)
    return word


@kernel
def index_deck(known: Any) -> None:
    """Fill ``next_at`` and ``last_at`` from ``deck``."""
    draws = int(known["draws"])
    for identity in range(known["suits"] * known["steps"]):
        known["next_at"][identity, draws] = NEVER
        known["last_at"][identity] = -1
    for d in range(draws):
        known["last_at"][known["deck"][d]] = d
    for d in range(draws - 1, -1, -1):
        for identity in range(known["suits"] * known["steps"]):
            known["next_at"][identity, d] = known["next_at"][identity, d + 1]
        known["next_at"][known["deck"][d], d] = d


@kernel
def needed_ids(known: Any, target: Any, word: Any) -> Any:
    """Mask of the identities that are not placed and lie below their suit's target."""
    mask = np.uint64(0)
    steps = int(known["steps"])
    for suit in range(known["suits"]):
        for step in range(height_of(word, suit), target[suit]):
            mask |= bit(suit * steps + step)
    return mask


@kernel
def root_state(known: Any, target: Any, state: Any) -> None:
    """Write the root's words for a target."""
    players = int(known["players"])
    misplays = min(int(known["misplays"]), 63)
    word = pack(known["height"], int(known["suits"]), int(known["tokens"]), misplays, 0)
    needed = needed_ids(known, target, word)
    for p in range(players):
        state[p] = (known["hand"][p] & needed) | (np.uint64(known["hand_size"][p]) << np.uint64(SIZE_SHIFT))
    state[players] = word


@kernel
def goal_reached(known: Any, target: Any, word: Any) -> bool:
    for suit in range(known["suits"]):
        if height_of(word, suit) < target[suit]:
            return False
    return True


@kernel
def draw_card(known: Any, target: Any, state: Any, player: int) -> bool:
    """Give ``player`` the next card of the deck; without one the hand shrinks. True if a card was drawn."""
    players = int(known["players"])
    word = state[players]
    drawn = drawn_of(word)
    if drawn >= known["draws"]:
        state[player] -= bit(SIZE_SHIFT)
        return False
    state[players] = word + bit(DRAWN_SHIFT)
    identity = int(known["deck"][drawn])
    suit = identity // int(known["steps"])
    step = identity - suit * int(known["steps"])
    if height_of(word, suit) <= step < target[suit]:
        state[player] |= bit(identity)
    return True


@kernel
def do_move(known: Any, target: Any, state: Any, player: int, move: int) -> None:
    """Carry out a legal move of ``player`` in place, drawing included. The turn counter is the caller's."""
    players = int(known["players"])
    word = state[players]
    if move == PASS:
        state[players] = word - (np.uint64(known["clue_cost"]) << np.uint64(TOKENS_SHIFT))
        return
    tokens = tokens_of(word)
    most = int(known["tokens_max"])
    if move < DROP or move == DECK_PLAY:
        identity = move if move < DROP else int(known["deck"][drawn_of(word)])
        suit = identity // int(known["steps"])
        word += bit(3 * suit)
        if height_of(word, suit) == known["full_height"][suit]:
            word += np.uint64(min(int(known["bonus"][suit]), most - tokens)) << np.uint64(TOKENS_SHIFT)
        for p in range(players):
            state[p] &= ~bit(identity)
        if move == DECK_PLAY:
            state[players] = word + bit(DRAWN_SHIFT)
            return
        state[players] = word
    elif move == DECK_THROW:
        if known["deck_discards"]:
            word += np.uint64(min(int(known["discard_gain"]), most - tokens)) << np.uint64(TOKENS_SHIFT)
        else:
            word -= bit(MISPLAYS_SHIFT)
        state[players] = word + bit(DRAWN_SHIFT)
        return
    elif MISPLAY <= move < DROP_TRASH or move == MISPLAY_TRASH:
        state[players] = word - bit(MISPLAYS_SHIFT)
        if move != MISPLAY_TRASH:
            state[player] &= ~bit(move - MISPLAY)
    else:
        gain = min(int(known["discard_gain"]), most - tokens)
        state[players] = word + (np.uint64(gain) << np.uint64(TOKENS_SHIFT))
        if move != DROP_TRASH:
            state[player] &= ~bit(move - DROP)
    draw_card(known, target, state, player)


@kernel
def list_moves(known: Any, target: Any, state: Any, player: int, out: Any) -> int:
    """Write the moves worth searching into ``out`` (int64[2 * 10 + 3]) and count them: plays first."""
    players = int(known["players"])
    word = state[players]
    steps = int(known["steps"])
    hand = state[player]
    count = 0
    if size_of(hand) == 0 and not known["last_round"] and not known["clue_without_cards"]:
        return 0  # Royal Favor ends here
    playable = np.uint64(0)
    for suit in range(known["suits"]):
        height = height_of(word, suit)
        if height < target[suit]:
            identity = suit * steps + height
            playable |= bit(identity)
            if (hand >> np.uint64(identity)) & np.uint64(1):
                out[count] = PLAY + identity
                count += 1
    drawn = drawn_of(word)
    if known["deck_plays"] and drawn == known["draws"] - 1:
        top = int(known["deck"][drawn])
        if (playable >> np.uint64(top)) & np.uint64(1):
            out[count] = DECK_PLAY
            count += 1
        if misplays_of(word) > 0 or known["deck_discards"]:
            out[count] = DECK_THROW  # starts the last round and keeps the whole hand
            count += 1
    tokens = tokens_of(word)
    if tokens >= known["clue_cost"]:
        for p in range(players):
            if p != player and size_of(state[p]) > 0:
                out[count] = PASS
                count += 1
                break
    if size_of(hand) == 0:
        return count
    throw, throw_trash = DROP, DROP_TRASH
    if tokens >= known["tokens_max"] and not known["discard_at_max"]:
        if misplays_of(word) == 0:
            return count
        throw, throw_trash = MISPLAY, MISPLAY_TRASH
    if size_of(hand) > count_cards(hand):
        out[count] = throw_trash
        return count + 1
    for identity in range(known["suits"] * steps):
        if (hand >> np.uint64(identity)) & np.uint64(1):
            if throw == MISPLAY and (playable >> np.uint64(identity)) & np.uint64(1):
                continue  # it would be played
            out[count] = throw + identity
            count += 1
    return count
