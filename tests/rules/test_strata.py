"""The order of restrictions that ends without a turn decide, with candidates made by hand."""

from __future__ import annotations

import pytest

from grl.board import Board, Equipment, Piece, Player, Position, Square
from grl.model import Literal, Rule
from grl.moves.candidate import Candidate
from grl.rules.features.cases import PositionCase, Setting, TurnList
from grl.rules.restrictions.labelled import LEGAL, Labelled
from grl.rules.restrictions.strata import LEAST_GAIN, reordered
from grl.rules.restrictions.survey import Survey
from grl.turn import Turn

WHITE, BLACK = Player("white"), Player("black")
PIECES = {"m": Piece("m", WHITE, "man"), "M": Piece("M", BLACK, "man")}
COMPULSORY = Rule((Literal(("rival_has", "any", ("takes", "opposing")), True),))
BESIDE = ("both", ("square", "end1"), ("near", "orthogonal", ("lies", "own")))
APART = Rule((Literal(("some", "after", BESIDE), True),))


def equipment() -> Equipment:
    return Equipment(Board(4, 2), (WHITE, BLACK), PIECES)


def sideways(position: Position) -> list[Candidate]:
    """A man of White's goes a file to the right or left, onto anything but an own man."""
    found = []
    for square, key in enumerate(position.cells):
        for dx in (1, -1):
            target = square + dx
            if key == "m" and target // 4 == square // 4 and position.cells[target] != "m":
                cells = list(position.cells)
                cells[square], cells[target] = ".", "m"
                word = f"{'abcd'[square % 4]}{square // 4 + 1} ({dx} 0 e)"
                ends = (Square(square),), (Square(target),)
                found.append(Candidate(Turn.parse(word), *ends, "".join(cells), ()))
    return found


def setting() -> Setting:
    return Setting(equipment(), {WHITE: "identity", BLACK: "identity"}, sideways)


def position(cells: str) -> Position:
    return Position(equipment(), cells, WHITE)


TRAPPED = position("mM.m.m..")
"""The only capture ends next to an own man; other turns end apart, and take nothing."""


def nowhere() -> Survey:
    return Survey(setting(), [])


@pytest.mark.parametrize(
    ("number", "first"), [(LEAST_GAIN, COMPULSORY), (LEAST_GAIN - 1, APART), (0, APART)]
)
def test_ends_without_a_turn_decide_the_order(number: int, first: Rule) -> None:
    found = reordered(setting(), (APART, COMPULSORY), nowhere(), [TRAPPED] * number)
    assert found[0] == first
    assert set(found) == {APART, COMPULSORY}


def test_no_order_is_taken_that_changes_what_is_left_where_the_game_went_on() -> None:
    at = setting()
    turn_list = TurnList(PositionCase.of(at, TRAPPED), sideways(TRAPPED))
    cases = turn_list.survivors
    whole = Labelled(turn_list, cases, [LEGAL] * len(cases), list(range(len(cases))), True, 0)
    going = Survey(at, [whole])
    ends = [TRAPPED] * LEAST_GAIN
    assert reordered(at, (APART, COMPULSORY), going, ends) == (APART, COMPULSORY)


def test_where_nothing_decides_turns_are_compared_with_those_that_no_other_rule_forbids() -> None:
    for rules in ((COMPULSORY, APART), (APART, COMPULSORY)):
        assert reordered(setting(), rules, nowhere(), []) == (APART, COMPULSORY)


def test_rules_that_compare_nothing_keep_their_order() -> None:
    other = Rule((Literal(("takes", "opposing"), True),))
    ends = [TRAPPED] * LEAST_GAIN
    assert reordered(setting(), (APART, other), nowhere(), ends) == (APART, other)


def test_ends_decide_whether_a_rule_asks_rivals_or_the_turn_alone() -> None:
    beside = ("some", "after", BESIDE)
    unlike = Rule((Literal(("rival_lacks", "any", beside), True),))
    stuck = position("m.mm....")
    """All turns end beside a man: illegal by themselves, but no rival ends apart."""
    ends = [stuck] * LEAST_GAIN

    found = reordered(setting(), (unlike,), nowhere(), ends)

    assert found == (Rule((Literal(beside, True),)),)
    assert reordered(setting(), (unlike,), nowhere(), ends[1:]) == (unlike,)
