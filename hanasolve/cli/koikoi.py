"""``hanasolve koikoi``: score, max, analyze and compare for the second game.

Options and output only; every answer is one call into ``hanasolve.koikoi``.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from hanasolve.cli.common import Jobs, Json, LimitText, note, warn
from hanasolve.cli.text.style import bold, table_text
from hanasolve.errors import LimitReached, NotationError, printable
from hanasolve.limits import CTRL_C, Limit, parse_limit

app = typer.Typer(no_args_is_help=True, help="Hanafuda Koi-Koi: score, known deals, decisions, strategies.")

Rules = Annotated[str, typer.Option("--rules", metavar="PRESET", help="nintendo or koikoi-ai.")]
OptionTexts = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule option; repeatable.")
]
RangeSeed = Annotated[
    str | None, typer.Option("--seed", metavar="N|A..B", help="Deck of a seed, or of a range of seeds.")
]


def _print_json(name: str, answers: list[dict[str, Any]] | dict[str, Any]) -> None:
    """One object; several answers become its ``results``."""
    from hanasolve import __version__

    if isinstance(answers, list):
        answers = answers[0] if len(answers) == 1 else {"results": answers}
    head = {"schema": f"koikoi-{name}/1", "version": __version__}
    print(json.dumps({**head, **answers}, ensure_ascii=False, allow_nan=False))


def _read(source: str) -> str:
    if source == "-":
        return sys.stdin.read()
    try:
        return Path(source).read_text(encoding="utf-8")
    except OSError as error:
        raise NotationError(f"{source}: cannot be read ({error.strerror}); expected a file or -") from None
    except UnicodeDecodeError:
        raise NotationError(f"{source}: not a text file (UTF-8)") from None


def _options(preset: str, texts: list[str] | None) -> tuple[dict[str, Any], Any]:
    """The options' values and the RULES record."""
    from hanasolve.koikoi.game.options import from_texts
    from hanasolve.koikoi.game.rules import make_rules

    values = from_texts(preset, texts or [])
    return dict(values), make_rules(preset, values)


def _changed(texts: list[str] | None) -> dict[str, Any]:
    """Options of the command line that override those of a position file."""
    from hanasolve.koikoi.game.options import from_texts

    names = [text.partition("=")[0].strip() for text in texts or []]
    values = from_texts("nintendo", texts or [])
    return {name: values[name] for name in names}


def _named(codes: list[str]) -> str:
    """Codes with the English names: ``9a cup``."""
    from hanasolve.koikoi.game.cards import CODES, NAMES

    return ", ".join(f"{code} {NAMES[CODES.index(code)]}" for code in codes)


# --- score ------------------------------------------------------------------------------------------------


@app.command()
def score(
    cards: Annotated[
        list[str], typer.Argument(metavar="CARDS...", help="Captured cards, a file with a list a line, or -.")
    ],
    opponent_called: Annotated[bool, typer.Option(help="The opponent had called koi-koi.")] = False,
    hand: Annotated[bool, typer.Option("--hand", help="Test dealt hands of 8 cards instead.")] = False,
    rules: Rules = "nintendo",
    option: OptionTexts = None,
    json: Json = False,
) -> None:
    """Yaku, points and round score of captured cards, and what is missing for the next yaku."""
    from hanasolve.koikoi.game.cards import mask

    lists = list(_card_lists(cards))  # before anything slow is imported
    for place, listed in lists:
        if hand and len(listed) != 8:
            raise NotationError(f"{place}: found {len(listed)} cards, expected the 8 of a hand")
    from hanasolve.koikoi import answers

    _, record = _options(rules, option)
    found = []
    for _, listed in lists:
        pile = mask(listed)
        found.append(answers.lucky(pile, record) if hand else answers.score(pile, opponent_called, record))
    if json:
        _print_json("score", found)
        return
    for answer in found:
        print(_lucky_text(answer) if hand else _score_text(answer))


def _card_lists(words: list[str]) -> Iterator[tuple[str, list[int]]]:
    from hanasolve.koikoi.notation.text import read_cards

    if len(words) == 1 and (words[0] == "-" or Path(words[0]).is_file()):
        for number, line in enumerate(_read(words[0]).splitlines(), 1):
            text = line.partition("#")[0].strip()
            if text:
                yield f"{words[0]}, line {number}", read_cards(text, f"{words[0]}, line {number}")
        return
    yield "cards", read_cards(" ".join(words), "cards")


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


# --- max --------------------------------------------------------------------------------------------------


