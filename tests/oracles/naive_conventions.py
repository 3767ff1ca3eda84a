"""Obviously right twins for the simulator: Hanabi on lists and dicts, and two conventions in plain words.

Cards are (suit, rank) with ranks 1 to 5; hands are lists, oldest card first. Base game only. No numpy.
"""

from __future__ import annotations

from dataclasses import dataclass, field

COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
Card = tuple[int, int]


@dataclass
class NaiveGame:
    """A game of the printed rules. ``deck`` in drawing order; ``hand_size`` 0: the printed one."""

    deck: list[Card]
    players: int
    tokens: int = 8
    strikes: int = 0
    turn: int = 0
    last_turn: int | None = None
    ended: str = ""
    stacks: dict[int, int] = field(default_factory=lambda: dict.fromkeys(range(5), 0))
    discards: list[Card] = field(default_factory=list)
    hands: list[list[Card]] = field(default_factory=list)
    hand_size: int = 0

    def __post_init__(self) -> None:
        self.deck = list(self.deck)
        size = self.hand_size or (5 if self.players < 4 else 4)
        self.hands = [[self.deck.pop(0) for _ in range(size)] for _ in range(self.players)]

    @property
    def to_move(self) -> int:
        return self.turn % self.players

    def playable(self, card: Card) -> bool:
        return self.stacks[card[0]] == card[1] - 1

    def legal(self) -> list[tuple[str, int, int]]:
        """All legal actions: ("play" | "discard", index, 0) or ("color" | "rank", seat, value)."""
        hand = range(len(self.hands[self.to_move]))
        actions = [("play", i, 0) for i in hand]
        if self.tokens < 8:
            actions += [("discard", i, 0) for i in hand]
        for seat in range(self.players):
            if seat != self.to_move and self.tokens > 0:
                actions += [("color", seat, suit) for suit in {card[0] for card in self.hands[seat]}]
                actions += [("rank", seat, rank) for rank in {card[1] for card in self.hands[seat]}]
        return actions

    def act(self, kind: str, target: int, value: int) -> None:
        """Carry out a legal action."""
        assert not self.ended
        if kind in ("color", "rank"):
            self.tokens -= 1
        else:
            hand = self.hands[self.to_move]
            card = hand.pop(target)
            if kind == "play" and self.playable(card):
                self.stacks[card[0]] += 1
                if card[1] == 5:
                    self.tokens = min(8, self.tokens + 1)
            else:
                self.discards.append(card)
                if kind == "play":
                    self.strikes += 1
                else:
                    self.tokens += 1
            if self.deck:
                hand.append(self.deck.pop(0))
        if not self.deck and self.last_turn is None:
            self.last_turn = self.turn + self.players
        if self.strikes == 3:
            self.ended = "strikeout"
        elif sum(self.stacks.values()) == 25:
            self.ended = "perfect"
        elif self.turn == self.last_turn:
            self.ended = "last_round"
        self.turn += 1


class NaiveSimple:
    """``simple``: notes are a dict per card object in the hands: colour, rank, playable."""

    def __init__(self, game: NaiveGame) -> None:
        self.game = game
        self.notes: list[list[dict[str, int]]] = [[{} for _ in hand] for hand in game.hands]

    def decide(self) -> tuple[str, int, int]:
        game, me = self.game, self.game.to_move
        marked = [(note["rank"], i) for i, note in enumerate(self.notes[me]) if note.get("playable")]
        if marked:
            return "play", min(marked)[1], 0
        best: tuple[int, tuple[str, int, int]] | None = None
        for step in range(1, game.players):
            seat = (me + step) % game.players
            for action in [("color", seat, c) for c in range(5)] + [("rank", seat, r) for r in range(1, 6)]:
                touched = self.touched(action)
                if all(game.playable(game.hands[seat][i]) for i in touched):
                    count = sum(not self.notes[seat][i].get("playable") for i in touched)
                    if count and (best is None or count > best[0]):
                        best = count, action
        if best and game.tokens:
            return best[1]
        if game.tokens == 8:
            right = (me - 1) % game.players
            return "rank", right, game.hands[right][0][1]
        return "discard", 0, 0

    def touched(self, action: tuple[str, int, int]) -> list[int]:
        kind, seat, value = action
        place = 0 if kind == "color" else 1
        return [i for i, card in enumerate(self.game.hands[seat]) if card[place] == value]

    def act(self, kind: str, target: int, value: int) -> None:
        """Take note of an action of the player to move, and carry it out."""
        game, me = self.game, self.game.to_move
        if kind in ("play", "discard"):
            card = game.hands[me][target]
            del self.notes[me][target]
            if kind == "play":
                for hand in self.notes:
                    for note in hand:
                        fits = note.get("color", card[0]) == card[0] and note.get("rank", card[1]) == card[1]
                        if fits and note.get("rank") != 5:
                            note["playable"] = 0
            if game.deck:
                self.notes[me].append({})
        else:
            touched = self.touched((kind, target, value))
            reclaim = (
                kind == "rank" and game.tokens == 8 and (target + 1) % game.players == me and 0 in touched
            )
            for i in [] if reclaim else touched:
                note = self.notes[target][i]
                note["playable"] = 1
                if kind == "color":
                    note["color"], note["rank"] = value, game.stacks[value] + 1
                else:
                    note["rank"] = value
        game.act(kind, target, value)


class NaiveRecommendation:
    """``cox-recommendation`` for five players: what each player was told, and the cards played since."""

    def __init__(self, game: NaiveGame) -> None:
        self.game = game
        self.told: dict[int, int] = {}
        self.played = 0

    def recommend(self, seat: int) -> int:
        game = self.game
        cards = list(enumerate(game.hands[seat]))
        plays = [(i, card) for i, card in cards if game.playable(card)]
        fives = [i for i, card in plays if card[1] == 5]
        if fives:
            return fives[-1]
        if plays:
            return min(plays, key=lambda pair: (pair[1][1], pair[1][0]))[0]
        dead = [(i, card) for i, card in cards if card[1] <= game.stacks[card[0]]]
        spare = [(i, card) for i, card in cards if card[1] < 5 and card not in game.discards]
        for group in (dead, spare):
            if group:
                return 4 + max(group, key=lambda pair: (pair[1][1], pair[1][0]))[0]
        return 7

    def decide(self) -> tuple[str, int, int]:
        game, me = self.game, self.game.to_move
        newest = len(game.hands[me]) - 1
        told = self.told.get(me, -1)
        if 0 <= told < 4 and (self.played == 0 or (self.played == 1 and game.strikes <= 1)):
            return "play", min(told, newest), 0
        if game.tokens:
            total = sum(self.recommend(seat) for seat in range(5) if seat != me) % 8
            target = (me + 1 + total % 4) % 5
            suit, rank = game.hands[target][0]
            return ("rank", target, rank) if total < 4 else ("color", target, suit)
        return "discard", min(told - 4, newest) if told >= 4 else newest, 0

    def act(self, kind: str, target: int, value: int) -> None:
        game, me = self.game, self.game.to_move
        if kind in ("color", "rank"):
            self.told = {seat: self.recommend(seat) for seat in range(5) if seat != me}
            self.played = 0
        elif kind == "play" and game.playable(game.hands[me][target]):
            self.played += 1
        game.act(kind, target, value)
