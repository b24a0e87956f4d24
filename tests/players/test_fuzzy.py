"""Fuzzy goals against the figures of the book, and against formulas worked out by hand."""

from __future__ import annotations

import doctest
import itertools
from dataclasses import replace
from functools import cache
from math import prod
from pathlib import Path

import pytest
from learned import learned

from grl.board import Position
from grl.export.program import asp_program
from grl.players.distances import turns_away
from grl.players.formulas import Circuit, Logic, Node, TooManyNodes, grounded_formulas
from grl.players.fuzzy import Fuzzy, mobility
from grl.players.goals import Goals, goals_of, turns_of
from grl.players.latches import Latches, base_propositions, latches
from grl.rulebook import Rulebook

TIC_TAC_TOE = (Path(__file__).parent / "tic_tac_toe.lp").read_text(encoding="utf-8")
FIGURE = {"cell(1,1,x)", "cell(3,3,x)", "cell(1,2,o)"}
"""Figure 16.3: x on the two ends of a diagonal, o beside one of them."""
PAGE = Path(__file__).parents[2] / "docs" / "players-goals.md"
ROWS = ["..x", "o..", "x.."]


@cache
def classic() -> tuple[Circuit, dict[str, int]]:
    base = "".join(f"base({one}). " for one in base_propositions(TIC_TAC_TOE)[0])
    return grounded_formulas(TIC_TAC_TOE + base, ("line", "diagonal", "goal"))


def truth_of(atom: str, state: set[str], logic: Logic) -> float:
    circuit, formulas = classic()
    atoms = {name: logic.atom(name in state) for name in circuit.fluents}
    return logic.truths(circuit, atoms)[formulas[atom]]


@cache
def goals(game: str) -> Goals:
    return goals_of(learned(game).model)


def test_the_figures_of_the_book_on_its_own_description() -> None:
    logic = Logic()
    expected = {
        "diagonal(x)": 0.081919,
        "line(x)": 0.116296,
        "line(o)": 0.023797,
        "goal(white,100)": 0.113529,
        "goal(white,50)": 0.862674,
    }
    for atom, value in expected.items():
        assert truth_of(atom, FIGURE, logic) == pytest.approx(value, abs=5e-7)
    parts = [
        truth_of("goal(white,100)", FIGURE, logic),
        truth_of("goal(white,50)", FIGURE, logic) / 2,
    ]
    assert 100 * logic.either(parts) == pytest.approx(49.589684, abs=5e-7)


def test_the_figures_of_the_book_on_a_learned_model_whoever_is_to_move() -> None:
    rules = learned("tic-tac-toe")
    fuzzy = Fuzzy(goals("tic-tac-toe"))
    x, o = rules.model.equipment.players
    for to_move in (x, o):
        position = rules.position(ROWS, to_move)
        truths = fuzzy.truths(position)
        line = {player: truths[fuzzy.goals.endings[0, player]] for player in (x, o)}
        assert line[o] == pytest.approx(0.116296, abs=5e-7)  # a line of x, o to move
        assert line[x] == pytest.approx(0.023797, abs=5e-7)
        assert 100 * fuzzy.values(position)[0] == pytest.approx(49.589684, abs=5e-7)


def test_the_centre_is_above_a_corner_and_a_corner_above_an_edge() -> None:
    rules = learned("tic-tac-toe")
    fuzzy = Fuzzy(goals("tic-tac-toe"))
    value = {
        turn.segments[0].origin: fuzzy.values(rules.play(rules.initial, turn))[0]
        for turn in rules.legal(rules.initial)
    }
    corners, edges = ("a1", "c1", "a3", "c3"), ("b1", "a2", "c2", "b3")
    assert value["b2"] > max(value[one] for one in corners) + 1e-6
    assert min(value[one] for one in corners) > max(value[one] for one in edges) + 1e-6
    for alike in (corners, edges):
        assert [value[one] for one in alike] == pytest.approx([value[alike[0]]] * 4)


