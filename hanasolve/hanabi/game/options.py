"""The options of a game: table rules and site rules, with the defaults of the printed game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hanasolve.errors import NotationError, UnsupportedVariant
from hanasolve.hanabi.game.variants import Variant

HAND_SIZES = {2: 5, 3: 5, 4: 4, 5: 4, 6: 3}
MAX_HAND = 9
MODES = ("normal", "perfect_or_defeat", "royal_favor")
TILE_EFFECTS = ("remove_strike", "free_clue", "take_back", "gain_clues", "look", "extra_action")


@dataclass(frozen=True)
class Options:
    """What a table may choose. Tokens are whole tokens here, also in Clue Starved (the record has halves).

    ``hand_size`` 0 and ``clues_start`` -1 mean the standard value; ``on_impossible`` "" means by mode.
    """

    players: int
    hand_size: int = 0
    clues_max: int = 8
    clues_start: int = -1
    strikes_max: int = 3
    empty_clues: str = "forbid"
    discard_at_max: str = "forbid"
    fifth_card_bonus: bool = True
    strikeout_score: str = "zero"
    stop_when_dead: bool = False
    mode: str = "normal"
    on_impossible: str = ""
    powder_bonus: str = "on_complete"
    tiles: tuple[str, ...] = ()
    tiles_when_empty: str = "token"
    scale: str = "scaled"
    score_words: str = "english"
    first_player: int = 0
    # hanab.live only
    deck_plays: bool = False
    card_cycle: bool = False
    speedrun: bool = False

    def __post_init__(self) -> None:
        """Refuse values outside the rules, naming the option."""
        _check("players", self.players, 2, 6)
        if self.hand_size:
            _check("hand_size", self.hand_size, 1, MAX_HAND)
        _check("clues_max", self.clues_max, 1, 60)
        if self.clues_start != -1:
            _check("clues_start", self.clues_start, 0, self.clues_max)
        _check("strikes_max", self.strikes_max, 1, 60)
        _check("first_player", self.first_player, 0, self.players - 1)
        _choose("empty_clues", self.empty_clues, ("forbid", "allow"))
        _choose("discard_at_max", self.discard_at_max, ("forbid", "allow"))
        _choose("strikeout_score", self.strikeout_score, ("zero", "keep"))
        _choose("mode", self.mode, MODES)
        _choose("on_impossible", self.on_impossible, ("", "stop", "play_on"))
        _choose("powder_bonus", self.powder_bonus, ("on_complete", "none"))
        _choose("tiles_when_empty", self.tiles_when_empty, ("token", "nothing"))
        _choose("scale", self.scale, ("scaled", "absolute"))
        _choose("score_words", self.score_words, ("english", "abacus"))
        for effect in self.tiles:
            _choose("tiles", effect, TILE_EFFECTS)

    @property
    def cards_per_hand(self) -> int:
        return self.hand_size or HAND_SIZES[self.players]

    @property
    def start_tokens(self) -> int:
        return self.clues_max if self.clues_start == -1 else self.clues_start

    @property
    def stops_when_impossible(self) -> bool:
        return self.on_impossible == "stop" or (not self.on_impossible and self.mode == "perfect_or_defeat")


def site_options(players: int, **chosen: object) -> Options:
    """The options of a game on hanab.live: as printed, and a game ends when nothing more can be scored."""
    return replace(Options(players, stop_when_dead=True), **chosen)  # type: ignore[arg-type]


def check_fits(variant: Variant, options: Options) -> None:
    """Refuse a deal that the deck cannot serve."""
    dealt = options.players * options.cards_per_hand
    if dealt > variant.deck_size:
        raise UnsupportedVariant(
            f"{options.players} players with {options.cards_per_hand} cards need {dealt} cards, "
            f"{variant.name} has {variant.deck_size}: use fewer players or a smaller hand_size"
        )


def _check(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise NotationError(f"{name}: found {value}, expected a number from {low} to {high}")


def _choose(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        names = ", ".join(word for word in known if word)
        raise NotationError(f"{name}: found {value!r}, expected one of {names}")
