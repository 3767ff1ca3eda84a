"""What records may do wrong once the engine plays them: actions after the end, missing options, slots."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hanasolve.errors import IllegalAction
from hanasolve.hanabi.game.deck import shuffle
from hanasolve.hanabi.game.options import site_options
from hanasolve.hanabi.game.records import Action, Replay, default_names
from hanasolve.hanabi.game.table import describe, from_replay
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.notation.hanab_live import parse_record
from hanasolve.hanabi.notation.text import format_action, parse_action

NO_VARIANT = load_variant(0)


def game(seed: str, players: int, *actions: Action, **options: object) -> Replay:
    """A game on the deck of a seed."""
    deck = tuple(shuffle(seed, NO_VARIANT.deck_in_order()))
    names = default_names(players)
    return Replay(NO_VARIANT, site_options(players, **options), names, deck, actions)


def test_actions_after_the_end_are_ignored() -> None:
    """E43. p2v0s1 starts b5 p4 b3 r4 g1: three misplays end the game."""
    replay = game("p2v0s1", 2, Action(0, 0), Action(3, 0, 4), Action(0, 1), Action(3, 0, 3), Action(0, 2))
    after = replace(replay, actions=(*replay.actions, Action(1, 99), Action(4, 0, 2)))
    assert from_replay(after).game == from_replay(replay).game
    assert from_replay(after).game["strikes"] == 3


def test_the_starting_player_acts_first() -> None:
    """E65. Without the option the first action would be a clue to oneself."""
    clue = Action(2, 0, 3)
    assert from_replay(game("p2v0s1", 2, clue, first_player=1)).game["clues"] == 7
    with pytest.raises(IllegalAction) as refused:
        from_replay(game("p2v0s1", 2, clue))
    assert refused.value.code == "clue_to_self"
    assert "actions[0]: Alice may not clue blue to Alice" in str(refused.value)


def test_deck_plays() -> None:
    """E66. With one card left in the deck it may be played blind; then the last round runs."""
    deck = tuple(NO_VARIANT.deck_in_order())
    options = {"deck_plays": True, "discard_at_max": "allow", "strikes_max": 60, "empty_clues": "allow"}
    actions = [Action(1, order) for order in (0, 5, 1, 6, 2, 7, 3, 8, 4, 9, *range(10, 39))]
    replay = Replay(NO_VARIANT, site_options(2, **options), default_names(2), deck, tuple(actions))
    before = from_replay(replay)
    assert (before.game["next"], before.game["turns_left"]) == (49, -1)
    top = replace(replay, actions=(*replay.actions, Action(0, 49)))
    assert from_replay(top).game["strikes"] == 1
    assert from_replay(top).game["turns_left"] == 2
    with pytest.raises(IllegalAction, match=r"actions\[39\]: Bob may not play p5 \(card 49 of the deck\)"):
        from_replay(replace(top, options=replace(top.options, deck_plays=False)))


def test_a_slot_as_target_gets_a_hint() -> None:
    with pytest.raises(IllegalAction, match="positions in the deck, not slots"):
        from_replay(game("p2v0s1", 2, Action(3, 1, 1), Action(0, 3)))


def test_six_players_with_four_cards_get_a_hint() -> None:
    """The four-card hands of six players need an option that some records lack."""
    seats = [Action(0, 3), Action(0, 7), Action(0, 11)]
    record = parse_record(
        {
            "players": 6,
            "seed": "p6v0s1",
            "actions": [{"type": action.type, "target": action.target} for action in seats],
        }
    )
    with pytest.raises(IllegalAction, match="is oneExtraCard missing"):
        from_replay(record)


def test_end_actions_bring_their_condition() -> None:
    for condition in (3, 4, 6, 7, 8, 9, 10):
        table = from_replay(game("p2v0s1", 2, Action(4, 0, condition)))
        assert (table.game["ended"], table.game["turn"]) == (20 + condition, 1)
    assert from_replay(game("p2v0s1", 2, Action(5, -1, 10))).game["ended"] == 30
    for condition in (0, 1, 2, 5):
        with pytest.raises(IllegalAction, match=r"actions\[0\]"):
            from_replay(game("p2v0s1", 2, Action(4, 0, condition)))


def test_described_actions_are_read_back() -> None:
    """``describe`` and ``parse_action`` are inverse, as are the words that need no hand."""
    table = from_replay(game("p2v0s1", 2))
    hand = [(int(order), int(table.game["deck"][order])) for order in table.game["hands"][0, :5]]
    for action in (Action(0, 0), Action(1, 4), Action(2, 1, 3), Action(3, 1, 5)):
        for words in (describe(table, action), format_action(action, NO_VARIANT, table.names)):
            assert parse_action(words, NO_VARIANT, table.names, hand) == action