@app.command(name="max")
def max_command(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="SOURCE...", help="Position files of known deals, or -.")
    ] = None,
    deck: Annotated[
        str | None,
        typer.Option("--deck", metavar="CARDS|FILE", help="48 cards from the top, or a deck a line."),
    ] = None,
    seed: RangeSeed = None,
    coop: Annotated[bool, typer.Option("--coop", help="Also the best score if both play for one.")] = False,
    values_only: Annotated[
        bool, typer.Option("--values", help="Only the values (fast for many deals).")
    ] = False,
    limit: LimitText = None,
    rules: Rules = "nintendo",
    option: OptionTexts = None,
    json: Json = False,
) -> None:
    """Exact value of known deals with open cards: line, every first move, optionally the cooperative
    bound. Every deal has the whole --limit; the first that it is too short for ends the command (exit code 3)."""
    parse_limit(limit)
    found: list[dict[str, Any]] = []
    for source, game, record, notes in _deals(sources or [], deck, seed, rules, option):
        for text in notes:
            warn(f"{source}: {text}")
        allowed = parse_limit(limit)
        try:
            with allowed.guard():
                answer = _solve(source, game, record, coop, values_only, allowed) | {"warnings": notes}
        except LimitReached as stop:
            if json and found:
                _print_json("max", {"results": found, "stopped": str(stop)})
            raise
        found.append(answer)
        if not json:
            print(_value_text(answer) if values_only else _max_text(answer))
    if json:
        _print_json("max", found)


def _deals(
    sources: list[str], deck: str | None, seed: str | None, preset: str, texts: list[str] | None
) -> Iterator[tuple[str, Any, Any, list[str]]]:
    """(source, GAME, RULES, warnings) of every known deal that was asked for."""
    from hanasolve.koikoi.game.deck import seeded_deck
    from hanasolve.koikoi.game.rules import deal_record
    from hanasolve.koikoi.notation.position import deal_warnings, parse_position

    if not sources and deck is None and seed is None:
        raise NotationError("nothing to solve: give a position file, --deck or --seed")
    for source in sources:
        position = parse_position(_read(source), source, _changed(texts))
        if not position.known:
            raise NotationError(f"{source}: max needs a known deal (hands and stock); see koikoi analyze")
        yield printable(source), position.game, position.rules, position.warnings
    _, record = _options(preset, texts)
    decks = list(_read_decks(deck)) if deck is not None else []
    decks += [(f"seed {number}", seeded_deck(number)) for number in _seeds(seed)]
    for name, order in decks:
        game = deal_record(order, 0, record)
        notes = deal_warnings(game, record)
        game["phase"], game["winner"], game["score"], game["undecided"] = 0, -1, 0, 0  # played on, if lucky
        yield name, game, record, notes


def _seeds(text: str | None) -> range:
    if text is None:
        return range(0)
    match = re.fullmatch(r"(\d{1,18})(?:\.\.(\d{1,18}))?", text)
    if match is None or (match[2] and int(match[2]) < int(match[1])):
        raise NotationError(f'--seed: found "{text}", expected a number like 17 or a range like 1..100')
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def _read_decks(text: str) -> Iterator[tuple[str, list[int]]]:
    from hanasolve.koikoi.notation.text import read_cards

    single = len(text) > 200 or not (text == "-" or Path(text).is_file())
    for number, line in enumerate([text] if single else _read(text).splitlines(), 1):
        if not line.strip():
            continue
        name = "deck" if single else f"{text}, line {number}"
        order = read_cards(line, name)
        if len(order) != 48:
            raise NotationError(f"{name}: found {len(order)} cards, expected all 48")
        yield name, order


def _solve(
    source: str, game: Any, record: Any, coop: bool, values_only: bool, limit: Limit
) -> dict[str, Any]:
    from hanasolve.koikoi import answers
    from hanasolve.koikoi.search import solve as s
    from hanasolve.koikoi.search.coop import SLOTS_COOP, coop_values

    bounds = coop_values(game, record, _space(SLOTS_COOP), limit) if coop else None
    if values_only:
        value = s.value_a(game, record, _space(s.SLOTS), limit)
        answer = {"source": source, "meaning": answers.VALUE_LABEL, "value": {"A": value, "B": -value}}
        return answer | ({"coop": {"A": bounds[0], "B": bounds[1]}} if bounds else {})
    return answers.maximum(source, s.solve(game, record, _space(s.SLOTS), limit), record, bounds)


_SPACES: dict[int, Any] = {}


def _space(slots: int) -> Any:
    """Search arrays, made once for each size."""
    from hanasolve.koikoi.search.kernel import new_space

    if slots not in _SPACES:
        _SPACES[slots] = new_space(slots)
    return _SPACES[slots]


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


# --- analyze ----------------------------------------------------------------------------------------------


