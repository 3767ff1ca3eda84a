"""Templates of ``report/templates`` filled in."""

from __future__ import annotations

from typing import Any

from hanasolve import __version__


def render(template: str, filters: dict[str, Any] | None = None, **fields: Any) -> str:
    """The text of a template; in ``.html`` files values are escaped, in others not."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("hanasolve.report"),
        autoescape=template.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(filters or {})
    return environment.get_template(template).render(version=__version__, **fields)
