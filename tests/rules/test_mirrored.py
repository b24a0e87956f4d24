"""Endings said of the next player: by name, and where records speak against it."""

from __future__ import annotations

import pytest
from shorthand import lacks, pattern

from grl.board import Board, Equipment, Piece, Player, make_position
from grl.model import AutomatonKey, Dfa, Effect, Literal, Model, Role, Rule, StateId
from grl.rules.endings.mirrored import either_side, mirrored_rules
from grl.rules.endings.outcomes import with_doubts
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.vocabulary import attacked, reached
from grl.turn import Turn

WHITE, BLACK = Player("white"), Player("black")
PIECES = {"m": Piece("m", WHITE, "man"), "M": Piece("M", BLACK, "man")}


def setting() -> Setting:
    equipment = Equipment(Board(3, 3), (WHITE, BLACK), PIECES)
    return Setting(equipment, {WHITE: "identity", BLACK: "flip"}, lambda _: [])


def ending(*feature: object, holds: bool = True, value: tuple[int, ...] = (0, 100)) -> Rule:
    return Rule((Literal(feature, holds),), value, 3)


def line(owner: str) -> tuple[object, ...]:
    return ("some", "now", ("lined", "around", 3, ("lies", owner)))


def home(owner: str, seat: int) -> tuple[object, ...]:
    return ("some", "now", ("both", ("lies", owner), ("line", "rank", seat, "=", 3)))


@pytest.mark.parametrize(
    ("feature", "other"),
    [
        (line("opposing"), line("own")),
        (
            ("size", "now", ("lies", "own:man"), "<", 2),
            ("size", "now", ("lies", "opposing:man"), "<", 2),
        ),
        (
            ("sizes", "now", ("all", "own"), "<", ("all", "opposing")),
            ("sizes", "now", ("all", "opposing"), "<", ("all", "own")),
        ),
        (home("opposing", 1), home("own", 0)),
        (attacked("own:man", 1), attacked("opposing:man", 0)),
        (reached("own:man", 1), reached("opposing:man", 0)),
        (
            lacks(1, ((1, 3, "opposing"), (2, 3, "empty"))),
            lacks(0, ((1, 3, "own"), (2, 3, "empty"))),
        ),
        (
            pattern(((0, 0, "opposing"), (1, 0, "own"), (2, 0, "neutral"))),
            pattern(((0, 0, "own"), (1, 0, "opposing"), (2, 0, "neutral"))),
        ),
    ],
)
def test_what_is_said_of_one_player_is_said_of_the_other(feature, other) -> None:
    for holds in (True, False):
        found = mirrored_rules(setting(), [ending(*feature, holds=holds)], [])

        assert [(rule.body, rule.value) for rule in found] == [((Literal(other, holds),), (100, 0))]
        assert all(rule.provisional and rule.support == 0 for rule in found)


AHEAD = ("some", "now", ("shift", "seen", 0, 1, ("lies", "own")))


@pytest.mark.parametrize("feature", [("stuck", 0), ("passes", 1), ("mover", "white"), AHEAD])
def test_whose_turn_it_is_cant_be_turned(feature) -> None:
    assert mirrored_rules(setting(), [ending(*feature)], []) == ()


@pytest.mark.parametrize(
    ("becomes", "either"),
    [("pushed", True), ("opposing:man", True), ("removed", False), ("same", False)],
)
def test_who_moves_the_opponents_pieces_may_end_the_game_for_either_side(
    becomes: str, *, either: bool
) -> None:
    equipment = setting().equipment
    initial = make_position(equipment, ["M..", "...", "..m"], WHITE)
    effect = Effect(("lies", "opposing"), becomes)
    assert either_side(Model("", equipment, initial, (), effects=(effect,))) == either

    letter = Turn.parse("a1 (0 0 a M)").segments[0].letters[0]
    for mover, foreign in ((WHITE, True), (BLACK, False)):
        key = AutomatonKey(mover, ".", Role.LATER)
        placing = Dfa(key, 2, ((StateId(0), letter, StateId(1)),), frozenset({StateId(1)}))
        assert either_side(Model("", equipment, initial, (placing,))) == foreign


def test_a_rule_that_has_its_counterpart_stays_alone() -> None:
    rules = [ending(*line("opposing")), ending(*line("own"), value=(100, 0))]
    assert mirrored_rules(setting(), rules, []) == ()


def test_a_position_in_which_the_game_went_on_speaks_against() -> None:
    at = setting()
    won = PositionCase(at, "mmm...M.M", (), BLACK)
    lost = PositionCase(at, "mmm...M.M", (), WHITE)
    rule = ending(*line("opposing"))

    assert mirrored_rules(at, [rule], [won])
    assert mirrored_rules(at, [rule], [won, lost]) == ()


@pytest.mark.parametrize(
    ("first", "second", "provisional"),
    [
        (ending(*line("own")), None, True),
        (ending(*line("own"), value=(50, 50)), None, False),
        (ending(*line("own")), ending(*line("opposing"), value=(100, 0)), False),
        (ending(*line("own")), ending(*line("opposing"), value=(0, 100)), True),
        (ending(*home("own", 0)), ending(*home("opposing", 1), value=(100, 0)), False),
    ],
)
def test_few_results_may_be_alike_by_chance(
    first: Rule, second: Rule | None, provisional: bool
) -> None:
    """Each rule has three positions; what one says of the other player counts for both."""
    rules = (first,) if second is None else (first, second)
    found = with_doubts(setting(), rules)
    assert [rule.provisional for rule in found] == [provisional] * len(rules)


def test_several_literals_may_fit_few_ends_by_chance() -> None:
    body = (Literal(line("own"), True), Literal(line("opposing"), False))
    supports = (5, 6)
    rules = [Rule(body, (50, 50), support) for support in supports]
    found = [with_doubts(setting(), [rule])[0].provisional for rule in rules]
    assert found == [True, False]
