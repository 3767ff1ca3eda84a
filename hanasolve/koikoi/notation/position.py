"""Position files (YAML): a hidden-card position or a known deal, read into a GAME record with its rules.

The keys are fixed by the pydantic model ``PositionFile``; ``json_schema`` publishes it. Everything that can
be wrong with a file raises NotationError (form) or ImpossiblePosition (content) naming file, line and key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from hanasolve.errors import HanasolveError, ImpossiblePosition, NotationError, nearest
from hanasolve.koikoi.game import cards, rules, yaku
from hanasolve.koikoi.game.options import complete, preset_options
from hanasolve.koikoi.notation.text import format_cards, read_lists

Player = Literal["A", "B"]
CardList = str | list[str]


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


def _caller(value: object) -> object:
    if value is None or value is False or (isinstance(value, str) and value.lower() in ("none", "no")):
        return "none"
    return _upper(value)


def _words(value: object) -> object:
    return [str(item) for item in value] if isinstance(value, list) else "" if value is None else str(value)


Cards = Annotated[
    CardList, BeforeValidator(_words), Field(description="codes with blanks or commas, or a list")
]
Seat = Annotated[Player, BeforeValidator(_upper)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TwoLists(_Strict):
    """One list of cards for each player."""

    A: Cards = ""
    B: Cards = ""


class MatchState(_Strict):
    """Where the match stands: the round being played and the points before it."""

    round: int = Field(ge=1)
    scores: dict[Player, int]


class PositionFile(_Strict):
    """A Koi-Koi position: ``hand`` for one player's view, ``hands`` and ``stock`` for a known deal."""

    game: Literal["koikoi"]
    rules: str = "nintendo"
    options: dict[str, str | int | bool] = Field(default_factory=dict)
    dealer: Seat = "A"
    to_move: Seat
    phase: Literal["play", "draw", "decide"] = "play"
    hand: Cards | None = None
    opponent_hand: int | None = Field(default=None, ge=0, le=8)
    hands: TwoLists | None = None
    field: Cards
    captured: TwoLists = Field(default_factory=TwoLists)
    koikoi: Annotated[Literal["none", "A", "B"], BeforeValidator(_caller)] = "none"
    drawn: str | None = None
    stock: Cards | None = None
    match: MatchState | None = None


def json_schema() -> dict[str, Any]:
    """The JSON schema of position files."""
    return PositionFile.model_json_schema()


@dataclass
class Position:
    """A position ready for use. In a hidden-card one the opponent's hand is empty in ``game`` and the stock
    -1."""

    game: Any
    rules: Any
    options: dict[str, str | int]
    known: bool
    opponent_cards: int  # number of cards in the hand of the player not to move
    match: MatchState | None = None
    preset: str = "nintendo"
    warnings: list[str] = field(default_factory=list)

    @property
    def unseen(self) -> int:
        """The cards that the mover does not see."""
        game = self.game
        seen = int(game["field"]) | int(game["piles"][0]) | int(game["piles"][1])
        seen |= int(game["hands"][game["mover"]]) | (1 << int(game["drawn"]) if game["drawn"] >= 0 else 0)
        return cards.ALL_CARDS & ~seen


