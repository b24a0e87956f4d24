"""What is said of a board before effects change it, held to the board that they leave."""

from __future__ import annotations

import random

import numpy as np
import pytest
from test_search import KINGS, SIZE, STONES, A, B, Case, cases_of, rows

from grl.board import Board, Equipment
from grl.logic.changes import PUSHED, REMOVED, SAME, change_of, once, said_once
from grl.logic.ops.lines import AHEAD, RUN, SOME_WAY
from grl.logic.ops.places import LIES, square
from grl.logic.ops.sets import BOTH, NEAR, WITHOUT
from grl.logic.search import words
from grl.logic.terms import Term, make

MEN = make(LIES, "opposing")
STRUCK = make(SOME_WAY, "around", make(RUN, make(AHEAD, square("end1")), MEN))
BESIDE = make(WITHOUT, make(BOTH, MEN, make(NEAR, "around", square("start1"))), STRUCK)


def changed(equipment: Equipment, cases: list[Case], effects: dict[str, Term]) -> list[Case]:
    """The boards once the effects are carried out, square by square."""
    met = {becomes: rows(equipment, cases).squares(term) for becomes, term in effects.items()}
    found = []
    for number, case in enumerate(cases):
        cells = list(case.cells)
        for becomes, squares in met.items():
            for at in np.flatnonzero(squares[number]).tolist():
                change = change_of(equipment, becomes, A, cells[at])
                assert change is not None
                cells[at] = change.content
        found.append(case._replace(cells="".join(cells)))
    return found


@pytest.mark.parametrize("pieces", [STONES, KINGS])
@pytest.mark.parametrize(
    "effects", [{REMOVED: STRUCK}, {SAME: STRUCK}, {SAME: STRUCK, REMOVED: BESIDE}]
)
def test_a_term_said_of_the_board_before_is_what_it_is_afterwards(pieces, effects):
    equipment = Equipment(Board(SIZE, SIZE), (A, B), pieces)
    chance = random.Random("changes")
    before = cases_of(chance, pieces, 40)
    after = changed(equipment, before, effects)
    assert sum(one != other for one, other in zip(before, after, strict=True)) > 10
    terms = chance.sample(sorted(set(words(equipment, 1))), 80)
    differing = restored = 0
    for term in terms:
        said = once(term, effects, equipment)
        assert said is not None
        there = rows(equipment, after).full(term)
        assert np.array_equal(rows(equipment, before).full(said), there)
        differing += not np.array_equal(rows(equipment, before).full(term), there)
        if said is not term:
            restored += said_once(said, effects, equipment) is term
    assert differing > 20
    assert restored > 20
    assert all(said_once(term, effects, equipment) is None for term in terms)


def test_what_is_pushed_is_not_said_of_the_board_before():
    equipment = Equipment(Board(SIZE, SIZE), (A, B), STONES)

    assert once(MEN, {PUSHED: STRUCK}, equipment) is None


def test_a_term_that_grows_too_large_is_none():
    equipment = Equipment(Board(SIZE, SIZE), (A, B), STONES)
    term: Term | None = MEN
    grown = 0
    while term is not None:
        term = once(term, {REMOVED: make(BOTH, term, STRUCK)}, equipment)
        grown += 1

    assert grown > 2
