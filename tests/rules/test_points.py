"""What pieces count, found again from the ends that it decides."""

from __future__ import annotations

from random import Random

import pytest

from grl.board import Board, Equipment, Piece, Player
from grl.rules.endings.outcomes import Outcome
from grl.rules.endings.points import points_compared
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.templates.evaluation import check_position
from grl.rules.templates.positions import compile_position

WHITE, BLACK = Player("white"), Player("black")
TYPES = {"p": "pawn", "d": "drone", "q": "queen"}
STOCK = frozenset((player, key) for player in (WHITE, BLACK) for key in TYPES)
EQUIPMENT = Equipment(
    Board(4, 4),
    (WHITE, BLACK),
    {key: Piece(key, None, kind) for key, kind in TYPES.items()},
    stocked=STOCK,
)
SETTING = Setting(EQUIPMENT, {WHITE: "identity", BLACK: "turn"}, lambda _: ())


def ends(worth: dict[str, int], number: int, *, most: bool, odd: float, seed: int) -> list[Outcome]:
    """Random hands, won by what counts more in them, or less; some by chance."""
    chance, found = Random(seed), []
    for _ in range(number):
        mover = chance.choice((WHITE, BLACK))
        held = {(player, key): chance.randrange(5) for player, key in sorted(STOCK)}
        lead = sum((1 if p == mover else -1) * worth[key] * n for (p, key), n in held.items())
        lead = chance.choice((-1, 0, 1)) if chance.random() < odd else lead if most else -lead
        goals = (50, 50) if not lead else (100, 0) if lead > 0 else (0, 100)
        stock = tuple((player, key, n) for (player, key), n in sorted(held.items()))
        found.append(Outcome(PositionCase(SETTING, "." * 16, stock, mover), goals))
    return found


def lead_of(case: PositionCase, worth: dict[str, int]) -> int:
    """By how much more is in the hand of who moves."""
    return sum((1 if p == case.to_move else -1) * worth[key] * n for p, key, n in case.stock)


@pytest.mark.parametrize("most", [True, False])
@pytest.mark.parametrize("worth", [(1, 2, 3), (1, 5, 9), (0, 1, 3), (1, 1, 2), (0, 0, 1)])
def test_what_pieces_count_is_found_again(worth, most):
    counted = dict(zip(TYPES, worth, strict=True))
    data = ends(counted, 400, most=most, odd=0.05, seed=sum(worth))

    features = [feature for feature, _ in points_compared(SETTING, data)]

    for feature in features:
        check_position(SETTING, feature)
    fresh = ends(counted, 100, most=most, odd=0.0, seed=99)
    said = [
        [compile_position(SETTING, feature)(item.case) for item in fresh] for feature in features
    ]
    leads = [lead_of(item.case, counted) for item in fresh]
    for wanted in ([n < 0 for n in leads], [n > 0 for n in leads], [n == 0 for n in leads]):
        assert wanted in said


def test_ends_that_no_points_decide_offer_none():
    data = ends(dict.fromkeys(TYPES, 1), 300, most=True, odd=1.0, seed=3)

    assert not list(points_compared(SETTING, data))
