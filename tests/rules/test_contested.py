"""Squares that are contested, found again from ends that they decide."""

from __future__ import annotations

from random import Random

import pytest

from grl.board import Board, Equipment, Piece, Player, make_position
from grl.model import Model
from grl.rules.endings.contested import squares_contested
from grl.rules.endings.learn import ending_learner
from grl.rules.endings.outcomes import Outcome
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.templates.positions import compile_position

WHITE, BLACK = Player("white"), Player("black")
EQUIPMENT = Equipment(
    Board(5, 4), (WHITE, BLACK), {"w": Piece("w", WHITE, "man"), "b": Piece("b", BLACK, "man")}
)
SETTING = Setting(EQUIPMENT, {WHITE: "identity", BLACK: "turn"}, lambda _: ())


def ends(contested: set[int], number: int, *, most: bool, odd: float, seed: int) -> list[Outcome]:
    """Random boards, won by who has more men on some squares, or fewer; some by chance."""
    chance, found = Random(seed), []
    for _ in range(number):
        cells = "".join(chance.choice("wb..") for _ in range(EQUIPMENT.board.size))
        mover = chance.choice((WHITE, BLACK))
        own, other = ("w", "b") if mover == WHITE else ("b", "w")
        lead = sum((cells[s] == own) - (cells[s] == other) for s in contested)
        lead = chance.choice((-1, 0, 1)) if chance.random() < odd else lead if most else -lead
        goals = (50, 50) if not lead else (100, 0) if lead > 0 else (0, 100)
        found.append(Outcome(PositionCase(SETTING, cells, (), mover), goals))
    return found


@pytest.mark.parametrize("most", [True, False])
@pytest.mark.parametrize("contested", [{6, 8}, {0, 4, 19}, {7, 11, 12, 13}])
def test_squares_are_found_again(contested, most):
    data = ends(contested, 150, most=most, odd=0.1, seed=len(contested))

    features = [feature for feature, _ in squares_contested(SETTING, data)]

    assert len(features) == 3
    for item in ends(contested, 60, most=most, odd=0.0, seed=99):
        case = item.case
        own, other = ("w", "b") if case.to_move == WHITE else ("b", "w")
        counts = [sum(case.cells[s] == key for s in contested) for key in (own, other)]
        said = [compile_position(SETTING, feature)(case) for feature in features]
        assert said == [counts[0] == counts[1], counts[0] < counts[1], counts[1] < counts[0]]


def board(chance: Random, mine: int, theirs: int) -> tuple[str, Player]:
    """A board with so many men, and whose turn it is."""
    mover = chance.choice((WHITE, BLACK))
    own, other = ("w", "b") if mover == WHITE else ("b", "w")
    cells = [*own * mine, *other * theirs, *"." * (EQUIPMENT.board.size - mine - theirs)]
    chance.shuffle(cells)
    return "".join(cells), mover


def mixed(number: int, seed: int) -> list[Outcome]:
    """Most ends are for want of men; of full boards two squares decide."""
    chance, found = Random(seed), []
    for _ in range(number):
        few, several = chance.randint(1, 6), chance.randint(2, 6)
        cells, mover = board(chance, few, several)
        goals = (0, 100) if few == 1 else None
        found.append(Outcome(PositionCase(SETTING, cells, (), mover), goals))
    for _ in range(number // 8):
        cells, mover = board(chance, chance.randint(6, 10), 10)
        own, other = ("w", "b") if mover == WHITE else ("b", "w")
        lead = sum((cells[s] == own) - (cells[s] == other) for s in (5, 14))
        goals = (50, 50) if not lead else (100, 0) if lead > 0 else (0, 100)
        found.append(Outcome(PositionCase(SETTING, cells, (), mover), goals))
    return found


def test_squares_are_sought_where_rules_explain_the_other_ends():
    initial = make_position(EQUIPMENT, ("bbbbb", ".....", ".....", "wwwww"), WHITE)
    model = Model("contested", EQUIPMENT, initial, ())
    data = mixed(400, seed=1)
    over = [item for item in data if item.goals is not None]
    loose = over[-50:]  # Where boards are full.
    assert not list(squares_contested(SETTING, over))

    offered = dict(ending_learner(SETTING, model, data).use.closer(loose, data, 1))

    wanted = dict(squares_contested(SETTING, loose))
    assert len(wanted) == 3
    assert wanted.items() <= offered.items()


def test_ends_that_no_squares_decide_offer_none():
    assert not list(squares_contested(SETTING, ends(set(), 150, most=True, odd=1.0, seed=3)))
