"""``hanasolve deal``: the deck of a seed, and the hands it deals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hanasolve.answers.reading import replay_of
from hanasolve.cli.common import Json, Players, Sources, VariantName, print_json, read_items
from hanasolve.cli.text.style import bold, cards_text

if TYPE_CHECKING:
    from hanasolve.hanabi.game.records import Replay

_CARDS_A_LINE = 10


def command(
    sources: Sources, players: Players = None, variant: VariantName = None, json: Json = False
) -> None:
    """Show the deck of a seed in drawing order and the hands it deals.

    Hands are shown with slot 1, the newest card, first. Decks of files and links can be shown as well.
    """
    results = []
    for item in read_items(sources, players, variant):
        replay = replay_of(item)
        if json:
            results.append(_result(item.source, replay))
        else:
            print(_text(item.source, replay))
    if json:
        print_json("deal/1", {"results": results})


def hands_of(replay: Replay) -> list[tuple[int, ...]]:
    """The dealt hands by seat, oldest card first: seat 0 takes its whole hand, then seat 1, and so on."""
    size = replay.options.cards_per_hand
    return [replay.deck[seat * size : (seat + 1) * size] for seat in range(replay.options.players)]


def _result(source: str, replay: Replay) -> dict[str, Any]:
    name = replay.variant.card_name
    return {
        "source": source,
        "seed": replay.seed,
        "players": replay.options.players,
        "variant": replay.variant.name,
        "deck": [name(card) for card in replay.deck],
        "deck_indices": [list(replay.variant.suit_rank(card)) for card in replay.deck],
        "hands": [[name(card) for card in hand] for hand in hands_of(replay)],
    }


def _text(source: str, replay: Replay) -> str:
    variant, dealt = replay.variant, replay.options.players * replay.options.cards_per_hand
    lines = [bold(f"{source}: {variant.name}, {replay.options.players} players, {len(replay.deck)} cards")]
    width = max(map(len, replay.names))
    for name, hand in zip(replay.names, hands_of(replay), strict=True):
        lines.append(f"  {name:<{width}}  {cards_text(variant, reversed(hand))}")
    left = replay.deck[dealt:]
    for start in range(0, len(left), _CARDS_A_LINE):
        head = "deck" if start == 0 else ""
        lines.append(f"  {head:<{width}}  {cards_text(variant, left[start : start + _CARDS_A_LINE])}")
    return "\n".join(lines)
