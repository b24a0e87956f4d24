"""The machines of turns as planning domains."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from learned import learned

from grl.cli import main
from grl.locm.domain import Domain
from grl.locm.table import Step
from grl.locm.turn_domains import turn_domains


def queen() -> Domain:
    domains = {
        domain.name: domain for domain in turn_domains(learned("amazons:width=6,height=6").model)
    }
    assert sorted(domains) == ["black_queen", "white_queen"]
    return domains["white_queen"]


def steps(text: str) -> list[Step]:
    return [Step(name, tuple(args)) for name, *args in (part.split() for part in text.split(","))]


def test_the_papers_plan_of_a_queen_runs() -> None:
    assert queen().accepts(steps("move_queen a1 b1, appear_arrow b1, move_arrow b1 c1"))


@pytest.mark.parametrize(
    "broken",
    [
        "move_queen a1 b1, appear_arrow a1",
        "move_queen a1 b1, appear_arrow b1, move_queen b1 c1",
        "move_queen a1 b1, move_queen b1 c1, appear_arrow b1",
        "move_queen a1 b1, move_queen a1 c1",
    ],
)
def test_an_arrow_elsewhere_or_a_second_move_is_refused(broken: str) -> None:
    found = queen().broken(steps(broken))
    assert found is not None
    assert found.step == len(steps(broken)) - 1


def test_export_writes_a_domain_for_each_piece_that_parsers_read(tmp_path: Path) -> None:
    pddl = pytest.importorskip("pddl")
    model = tmp_path / "model.grl.json"
    learned("amazons:width=6,height=6").save(model)
    folder = tmp_path / "domains"
    result = CliRunner().invoke(main, ["export", str(model), "--to", "pddl", "-o", str(folder)])
    assert result.exit_code == 0, result.output
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["black_queen.pddl", "white_queen.pddl"]
    for name in names:
        domain = pddl.parse_domain(str(folder / name))
        assert {str(action.name) for action in domain.actions} == {
            "appear_arrow",
            "move_arrow",
            "move_queen",
        }
