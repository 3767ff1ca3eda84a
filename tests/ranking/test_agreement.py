"""Agreement: a convention agrees with its own games, whatever the table; verdicts by hand; pooling."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanasolve import api
from hanasolve.errors import UnsupportedVariant
from hanasolve.hanabi.conventions.find import convention_names, find_convention
from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.table import Table, act, engine_action
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.notation.replay_url import parse_url
from hanasolve.hanabi.play.simulator import play_one
from hanasolve.hanabi.ranking.review.agreement import (
    OTHER,
    SAME,
    SAME_CARDS,
    Spectator,
    agreement,
    agreement_of_games,
    conventions_for,
)
from hanasolve.stats import wilson

DATA = Path(__file__).parents[1] / "data" / "hanab_live" / "replays.json"
LINKS = [game["compact"] for game in json.loads(DATA.read_text())["games"] if "compact" in game]


def deterministic(players: int) -> list[str]:
    found = [find_convention(name) for name in convention_names()]
    return [one.name for one in found if one.deterministic and not one.open_hands and players in one.players]


@pytest.mark.parametrize("players", [2, 5])
def test_a_convention_agrees_with_its_own_games(players: int) -> None:
    for name in deterministic(players):
        game = play_one(name, f"p{players}v0s5", players)
        found = agreement(game, [name]).conventions[0]
        assert found.share.same == found.share.turns == len(game.actions), name
        assert [choice.action for choice in found.choices] == list(game.actions)
        assert sum(share.turns for share in found.players) == len(game.actions)


def test_the_notes_are_those_of_the_game_as_it_went() -> None:
    """Another convention's game: the move named is what a simulator, stopped there, is told and decides."""
    game = play_one("value", "p3v0s4", 3)
    choices = list(Spectator(find_convention("holmes"), game).choices(game))
    for upto in (7, 20, 41):
        short = Replay(game.variant, game.options, game.names, game.deck, game.actions[:upto], game.seed)
        longer = Replay(game.variant, game.options, game.names, game.deck, game.actions[: upto + 1], game.seed)
        assert list(Spectator(find_convention("holmes"), short).choices(short)) == choices[:upto]
        assert list(Spectator(find_convention("holmes"), longer).choices(longer)) == choices[: upto + 1]
    assert {choice.verdict for choice in choices} >= {SAME, OTHER}


def unclued(table: Table, seat: int) -> list[int]:
    """Orders of a hand that no clue has touched or missed yet."""
    hand = table.game["hands"][seat, : table.game["hand_sizes"][seat]]
    return [int(order) for order in hand if table.game["told_yes"][order] == table.game["told_no"][order] == 0]


@pytest.mark.parametrize("link", LINKS[:2])
def test_own_cards_and_the_deck_are_not_seen(link: str) -> None:
    """An own card that no clue told anything about changes places with one of the deck: the choice stays.

    The game is not the convention's own, so notes that all seats share (``info``) would give the card away.
    """
    game = parse_url(link)
    choices = {name: agreement(game, [name]).conventions[0].choices for name in deterministic(4)}
    tried = 0
    for turn in range(2, 30, 3):
        table = api.load(link, turn)
        for order in unclued(table, int(table.game["to_move"])):
            deck = list(game.deck)
            deck[order], deck[-1] = deck[-1], deck[order]
            other = Replay(game.variant, game.options, game.names, tuple(deck), game.actions[:turn])
            for name, expected in choices.items():
                choice = list(Spectator(find_convention(name), other).choices(other))[turn - 1]
                same = (choice.action, expected[turn - 1].action)
                assert same[0] == same[1], (name, turn, order)
                tried += 1
    assert tried > 20


def test_verdicts() -> None:
    """value opens p2v0s1 with a clue; the same cards under another name are counted apart."""
    game = play_one("value", "p2v0s1", 2)
    table = api.load("p2v0s1", 1)
    kept = game.actions[0]
    assert kept.type > 1
    touched = {}
    for action in api.legal_actions(table):
        after = table.copy()
        act(after, action)
        if action.type > 1:
            touched[action] = [int(n) > 0 for n in after.game["told_yes"][:10]]
    twins = [action for action in touched if touched[action] == touched[kept] and action != kept]
    for action in [*touched, Action(1, 0), Action(0, 0)]:
        if action.type == 1:
            continue  # no discard with all tokens
        played = Replay(game.variant, game.options, game.names, game.deck, (action,))
        (choice,) = Spectator(find_convention("value"), played).choices(played)
        wanted = SAME if action == kept else SAME_CARDS if action in twins else OTHER
        assert (choice.verdict, choice.action) == (wanted, kept), action


def test_a_clue_under_another_name_exists() -> None:
    """Somewhere in these games a convention would have touched the same cards by another clue."""
    games = [parse_url(link) for link in LINKS]
    found = agreement_of_games(games, ["info", "smart"])
    for one in found.conventions:
        parts = [agreement(game, [one.convention]).conventions[0].share for game in games]
        assert one.share.turns == sum(part.turns for part in parts)
        assert one.share.same == sum(part.same for part in parts)
        assert one.share.same_cards == sum(part.same_cards for part in parts)
        assert one.share.interval == wilson(one.share.same, one.share.turns)
        assert one.share.rate == one.share.same / one.share.turns
    assert sum(one.share.same_cards for one in found.conventions) > 0
    assert agreement_of_games([]).conventions == ()


def test_who_is_asked() -> None:
    game = parse_url(LINKS[0])
    asked, left_out = conventions_for(game)
    reasons = dict(left_out)
    assert {one.name for one in asked} == set(deterministic(4))
    assert "own hand" in reasons["cheat"] and "dice" in reasons["iggi"] and "5 players" in reasons["cox-information"]
    assert {one.name for one in asked} | set(reasons) == set(convention_names())
    rainbow = Replay(load_variant("Rainbow (6 Suits)"), game.options, game.names, game.deck)
    with pytest.raises(UnsupportedVariant, match="does not know the suits"):
        conventions_for(rainbow, ["smart"])
    assert [one.name for one in conventions_for(rainbow)[0]] == []


def test_a_convention_of_ones_own(tmp_path: Path) -> None:
    """Asked in plain Python as well: a player who always discards or, with all tokens, plays the oldest card."""
    file = tmp_path / "old.py"
    file.write_text(
        "from hanasolve.hanabi.conventions.convention import named_convention\n"
        "from hanasolve.hanabi.conventions.tools.building_blocks import discard_card, play_card\n\n\n"
        "def decide(view, memory):\n"
        "    return discard_card(0) if view[\"clues\"] < view[\"clues_max\"] else play_card(0)\n\n\n"
        "def update(view, memory, event):\n    return 0\n\n\n"
        "OLD = named_convention(\"old\", decide=decide, update=update)\n"
    )
    game = parse_url(LINKS[0])
    found = agreement(game, [str(file)]).conventions[0]
    same = 0
    for turn, action in enumerate(game.actions, 1):
        table = api.load(LINKS[0], turn)
        if table.game["ended"]:
            break
        kind, target, _ = engine_action(table, action)
        same += (kind, target) == (0 if table.game["clues"] == 8 else 1, 0)
    assert found.share.same == same > 0
