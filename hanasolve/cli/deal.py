"""``hanasolve deal``: the deck of a seed, and the hands it deals."""

from __future__ import annotations

import sys

from hanasolve.answers.answer import to_json
from hanasolve.answers.deal import DealAnswer, deals
from hanasolve.cli.common import Json, Players, Sources, VariantName, warn
from hanasolve.cli.text.deal import text


def command(
    sources: Sources, players: Players = None, variant: VariantName = None, json: Json = False
) -> None:
    """Show the deck of a seed in drawing order and the hands it deals.

    Hands are shown with slot 1, the newest card, first. Decks of files and links can be shown as well.
    """
    found = deals(sources, players, variant, warn, sys.stdin)
    if json:
        print(to_json(DealAnswer(tuple(found))))
    else:
        for deal in found:
            print(text(deal))
