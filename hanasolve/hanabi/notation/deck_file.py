"""Deck files: one deck a line, as cards (``r1 b4 …`` or ``[r1, b4, …]``), a seed, a link or a JSON object; comments
with ``#``.

A JSON object has ``deck`` (``[[suit, rank], …]``) and ``players`` (a number or names), and may have what a
game file has. A line of cards says neither players nor variant: they are given beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from hanasolve.errors import HanasolveError, NotationError, printable
from hanasolve.hanabi.game.deck import is_seed, parse_seed, shuffle
from hanasolve.hanabi.game.records import Replay, default_names
from hanasolve.hanabi.game.variants import NO_VARIANT, load_variant
from hanasolve.hanabi.notation.hanab_live import parse_record
from hanasolve.hanabi.notation.jsonc import load_jsonc
from hanasolve.hanabi.notation.replay_url import is_url, parse_url
from hanasolve.hanabi.notation.table_options import default_options
from hanasolve.hanabi.notation.text import copies_warnings, format_cards, parse_deck

_LIST = re.compile(r"\[[^\[\]{}:]*+\],?")


def parse_deck_file(
    text: str, *, players: int | None = None, variant: str | None = None
) -> Iterator[tuple[int, Replay]]:
    """(line number from 1, replay) of each line that holds one; errors name the line."""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        words = line.strip()
        if not words or words.startswith("#"):
            continue
        try:
            replay = parse_line(words, players=players, variant=variant)
        except HanasolveError as error:
            raise located(error, f"line {number}") from None
        yield number, replay


def located(error: HanasolveError, place: str) -> HanasolveError:
    """The same error with its place in front of the sentence."""
    error.args = (f"{place}: {error}", *error.args[1:])
    return error


def parse_line(line: str, *, players: int | None = None, variant: str | None = None) -> Replay:
    """One line of a deck file."""
    if line.startswith("{"):
        data = load_jsonc(line)
        return parse_record(data, players=players, variant=variant, need_actions=False)
    words = line.partition("#")[0].strip()
    if is_seed(words):
        return deal_seed(words, players=players, variant=variant)
    if is_url(line):
        return parse_url(line)
    if is_list(words):
        words = words.strip("[], ").replace('"', "").replace("'", "")
    if players is None:
        raise NotationError("found a deck without the number of players, expected --players N with it")
    kind = load_variant(variant or NO_VARIANT)
    deck = parse_deck(words, kind)
    warnings = copies_warnings(deck, kind)
    if len(deck) < kind.deck_size:
        warnings.append(f"only the first {len(deck)} of {kind.deck_size} cards are known")
    return Replay(
        variant=kind,
        options=default_options(kind, players),
        names=default_names(players),
        deck=deck,
        warnings=tuple(warnings),
    )


def is_list(line: str) -> bool:
    """Whether a line is a list of cards in brackets."""
    words = line.partition("#")[0].strip()
    return _LIST.fullmatch(words) is not None and any(map(str.isalpha, words))


def deal_seed(text: str, *, players: int | None = None, variant: str | None = None) -> Replay:
    """The deal of a seed; a ``legacy-k-`` seed makes seat k act first."""
    seed = parse_seed(text)
    if players is not None and players != seed.players:
        raise NotationError(f"seed {text}: found {seed.players} players, expected {players} as in --players")
    kind = load_variant(seed.variant_id)
    if variant is not None and load_variant(variant) != kind:
        given = load_variant(variant).name
        raise NotationError(f"seed {text}: found variant {kind.name!r}, expected {given!r} as in --variant")
    options = default_options(kind, seed.players)
    first = seed.legacy_first_player
    if first is not None:
        if first >= seed.players:
            raise NotationError(f"seed {text}: found first player {first}, expected 0 to {seed.players - 1}")
        options = replace(options, first_player=first)
    deck = tuple(shuffle(text, kind.deck_in_order()))
    return Replay(variant=kind, options=options, names=default_names(seed.players), deck=deck, seed=text)


def format_deck(replay: Replay) -> str:
    """A deck as a line of cards, with a comment above it for what the line does not say."""
    seed = f", seed {printable(replay.seed)}" if replay.seed else ""
    head = f"# {replay.variant.name}, {replay.options.players} players{seed}"
    return f"{head}\n{format_cards(replay.deck, replay.variant)}\n"
