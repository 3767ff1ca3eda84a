"""The page of ``hanasolve review --html``: one file that opens offline and loads nothing.

The review (the fields of ``--json``) and the table before every turn are embedded once, as JSON; the page's
own script draws the timeline and the board from them. Without a script the summary and the list of moves
remain. The same input gives the same bytes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hanasolve.answers.review import ReviewAnswer
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.notation.replay_url import format_url, lost_in_url
from hanasolve.report.page import page
from hanasolve.report.review_board import board_fields

_TEMPLATES = Path(__file__).parent / "templates"


def review_page(answer: ReviewAnswer) -> str:
    """The whole page as text."""
    from markupsafe import Markup

    replay, fields = answer.replay, answer.record()
    data: dict[str, Any] = {"review": fields, "board": board_fields(replay), "names": list(replay.names)}
    return page(
        "review.html",
        review=fields,
        names=list(replay.names),
        title=_title(answer.source, replay),
        links=_links(replay),
        data=Markup(embedded_json(data)),
        style=Markup((_TEMPLATES / "review.css").read_text(encoding="utf-8")),
        script=Markup((_TEMPLATES / "review.js").read_text(encoding="utf-8")),
    )


def embedded_json(data: Any) -> str:
    """JSON that may stand inside a script element: no character of it can end the element."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _title(source: str, replay: Replay) -> str:
    """Where the game comes from, in short: a link's payload says nothing to a reader."""
    short = source if len(source) <= 60 else f"{source[:24]}…"
    return f"{short} · seed {replay.seed}" if replay.seed and replay.seed not in short else short


def _links(replay: Replay) -> list[tuple[str, str]]:
    """(text, address) of the game on hanab.live: the recorded one if it has a number, and the replay link."""
    links = []
    if replay.id is not None and replay.id > 0:
        links.append((f"game {replay.id}", f"https://hanab.live/replay/{replay.id}"))
    if replay.variant.id >= 0 and not replay.is_partial and not lost_in_url(replay):
        links.append(("replay", format_url(replay)))
    return links
