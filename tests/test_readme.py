"""The README's sessions are real: every command is run and its output compared, word for word.

`python tests/test_readme.py` writes the present output into the README.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_CUT = 160  # longer lines (links) are cut in the README, with an ellipsis


def output_of(line: str) -> str:
    """What a command of the README prints; ``| head -N`` is understood."""
    from hanasolve.cli.app import main

    command, _, head = line.partition(" | head -")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.chdir(ROOT):
        main([*shlex.split(command)[1:], "--quiet"])
    lines = printed.getvalue().rstrip("\n").split("\n")
    lines = [text if len(text) <= _CUT else text[: _CUT - 1] + "…" for text in lines]
    return "\n".join(lines[: int(head)] if head else lines).rstrip("\n")


def sessions() -> list[tuple[str, str]]:
    """(command, expected output) of every session."""
    found = []
    for block in _BLOCK.findall(README.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            found.append((command, expected.rstrip("\n")))
    return found


@pytest.mark.parametrize(("command", "expected"), sessions(), ids=lambda text: text[:40])
def test_session(command: str, expected: str) -> None:
    assert expected, "the README shows no output"
    assert output_of(command) == expected


def test_python_example() -> None:
    text = README.read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    expected = re.search(r"```text\n(.*?)```", text, re.DOTALL)
    assert code and expected
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code.group(1), {})
    assert printed.getvalue() == expected.group(1)


def test_every_command_has_a_session() -> None:
    from hanasolve.cli.app import available

    shown = {command.split()[1] for command, _ in sessions()}
    assert shown == set(available())


def write() -> None:
    def fill(block: re.Match[str]) -> str:
        commands = re.findall(r"^\$ (.*)$", block.group(1), re.MULTILINE)
        return "```console\n" + "".join(f"$ {one}\n{output_of(one)}\n" for one in commands) + "```"

    README.write_text(_BLOCK.sub(fill, README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    write()
