"""Rules met so far in another order, or fewer of them: the best of the theories that they give."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any, cast

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from learned import learned, random_positions

from grl import games
from grl.model import Literal, Rule
from grl.records import Moment
from grl.rules.features.cases import Setting
from grl.rules.features.vocabulary import words_of
from grl.rules.play.effects import generator_of
from grl.rules.restrictions.arrangement import Turns, cheapest_cover
from grl.rules.restrictions.labelled import ILLEGAL, LEGAL, label
from grl.rules.restrictions.scoring import Explained
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.restrictions.working_set import Working
from grl.rules.search.conjunctions import RULE_COST
from grl.rules.search.refine import Theory

COMPULSORY = Literal(("rival_has", "any", ("takes", "opposing")), True)
OF_MEN = (COMPULSORY, Literal(("moves", "own:man"), True))


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


covers = st.lists(st.tuples(st.sets(st.integers(0, 8)), st.integers(1, 4)), min_size=1, max_size=6)


@given(covers)
def test_the_cheapest_rules_that_explain_as_much_are_found(
    some: list[tuple[set[int], int]],
) -> None:
    """Rows up to 6 are illegal turns, 7 and 8 are legal ones, each in a position of its own."""
    labels = np.array([ILLEGAL] * 7 + [LEGAL] * 2)
    columns = {
        ("column", number): np.array([row in rows for row in range(9)])
        for number, (rows, _) in enumerate(some)
    }
    bodies = {(Literal(f, True),): float(c) for f, (_, c) in zip(columns, some, strict=True)}
    pure = [i for i, (rows, _) in enumerate(some) if rows and not rows & {7, 8}]
    explained = set().union(*(some[i][0] for i in pure))
    names = list(bodies)
    greedy = Theory(
        tuple(Rule(names[i]) for i in pure),
        7 - len(explained),
        sum(some[i][1] + RULE_COST for i in pure),
    )

    turns = Turns(labels, np.arange(9), cast("Any", None), columns)
    found = cheapest_cover(turns, bodies, greedy)

    ways = chain.from_iterable(combinations(pure, n) for n in range(len(pure) + 1))
    least = min(
        sum(some[i][1] + RULE_COST for i in way)
        for way in ways
        if set().union(*(some[i][0] for i in way)) == explained
    )
    assert (found.unexplained, found.cost) == (7 - len(explained), least)
    assert len(found.rules) == len({rule.body for rule in found.rules})
