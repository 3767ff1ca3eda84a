"""Is a schema strict? A record of which a field is missing, added or of another type must be refused."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator
from typing import Any

from tests.conftest import validator


def spoilt(value: Any, free: Collection[str], path: str = "$") -> Iterator[tuple[str, Any]]:
    """(what was done, the record with it) for every field of every object; ``free``: fields that hold any names."""
    if isinstance(value, dict):
        yield f"{path}: a field more", {**value, "a surprise": 0}
        for name, part in value.items():
            yield f"{path}.{name} is missing", {key: other for key, other in value.items() if key != name}
            yield f"{path}.{name} is of another type", {**value, name: [{"of another": "type"}]}
            if name not in free:
                yield from ((what, {**value, name: bad}) for what, bad in spoilt(part, free, f"{path}.{name}"))
    elif isinstance(value, list):
        for index, part in enumerate(value[:2]):
            for what, bad in spoilt(part, free, f"{path}[{index}]"):
                yield what, [*value[:index], bad, *value[index + 1 :]]


def assert_strict(schema: str, record: dict[str, Any], free: Collection[str] = ()) -> None:
    """The schema takes the record, and nothing that is spoilt."""
    whole = {"schema": schema, "version": "0", **copy.deepcopy(record)}
    check = validator(schema)
    assert [fault.message for fault in check.iter_errors(whole)] == []
    passed = [what for what, bad in spoilt(whole, free) if check.is_valid(bad)]
    assert not passed, f"{schema} takes {passed[:5]}"
