"""The Connect-Four study: descriptions that agree, tasks that come out of traces, scenarios."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
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
    Spec,
    cells,
    chosen,
    column,
    moments,
    preferences,
    task_text,
    write_study_traces,
)

from grl.fresh import fresh_positions
from grl.games import load
from grl.las import Outcome, solve
from grl.las.choose import satisfied
from grl.proving import Program, Proof, parse, prove, relations

REFERENCE = GAME / "reference.lp"
INVARIANTS = parse((GAME / "invariants.lp").read_text(), invariants=True)
NUMBERS = {"white": 1, "black": 2}
ENDINGS = 20
ALL = "GRL_STUDY_ALL" in os.environ


def program(path: Path) -> Program:
    return parse(path.read_text(), str(path))


# Two descriptions, one of them in Python


def fluents(board: Iterable[tuple[int, int, int]], control: int) -> list[str]:
    return [f"cell({x},{y},{disc})" for x, y, disc in board] + [f"control({control})"]


@pytest.mark.parametrize("path", [REFERENCE, LEARNED], ids=["reference", "learned"])
@pytest.mark.parametrize(("width", "height", "number"), [(7, 6, 25), (5, 4, 40)])
def test_the_program_is_the_game_on_random_positions(
    path: Path, width: int, height: int, number: int
) -> None:
    game = load(f"connect-four:width={width},height={height}")
    constants = {"width": str(width), "height": str(height)}
    learned = program(path)
    ended = 0
    rng = random.Random(3)
    for position, legal in fresh_positions(game, number, seed=5):
        if not legal and ended == ENDINGS:
            continue
        mover = NUMBERS[position.to_move]
        if not legal:
            # The reference game says nothing of who moves at the end; the discs do.
            mover = 1 if position.cells.count("x") == position.cells.count("o") else 2
        true = fluents(cells(position), mover)
        drops = {column(position, turn): turn for turn in legal}
        chosen_drop = rng.choice(sorted(drops)) if drops else None
        does = [f"does({mover},drop({chosen_drop}))"] if drops else []
        found = relations(learned, true, does, constants)
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
    assert ended == ENDINGS


def test_the_first_state_is_the_games() -> None:
    reference = program(REFERENCE)
    found = grounded_atoms("\n".join(map(str, (*reference.constants, *reference.rules))), "init")
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
    found = proof(slipped, 4, 4)
    assert not found.proven
    (claim,) = [one for one in found.claims if one.name.startswith(f"{relation}/")]
    assert claim.counterexample is not None
    true, does = claim.counterexample.true, claim.counterexample.does
    constants = {"width": "4", "height": "4"}
    mine = relations(parse(slipped), true, does, constants)[relation]
    reference = relations(program(REFERENCE), true, does, constants)[relation]
    assert mine != reference
    assert set(claim.counterexample.missing) == reference - mine
    assert set(claim.counterexample.surplus) == mine - reference


# The tasks


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> list[Moment]:
    path = tmp_path_factory.mktemp("study") / "connect-four.jsonl"
    write_study_traces(path)
    return moments(path)


SLOW = {"horz", "vert", "dia1", "dia2", "preferences"}
"""Tasks whose examples take long to choose; GRL_STUDY_ALL=1 writes them too."""


@pytest.mark.parametrize(
    "spec", [one for one in SPECS if ALL or one.name not in SLOW], ids=lambda one: one.name
)
def test_the_task_files_are_what_the_command_writes_from_traces(
    spec: Spec, seen: list[Moment]
) -> None:
    kept = chosen(spec, seen)
    assert kept.complete
    text = task_text(spec, kept.lessons)
    assert text == (TASKS / f"{spec.name}.las").read_text()


def test_there_is_a_file_for_each_task_and_no_other() -> None:
    assert {path.stem for path in TASKS.iterdir()} == {spec.name for spec in SPECS}


@pytest.fixture(scope="module")
def learned() -> dict[str, Outcome]:
    return {spec.name: solve(stored(spec)) for spec in SPECS}


def test_the_learned_program_is_what_the_tasks_give(learned: dict[str, Outcome]) -> None:
    assert all(outcome.proven for outcome in learned.values())
    text = merged({name: outcome.program() for name, outcome in learned.items()})
    assert text == LEARNED.read_text()


@pytest.mark.parametrize("name", ["horz", "vert", "dia1", "dia2", "preferences"])
def test_what_few_examples_give_holds_on_all_positions(
    name: str, seen: list[Moment], learned: dict[str, Outcome]
) -> None:
    (spec,) = [one for one in SPECS if one.name == name]
    pool = list(preferences(seen, 2) if name == "preferences" else spec.lessons(seen))
    rules = learned[name].rules
    assert rules is not None
    assert len(pool) > 50
    for lesson in pool[::5]:
        assert satisfied(spec.task, rules, lesson)


# The scenarios of the study's figure 2


@dataclass(frozen=True)
class Scenario:
    """A board, from the top row down, and what the figure says of it.

    `open` is the number of open columns, `moves` that of legal moves.
    """

    number: int
    rows: tuple[str, ...]
    checks: bool
    lines: set[int]
    control: int
    open: int
    moves: int
    goals: tuple[int, int]


EMPTY_ROW = "......."
SCENARIOS = (
    Scenario(8, (EMPTY_ROW,) * 6, False, set(), 1, 7, 7, (50, 50)),
    Scenario(
        9,
        ("2......", "1......", "2......", "1......", "21.....", "112.12."),
        False, set(), 2, 6, 6, (50, 50),
    ),
    Scenario(
        10,
        ("1.21221", "2112112", "2221121", "1112221", "2211212", "1122211"),
        False, set(), 2, 1, 1, (50, 50),
    ),
    Scenario(
        11,
        ("2121112", "2112221", "1212121", "2111212", "1221212", "2122112"),
        False, set(), 1, 0, 0, (50, 50),
    ),
    Scenario(
        12,
        ("...2...", ".1.1...", ".1.1...", "21.2...", "1222..2", "1121221"),
        True, set(), 1, 6, 6, (50, 50),
    ),
    Scenario(
        13,
        ("21.1112", "2112221", "1212121", "2111212", "1221212", "2122112"),
        True, set(), 2, 1, 1, (50, 50),
    ),
    Scenario(
        14,
        ("...1...", "...1...", "...1...", "...1...", "2..2...", "2..1..2"),
        False, {1}, 2, 6, 0, (100, 0),
    ),
    Scenario(
        15,
        ("112221.", "2111221", "1212111", "2212122", "1121122", "1121222"),
        False, {1}, 2, 1, 0, (100, 0),
    ),
    Scenario(
        16,
        ("2111211", "2212221", "1222112", "2211121", "1122211", "1221212"),
        False, {2}, 1, 0, 0, (0, 100),
    ),
)  # fmt: skip


def board(rows: tuple[str, ...]) -> list[tuple[int, int, int]]:
    height = len(rows)
    return [
        (x, height - y, 0 if key == "." else int(key))
        for y, row in enumerate(rows)
        for x, key in enumerate(row, 1)
    ]


def answers(rows: tuple[str, ...], optimal: bool = False) -> list[set[str]]:
    """The answer sets of the merged program on a board, or the best: its own rule moves."""
    facts = "".join(f"true(cell({x},{y},{disc}))." for x, y, disc in board(rows))
    mode = "optN" if optimal else "ignore"
    ctl = clingo.Control(["--warn=none", "--models=0", f"--opt-mode={mode}"])
    ctl.add("base", [], LEARNED.read_text() + facts)
    ctl.ground([("base", [])])
    found = []
    with ctl.solve(yield_=True) as handle:
        for model in handle:
            if model.optimality_proven or not optimal:
                found.append({str(atom) for atom in model.symbols(atoms=True)})
    return found


def named(atoms: set[str], name: str, arguments: int | None = None) -> set[str]:
    return {
        atom
        for atom in atoms
        if atom.partition("(")[0] == name
        and (arguments is None or len(clingo.parse_term(atom).arguments) == arguments)
    }


def test_scenarios_1_and_2_the_background_and_the_first_state() -> None:
    (atoms, *_) = answers((EMPTY_ROW,) * 6)
    assert named(atoms, "board_size") == {"board_size(7,6)"}
    assert named(atoms, "col") == {f"col({x})" for x in range(1, 8)}
    assert named(atoms, "row") == {f"row({y})" for y in range(1, 7)}
    assert named(atoms, "control") == {"control(1)"}
    reference = program(REFERENCE)
    init = grounded_atoms("\n".join(map(str, (*reference.constants, *reference.rules))), "init")
    assert init == {f"init({fluent})" for fluent in fluents(board((EMPTY_ROW,) * 6), 1)}


@pytest.mark.parametrize(
    ("number", "rows", "player", "directions"),
    [
        (3, (".....2.", ".....2.", "2.1111."), 1, {"horz"}),
        (4, ("....1..", "....1..", "....1..", "..221.2"), 1, {"vert"}),
        (5, ("....12.", "...121.", "1.1212.", "2112212"), 1, {"dia1"}),
        (6, ("....22.", "...122.", "...111.", "12.2211", "1121221"), 1, {"dia2"}),
        (7, ("....12.", "..1.21.", "2.22221", "1122111"), 2, {"horz", "dia1"}),
    ],
)
def test_scenarios_3_to_7_lines(
    number: int, rows: tuple[str, ...], player: int, directions: set[str]
) -> None:
    full = (*(EMPTY_ROW,) * (6 - len(rows)), *rows)
    for atoms in answers(full):
        assert named(atoms, "line") == {f"line({player})"}, number
        found = {name for name in ("horz", "vert", "dia1", "dia2") if named(atoms, name)}
        assert found == directions
        assert named(atoms, "check")


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: str(case.number))
def test_scenarios_8_to_16_states_of_the_game(case: Scenario) -> None:
    found = answers(case.rows)
    assert len(found) == max(1, case.moves)
    terminal = bool(case.lines) or not case.open
    played = {move for atoms in found for move in named(atoms, "does")}
    assert {move.replace("does", "legal") for move in played} == named(found[0], "legal")
    for atoms in found:
        assert bool(named(atoms, "check")) == case.checks
        assert named(atoms, "line") == {f"line({player})" for player in case.lines}
        assert named(atoms, "control") == {f"control({case.control})"}
        assert bool(named(atoms, "open", 0)) == bool(case.open)
        assert len(named(atoms, "open", 1)) == case.open
        assert len(named(atoms, "target", 2)) == case.open
        assert len(named(atoms, "target", 3)) == (0 if terminal else 1)
        assert bool(named(atoms, "terminal")) == terminal
        assert len(named(atoms, "legal")) == case.moves
        mover = {f"next(control({3 - case.control}))"}
        assert {atom for atom in named(atoms, "next", 1) if "control" in atom} == mover
        assert named(atoms, "goal") == {
            f"goal({player},{goal})" for player, goal in zip((1, 2), case.goals, strict=True)
        }
        after = {(x, y): disc for x, y, disc in board(case.rows)}
        for move in named(atoms, "does"):
            drop = clingo.parse_term(move).arguments[1].arguments[0].number
            after[drop, min(y for (x, y), disc in after.items() if x == drop and not disc)] = (
                case.control
            )
        expected = {f"next({x},{y},{disc})" for (x, y), disc in after.items()}
        assert named(atoms, "next", 3) == expected


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        # Player 1 wins at b1 rather than block at c5.
        (("..2....", "..2....", "..2....", "1.11..."), {2}),
        # Player 2 has no win and blocks; then nobody has a check and the centre is preferred.
        (("......2", "1.11..2"), {2}),
        ((EMPTY_ROW,), {3, 4, 5}),
    ],
)
def test_preferences_choose_the_best_moves(rows: tuple[str, ...], columns: set[int]) -> None:
    full = (*(EMPTY_ROW,) * (6 - len(rows)), *rows)
    best = answers(full, optimal=True)
    moves = {move for atoms in best for move in named(atoms, "does")}
    assert {clingo.parse_term(move).arguments[1].arguments[0].number for move in moves} == columns