@app.command()
def analyze(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="Position file, or -.")],
    worlds: Annotated[
        int, typer.Option(min=2, help="Random worlds where there are too many to take all.")
    ] = 200,
    max_worlds: Annotated[int, typer.Option(min=1, help="Take all worlds up to this number.")] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random worlds.")] = 0,
    match: Annotated[str | None, typer.Option(metavar="A:B", help="Match score before this round.")] = None,
    round_: Annotated[int | None, typer.Option("--round", min=1, help="Number of this round.")] = None,
    limit: LimitText = None,
    option: OptionTexts = None,
    json: Json = False,
) -> None:
    """Every option of the player to move with its expected result, from what this player sees."""
    allowed = parse_limit(limit)
    with allowed.guard():
        from hanasolve.koikoi import answers
        from hanasolve.koikoi.notation.position import parse_position
        from hanasolve.koikoi.ranking.chances import yaku_chances
        from hanasolve.koikoi.ranking.hidden import rank

        position = parse_position(_read(source), source, _changed(option))
        if position.known:
            note("note: the opponent's hand and the stock of this known deal are not used")
        _set_match(position, match, round_)
        ranking = rank(position, worlds, max_worlds, seed, limit=allowed.part(0.9))
        chances = yaku_chances(position, seed=seed, limit=allowed)
        answer = answers.analysis(printable(source), position, ranking, chances, _match_chances(position, ranking))
    if json:
        _print_json("analyze", answer)
    else:
        print(_analysis_text(answer))
    _end(ranking.stopped, f"{ranking.worlds} of {worlds} worlds are solved")


def _end(stopped: str, done: str) -> None:
    """Say what ended the work early, if anything did, and leave with its exit code."""
    if stopped:
        note(f"note: stopped by {stopped}: {done}")
        raise typer.Exit(130 if stopped == CTRL_C else LimitReached.exit_code)


def _set_match(position: Any, match: str | None, round_: int | None) -> None:
    from hanasolve.koikoi.notation.position import MatchState

    if match is not None:
        found = re.fullmatch(r"(\d{1,6}):(\d{1,6})", match)
        if found is None or round_ is None:
            raise NotationError(f'--match: found "{match}", expected A:B like 23:31 together with --round')
        position.match = MatchState(round=round_, scores={"A": int(found[1]), "B": int(found[2])})
    elif round_ is not None:
        raise NotationError("--round needs --match A:B as well")
    length = int(position.rules["rounds"])
    if position.match is not None and position.match.round > length:
        raise NotationError(f"round {position.match.round}: a match has {length} rounds")


def _match_chances(position: Any, ranking: Any) -> Any:
    from hanasolve.koikoi.ranking.chances import match_chances

    if position.match is None:
        return None
    scores = {"A": 0, "B": 0} | position.match.scores
    mover = int(position.game["mover"])
    lead = scores["AB"[mover]] - scores["AB"[1 - mover]]
    left = int(position.rules["rounds"]) - position.match.round
    return match_chances(ranking.options, lead, left, position.preset, position.options)


def _analysis_text(answer: dict[str, Any]) -> str:
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


# --- compare ----------------------------------------------------------------------------------------------


@app.command()
def compare(
    strategies: Annotated[
        list[str],
        typer.Argument(metavar="STRATEGY...", help="CARDS+CALL such as progress+t7h5, or FILE.py:CLASS."),
    ],
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of matches for every pairing.")] = 1000,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of a match.")] = 12,
    seed: Annotated[int, typer.Option(min=0, help="Seed of deals and random choices.")] = 0,
    jobs: Jobs = 1,
    limit: LimitText = None,
    rules: Rules = "nintendo",
    option: OptionTexts = None,
    json: Json = False,
) -> None:
    """Strategies in matches over the same deals with both seats: random, greedy, progress, pimcK, flatK,
    uctK."""
    if len(strategies) < 2:
        raise NotationError(f"found {len(strategies)} strategy, expected two or more")
    allowed = parse_limit(limit)
    with allowed.guard():
        from hanasolve.koikoi import answers
        from hanasolve.koikoi.play.matches import compare as run_all

        values, _ = _options(rules, [*(option or []), f"rounds={rounds}"])
        found = run_all(strategies, pairs, seed, rules, values, jobs or -1, allowed)
    played, asked = sum(match.pairs for match in found), pairs * math.comb(len(strategies), 2)
    stopped = str(allowed) if played < asked else ""
    if json:
        more = {"stopped": stopped} if stopped else {}
        _print_json("compare", answers.comparison(found, {"seed": seed, "options": values, **more}))
    else:
        for match in found:
            print(_match_text(match))
        if len(found) > 1:
            print(_table(found))
    _end(stopped, f"{played:,} of {asked:,} pairs of matches are played")


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


def _table(found: list[Any]) -> str:
    rows = [("A", "B", "A wins", "diff per match", "se", "per round", "p (Holm)")]
    for m in found:
        p_value = "" if m.p_holm is None else f"{m.p_holm:.2g}"
        share = f"{100 * m.wins_a / m.matches:.1f} %"
        rows.append((m.a, m.b, share, f"{m.diff:+.2f}", f"{m.se:.2f}", f"{m.diff_round:+.3f}", p_value))
    return table_text(rows, range(2, 7))
