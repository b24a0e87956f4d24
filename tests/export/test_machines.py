"""What programs lose with LOCM's machines is counted."""

from dataclasses import replace

from learned import learned_movements

from grl.export.machines import excluded
from grl.export.program import asp_program


def test_machines_of_learned_models_exclude_nothing():
    model = learned_movements("checkers").model

    found = excluded(model)

    assert found.excluded == 0
    assert found.turns > 500


def test_what_machines_exclude_is_counted_and_said():
    model = learned_movements("connect-four").model
    never = replace(
        model, machines=tuple(replace(machine, final=frozenset()) for machine in model.machines)
    )

    found = excluded(never)

    assert found.excluded == found.turns > 100
    said = " ".join(line.removeprefix("% ") for line in asp_program(never).splitlines()[:12])
    assert f"they exclude {found.turns} of {found.turns} turns" in said
