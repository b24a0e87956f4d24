"""What may not take what: one table, held to the ranks of the reference."""

from __future__ import annotations

from itertools import product

from lessons import games_of, taught
from ranked_game import RANKS, Ranked, takes

from grl.compare import compare_game
from grl.logic.ops import known_term
from grl.logic.ops.tables import MATCHED


def test_ranks_are_learned_as_one_table() -> None:
    rulebook = taught(Ranked(), games_of(Ranked(), 100, endgames=0.0, max_plies=80))

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
