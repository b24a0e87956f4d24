"""Goals that are counted: learned, said, played by the engine and in Python, and written down."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from classical_boards import the
from click.testing import CliRunner
from lessons import games_of, taught
from scored_games import (
    Crowned,
    Headcount,
    Hugging,
    Lining,
    Outlining,
    Outweighing,
    Settling,
    Sided,
    Weighed,
)

import grl
from grl.board import Position
from grl.cli import main
from grl.compare import compare_game
from grl.errors import GrlError
from grl.model import Literal, Score
from grl.rulebook import Rulebook
from grl.rules.endings.scores import lines_suggested
from grl.rules.english.sentences import sentences
from grl.turn import Turn

GAMES = [Headcount, Hugging, Lining, Crowned, Sided, Weighed]


@cache
def lesson(kind: type[Settling], games: int = 80) -> Rulebook:
    return taught(kind(), games_of(kind(), games, endgames=0.0))


def last_positions(game: Settling, number: int) -> list[Position]:
    """The ends of random games, in which every third turn is a pass."""
    found = []
    for seed in range(number):
        chance, position = random.Random(seed), game.initial
        while not game.is_terminal(position):
            turn = "pass" if chance.random() < 0.3 else chance.choice(game.legal(position))
            position = game.play(position, Turn.parse(turn))
        found.append(position)
    return found


@pytest.mark.parametrize("kind", GAMES)
def test_what_is_counted_is_learned(kind):
    rulebook = lesson(kind)

    # Every two scores are a kind of ending of their own.
    compared = compare_game(rulebook, kind(), positions=120, seed=7, endings=2)

    assert sum(each.met for each in compared.endings) >= 20
    assert compared.same, compared
    scored = [rule for rule in rulebook.model.rules.endings if rule.counted]
    assert scored
    assert (len(scored) < len(rulebook.model.rules.endings)) == issubclass(kind, Crowned)


@pytest.mark.parametrize("kind", GAMES)
def test_the_engine_and_the_rules_give_the_goals_of_the_game(kind):
    game, rulebook = kind(), lesson(kind)
    engine = rulebook.engine()

    for position in last_positions(game, 40):
        here = rulebook.position(**position.to_dict(trail=True))
        assert rulebook.goals(here) == game.goals(position)
        assert engine.state(here).goals() == game.goals(position)


def test_who_has_more_lines_wins():
    rulebook = lesson(Outlining, 70)

    compared = compare_game(rulebook, Outlining(), positions=120, seed=7, endings=3)

    assert sum(each.met for each in compared.endings) > 20
    assert compared.same, compared
    said = sentences(Outlining().equipment, "ending", rulebook.model.rules.endings)
    assert any("straight lines of three" in sentence for sentence in said)


def test_one_player_scores_for_each_square_that_was_visited():
    """The first turn puts the knight: where it is stuck another knight would be put, were that not
    forbidden while there is one. Which positions are over says so, for all have no turn then."""
    game = the("knights_tour")
    rulebook = taught(game, games_of(game, 40))

    compared = compare_game(rulebook, game, positions=60, seed=7, endings=3)

    assert compared.same, compared.examples
    rules = rulebook.model.rules
    assert [rule.body for rule in rules.restrictions] == [
        (Literal(("moves", "own"), False), Literal(("some", "before", ("lies", "own")), True))
    ]
    assert [(rule.body, rule.value) for rule in rules.endings] == [
        ((Literal(("stuck", 0), True),), (Score(4, 4, ("lies", "neutral")),))
    ]


def test_whose_pieces_count_more_wins():
    rulebook = lesson(Outweighing, 40)

    compared = compare_game(rulebook, Outweighing(), positions=120, seed=7, endings=3)

    assert sum(each.met for each in compared.endings) > 20
    assert compared.same, compared
    asked = {literal.feature for rule in rulebook.model.rules.endings for literal in rule.body}
    assert ("points", (5, ("lies", "own:large")), (2, ("lies", "own:small"))) in {
        part for feature in asked for part in feature
    }


def test_a_score_shows_among_more_ends_for_other_things():
    chance = random.Random(4)
    amounts = [[chance.randrange(4), chance.randrange(3)] for _ in range(170)]
    won = ([100, 0], [0, 100])
    goals = [won[i % 2] if i % 5 > 1 else [5 * n for n in row] for i, row in enumerate(amounts)]

    assert (5, 0) in [*lines_suggested(np.array(amounts), np.array(goals))]


def test_scores_are_said():
    rules = lesson(Hugging).model.rules.endings
    said = sentences(Hugging().equipment, "ending", rules)

    assert any("90 less 20 for each of the groups" in sentence for sentence in said)


def test_a_model_file_holds_scores(tmp_path):
    rulebook = lesson(Headcount)
    rulebook.save(tmp_path / "model.grl.json")

    again = grl.load(tmp_path / "model.grl.json")

    assert again.model.rules.endings == rulebook.model.rules.endings
    rule = next(rule for rule in again.model.rules.endings if rule.counted)
    assert rule.value[0] == Score(15, 5, ("lies", "own"))
    shown = CliRunner().invoke(main, ["rules", str(tmp_path / "model.grl.json")])
    assert "5 and 15 for each of the" in shown.output


@pytest.mark.parametrize("each", [-20, -1, 1, 7, 0])
@pytest.mark.parametrize("plus", [-30, 0, 5, 100, 350])
def test_from_some_number_on_a_goal_stays(each, plus):
    score = Score(each, plus, ("lies", "own"))

    goals = [score.of(number) for number in range(600)]

    assert goals[score.settled :] == [goals[-1]] * (600 - score.settled)
    assert score.settled == 0 or goals[score.settled - 1] != goals[-1]


@pytest.mark.parametrize("broken", ['["size",["lies","own"],15]', '["size",["nothing"],15,5]'])
def test_a_score_that_cannot_be_understood_is_an_error(tmp_path, broken):
    path = tmp_path / "model.grl.json"
    lesson(Headcount).save(path)
    text = "".join(path.read_text().split())
    assert '["size",["lies","own"],15,5]' in text
    path.write_text(text.replace('["size",["lies","own"],15,5]', broken))

    with pytest.raises(GrlError):
        grl.load(path).goals(grl.load(path).initial)
