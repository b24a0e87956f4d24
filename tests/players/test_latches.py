"""Latches against what the literature says of two games, and against all states of play."""

from __future__ import annotations

from pathlib import Path

from learned import learned

from grl.export.program import asp_program
from grl.players.latches import base_propositions, latches

HERE = Path(__file__).parent
TIC_TAC_TOE = (HERE / "tic_tac_toe.lp").read_text(encoding="utf-8")
BUTTONS = (HERE / "buttons_and_lights.lp").read_text(encoding="utf-8")
STONES = {f"cell({x},{y},{c})" for x in (1, 2, 3) for y in (1, 2, 3) for c in "xo"}
BLANKS = {f"cell({x},{y},b)" for x in (1, 2, 3) for y in (1, 2, 3)}


def test_tic_tac_toe_has_18_positive_and_9_negative_latches() -> None:
    for counts in (False, True):
        found = latches(TIC_TAC_TOE, counts=counts)
        assert (found.positive, found.negative) == (STONES, BLANKS)


def test_base_propositions_are_derived_where_none_are_listed() -> None:
    base, initial = base_propositions(TIC_TAC_TOE)
    assert set(base) == STONES | BLANKS | {"control(white)", "control(black)"}
    assert initial == BLANKS | {"control(white)"}


def test_a_stone_inhibits_the_other_on_its_square() -> None:
    found = latches(TIC_TAC_TOE)
    assert found.inhibits["cell(1,1,x)", True] == {"cell(1,1,o)"}
    state = BLANKS - {"cell(1,1,b)"} | {"cell(1,1,x)", "control(black)"}
    assert found.inhibited(state) == {"cell(1,1,b)", "cell(1,1,o)"}


def test_one_content_a_square_and_one_player_to_move_are_proven() -> None:
    found = latches(TIC_TAC_TOE)
    squares = {frozenset(f"cell({x},{y},{c})" for c in "xob") for x in (1, 2, 3) for y in (1, 2, 3)}
    assert set(found.most) >= squares | {frozenset({"control(white)", "control(black)"})}
    assert set(found.some) == set(found.most)


def test_buttons_and_lights_has_the_latches_of_the_book() -> None:
    for counts in (False, True):
        found = latches(BUTTONS, counts=counts)
        assert "step(1)" in found.negative
        assert not {"p", "q", "r"} & (found.positive | found.negative)
        assert found.negative == {"step(1)"}


def test_latches_of_the_book_hold_in_all_states_of_play() -> None:
    """An independent search through all 5,478 states of tic-tac-toe finds the same latches."""
    steps = _all_steps()
    fluents = STONES | BLANKS | {"control(white)", "control(black)"}
    found = latches(TIC_TAC_TOE)
    assert found.positive == {f for f in fluents if all(f in b for a, b in steps if f in a)}
    assert found.negative == {f for f in fluents if all(f not in b for a, b in steps if f not in a)}


def _all_steps() -> list[tuple[frozenset[str], frozenset[str]]]:
    """Every state of tic-tac-toe with every next one, without the code under test."""
    lines = [{(i, n) for n in range(3)} for i in range(3)]
    lines += [{(n, i) for n in range(3)} for i in range(3)]
    lines += [{(n, n) for n in range(3)}, {(n, 2 - n) for n in range(3)}]

    def fluents(board: dict[tuple[int, int], str], mover: str) -> frozenset[str]:
        cells = {
            f"cell({x + 1},{y + 1},{board.get((x, y), 'b')})" for x in range(3) for y in range(3)
        }
        return frozenset(cells | {f"control({mover})"})

    steps, seen = [], set()
    rest: list[tuple[dict[tuple[int, int], str], str]] = [({}, "white")]
    while rest:
        board, mover = rest.pop()
        here = fluents(board, mover)
        if here in seen:
            continue
        seen.add(here)
        if any(len({board.get(s) for s in line}) == 1 and line <= board.keys() for line in lines):
            continue
        for square in [(x, y) for x in range(3) for y in range(3) if (x, y) not in board]:
            after = {**board, square: "x" if mover == "white" else "o"}
            other = "black" if mover == "white" else "white"
            steps.append((here, fluents(after, other)))
            rest.append((after, other))
    assert len(seen) == 5478
    return steps


def test_a_learned_model_has_the_latches_of_the_book() -> None:
    """Under other names; a square's content is what changes, so counts have to be proven first."""
    program = asp_program(learned("tic-tac-toe").model)
    found = latches(program)
    named = {f.replace("x)", "x_stone)").replace("o)", "o_stone)") for f in STONES}
    assert found.positive == named
    assert found.negative == {f.replace("b)", "empty)") for f in BLANKS}
    assert not latches(program, counts=False).positive
