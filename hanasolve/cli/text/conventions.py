"""``hanasolve conventions`` as text: what there is, and what a check found."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from hanasolve.cli.text.style import bold
from hanasolve.errors import printable

if TYPE_CHECKING:
    from hanasolve.answers.conventions import ConventionsAnswer
    from hanasolve.answers.conventions_check import CheckAnswer
    from hanasolve.batch.watched_game import Problem
    from hanasolve.hanabi.conventions.convention import Convention

_OWN = "Your own: hanasolve conventions new NAME, then hanasolve compare NAME.py simple"


def text(answer: ConventionsAnswer) -> str:
    """A paragraph for each convention; after a list of them, how to add one's own."""
    found = [_paragraph(convention) for convention in answer.conventions]
    return "\n\n".join([*found, _OWN] if len(found) > 1 else found)


def _paragraph(convention: Convention) -> str:
    players = ", ".join(map(str, convention.players))
    facts = [f"{players} players", "" if convention.deterministic else "rolls dice", convention.label]
    lines = [f"{bold(convention.name)}  ({'; '.join(filter(None, facts))})"]
    about = printable(" ".join(convention.about.split()))
    lines += textwrap.wrap(about, 100, initial_indent="  ", subsequent_indent="  ")
    lines += [f"  source: {printable(convention.source)}"] if convention.source else []
    return "\n".join(lines)


# -------------------------------------------------------------------------------------------------- a check


def check_text(answer: CheckAnswer) -> str:
    """Means, speeds, and every kind of problem once, with the places where it came up."""
    found = answer.found
    lines = [bold(f"{found.name}: {found.games} games played to the end")]
    for players, one in found.means.items():
        spread = f" ± {one.se:.2f}" if one.n > 1 else ""
        lines.append(f"  {players} players: mean {one.mean:.2f}{spread} ({one.n} games, points kept)")
    speeds = (("compiled", found.compiled_per_second), ("as plain Python", found.plain_per_second))
    if any(speed for _, speed in speeds):
        words = (f"{speed:,.0f} {how}" for how, speed in speeds if speed is not None)
        lines.append(f"  games a second: {', '.join(words)}")
    if found.ok:
        lines.append(f"  no illegal move, no crash, no leak ({found.leaks_checked} other deals tried)")
    alike: dict[tuple[str, str], list[Problem]] = {}
    for problem in found.problems:
        alike.setdefault((problem.kind, problem.text), []).append(problem)
    return "\n".join([*lines, *(_problem(*problems) for problems in alike.values())])


def _problem(first: Problem, *others: Problem) -> str:
    """A problem with its link, and where else it came up."""
    link = f"\n    {first.url}" if first.url else ""
    also = f"\n    also: {'; '.join(map(_place, others))}" if others else ""
    return f"  {first.kind} ({_place(first)}): {first.text}{link}{also}"


def _place(problem: Problem) -> str:
    turn = f", turn {problem.turn}" if problem.turn is not None else ""
    place = f", seed {problem.seed}{turn}" if problem.seed is not None else ""
    return f"{problem.players} players{place}"
