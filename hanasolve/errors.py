"""Every error the user can meet, one class for each kind of wrong. Nothing else is raised on purpose.

An error's text is one sentence for the user: where (file, line or JSON path), what was found, what was
expected, and what helps. The command line prints it after ``error:`` and ends with exit code 2
(``LimitReached``: 3, ``Interrupted``: 130).
"""

from __future__ import annotations

LONGEST_WORD, _SHOWN_OF_IT = 500, 200


def printable(text: str) -> str:
    """A text of unknown origin as a terminal may show it: control characters escaped, endless words cut short.

    Every error, warning and note passes through here, and what files say about themselves in headings.
    """
    if not text.isprintable():
        text = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
    if len(text) <= LONGEST_WORD:
        return text
    return " ".join(word if len(word) <= LONGEST_WORD else word[:_SHOWN_OF_IT] + " …" for word in text.split(" "))


class HanasolveError(Exception):
    """Base of all errors that are meant for the user; its text is ``printable``."""

    exit_code = 2

    def __str__(self) -> str:
        return printable(super().__str__())


class NotationError(HanasolveError):
    """A text, file, seed or URL does not follow its format."""


class UnsupportedVariant(HanasolveError):
    """The variant or option is unknown, or known and not supported by this command."""


class IllegalAction(HanasolveError):
    """An action that the rules forbid. ``code`` is the rules' error code, e.g. ``no_clue_token``."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class ImpossiblePosition(HanasolveError):
    """No deal agrees with what the position says. ``kind``: copies, clue-card, clues, joint."""

    def __init__(self, message: str, kind: str = "") -> None:
        super().__init__(message)
        self.kind = kind


class LimitReached(HanasolveError):
    """A limit in time or nodes was hit before the answer was proven. ``limit``: its name, e.g. the limit of 5s."""

    exit_code = 3

    def __init__(self, message: str, limit: str = "") -> None:
        super().__init__(message)
        self.limit = limit


class Interrupted(HanasolveError):
    """Ctrl-C ended a long count; the text says what is proven so far."""

    exit_code = 130


def nearest(word: str, known: list[str], count: int = 3) -> list[str]:
    """The ``count`` names of ``known`` that are most like ``word``, best first (case is ignored)."""
    import difflib

    folded = {name.casefold(): name for name in known}
    hits = difflib.get_close_matches(word.casefold(), list(folded), n=count, cutoff=0.5)
    return [folded[hit] for hit in hits]
