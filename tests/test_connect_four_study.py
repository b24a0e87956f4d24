"""The Connect-Four study: descriptions that agree, tasks that come out of traces, and its scenarios."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import clingo
import pytest
from study import LEARNED, merged, stored
from study_tasks import (
    GAME,
    SPECS,
    TASKS,
    Moment,
    cells,
    chosen,
    column,
    moments,
    preferences,
    sections,
    task_text,
    write_study_traces,
)

from grl.fresh import fresh_positions
from grl.games import Game, load
from grl.las import Outcome, solve
from grl.las.choose import satisfied
from grl.proving import Program, Proof, parse, prove, relations

REFERENCE = GAME / "reference.lp"
INVARIANTS = parse((GAME / "invariants.lp").read_text(), invariants=True)
NUMBERS = {"white": 1, "black": 2}


def program(path: Path) -> Program:
    return parse(path.read_text(), str(path))


# Two descriptions, one of them in Python


def fluents(board: Iterable[tuple[int, int, int]], control: int) -> list[str]:
    return [f"cell({x},{y},{disc})" for x, y, disc in board] + [f"control({control})"]


@pytest.mark.parametrize("path", [REFERENCE, LEARNED], ids=["reference", "learned"])
@pytest.mark.parametrize(("width", "height", "number"), [(7, 6, 60), (5, 4, 60)])
def test_the_program_is_the_game_on_random_positions(
    path: Path, width: int, height: int, number: int
) -> None:
    game = load(f"connect-four:width={width},height={height}")
    constants = {"width": str(width), "height": str(height)}
    told = program(path)
    ended = 0
    rng = random.Random(3)
    for position, legal in fresh_positions(game, number, seed=5):
        mover = NUMBERS[position.to_move]
        if not legal:
            # The reference game says nothing of who moves at the end; the discs do.
            mover = 1 if position.cells.count("x") == position.cells.count("o") else 2
        true = fluents(cells(position), mover)
        drops = {column(position, turn): turn for turn in legal}
        chosen_drop = rng.choice(sorted(drops)) if drops else None
        does = [f"does({mover},drop({chosen_drop}))"] if drops else []
        found = relations(told, true, does, constants)
        assert found["terminal"] == ({"terminal"} if game.is_terminal(position) else set())
        assert found["legal"] == {f"legal({mover},drop({x}))" for x in drops}
        if chosen_drop is None:
            ended += 1
            goals = game.goals(position)
            assert found["goal"] == {f"goal({NUMBERS[who]},{goal})" for who, goal in goals.items()}
        else:
            after = game.play(position, drops[chosen_drop])
            expected = fluents(cells(after), 3 - mover)
            assert found["next"] == {f"next({fluent})" for fluent in expected}
    assert ended > 3


def test_the_first_state_is_the_games() -> None:
    told = program(REFERENCE)
    found = grounded_atoms("\n".join(map(str, (*told.constants, *told.rules))), "init")
    first = load("connect-four").initial
    assert found == {f"init({fluent})" for fluent in fluents(cells(first), 1)}


def grounded_atoms(text: str, name: str) -> set[str]:
    ctl = clingo.Control(["--warn=none"])
    ctl.add("base", [], text)
    ctl.ground([("base", [])])
    return {str(one.symbol) for one in ctl.symbolic_atoms if one.symbol.name == name}


def proof(learned: str, width: int, height: int) -> Proof:
    return prove(
        parse(learned),
        program(REFERENCE),
        INVARIANTS,
        constants={"width": str(width), "height": str(height)},
    )


def test_the_learned_program_is_proven_to_be_the_game_on_small_boards() -> None:
    for width, height in ((4, 4), (5, 3)):
        found = proof(LEARNED.read_text(), width, height)
        assert found.proven, found


@pytest.mark.parametrize(
    ("old", "new", "relation"),
    [
        (
            # A diagonal that has to begin above the first row.
            "dia1(V1,V2,V3) :- role(V3);",
            "dia1(V1,V2,V3) :- role(V3); cell(V1,V2-1,V4);",
            "terminal",
        ),
        # The study's rule, which gives a drawn game no goals.
        ("goal(V1,50) :- opponent(V1,V2); not line(V1); not line(V2).",
         "goal(V1,50) :- opponent(V1,V2); not terminal.", "goal"),
        ("not cell(V1,V2-1,0).", "not cell(V1,V2-1,0); not cell(V1,V2-1,2).", "next"),
    ],
)  # fmt: skip
def test_a_slip_is_refuted_by_a_state_on_which_both_run_apart(
    old: str, new: str, relation: str
) -> None:
    text = LEARNED.read_text()
    assert old in text
    slipped = text.replace(old, new)
    found = proof(slipped, 4, 5)
    assert not found.proven
    (claim,) = [one for one in found.claims if one.name.startswith(f"{relation}/")]
    assert claim.counterexample is not None
    true, does = claim.counterexample.true, claim.counterexample.does
    constants = {"width": "4", "height": "5"}
    mine = relations(parse(slipped), true, does, constants)[relation]
    reference = relations(program(REFERENCE), true, does, constants)[relation]
    assert mine != reference
    assert set(claim.counterexample.missing) == reference - mine
    assert set(claim.counterexample.surplus) == mine - reference
