"""Which conventions there are, and what each of them is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hanasolve.answers.answer import Answer

if TYPE_CHECKING:
    from hanasolve.hanabi.conventions.convention import Convention


@dataclass(frozen=True)
class ConventionsAnswer(Answer):
    """Conventions, in the order of the catalogue."""

    schema = "hanasolve.conventions/1"
    conventions: tuple[Convention, ...]

    def record(self) -> dict[str, Any]:
        """The fields of ``--json``."""
        return {"conventions": [_record(convention) for convention in self.conventions]}


def conventions(name: str | None = None) -> ConventionsAnswer:
    """All conventions with the searches' ceiling (``oracle``), or the one of this name or file.

    NotationError if there is none.
    """
    from hanasolve.batch.games import find_with_oracle
    from hanasolve.batch.oracle import ORACLE
    from hanasolve.hanabi.conventions.find import convention_names

    names = [name] if name else [*convention_names(), ORACLE.name]
    return ConventionsAnswer(tuple(find_with_oracle(text) for text in names))


def _record(convention: Convention) -> dict[str, Any]:
    return {
        "name": convention.name,
        "about": convention.about,
        "source": convention.source,
        "players": list(convention.players),
        "deterministic": convention.deterministic,
        "open_hands": convention.open_hands,
        "label": convention.label or None,
    }
