"""Formations, from turns of which a known pattern decides whether they are legal."""

from __future__ import annotations

from random import Random

import pytest
from shorthand import formed

from grl.board import Board, Equipment, Piece, Player, Square
from grl.moves.candidate import Candidate
from grl.rules.features.cases import PositionCase, Setting, TurnCase, TurnList
from grl.rules.restrictions.formations import Sides, formations
from grl.rules.templates.evaluation import compile_turn_feature
from grl.turn import Turn

WHITE, BLACK = Player("white"), Player("black")
PIECES = {
    "m": Piece("m", WHITE, "man"),
    "k": Piece("k", WHITE, "king"),
    "M": Piece("M", BLACK, "man"),
}
SIZE = 5
CORNER = ((0, 0), (1, 0), (0, 1))
RISING = ((0, 0), (1, 1), (2, 2))
GAP = ((0, 0), (2, 0))


def setting() -> Setting:
    equipment = Equipment(Board(SIZE, SIZE), (WHITE, BLACK), PIECES)
    return Setting(equipment, {WHITE: "identity", BLACK: "identity"}, lambda _: [])


def drops(at: Setting, chance: Random, number: int) -> list[TurnCase]:
    """Turns that put a man of White's on an empty square of a random position."""
    board, found = at.board, []
    for _ in range(number):
        cells = [chance.choice("mmkMM....") for _ in range(board.size)]
        square = Square(chance.randrange(board.size))
        cells[square] = "."
        before = "".join(cells)
        cells[square] = "m"
        turn = Turn.parse(f"{'abcde'[square % SIZE]}{square // SIZE + 1} (0 0 a m)")
        candidate = Candidate(turn, (square,), (square,), "".join(cells), ())
        turn_list = TurnList(PositionCase(at, before, (), WHITE), [candidate])
        found += turn_list.survivors
    return found


def completes(case: TurnCase, offsets, keys: str) -> bool:
    """Whether the man that was put down is in such a pattern of `keys`: by going through all."""
    end = case.candidate.ends[0]
    for here in range(SIZE * SIZE):
        y, x = divmod(here, SIZE)
        cells = [(x + dx, y + dy) for dx, dy in offsets]
        inside = all(0 <= a < SIZE and 0 <= b < SIZE for a, b in cells)
        if inside and (end % SIZE, end // SIZE) in cells:
            squares = [b * SIZE + a for a, b in cells]
            if all(case.candidate.cells[s] in keys for s in squares):
                return True
    return False


@pytest.mark.parametrize("offsets", [CORNER, RISING, GAP])
@pytest.mark.parametrize("needed", [True, False])
def test_the_pattern_that_decides_is_found(offsets, needed: bool) -> None:
    at, chance = setting(), Random(4)
    cases = drops(at, chance, 400)
    done = [completes(case, offsets, "mk") for case in cases]
    legal = [i for i, each in enumerate(done) if each == needed]
    illegal = [i for i, each in enumerate(done) if each != needed]

    found = formations(at, cases, [Sides(legal, illegal)])

    wanted = formed("end1", _cells(offsets))
    assert found[0].feature == wanted
    test = compile_turn_feature(at, wanted)
    assert [test(case) for case in cases] == done


def _cells(offsets):
    """As the first piece on the board has them."""
    x, y = min(offsets, key=lambda offset: (offset[1], offset[0]))
    return tuple(sorted((dx - x, dy - y, "own") for dx, dy in offsets))


def test_types_are_named_where_they_matter() -> None:
    at, chance = setting(), Random(5)
    cases = drops(at, chance, 400)
    done = [completes(case, GAP, "m") for case in cases]
    legal = [i for i, each in enumerate(done) if each]
    illegal = [i for i, each in enumerate(done) if not each]

    found = formations(at, cases, [Sides(legal, illegal)])

    assert found[0].feature == formed("end1", ((0, 0, "own:man"), (2, 0, "own:man")))


def test_what_all_turns_have_tells_nothing() -> None:
    at, chance = setting(), Random(6)
    cases = [case for case in drops(at, chance, 200) if completes(case, GAP, "mk")]

    found = formations(at, cases, [Sides(range(0, len(cases), 2), range(1, len(cases), 2))])

    gap = formed("end1", ((0, 0, "own"), (2, 0, "own")))
    assert gap not in [priced.feature for priced in found]
