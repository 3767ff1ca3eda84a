"""A table's habits as a TOML file: an ordered list of named rules, or the weights of an H-Group player.

    name = "friday table"
    about = "We save nothing and clue what plays."

    [[rule]]
    do = "PlaySafe"

    [[rule]]
    do = "PlayProbable"
    chance = 0.7
    strikes_left_above = 1

The rules and their parameters are those of ``rule_names``. With ``base`` the file changes weights of
``hgroup/hgroup.toml`` instead:

    base = "hgroup3"

    [weights]
    discard = 0.4
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from hanasolve.errors import NotationError, nearest
from hanasolve.hanabi.conventions.catalogue import BUILT_IN
from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.players.hgroup.parameters import LEVELS, checked_weights
from hanasolve.hanabi.conventions.players.hgroup.parameters import setup_of as setup_with
from hanasolve.hanabi.conventions.rule_names import MAX_RULES, RULES, Rule, setup_of

_KINDS: dict[str, tuple[type, ...]] = {
    "chance": (int, float),
    "strikes_left_above": (int,),
    "strikes_left_at_most": (int,),
    "tokens_below": (int,),
    "deck_empty": (bool,),
}
_WORDS = {float: "a number", int: "a whole number", bool: "true or false"}


def read_rule_list(path: Path) -> Convention:
    """The convention of a rule list file; NotationError names the rule and the key."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NotationError(f"{path}: {error.strerror or 'cannot be read'}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NotationError(f"{path}: not TOML: {error}") from None
    _check_texts(content, path)
    if "base" in content:
        return _based(content, path)
    strange = sorted(set(content) - {"name", "about", "source", "rule"})
    if strange:
        raise NotationError(f"{path}: unknown key {strange[0]!r}, expected name, about, source and [[rule]]")
    entries = content.get("rule", [])
    if not isinstance(entries, list):
        raise NotationError(f"{path}: rule: found {entries!r}, expected [[rule]] tables")
    if not 1 <= len(entries) <= MAX_RULES:
        raise NotationError(f"{path}: expected 1 to {MAX_RULES} [[rule]] tables, found {len(entries)}")
    rules = tuple(_rule(entry, f"{path}: rule[{i}]") for i, entry in enumerate(entries))
    return Convention(
        str(content.get("name", path.stem)),
        str(content.get("about", "A rule list: " + ", ".join(rule.name for rule in rules) + ".")),
        str(content.get("source", str(path))),
        "rule_list",
        deterministic=False,
        shared=True,
        setup=setup_of(rules),
    )


def _check_texts(content: dict[str, Any], path: Path) -> None:
    """The name stands in tables and files: a text of one line; the others are texts."""
    name = content.get("name", "-")
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise NotationError(f"{path}: name: found {name!r}, expected a text of one line")
    for key in ("about", "source"):
        if not isinstance(content.get(key, ""), str):
            raise NotationError(f"{path}: {key}: found {content[key]!r}, expected a text")


def _based(content: dict[str, Any], path: Path) -> Convention:
    """An H-Group player with other weights."""
    strange = sorted(set(content) - {"name", "about", "source", "base", "weights"})
    if strange:
        raise NotationError(
            f"{path}: unknown key {strange[0]!r}, expected name, about, source, base and [weights]"
        )
    base, weights = content["base"], content.get("weights", {})
    if not isinstance(base, str) or base not in LEVELS:
        raise NotationError(f"{path}: base: found {base!r}, expected {', '.join(LEVELS)}")
    if not isinstance(weights, dict):
        raise NotationError(f"{path}: weights: found {weights!r}, expected a table [weights]")
    changes = checked_weights(weights, f"{path}: weights")
    listed = ", ".join(f"{key} {value:g}" for key, value in changes.items()) or "none"
    return replace(
        BUILT_IN[base],
        name=str(content.get("name", path.stem)),
        about=str(content.get("about", f"{base} with other weights: {listed}.")),
        source=str(content.get("source", str(path))),
        setup=setup_with(base, changes),
    )


def _rule(entry: Any, where: str) -> Rule:
    if not isinstance(entry, dict) or not isinstance(entry.get("do"), str):
        raise NotationError(f'{where}: expected a table with do = "RULE"')
    fields = dict(entry)
    name = str(fields.pop("do"))
    if name not in RULES:
        close = ", ".join(nearest(name, list(RULES))) or ", ".join(RULES)
        raise NotationError(f"{where}.do: unknown rule {name!r}; nearest: {close}")
    for key, value in fields.items():
        if key not in _KINDS:
            raise NotationError(f"{where}: unknown key {key!r}, expected {', '.join(_KINDS)}")
        if not isinstance(value, _KINDS[key]) or (isinstance(value, bool) and key != "deck_empty"):
            raise NotationError(f"{where}.{key}: found {value!r}, expected {_WORDS[_KINDS[key][-1]]}")
    if not 0 <= fields.get("chance", 0) <= 1:
        raise NotationError(f"{where}.chance: found {fields['chance']}, expected a number from 0 to 1")
    return Rule(name, **fields)
