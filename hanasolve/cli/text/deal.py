"""``hanasolve deal`` as text: hands with the newest card first, then the deck."""

from __future__ import annotations

from hanasolve.answers.deal import Deal
from hanasolve.cli.text.style import bold, cards_text

_CARDS_A_LINE = 10


def text(deal: Deal) -> str:
    replay = deal.replay
    variant, dealt = replay.variant, replay.options.players * replay.options.cards_per_hand
    lines = [bold(f"{deal.source}: {variant.name}, {replay.options.players} players, {len(replay.deck)} cards")]
    width = max(map(len, replay.names))
    for name, hand in zip(replay.names, deal.hands, strict=True):
        lines.append(f"  {name:<{width}}  {cards_text(variant, reversed(hand))}")
    left = replay.deck[dealt:]
    for start in range(0, len(left), _CARDS_A_LINE):
        head = "deck" if start == 0 else ""
        lines.append(f"  {head:<{width}}  {cards_text(variant, left[start : start + _CARDS_A_LINE])}")
    return "\n".join(lines)
