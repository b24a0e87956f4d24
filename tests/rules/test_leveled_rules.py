"""Restrictions that ask which turns plainer ones leave: kings safe from what words allow."""

from __future__ import annotations

from functools import cache

from lessons import games_of, taught
from threat_games import Cautious, Horses

from grl.compare import compare_game
from grl.fresh import fresh_positions
from grl.logic.ops.places import lies
from grl.logic.ops.sets import WITHOUT, together
from grl.logic.ops.turns import reachable, threatened
from grl.logic.terms import make
from grl.model import Literal, Rule
from grl.rulebook import Rulebook
from grl.rules.features.cases import PositionCase
from grl.rules.features.levels import asking, asks, at_level, first_level, wider
from grl.rules.features.terms import asked_of, some
from grl.rules.features.vocabulary import attacked, reached
from grl.rules.play.effects import generator_of
from grl.rules.play.referee import referee_of


@cache
def lesson() -> Rulebook:
    return taught(Horses(), games_of(Horses(), 13, endgames=0.0, max_plies=60))


def test_kings_are_safe_from_horses_that_are_hobbled() -> None:
    """By a rule for horses, and one that asks what is left of their turns by it."""
    rulebook = lesson()

    found = compare_game(rulebook, Horses(), 40, 3, endings=0)
    assert (found.missing, found.surplus) == (0, 0), found.examples
    rules = rulebook.model.rules
    assert rules is not None
    hobbled, safe = rules.restrictions
    assert not asking(hobbled)
    assert [literal.holds for literal in safe.body] == [True]
    assert asks(safe.body[0].feature)
    assert first_level(rules.restrictions) == (hobbled,)


def test_how_many_men_a_turn_leaves_to_be_taken_is_one_rule() -> None:
    """Found bottom-up: no listed feature counts what turns would take."""
    game = Cautious()
    rulebook = taught(game, games_of(game, 20, endgames=0.0, max_plies=60))

    found = compare_game(rulebook, game, 100, 3, endings=0)
    assert (found.missing, found.surplus) == (0, 0), found.examples
    rules = rulebook.model.rules
    assert rules is not None
    (rule,) = rules.restrictions
    assert [asked_of(literal.feature) for literal in rule.body] == [{(1, 0)}]
    engine = rulebook.engine()
    assert engine.native is not None, engine.reason
    for position, legal in fresh_positions(game, 100, 4, 0):
        assert sorted(engine.state(position).turns()) == sorted(legal)


def test_c_finds_the_turns_of_levels_too() -> None:
    rulebook = lesson()
    engine = rulebook.engine()
    assert engine.native is not None, engine.reason
    for position, legal in fresh_positions(Horses(), 40, 4, 0):
        assert sorted(engine.state(position).turns()) == sorted(legal)


def test_what_turns_of_a_level_touch_is_what_the_reference_would_do() -> None:
    """Squares on which pieces could end, kings left alone or not: the moves of the reference."""
    game, rulebook = Horses(), lesson()
    model = rulebook.model
    assert model.rules is not None
    setting = referee_of(model.initial, model.rules, generator_of(model)).setting
    fewer = 0
    for position, _ in fresh_positions(game, 60, 5, 0):
        case = PositionCase.of(setting, position)
        for seat in (0, 1):
            player = setting.seat(position.to_move, seat)
            expected = {end for _, _, end in game.moves(position.cells, player)}
            words, left = (set(case.touched(seat, n)[1].nonzero()[0].tolist()) for n in (0, 1))
            assert left == expected
            assert left <= words
            fewer += left != words
    assert fewer > 10


def test_only_where_more_turns_mean_more_is_a_wider_question_known() -> None:
    """Pseudo-legal turns answer it where they don't touch what is asked for."""
    taken, met = attacked("own:king", 1, 1), reached("own:king", 1, 1)
    assert wider(("before", taken)) == ("before", attacked("own:king", 1))
    assert wider(("midway", met)) == ("midway", reached("own:king", 1))
    assert at_level(met, 0) == reached("own:king", 1)
    safe = make(WITHOUT, lies("own"), threatened(1, 1))
    assert wider(("after", some("now", safe))) is None
    both = together(lies("own"), make(WITHOUT, reachable(1, 1), lies("own:king")))
    assert wider(some("after", both)) is None
    assert wider(("after", ("stuck", 0))) is None


def test_rules_that_ask_for_what_others_leave_are_of_the_second_level() -> None:
    plain = Rule((Literal(("before", reached("own:king", 1)), True),))
    safe = Rule((Literal(("after", reached("opposing:king", 0, 1)), True),))
    assert first_level((plain, plain, safe, plain)) == (plain, plain)
    assert not asking(plain)
