"""LOCM's machines and ties in programs: what they exclude is what the search excludes."""

from dataclasses import replace
from itertools import islice

import pytest
from gdl import answer_set_program, faults, read
from random_models import random_model, walks
from running import differences

from grl.export.kif import gdl_program
from grl.export.program import asp_program
from grl.moves.search import Searcher
from grl.rulebook import Rulebook

ORDERED = (8, 16, 17, 28, 37, 47, 50, 115, 156)
"""Seeds of random models whose machines exclude turns; among them are flights, pieces that appear,
that are kept, and that are passed over or taken."""


def _model(seed):
    model = replace(random_model(seed), rules=None, effects=())
    free, ordered = (Searcher(model, locm=locm) for locm in (False, True))
    met = islice(walks(Rulebook(model), seed), 5)
    assert any(_spelled(free, each) - _spelled(ordered, each) for each in met)
    return model


def _spelled(searcher, position):
    return {candidate.turn for candidate in searcher.spellings(position)}


@pytest.mark.parametrize("seed", ORDERED)
def test_random_machines_and_ties_exclude_the_same(seed):
    model = _model(seed)
    positions = list(islice(walks(Rulebook(model), seed), 5))

    assert differences(model, asp_program(model), positions) == 5


@pytest.mark.parametrize("seed", ORDERED[2:9:3])
def test_random_machines_in_gdl(seed):
    model = _model(seed)
    positions = list(islice(walks(Rulebook(model), seed), 2))
    rules = read(gdl_program(model))

    assert faults(rules) == []
    assert differences(model, answer_set_program(rules), positions, minus=True) == 2
