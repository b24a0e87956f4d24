"""LOCM's machines and ties in programs: what they exclude is what the search excludes."""

from dataclasses import replace
from itertools import islice

import pytest
from gdl import answer_set_program, faults, read
from random_models import random_model, walks
from running import differences

from grl.export import program
from grl.export.kif import gdl_program
from grl.export.machines import Excluded, excluded
from grl.export.program import asp_program
from grl.rulebook import Rulebook

ORDERED = (8, 16, 17, 28, 37, 49, 50, 115, 156)
"""Seeds of random models whose machines exclude turns; among them are flights, pieces that appear,
that are kept, and that are passed over or taken."""


@pytest.fixture
def all_machines(monkeypatch):
    """All machines are written, not only those that exclude something in a sample of play."""
    monkeypatch.setattr(program, "excluded", _all)


def _all(model):
    pieces = frozenset((machine.mover, machine.piece) for machine in model.machines)
    return Excluded(1, 1, 1, pieces)


def _model(seed):
    model = replace(random_model(seed), rules=None, effects=())
    assert excluded(model).excluded > 0
    return model


@pytest.mark.usefixtures("all_machines")
@pytest.mark.parametrize("seed", ORDERED)
def test_random_machines_and_ties_exclude_the_same(seed):
    model = _model(seed)
    positions = list(islice(walks(Rulebook(model), seed), 5))

    assert differences(model, asp_program(model), positions) == 5


@pytest.mark.usefixtures("all_machines")
@pytest.mark.parametrize("seed", ORDERED[2:9:3])
def test_random_machines_in_gdl(seed):
    model = _model(seed)
    positions = list(islice(walks(Rulebook(model), seed), 2))
    rules = read(gdl_program(model))

    assert faults(rules) == []
    assert differences(model, answer_set_program(rules), positions, minus=True) == 2
