"""The state space of a position's planning problem holds its pseudo-legal turns and no others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from brute import effect
from click.testing import CliRunner
from learned import learned, random_positions

from grl.board import Position
from grl.cli import main
from grl.locm.actions import type_name
from grl.locm.domain import Domain, Fact, Schema
from grl.locm.pddl import domain_pddl, problem_pddl
from grl.moves.problem import position_problem
from grl.moves.search import Searcher
from grl.turn import play


def ends(domain: Domain, facts: list[Fact]) -> Iterator[tuple[str, frozenset[Fact]]]:
    """Every state with a turn ended, and where that turn began."""
    first = frozenset(facts)
    seen = {("", first)}
    waiting = [("", first)]
    while waiting:
        origin, state = waiting.pop()
        if ("ended",) in state:
            yield origin, state
            continue
        by_name: dict[str, list[Fact]] = {}
        for fact in state:
            by_name.setdefault(fact[0], []).append(fact)
        for schema in domain.schemas:
            for args in bindings(schema, by_name, 0, (None,) * len(schema.sorts)):
                _, deletes, adds = schema.ground(args)
                after = (origin or args[0], frozenset(state - set(deletes) | set(adds)))
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)


def bindings(
    schema: Schema, facts: dict[str, list[Fact]], at: int, args: tuple[str | None, ...]
) -> Iterator[tuple[str, ...]]:
    """Every way to fill the arguments so that what is needed holds."""
    if at == len(schema.needs):
        yield tuple(str(a) for a in args)
        return
    atom = schema.needs[at]
    for fact in facts.get(atom.predicate, ()):
        filled = list(args)
        for place, value in zip(atom.args, fact[1:], strict=True):
            assert isinstance(place, int)
            if filled[place] not in (None, value):
                break
            filled[place] = value
        else:
            yield from bindings(schema, facts, at + 1, tuple(filled))


def lying(state: frozenset[Fact]) -> frozenset[Fact]:
    """What lies where."""
    return frozenset(fact for fact in state if fact[0].startswith("holds_"))


def board_of(position: Position) -> frozenset[Fact]:
    keys = sorted(position.equipment.pieces)
    named = {key: f"holds_{type_name(position.equipment, key)}{i}" for i, key in enumerate(keys)}
    return frozenset(
        (named[position.cells[s]], position.board.names[s])
        for s in position.board.squares
        if position.cells[s] in named
    )


@pytest.mark.parametrize(
    "spec", ["tic-tac-toe", "breakthrough:width=6,height=6", "checkers", "peg-solitaire"]
)
def test_the_state_space_holds_the_turns(spec: str) -> None:
    model = learned(spec).model
    compared = 0
    for reached in random_positions(spec, 4, seed=3):
        position = replace(reached, equipment=model.equipment)
        domain, facts = position_problem(model, position)
        found = {(origin, lying(state)) for origin, state in ends(domain, facts)}
        expected = {
            (turn.segments[0].origin, board_of(play(position, turn)))
            for turn in Searcher(model, locm=False).turns(position)
            if turn.segments
        }
        assert found == expected
        assert len({effect(position, t) for t in Searcher(model).turns(position)}) >= len(expected)
        compared += len(expected)
    assert compared > 10


def test_a_planner_ends_a_turn(tmp_path: Path) -> None:
    planner = pytest.importorskip("pyperplan.planner")
    model = learned("checkers").model
    domain, facts = position_problem(model, model.initial)
    squares = {model.initial.board.names[s]: "square" for s in model.initial.board.squares}
    learned("checkers").save(tmp_path / "model.json")
    (tmp_path / "position.json").write_text(json.dumps(model.initial.to_dict()))
    arguments = ["export", str(tmp_path / "model.json"), "--to", "pddl", "-o", str(tmp_path)]
    result = CliRunner().invoke(main, [*arguments, "--position", str(tmp_path / "position.json")])
    assert result.exit_code == 0, result.output
    paths = tmp_path / "position-domain.pddl", tmp_path / "position-problem.pddl"
    assert paths[0].read_text() == domain_pddl(domain)
    assert paths[1].read_text() == problem_pddl(domain, squares, facts, [("ended",)])
    found = planner.search_plan(*map(str, paths), planner.SEARCHES["bfs"], None)
    assert [operator.name.split("_")[0] for operator in found] == ["(lift", "(step", "(end"]
