"""Rules met so far in another order: the best of the theories that they give."""

from __future__ import annotations

from learned import learned, random_positions

from grl import games
from grl.model import Literal, Rule
from grl.records import Moment
from grl.rules.features.cases import Setting
from grl.rules.features.vocabulary import words_of
from grl.rules.play.effects import generator_of
from grl.rules.restrictions.labelled import label
from grl.rules.restrictions.learn import Explained
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.restrictions.working_set import Working

COMPULSORY = Literal(("rival_has", "any", ("takes", "1*")), True)
OF_MEN = (COMPULSORY, Literal(("moves", "0:man"), True))


def test_a_rule_that_a_later_one_makes_needless_is_given_up() -> None:
    model = learned("checkers").model
    assert model.rules is not None
    setting = Setting(model.equipment, model.rules.frames, generator_of(model))
    game = games.load("checkers")
    items = [
        label(setting, Moment(position, True, frozenset(game.legal(position)), frozenset()))
        for position in random_positions("checkers", 120, seed=4)
    ]
    working = Working(TurnVocabulary.of(setting, words_of(model), items))
    working.add(items)

    begun = working.theory(0, Explained(), patience=4, begun=[Rule(OF_MEN)])
    better = working.rearranged(0, Explained())

    assert begun.rules[0].body == OF_MEN
    assert (COMPULSORY,) in [rule.body for rule in begun.rules]
    assert better.unexplained == begun.unexplained == 0
    assert better.cost < begun.cost
    assert {rule.body for rule in better.rules} < {rule.body for rule in begun.rules}
    assert OF_MEN not in [rule.body for rule in better.rules]
