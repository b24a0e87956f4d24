"""Programs have those of LOCM's machines that exclude turns, and say what the others do."""

from dataclasses import replace

from learned import learned_movements
from running import Verdict, solved

from grl.export.machines import excluded
from grl.export.program import asp_program, fluents


def test_machines_of_learned_models_exclude_nothing():
    model = learned_movements("checkers").model

    found = excluded(model)

    assert found.excluded == 0
    assert found.turns > 500


def test_machines_that_exclude_turns_are_written():
    model = learned_movements("connect-four").model
    never = replace(
        model, machines=tuple(replace(machine, final=frozenset()) for machine in model.machines)
    )

    found = excluded(never)

    assert found.excluded == found.turns > 100
    assert found.pieces == {("white", "."), ("black", ".")}
    legal = Verdict(never, solved(asp_program(never), _state(never))).legal
    assert legal == set() != Verdict(model, solved(asp_program(model), _state(model))).legal


def _state(model):
    return [f"true({fluent})." for fluent in fluents(model, model.initial)]