def parse_position(
    text: str, source: str = "position", changes: Mapping[str, object] | None = None
) -> Position:
    """Read a position file's text; ``changes`` are options that override the file's."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise NotationError(f"{source}: {_yaml_place(error)}") from None
    if not isinstance(data, dict):
        raise NotationError(f"{source}: expected a YAML mapping that begins with game: koikoi")
    lines = _lines(node)
    try:
        file = PositionFile.model_validate(data)
    except ValidationError as error:
        raise NotationError(f"{source}: {_first_fault(error, lines)}") from None
    return _Builder(file, source, lines, changes or {}).build()


def _yaml_place(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
    return f"{place}not YAML: {getattr(error, 'problem', None) or error}"


def _lines(node: Any, path: str = "") -> dict[str, int]:
    """Line of every key path, for error messages."""
    found: dict[str, int] = {}
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            where = f"{path}.{key.value}" if path else str(key.value)
            found[where] = key.start_mark.line + 1
            found |= _lines(value, where)
    return found


def _first_fault(error: ValidationError, lines: dict[str, int]) -> str:
    fault = min(error.errors(), key=lambda entry: entry["type"] != "extra_forbidden")
    unknown = fault["type"] == "extra_forbidden"  # a key can be any text, also no identifier
    names = [str(part) for part in fault["loc"] if unknown or isinstance(part, int) or str(part).isidentifier()]
    path = ".".join(names)
    place = next((f"line {lines[p]}, " for p in (path, names[0] if names else "") if p in lines), "")
    if unknown:
        near = nearest(names[-1], list(PositionFile.model_fields))
        key = path if path.isprintable() and path.strip() else repr(path)
        return f"{place}key {key} is unknown" + (f"; did you mean {' or '.join(near)}?" if near else "")
    if fault["type"] == "missing":
        return f"key {path} is missing"
    return f"{place}{path}: {fault['msg']}, found {fault['input']!r}"


class _Builder:
    """Turns a checked file into a Position; every complaint goes through ``fail`` so that it names its
    place."""

    def __init__(
        self, file: PositionFile, source: str, lines: dict[str, int], changes: Mapping[str, object]
    ) -> None:
        self.file, self.source, self.lines = file, source, lines
        self.dealer, self.mover = "AB".index(file.dealer), "AB".index(file.to_move)
        self.known = file.hands is not None
        options: dict[str, Any] = {**file.options, **changes}
        try:
            self.rules = rules.make_rules(file.rules, options)
        except HanasolveError as error:
            raise type(error)(f"{source}: {self.at('options')}{error}") from None
        self.options = complete(file.rules, options)

    def at(self, key: str) -> str:
        line = self.lines.get(key) or self.lines.get(key.split(".")[0])
        return f"line {line}, {key}: " if line else f"{key}: "

    def fail(self, key: str, message: str, kind: str = "counts") -> ImpossiblePosition:
        return ImpossiblePosition(f"{self.source}: {self.at(key)}{message}", kind)

    def build(self) -> Position:
        self._check_keys()
        game = self._game()
        self._check_counts(game)
        self._check_piles(game)
        self._check_points(game)
        opponent = self._opponent_cards(game)
        match, preset = self.file.match, self.file.rules
        position = Position(game, self.rules, self.options, self.known, opponent, match, preset)
        if self.known and int(game["turn"]) == 1 and self.file.phase == "play":
            position.warnings = deal_warnings(game, self.rules)
        return position

    def _check_keys(self) -> None:
        file = self.file
        if (file.hand is None) == (file.hands is None):
            raise self.fail("hand", "give either hand (one player's view) or hands (known deal)", "keys")
        if self.known and file.stock is None:
            raise self.fail("hands", "a known deal needs stock as well", "keys")
        if not self.known and file.stock is not None:
            raise self.fail("stock", "stock belongs to a known deal: give hands instead of hand", "keys")
        if (file.phase == "draw") != (file.drawn is not None):
            raise self.fail("drawn", "drawn belongs to phase draw, and phase draw needs it", "keys")

    def _game(self) -> Any:
        file, game = self.file, rules.new_game()
        named: list[tuple[str, CardList]] = [("field", file.field)]
        named += [("captured.A", file.captured.A), ("captured.B", file.captured.B)]
        named += [("drawn", file.drawn or ""), ("stock", file.stock or "")]
        if file.hands is not None:
            named += [("hands.A", file.hands.A), ("hands.B", file.hands.B)]
        else:
            named += [("hand", file.hand or "")]
        try:
            field_cards, pile_a, pile_b, drawn, stock, *hands = read_lists(
                [(self.at(key).rstrip(": "), value) for key, value in named]
            )
        except NotationError as error:
            raise NotationError(f"{self.source}: {error}") from None
        game["field"] = cards.mask(field_cards)
        game["piles"][:] = cards.mask(pile_a), cards.mask(pile_b)
        if self.known:
            game["hands"][:] = cards.mask(hands[0]), cards.mask(hands[1])
        else:
            game["hands"][self.mover] = cards.mask(hands[0])
        self._place(game, drawn, stock)
        return game

    def _place(self, game: Any, drawn: list[int], stock: list[int]) -> None:
        """Turn, phase, caller and stock."""
        file = self.file
        played = 1 if file.phase != "play" else 0
        held = int(game["hands"][self.mover]).bit_count() + played
        if not 1 <= held <= 8:
            raise self.fail(
                "hands" if self.known else "hand", f"found {held - played} cards, expected 1 to 8"
            )
        turn = 2 * (8 - held) + (1 if self.mover == self.dealer else 2)
        game["dealer"], game["mover"], game["turn"] = self.dealer, self.mover, turn
        game["phase"] = rules.PHASES.index(file.phase)
        if file.koikoi != "none":
            game["calls"]["AB".index(file.koikoi)] = 1
        game["next"] = turn - 1 + played
        if len(drawn) > 1:
            raise self.fail("drawn", f"found {len(drawn)} cards, expected 1")
        game["drawn"] = drawn[0] if drawn else -1
        needed, room = rules.TURNS - int(game["next"]), 24 - int(game["next"])
        if self.known and not needed <= len(stock) <= room:
            raise self.fail(
                "stock", f"found {len(stock)} cards, expected {needed} to {room} before turn {turn}"
            )
        for index, card in enumerate(stock):
            game["stock"][int(game["next"]) + index] = card
        if file.phase == "draw":
            own = file.koikoi != "none" and int(game["calls"][self.mover]) > 0
            # A caller's points before this turn are not in the file: those of his pile as it lies are taken.
            game["before"] = int(yaku.points(int(game["piles"][self.mover]), self.rules)) if own else 0
            game["names_before"] = int(yaku.names(int(game["piles"][self.mover]), self.rules)) if own else 0

    def _opponent_cards(self, game: Any) -> int:
        turn, other = int(game["turn"]), 1 - self.mover
        before = turn - 1
        count = 8 - ((before + 1) // 2 if other == self.dealer else before // 2)
        if self.file.opponent_hand not in (None, count):
            raise self.fail(
                "opponent_hand", f"found {self.file.opponent_hand}, expected {count} on turn {turn}"
            )
        return count

    def _check_counts(self, game: Any) -> None:
        turn, phase, other = int(game["turn"]), self.file.phase, 1 - self.mover
        lying = int(game["field"]).bit_count() + sum(int(pile).bit_count() for pile in game["piles"])
        expected = 8 + 2 * (turn - 1) + {"play": 0, "draw": 1, "decide": 2}[phase]
        if lying != expected:
            raise self.fail(
                "field",
                f"field and captured hold {lying} cards, expected {expected} on turn {turn} ({phase})",
            )
        if self.known:
            held, count = int(game["hands"][other]).bit_count(), self._opponent_cards(game)
            if held != count:
                raise self.fail(
                    f"hands.{'AB'[other]}", f"found {held} cards, expected {count} on turn {turn}"
                )

    def _check_piles(self, game: Any) -> None:
        for player in range(2):
            pile = int(game["piles"][player])
            for month in range(12):
                taken = pile & (15 << 4 * month)
                if taken.bit_count() % 2:
                    key = f"captured.{'AB'[player]}"
                    raise self.fail(
                        key, f"{taken.bit_count()} cards of month {month + 1} ({format_cards(taken)}); "
                        "cards are captured in pairs: expected 0, 2 or 4", "pairs",
                    )  # fmt: skip

    def _check_points(self, game: Any) -> None:
        if self.rules["koikoi_limit"] == 1 or self.rules["rain_viewing"] == 1:
            return  # more than one caller, or points that can be lost: nothing certain to check
        caller, phase = self.file.koikoi, self.file.phase
        for player in range(2):
            points = int(yaku.points(int(game["piles"][player]), self.rules))
            name, key = "AB"[player], f"captured.{'AB'[player]}"
            if name == caller and points == 0:
                raise self.fail(key, f"{name} has called koi-koi but has no yaku", "points")
            in_turn = player == self.mover and phase != "play"
            if name != caller and points > 0 and not in_turn:
                raise self.fail(
                    key, f"{name} has {points} points without having called: over already", "points"
                )
            if phase == "decide" and player == self.mover and (points == 0 or caller != "none"):
                raise self.fail("phase", "nothing to decide: no yaku, or koi-koi was called before", "points")
            if phase == "decide" and player == self.mover and int(game["hands"][player]) == 0:
                raise self.fail("phase", "nothing to decide: with an empty hand the round is over", "points")


def deal_warnings(game: Any, rule_set: Any) -> list[str]:
    """What the rules would have made of this deal before its first turn."""
    found = [
        f"{'AB'[player]} holds a lucky hand; the value is that of the deal played on"
        for player in range(2)
        if int(rules.lucky_points(int(game["hands"][player]), rule_set)) and rule_set["lucky_hands"] != 1
    ]
    if rules.field_cancelled(int(game["field"]), rule_set):
        found.append("this field cancels the deal; the value is that of the deal played on")
    return found


def format_position(position: Position) -> str:
    """The position as a file's text; reading it back gives the same position."""
    game = position.game
    mover = int(game["mover"])
    lines = ["game: koikoi", f"rules: {position.preset}", f"dealer: {'AB'[int(game['dealer'])]}"]
    lines += [f"to_move: {'AB'[mover]}", f"phase: {rules.PHASES[int(game['phase'])]}"]
    changed = {k: v for k, v in position.options.items() if preset_options(position.preset)[k] != v}
    if changed:
        lines += ["options:", *(f'  {name}: "{value}"' for name, value in changed.items())]
    if position.known:
        lines += ["hands:", *(f"  {'AB'[p]}: {format_cards(int(game['hands'][p]))}" for p in range(2))]
    else:
        lines.append(f"hand: {format_cards(int(game['hands'][mover]))}")
    lines.append(f"field: {format_cards(int(game['field']))}")
    lines += ["captured:", *(f"  {'AB'[p]}: {format_cards(int(game['piles'][p]))}" for p in range(2))]
    if int(game["drawn"]) >= 0:
        lines.append(f"drawn: {cards.CODES[int(game['drawn'])]}")
    caller = "A" if game["calls"][0] else "B" if game["calls"][1] else "none"
    lines.append(f"koikoi: {caller}")
    if position.known:
        stock = [int(card) for card in game["stock"][int(game["next"]) :] if card >= 0]
        lines.append(f"stock: {format_cards(stock)}")
    if position.match is not None:
        scores = ", ".join(f"{name}: {points}" for name, points in position.match.scores.items())
        lines.append(f"match: {{round: {position.match.round}, scores: {{{scores}}}}}")
    return "\n".join(lines) + "\n"
