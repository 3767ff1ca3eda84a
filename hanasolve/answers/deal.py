"""The deck of a seed in drawing order, and the hands it deals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from hanasolve.answers.answer import Answer, Tell, silent
from hanasolve.answers.reading import Given, read_items, replay_of

if TYPE_CHECKING:
    from hanasolve.hanabi.game.records import Replay


@dataclass(frozen=True)
class Deal:
    """One deal; ``source`` names it: a seed, a file, or ``file:line``."""

    source: str
    replay: Replay

    @property
    def hands(self) -> list[tuple[int, ...]]:
        """The dealt hands by seat, oldest card first: seat 0 takes its whole hand, then seat 1, and so on."""
        size, deck = self.replay.options.cards_per_hand, self.replay.deck
        return [deck[seat * size : (seat + 1) * size] for seat in range(self.replay.options.players)]

    def record(self) -> dict[str, Any]:
        """The fields of one result."""
        replay, name = self.replay, self.replay.variant.card_name
        return {
            "source": self.source,
            "seed": replay.seed,
            "players": replay.options.players,
            "variant": replay.variant.name,
            "deck": [name(card) for card in replay.deck],
            "deck_indices": [list(replay.variant.suit_rank(card)) for card in replay.deck],
            "hands": [[name(card) for card in hand] for hand in self.hands],
        }


@dataclass(frozen=True)
class DealAnswer(Answer):
    """The deals of all sources, in their order."""

    schema = "hanasolve.deal/1"
    deals: tuple[Deal, ...]

    def record(self) -> dict[str, Any]:
        """The fields of ``--json``: ``results`` with one for each deal."""
        return {"results": [deal.record() for deal in self.deals]}


def deal(
    sources: Given, *, players: int | None = None, variant: str | None = None, warn: Tell = silent,
    stdin: TextIO | None = None,
) -> DealAnswer:  # fmt: skip
    """The decks of seeds, ranges, files and links, in drawing order, and the hands they deal.

    ``players`` and ``variant`` serve decks that do not say. Cards are identities in ``deals``, names (``r1``) in the
    record. NotationError for what cannot be read and for positions.
    """
    return DealAnswer(tuple(deals(sources, players, variant, warn, stdin)))


def deals(
    sources: Given, players: int | None = None, variant: str | None = None, warn: Tell = silent,
    stdin: TextIO | None = None,
) -> Iterator[Deal]:  # fmt: skip
    """As ``deal``, one at a time: a range may be long."""
    for item in read_items(sources, players, variant, stdin, warn):
        yield Deal(item.source, replay_of(item))
