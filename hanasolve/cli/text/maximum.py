"""``hanasolve max`` as text: a deck with its line, or the counts over many."""

from __future__ import annotations

from hanasolve.answers.maxima import MaximaAnswer, Summary
from hanasolve.answers.maximum import MaxAnswer, reachable
from hanasolve.cli.text.style import bold

_SHOWN_LOSSES = 20
_UNVERIFIED = "could not confirm both within its limit"


def text(answer: MaxAnswer | MaximaAnswer) -> str:
    return _deck(answer) if isinstance(answer, MaxAnswer) else _summary(answer.summary)


def effort(answer: MaxAnswer | MaximaAnswer) -> str:
    """What it took, for a note."""
    if isinstance(answer, MaxAnswer):
        return f"{answer.found.seconds:.2f} s of CPU"
    slow = ", ".join(f"{row['source']} {row['seconds']:.2f} s" for row in answer.summary.slowest[:3])
    return f"{answer.summary.seconds:.1f} s of CPU in all; slowest: {slow}"


def left_open(answer: MaximaAnswer) -> str:
    """How many decks are not decided, for a note."""
    count = len(answer.summary.undecided)
    are = "is" if count == 1 else "are"
    return f"{count} of {answer.summary.count} decks {are} not decided within {answer.limit} for each"


def _deck(answer: MaxAnswer) -> str:
    from hanasolve.batch.decks import asked_from, line_of

    found, solution, goal = answer.found, answer.solution, answer.question.goal
    table = found.table
    known = "part of the deck known" if found.lacks else "known deck"
    asked = asked_from(answer.item, table, answer.question.turn)
    lines = [bold(f"{answer.item.source}: {table.variant.name}, {table.options.players} players, {known}")]
    lines += [f"  {asked}"] if asked else []
    if goal is not None:
        undecided = "before it was interrupted" if answer.interrupted else f"within {answer.limit}"
        undecided = "by the part of the deck that is known" if found.lacks else undecided
        words = {True: "yes", False: "no, proven", None: f"not decided {undecided}"}
        lines.append(f"  can {goal} be reached: {words[reachable(solution.score, solution.upper_bound, goal)]}")
    lines.append(_verdict(answer))
    if solution.reason and not (found.lacks and not solution.proved):
        lines.append(f"  why no more: {solution.reason}")
    if found.verified is not None:
        lines.append(f"  CP-SAT: {'confirms the line and the bound' if found.verified else _UNVERIFIED}")
    rows = line_of(table, solution.actions)
    width = max((len(row["player"]) for row in rows), default=0)
    lines += [f"  {row['turn']:>3}  {row['player']:<{width}}  {row['text']}" for row in rows]
    if found.url:
        lines.append(f"  {found.url}")
    return "\n".join(lines)


def _verdict(answer: MaxAnswer) -> str:
    from hanasolve.batch.decks import tokens_of, word_of
    from hanasolve.hanabi.game.statistics import with_word

    solution, game = answer.solution, answer.solution.final.game
    end = f"{tokens_of(answer.found)} clues and {int(game['strikes'])} strikes at the end, {int(game['turn'])} turns"
    if solution.proved:
        score = f"{solution.score} of {solution.max_possible}"
        word = word_of(answer.found.table, solution.score)
        best = f"  best score: {with_word(score, word)}, proven ({solution.method})"
    elif answer.question.goal is not None:
        best = f"  a line to {solution.score} (the best was not asked for; at most {solution.upper_bound})"
    else:
        lacks = answer.found.lacks
        why = f"{lacks} cards of the deck are not known" if lacks else f"{answer.limit} was hit"
        why = "interrupted" if answer.interrupted else why
        best = f"  best score: between {solution.score} and {solution.upper_bound}, {why}"
    return f"{best}; {end}; {solution.nodes:,} states"


def _summary(summary: Summary) -> str:
    from hanasolve.stats import wilson

    lines = [bold(f"{summary.count} decks, known deck: every card in view")]
    if summary.count:
        low, high = wilson(summary.reached, summary.count)
        what = "the maximum" if summary.goal is None else str(summary.goal)
        lines.append(
            f"  reach {what}: {summary.reached} ({100 * summary.reached / summary.count:.2f} %, "
            f"95 % interval {100 * low:.2f} to {100 * high:.2f} %)"
        )
    for score in sorted(summary.histogram, reverse=True) if summary.goal is None else ():
        lines.append(f"  best score {score:>2}: {summary.histogram[score]}")
    for row in summary.lost[:_SHOWN_LOSSES]:
        most = row["score"] if row["proved"] else f"at most {row['upper_bound']}"
        why = row["reason"] or "all that the variant has"  # a goal beyond that
        lines.append(f"  {row['source']}: {most}, {why}")
    if len(summary.lost) > _SHOWN_LOSSES:
        lines.append(f"  ... and {len(summary.lost) - _SHOWN_LOSSES} more (--out FILE keeps all)")
    for row in summary.undecided:
        lines.append(f"  {row['source']}: not decided, between {row['score']} and {row['upper_bound']}")
    return "\n".join(lines)
