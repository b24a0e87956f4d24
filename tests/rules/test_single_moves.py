"""Rules from records of the turns played alone, by random players and by greedy ones."""

from __future__ import annotations

from functools import cache

import pytest
from lessons import games_of, taught

from grl.compare import compare_game, compare_traces
from grl.fresh import fresh_positions
from grl.games import Game, load
from grl.generate import Players
from grl.rulebook import Rulebook
from grl.rules.english.sentences import sentences
from grl.tally import Comparison
from grl.traces import Traces, header_dict, write_traces
from grl.turn import Turn, play

RANDOM = {
    "checkers": 20,
    "connect-four:width=5,height=4": 40,
    "tic-tac-toe": 60,
}
GREEDY = {
    "breakthrough:width=5,height=5": 15,
    "tic-tac-toe": 100,
}
POSITIONS = 120


@cache
def lesson(spec: str, players: Players = "random") -> Rulebook:
    n = (RANDOM if players == "random" else GREEDY)[spec]
    game = load(spec)
    return taught(game, games_of(game, n, all_moves=False, players=players))


@cache
def comparison(spec: str) -> Comparison:
    return compare_game(lesson(spec), load(spec), POSITIONS, 2, endings=20)


@pytest.mark.parametrize("spec", RANDOM)
def test_whole_games_are_learned_from_single_moves(spec: str) -> None:
    found = comparison(spec)
    assert found.same, found.examples[:1]
    assert found.positions == POSITIONS
    assert len(found.endings) > 2
    assert all(ending.met == ending.right for ending in found.endings)


def restrictions(spec: str) -> list[str]:
    model = lesson(spec).model
    assert model.rules is not None
    return sentences(model.equipment, "restriction", model.rules.restrictions)


def test_what_is_never_played_is_told_by_the_rules_of_the_game() -> None:
    (rests,) = restrictions("connect-four:width=5,height=4")
    assert "the square below its end is empty" in rests
    lines = restrictions("checkers")
    compulsory = "does not take an opposing piece, unlike another legal turn"
    assert any(compulsory in line for line in lines)
    assert len(lines) == 3


def test_what_compares_turns_is_open_and_other_silence_of_random_players_is_not() -> None:
    checkers, connected = (
        lesson(spec).model.rules for spec in ("checkers", "connect-four:width=5,height=4")
    )
    assert checkers is not None
    assert connected is not None
    compulsory = [
        rule
        for rule in checkers.restrictions
        if any(literal.feature[0].startswith("rival") for literal in rule.body)
    ]
    assert compulsory
    assert all(rule.provisional for rule in compulsory)
    assert not any(rule.provisional for rule in connected.restrictions)


def test_where_nothing_is_forbidden_nothing_is_read_into_the_silence() -> None:
    assert restrictions("tic-tac-toe") == []


# Players who choose by a rule of their own leave turns unplayed that are legal. Records of single
# moves can't tell such a habit from a rule; a habit is all that may be taken for one.


def score(game: Game, position, text: str) -> tuple[int, int]:
    """What the greedy players look at: a win at once, then the pieces left to the opponent."""
    after = game.play(position, text)
    mover = position.to_move
    gain = 0
    if game.is_terminal(after):
        goals = game.goals(after)
        gain = max(0, goals[mover] - max(g for p, g in goals.items() if p != mover))
    view = game.equipment.views[mover]
    return gain, -sum(view.get(cell) == "p" for cell in after.cells)


@pytest.mark.parametrize("spec", GREEDY)
def test_of_greedy_players_only_a_habit_is_taken_for_a_rule(spec: str) -> None:
    game, rulebook = load(spec), lesson(spec, "greedy")
    looked = 0
    for position, legal in fresh_positions(game, 60, 4, endings=0):
        if not legal:
            continue
        effects = {play(position, turn).outcome for turn in rulebook.legal(position)}
        scores = {text: score(game, position, text) for text in legal}
        for text, found in scores.items():
            if found == max(scores.values()):
                looked += 1
                after = play(position, Turn.parse(text)).outcome
                assert after in effects, (position.rows, text)
    assert looked > 60


@pytest.mark.parametrize("spec", GREEDY)
def test_games_of_the_same_greedy_players_hold_no_forbidden_turn(spec: str, tmp_path) -> None:
    game = load(spec)
    path = tmp_path / "held-out.jsonl"
    plays = games_of(game, 40, all_moves=False, players="greedy", seed=99)
    write_traces(path, header_dict(game), plays)
    found = compare_traces(lesson(spec, "greedy"), Traces.open(path))
    assert found.missing == found.elsewhere == found.early == 0, found.examples[:1]
    assert found.single > 60
