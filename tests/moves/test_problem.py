"""The state space of a position's planning problem holds its pseudo-legal turns and no others."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from learned import all_binding, learned, learned_movements, random_positions
from test_ties import castling

from grl.board import Position, make_position
from grl.cli import main
from grl.locm.actions import type_name
from grl.locm.domain import Domain, Fact, Schema
from grl.locm.pddl import domain_pddl, problem_pddl
from grl.model import Machine, Model, StateId, Tie
from grl.moves.problem import position_problem
from grl.moves.search import Searcher
from grl.rulebook import Rulebook
from grl.turn import play

SMALL = "breakthrough:width=6,height=6"


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


def compare(model: Model, position: Position, *, locm: bool = True) -> int:
    """The number of turns of a position, when its state space holds them and no others."""
    problem = position_problem(model if locm else replace(model, machines=()), position)
    found = {(origin, lying(state)) for origin, state in ends(*problem)}
    expected = {
        (turn.segments[0].origin, board_of(play(position, turn)))
        for turn in Searcher(model, locm=locm).turns(position)
        if turn.segments
    }
    assert found == expected
    return len(expected)


@pytest.mark.parametrize("locm", [True, False])
@pytest.mark.parametrize(
    ("spec", "games"),
    [
        ("tic-tac-toe", 3),
        (SMALL, 2),
        ("checkers", 20),
        ("checkers:continuing=1", 20),
        ("peg-solitaire", 10),
        ("nine-mens-morris", 10),
        ("amazons:width=5,height=5", 3),
    ],
)
def test_the_state_space_holds_the_turns(spec: str, games: int, locm: bool) -> None:
    model = learned_movements(spec, games).model
    few = {"amazons:width=5,height=5": 1, "nine-mens-morris": 2, "checkers:continuing=1": 3}
    positions = random_positions(spec, few.get(spec, 4), seed=3)
    compared = sum(
        compare(model, replace(reached, equipment=model.equipment), locm=locm)
        for reached in positions
    )
    assert compared > 10


def test_ties_hold_in_the_state_space() -> None:
    """With the bishop in the way one side is left; without ties the other rook would jump it."""
    model = castling()
    for rows in (["R...K..R"], ["R.B.K..R"], ["R...KB.R"]):
        position = make_position(model.equipment, rows, "white")
        turns = compare(model, position)
        assert turns == (2 if rows == ["R...K..R"] else 1)
        assert compare(model, position, locm=False) >= turns
    crowded = make_position(model.equipment, ["R.B.K..R"], "white")
    assert compare(model, crowded, locm=False) == 2


def any_machines(model: Model, dice: random.Random) -> tuple[Machine, ...]:
    """Machines with the actions of the model's own and everything else by chance."""
    found = []
    for machine in model.machines:
        if machine.sort != "zero":
            continue
        actions, size = sorted(machine.actions), 2 + dice.randrange(2)
        arity = {a: 3 if "_over_" in a else 2 if a.startswith("move") else 1 for a in actions}

        def states(size: int = size) -> frozenset[StateId]:
            return frozenset(StateId(s) for s in range(size) if dice.random() < 0.7)

        whole = dice.random() < 0.5
        seen = actions if whole else dice.sample(actions, 1 + dice.randrange(len(actions)))
        transitions = tuple(
            (StateId(dice.randrange(size)), a, 0, StateId(dice.randrange(size))) for a in seen
        )
        pairs = [(dice.choice(actions), dice.choice(actions)) for _ in range(2)]
        ties = [Tie(a, dice.randint(1, arity[a]), b, dice.randint(1, arity[b])) for a, b in pairs]
        found.append(
            replace(
                machine,
                size=size,
                transitions=transitions,
                initial=states(),
                final=states(),
                whole=whole,
                ties=tuple(sorted(set(ties))),
            )
        )
    return tuple(found)


@pytest.mark.parametrize(
    ("spec", "games"), [("checkers:continuing=1", 20), ("nine-mens-morris", 10)]
)
def test_the_state_space_obeys_any_machines(spec: str, games: int) -> None:
    """Learned machines agree with the automata; these don't."""
    model = learned_movements(spec, games).model
    dice = random.Random(5)
    different = fewer = 0
    for reached in random_positions(spec, 12, seed=3):
        position = replace(reached, equipment=model.equipment)
        odd = replace(model, machines=any_machines(model, dice))
        turns = compare(odd, position)
        fewer += turns < len(Searcher(model).turns(position))
        different += turns > 0
    assert fewer > 3
    assert different > 2


def test_a_planner_ends_a_turn(tmp_path: Path) -> None:
    planner = pytest.importorskip("pyperplan.planner")
    model = all_binding(learned(SMALL, 2).model)
    domain, facts = position_problem(model, model.initial)
    squares = {model.initial.board.names[s]: "square" for s in model.initial.board.squares}
    Rulebook(model).save(tmp_path / "model.json")
    (tmp_path / "position.json").write_text(json.dumps(model.initial.to_dict()))
    arguments = ["export", str(tmp_path / "model.json"), "--to", "pddl", "-o", str(tmp_path)]
    result = CliRunner().invoke(main, [*arguments, "--position", str(tmp_path / "position.json")])
    assert result.exit_code == 0, result.output
    paths = tmp_path / "position-domain.pddl", tmp_path / "position-problem.pddl"
    assert paths[0].read_text() == domain_pddl(domain)
    assert paths[1].read_text() == problem_pddl(domain, squares, facts, [("ended",)])
    found = planner.search_plan(*map(str, paths), planner.SEARCHES["bfs"], None)
    names = dict.fromkeys(operator.name.split("_")[0] for operator in found)
    assert list(names) == ["(lift", "(step", "(note", "(end", "(close"]