def test_true_15_tiles_are_less_than_true_but_for_a_threshold() -> None:
    """Section 16.4: 0.9 to the 15th is 0.20589; a threshold keeps it above one half."""
    circuit = Circuit()
    root = circuit.both(circuit.fluent(f"tile {n}") for n in range(15))
    atoms = dict.fromkeys(circuit.fluents, 0.9)
    assert Logic().truths(circuit, atoms)[root] == pytest.approx(0.20589, abs=5e-6)
    assert Logic(theta=0.6).truths(circuit, atoms)[root] == 0.6
    atoms["tile 3"] = 1 - 0.9
    assert Logic(theta=0.6).truths(circuit, atoms)[root] == pytest.approx(0.06)


def test_the_threshold_folds_as_the_chapter_does_from_the_likeliest_on() -> None:
    def folded(values: list[float], theta: float) -> float:
        found = values[0]
        for value in values[1:]:
            both = found > 0.5 and value > 0.5
            found = max(found * value, theta) if both else found * value
        return found

    logic = Logic(theta=0.7)
    for values in itertools.product((0.05, 0.4, 0.6, 0.95), repeat=4):
        expected = folded(sorted(values, reverse=True), 0.7)
        assert logic.both(values) == pytest.approx(expected)


def test_yager_s_norms_are_bounded_and_have_the_product_s_limits() -> None:
    for q in (0.5, 1, 2, 7):
        logic = Logic(q=q)
        for a, b, c in itertools.product((0.0, 0.3, 0.9, 1.0), repeat=3):
            assert 0 <= logic.both([a, b, c]) <= min(a, b, c) + 1e-12
            assert logic.both([a, b, c]) == pytest.approx(logic.both([logic.both([a, b]), c]))
            assert logic.both([a, 1.0]) == pytest.approx(a)
            assert logic.either([a, b]) == pytest.approx(1 - logic.both([1 - a, 1 - b]))
    assert Logic(q=60).both([0.3, 0.6]) == pytest.approx(0.3, abs=0.01)  # towards the minimum


def test_lines_of_four_are_those_of_the_board() -> None:
    """The disjunction over all 69 lines, worked out from the board alone."""
    rules = learned("connect-four")
    lines = [
        [(x + i * dx, y + i * dy) for i in range(4)]
        for x in range(7)
        for y in range(6)
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        if 0 <= x + 3 * dx < 7 and 0 <= y + 3 * dy < 6
    ]
    assert len(lines) == 69
    found = latches(asp_program(rules.model))
    for dead in (None, found):
        fuzzy = Fuzzy(goals("connect-four"), Logic(), dead)
        for position in _positions(rules, 12):
            truths = fuzzy.truths(position)
            white, black = rules.model.equipment.players
            for player, other in ((white, black), (black, white)):
                key = {white: "x", black: "o"}
                degrees = {key[player]: 0.9, key[other]: 0.1 if dead is None else 0.0}
                cell = [
                    [degrees.get(position.cells[y * 7 + x], 0.1) for x, y in line] for line in lines
                ]
                expected = 1 - prod(1 - prod(line) for line in cell)
                ending = next(
                    n for (i, p), n in fuzzy.goals.endings.items() if i == 0 and p == other
                )
                assert truths[ending] == pytest.approx(expected)


def _positions(rules: Rulebook, plies: int) -> list[Position]:
    positions = [rules.initial]
    for ply in range(plies):
        turns = rules.legal(positions[-1])
        positions.append(rules.play(positions[-1], turns[(5 * ply + 3) % len(turns)]))
    return positions


def test_a_blocked_line_has_truth_0_by_latches() -> None:
    """Every line holds an o, so that x will have none, though two of three are often there."""
    rules = learned("tic-tac-toe")
    found = latches(asp_program(rules.model))
    position = rules.position(["xox", "xoo", "ox."], "x")
    plain, sharp = (Fuzzy(goals("tic-tac-toe"), Logic(), each) for each in (None, found))
    place = plain.goals.endings[0, rules.model.equipment.players[1]]
    assert plain.truths(position)[place] > 0.05
    assert sharp.truths(position)[place] == 0


