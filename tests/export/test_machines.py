"""Programs have those of LOCM's machines that bind, and say that there are others."""

from dataclasses import replace

from learned import all_binding, learned_movements
from running import Verdict, solved

from grl.export.program import asp_program, fluents


def test_machines_of_checkers_do_not_bind():
    model = learned_movements("checkers").model

    assert len(model.machines) == 8
    assert not any(machine.ties for machine in model.machines)
    assert "machine(" not in asp_program(model)


def test_machines_that_bind_are_written():
    model = learned_movements("connect-four").model
    bound = all_binding(model)
    never = replace(
        bound, machines=tuple(replace(machine, final=frozenset()) for machine in bound.machines)
    )

    assert "LOCM's machines are those for turns that begin on" in asp_program(never)
    legal = Verdict(never, solved(asp_program(never), _state(never))).legal
    assert legal == set() != Verdict(model, solved(asp_program(model), _state(model))).legal


def _state(model):
    return [f"true({fluent})." for fluent in fluents(model, model.initial)]
