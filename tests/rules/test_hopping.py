"""That nobody stops where he can hop on is one rule, from however far hops come."""

from __future__ import annotations

from hopping_game import Hopping
from lessons import games_of, taught

from grl.compare import compare_game
from grl.logic.ops.lines import BEHIND
from grl.rules.features.terms import speaks_of


def test_who_hops_from_afar_does_not_stop_where_he_can_hop_on():
    learned = taught(Hopping(), games_of(Hopping(), 30, max_plies=30))

    compared = compare_game(learned, Hopping(), positions=200, seed=3, endings=10)

    assert compared.same, compared
    (rule,) = learned.model.rules.restrictions
    assert any(speaks_of(literal.feature, (BEHIND,)) for literal in rule.body)