def test_an_end_for_want_of_turns_is_true_by_mobility() -> None:
    rules = learned("checkers")
    found = goals("checkers")
    assert set(found.circuit.fluents) == {turns_of(p) for p in rules.model.equipment.players}
    fuzzy = Fuzzy(found, Logic(), count=lambda position: len(rules.legal(position)))
    white, black = fuzzy.values(rules.initial)
    degree = mobility(Logic(), 7)
    assert white == black == pytest.approx(degree * (1 - degree))


def test_a_draw_for_want_of_turns_bars_no_other_ending_wherever_it_stands() -> None:
    model = learned("tic-tac-toe").model
    assert model.rules is not None
    line, full = model.rules.endings
    swapped = replace(model, rules=replace(model.rules, endings=(full, line)))
    position = learned("tic-tac-toe").position(ROWS, "o")
    for each in map(goals_of, (model, swapped)):
        goal, root = each.goals[model.equipment.players[0]][0]
        assert goal == 100
        assert Fuzzy(each).truths(position)[root] == pytest.approx(0.113529, abs=5e-7)


def test_distances_are_those_of_the_pieces() -> None:
    """A pawn goes a rank at a time, and a file to the side at most; a man becomes a king."""
    model = learned("breakthrough:width=6,height=6").model
    away = turns_away(model)
    white, board = next(k for k, p in model.equipment.pieces.items() if p.player == "white"), 6
    for (key, target), before in away.items():
        if key == white:
            expected = {
                (white, y * board + x): target // board - y
                for y in range(board)
                for x in range(board)
                if 0 < target // board - y >= abs(target % board - x)
            }
            assert before == expected


def test_a_man_that_becomes_a_king_is_followed() -> None:
    """By its automaton alone, which doesn't know the ranks on which that may happen."""
    model = learned("checkers").model
    key = {(p.player, p.type): k for k, p in model.equipment.pieces.items()}
    for player, last in zip(model.equipment.players, (7, 0), strict=True):
        man, king = key[player, "man"], key[player, "king"]
        crowned = {
            square // 8
            for (piece, square), before in turns_away(model).items()
            if piece == king and any(k == man and turns == 1 for (k, _), turns in before.items())
        }
        assert last in crowned


def test_a_runner_nearer_to_its_goal_is_worth_more() -> None:
    rules = learned("breakthrough:width=6,height=6")
    fuzzy = Fuzzy(
        goals("breakthrough:width=6,height=6"),
        Logic(),
        distances=turns_away(rules.model),
        count=lambda position: len(rules.legal(position)),
    )
    rows = ["bbbbbb", "bbbbbb", "......", "......", "wwwwww", "wwwwww"]
    near = ["bbbbbb", "bbbbbb", "w.....", "......", "wwwwww", ".wwwww"]
    values = [fuzzy.values(rules.position(each, "black"))[0] for each in (rows, near)]
    assert values[1] > values[0]


def test_recursion_over_the_state_is_refused() -> None:
    program = "base(a; b). p :- true(a), q. q :- p. q :- true(b). p :- true(b)."
    with pytest.raises(TooManyNodes):
        grounded_formulas(program, ("p",))


def test_latches_are_of_a_model_s_own_propositions() -> None:
    found: Latches = latches(asp_program(learned("tic-tac-toe").model))
    assert set(goals("tic-tac-toe").circuit.fluents) <= set(found.base)


def test_equal_parts_are_one_node() -> None:
    circuit = Circuit()
    a, b = circuit.fluent("a"), circuit.fluent("b")
    assert circuit.both([a, b, a]) == circuit.both([circuit.both([b, a]), a])
    assert circuit.negated(circuit.negated(a)) == a
    assert circuit.either([a, circuit.both(())]) == circuit.both(())
    assert circuit.given(circuit.both([a, b]), {"a": True}) == b
    assert circuit.nodes[circuit.either([])] == Node(circuit.nodes[circuit.either([])].kind)


def test_the_page_s_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learned("tic-tac-toe").save(tmp_path / "model.grl.json")
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 5
    assert found.failed == 0
