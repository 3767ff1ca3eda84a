"""What all answers have: a record, which is what ``--json`` prints, under a versioned name."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias

from hanasolve import __version__

Tell: TypeAlias = Callable[[str], None]
"""Takes a sentence for the user: a warning, a note."""
Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and of how much."""


def silent(text: str) -> None:
    """Tells nobody."""


class Answer(ABC):
    """Base of the frozen dataclasses that questions return.

    ``schema``: name and version of the record; ``docs/schemas/`` has a JSON Schema of that name.
    """

    schema: ClassVar[str]

    @abstractmethod
    def record(self) -> dict[str, Any]:
        """The fields of ``--json``, without ``schema`` and ``version``; numbers, texts, lists and dictionaries."""


def to_json(answer: Answer) -> str:
    """One JSON object, on one line."""
    head = {"schema": answer.schema, "version": __version__}
    return json.dumps({**head, **answer.record()}, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    """NumPy scalars and arrays, and tuples of them, as JSON can hold them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} in a record")
