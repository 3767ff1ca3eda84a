"""YAML documents with the line of every value, and without YAML's surprises.

A plain word is a word (``no`` and ``on`` too); only whole and decimal numbers, ``true``, ``false`` and
``null`` are more. ``?`` is a word, not the mark of a complex key. Aliases, tags and repeated keys are
refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from hanasolve.errors import NotationError

Path = tuple[str | int, ...]

MAX_DEPTH = 20

_INT = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_DECIMAL = re.compile(r"-?[0-9]{1,15}\.[0-9]{1,15}", re.ASCII)
_CONSTANTS = {"true": True, "false": False, "null": None, "~": None, "": None}


@dataclass
class Document:
    """A document's data, and the line (from 1) of each value by its path of keys and indices."""

    data: Any
    lines: dict[Path, int] = field(default_factory=dict)

    def place(self, path: Path) -> str:
        """``line 7, hands.Bob[1]``; the nearest enclosing value's line if this one is not in the file."""
        line = next((self.lines[path[:n]] for n in range(len(path), -1, -1) if path[:n] in self.lines), 1)
        return f"line {line}, {path_text(path)}" if path else f"line {line}"


def path_text(path: Path) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.lstrip(".")


class _Loader(yaml.SafeLoader):
    """PyYAML's loader, with ``?`` as an ordinary character and a limit to nesting."""

    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise RecursionError
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def check_key(self) -> bool:
        return False

    def check_plain(self) -> bool:
        return bool(self.peek() == "?" or super().check_plain())

    def fetch_plain(self) -> None:
        """In brackets a ``?`` stands alone (PyYAML's own scanner would stop before it for ever)."""
        if not (self.flow_level and self.peek() == "?"):
            super().fetch_plain()
            return
        self.save_possible_simple_key()
        self.allow_simple_key = False
        start = self.get_mark()
        self.forward()
        self.tokens.append(yaml.ScalarToken("?", True, start, self.get_mark()))


def load_yaml(text: str) -> Document:
    """The one document of a text; NotationError names line and column of the first fault."""
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = f"line {mark.line + 1}, column {mark.column + 1}" if mark is not None else "the file"
        raise NotationError(f"{at}: found no valid YAML, expected otherwise: {error.problem}") from None
    except yaml.YAMLError as error:
        reason = str(error).splitlines()[0]
        raise NotationError(f"found no valid YAML, expected a position ({reason})") from None
    except RecursionError:
        raise NotationError("found YAML nested too deeply, expected a position") from None
    if node is None:
        raise NotationError("line 1: found an empty file, expected a position")
    document = Document(None)
    document.data = _value(node, (), document, set())
    return document


def _value(node: Any, path: Path, document: Document, seen: set[int]) -> Any:
    line = node.start_mark.line + 1
    document.lines.setdefault(path, line)
    if id(node) in seen:
        raise NotationError(f"line {line}, {path_text(path)}: found an alias, expected the value itself")
    seen.add(id(node))
    if not node.tag.startswith("tag:yaml.org,2002:") or "python" in node.tag:
        raise NotationError(f"line {line}, {path_text(path)}: found the tag {node.tag}, expected none")
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, (*path, index), document, seen) for index, item in enumerate(node.value)]
    mapping: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key_line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise NotationError(f"line {key_line}: found a list or mapping as a key, expected a word")
        key = str(key_node.value)
        if key in mapping:
            raise NotationError(f"line {key_line}: found {key!r} twice, expected each key once")
        document.lines[(*path, key)] = key_line
        mapping[key] = _value(value_node, (*path, key), document, seen)
    return mapping


def _scalar(node: Any) -> str | int | float | bool | None:
    text = str(node.value)
    if node.style is not None:  # quoted
        return text
    if text.lower() in _CONSTANTS:
        return _CONSTANTS[text.lower()]
    if _INT.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text
