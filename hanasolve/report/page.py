"""Pages that open offline: one HTML file with its figures inside and nothing to load; numbers written for people.

The same input gives the same bytes: no dates, no random ids.
"""

from __future__ import annotations

from typing import Any

from hanasolve.report.render import render

MINUS = "−"


def page(template: str, **fields: Any) -> str:
    """An HTML template filled in, with the filters below for numbers and ``svg`` for figures."""
    from markupsafe import Markup

    filters = {"fixed": fixed, "signed": signed, "percent": percent, "p": p_text, "svg": Markup}
    return render(template, filters, **fields)


def fixed(value: float | None, digits: int = 2) -> str:
    """A number with that many digits after the point, a dash for a missing one."""
    return "–" if value is None else f"{value:,.{digits}f}".replace("-", MINUS)


def signed(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:+,.{digits}f}".replace("-", MINUS)


def percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def p_text(value: float | None) -> str:
    """A p value; small ones by their bound."""
    if value is None:
        return "–"
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"
