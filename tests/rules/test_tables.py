"""What may not take what: one table, held to the ranks of the reference."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

from lessons import games_of, judged, taught
from ranked_game import RANKS, Ranked, takes

from grl.compare import compare_game
from grl.logic.ops import known_term
from grl.logic.ops.sets import together
from grl.logic.ops.tables import MATCHED
from grl.logic.terms import make
from grl.model import Literal
from grl.rulebook import Rulebook
from grl.rules.features.cases import Setting
from grl.rules.features.terms import some
from grl.rules.play.effects import generator_of
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.widening import widened


@cache
def lesson() -> Rulebook:
    return taught(Ranked(), games_of(Ranked(), 60, endgames=0.0, max_plies=80))


def test_ranks_are_learned_as_one_table() -> None:
    rulebook = lesson()

    found = compare_game(rulebook, Ranked(), 300, 3, endings=20)
    assert (found.missing, found.surplus) == (0, 0), found.examples
    rules = rulebook.model.rules
    assert rules is not None
    (rule,) = rules.restrictions
    (literal,) = rule.body
    name, when, data = literal.feature
    assert (name, when, literal.holds) == ("some", "before", True)
    (table,) = (term.arguments[0] for term in known_term(data).terms() if term.operator is MATCHED)
    assert set(table) == {
        (f"own:{one}", f"opposing:{other}")
        for one, other in product(RANKS, RANKS)
        if not takes(one, other)
    }


def test_pairs_that_a_table_lacks_are_found_in_all_records() -> None:
    rulebook = lesson()
    rules = rulebook.model.rules
    assert rules is not None
    setting = Setting(rulebook.model.equipment, rules.frames, generator_of(rulebook.model))
    items = judged(setting, Ranked(), 200)
    (rule,) = rules.restrictions
    (literal,) = rule.body
    whole = known_term(literal.feature[2])
    other, matched = whole.arguments
    table, one = matched.arguments
    fewer = together(other, make(MATCHED, table[2:], one))
    less = replace(rule, body=(Literal(some("before", fewer), True),))

    (found,) = widened(Survey(setting, items), [less])

    assert found.body == rule.body
