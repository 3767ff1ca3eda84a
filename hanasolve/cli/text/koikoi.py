"""Koi-Koi's answers as text, from the fields of their records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hanasolve.cli.text.style import bold, table_text

if TYPE_CHECKING:
    from hanasolve.answers.koikoi.analyze import Analysis
    from hanasolve.answers.koikoi.compare import Matches
    from hanasolve.answers.koikoi.maximum import KnownDeal
    from hanasolve.answers.koikoi.score import Scores


def _named(codes: list[str]) -> str:
    """Codes with the English names: ``9a cup``."""
    from hanasolve.koikoi.game.cards import CODES, NAMES

    return ", ".join(f"{code} {NAMES[CODES.index(code)]}" for code in codes)


def scores_text(found: Scores) -> str:
    """A block for each list of cards."""
    fields = [one.fields() for one in found.results]
    return "\n".join(_lucky_text(one) if "hand" in one else _score_text(one) for one in fields)


def _lucky_text(answer: dict[str, Any]) -> str:
    return f"{' '.join(answer['hand'])}: {answer['lucky'] or 'not lucky'}, {answer['points']} points"


def _score_text(answer: dict[str, Any]) -> str:
    rows = [(entry["name"], entry["points"], _named(entry["cards"])) for entry in answer["yaku"]]
    lines = [table_text(rows, [1])] if rows else ["no yaku"]
    why = [text for key, text in _DOUBLINGS if answer[key]]
    doubled = f" ({' and '.join(why)})" if why else ""
    lines.append(bold(f"points {answer['points']}, round score {answer['round_score']}{doubled}"))
    near = [
        (e["name"], f"{e['needed']} of", _named(e["cards"])) for e in answer["missing"] if e["needed"] < 3
    ]
    if near:
        lines += ["missing for the next yaku:", table_text(near)]
    return "\n".join(lines)


_DOUBLINGS = (
    ("doubled_at_seven", "doubled at 7 points"),
    ("doubled_after_call", "doubled after the opponent's koi-koi"),
)


def deal_text(deal: KnownDeal) -> str:
    """One known deal, or its value on a line."""
    return _value_text(deal.fields()) if deal.solution is None else _max_text(deal.fields())


def _value_text(answer: dict[str, Any]) -> str:
    bounds = (
        f", cooperative bound A {answer['coop']['A']} B {answer['coop']['B']}" if "coop" in answer else ""
    )
    return f"{answer['source']}: A {answer['value']['A']:+d}{bounds}"


def _max_text(answer: dict[str, Any]) -> str:
    value = answer["value"]["A"]
    lines = [bold(f"{answer['source']}: value A {value:+d}, B {-value:+d}"), f"  {answer['meaning']}"]
    lines += [f"  {turn['text']}" for turn in answer["line"]]
    for entry in answer["yaku"]:
        lines.append(f"    {entry['name']} {entry['points']}: {_named(entry['cards'])}")
    ending = f"{answer['winner']} wins {answer['round_score']}" if answer["winner"] else "undecided"
    lines += [f"  {ending}", "  every option now, with A's value:"]
    order = sorted(answer["moves"], key=lambda move: -move["value"][move["player"]])
    lines += [f"    {move['value']['A']:+4d}  {move['text']}" for move in order]
    if "coop" in answer:
        bounds = answer["coop"]
        lines.append(
            f"  cooperative bound: A {bounds['A']}, B {bounds['B']} (both play for one; an upper bound)"
        )
    lines.append(f"  {answer['nodes']} nodes, {answer['seconds']:.3f} s")
    return "\n".join(lines)


def analysis_text(found: Analysis) -> str:
    answer = found.record()
    lines = [bold(f"turn {answer['turn']}, {answer['to_move']} to move ({answer['phase']})")]
    lines.append(f"method {answer['method']}, {answer['worlds']} worlds: {answer['meaning']}")
    rows = [("option", "mean", "se", "diff", "se", "win", "lose", "match")]
    for entry in answer["options"]:
        shares = [f"{100 * entry[key]:.1f} %" if entry[key] is not None else "" for key in ("win", "lose")]
        chance = f"{100 * entry['match']['win']:.1f} %" if "match" in entry else ""
        numbers = (f"{entry[key]:+.4f}" for key in ("mean", "se", "diff", "se_diff"))
        mean, se, diff, se_diff = numbers
        rows.append((entry["option"], mean, se[1:], diff, se_diff[1:], shares[0], shares[1], chance))
    lines.append(table_text(rows, range(1, 8)))
    if answer["close"]:
        lines.append("the best two are closer than two standard errors of their difference")
    unseen = answer["opponent"]
    lines.append(
        f"opponent: {unseen['cards']} of {len(unseen['possible'])} unseen cards, each with probability "
        f"{unseen['probability']}: {' '.join(unseen['possible'])}"
    )
    chances = answer["chances"]
    lines.append(f"playouts ({chances['worlds']} worlds, both progress+stop):")
    for player in "AB":
        listed = ", ".join(f"{name} {100 * share:.1f} %" for name, share in chances["yaku"][player].items())
        lines.append(f"  {player} wins {100 * chances['won'][player]:.1f} %: {listed or 'no yaku'}")
    return "\n".join(lines)


def matches_text(found: Matches) -> str:
    """Every pairing, and a table of them if there are several."""
    texts = [_match_text(match) for match in found.results]
    return "\n".join([*texts, _pairings_text(list(found.results))] if len(texts) > 1 else texts)


def _match_text(m: Any) -> str:
    shares = [f"{100 * x:.1f} %" for x in (m.won_a, m.won_b, m.undecided, m.dealer, m.other)]
    listed = ", ".join(f"{name} {100 * share:.2f}" for name, share in m.yaku.items() if share)
    lines = [
        bold(f"{m.a} against {m.b}: {m.matches} matches, {m.rounds} rounds (simulation)"),
        f"wins {m.wins_a}, losses {m.wins_b}, draws {m.draws}; points {m.points_a:.2f} : {m.points_b:.2f}",
        f"diff {m.diff:+.2f} +- {m.se:.2f} per match, {m.diff_round:+.3f} +- {m.se_round:.3f} per round",
        f"rounds: A {shares[0]}, B {shares[1]}, undecided {shares[2]}; dealer {shares[3]}, other {shares[4]}",
        f"koi-koi calls {m.calls_a} : {m.calls_b}, then an own new yaku {m.followed_a} : {m.followed_b}",
        f"yaku in % of the rounds won: {listed}",
        f"lucky rounds {m.lucky}, mean turns {m.mean_turns:.1f}",
        f"{1000 * m.seconds_per_match:.3f} ms a match",
    ]
    return "\n  ".join(lines)


def _pairings_text(found: list[Any]) -> str:
    rows = [("A", "B", "A wins", "diff per match", "se", "per round", "p (Holm)")]
    for m in found:
        p_value = "" if m.p_holm is None else f"{m.p_holm:.2g}"
        share = f"{100 * m.wins_a / m.matches:.1f} %"
        rows.append((m.a, m.b, share, f"{m.diff:+.2f}", f"{m.se:.2f}", f"{m.diff_round:+.3f}", p_value))
    return table_text(rows, range(2, 7))
