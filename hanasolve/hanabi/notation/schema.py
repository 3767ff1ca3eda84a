"""A check of decoded data against the part of JSON Schema that pydantic writes for position files.

Small on purpose: it answers with the one place that is most to blame, and its message uses the schema's
descriptions. Keywords: type, properties, required, additionalProperties, items, anyOf, $ref, pattern, limits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from hanasolve.errors import NotationError
from hanasolve.hanabi.notation.faults import fault, is_int
from hanasolve.hanabi.notation.yaml_lines import Document, Path

Schema = Mapping[str, Any]

_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, Mapping),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": is_int,
    "number": lambda value: is_int(value) or isinstance(value, float),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


def check(document: Document, schema: Schema) -> None:
    """NotationError if the document does not follow the schema."""
    _Check(document, schema).value(document.data, schema, (), "a position: a mapping with at least `hands`")


class _Check:
    def __init__(self, document: Document, root: Schema) -> None:
        self.document, self.root = document, root

    def value(self, value: Any, schema: Schema, path: Path, expected: str) -> None:
        """Check one value; ``expected`` is the description of the nearest schema around it."""
        expected = schema.get("description", expected) if path else expected
        if "$ref" in schema:
            target = self.root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
            self.value(value, {**target, "description": expected}, path, expected)
        elif "anyOf" in schema:
            self._any(value, schema["anyOf"], path, expected)
        elif not _TYPES.get(schema.get("type", ""), lambda _: True)(value) or not _within(value, schema):
            raise fault(self.document.place(path), value, expected)
        elif isinstance(value, Mapping):
            self._object(value, schema, path, expected)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                self.value(item, schema.get("items", {}), (*path, index), expected)

    def _any(self, value: Any, branches: list[Schema], path: Path, expected: str) -> None:
        """One branch must fit. If a branch is of the value's type, its error is the most helpful one."""
        inner = None
        for branch in branches:
            try:
                return self.value(value, branch, path, expected)
            except NotationError as error:
                if isinstance(value, Mapping | list) and self._type(branch) in _kind_of(value):
                    inner = error
        raise inner or fault(self.document.place(path), value, expected)

    def _type(self, branch: Schema) -> str:
        if "$ref" in branch:
            branch = self.root["$defs"][branch["$ref"].rsplit("/", 1)[1]]
        return str(branch.get("type", ""))

    def _object(self, value: Mapping[str, Any], schema: Schema, path: Path, expected: str) -> None:
        known = schema.get("properties", {})
        extra = schema.get("additionalProperties", True)
        for key, item in value.items():
            if key in known:
                self.value(item, known[key], (*path, key), expected)
            elif extra is False:
                place = self.document.place((*path, key))
                raise fault(place, key, "one of " + ", ".join(known), known)
            elif isinstance(extra, Mapping):
                self.value(item, extra, (*path, key), expected)
        for key in schema.get("required", ()):
            if key not in value:
                hint = known[key].get("description", "it")
                raise NotationError(f"{self.document.place(path)}: found no `{key}`, expected {hint}")


def _kind_of(value: Any) -> str:
    return "object" if isinstance(value, Mapping) else "array"


def _within(value: Any, schema: Schema) -> bool:
    """Limits on numbers, lengths of lists and texts, and the pattern of a text."""
    if isinstance(value, str):
        fits = "pattern" not in schema or re.search(schema["pattern"], value) is not None
        return fits and len(value) >= int(schema.get("minLength", 0))
    if isinstance(value, list):
        return int(schema.get("minItems", 0)) <= len(value) <= int(schema.get("maxItems", len(value)))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return True
