"""Turns as plans: the paper's example, every template, and sums that merge."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grl.board import Board, Equipment, Piece, Player, Square, make_position
from grl.locm.actions import Action
from grl.locm.plans import Plan, PlanKey, Plans, PlanWriter, renumbered
from grl.sgrl.evidence import Decision

WHITE, BLACK = Player("white"), Player("black")
PIECES = {
    "q": Piece("q", WHITE, "queen"),
    "m": Piece("m", WHITE, "man"),
    "k": Piece("k", WHITE, "king"),
    "M": Piece("M", BLACK, "man"),
    "x": Piece("x", None, "arrow"),
    "g": Piece("g", WHITE, "gold general"),
}
EQUIPMENT = Equipment(Board(8, 8), (WHITE, BLACK), PIECES)


def written(turn: str, pieces: dict[str, str]) -> tuple[PlanKey, Plan] | None:
    """The plan of a turn on a board that holds `pieces` by square."""
    board = EQUIPMENT.board
    cells = "".join(pieces.get(name, ".") for name in board.names)
    assert make_position(EQUIPMENT, board.rows(cells), "white")
    return PlanWriter(EQUIPMENT).write(Decision(WHITE, cells, (), True), turn)


def plan(turn: str, pieces: dict[str, str]) -> list[str]:
    """The plan as lines ``name square square``, squares as letters in the order of occurrence."""
    found = written(turn, pieces)
    assert found is not None
    return [" ".join((action.name, *(chr(65 + s) for s in action.args))) for action in found[1]]


def test_the_papers_example_of_a_queen_and_her_arrow() -> None:
    turn = "a1 (1 0 e) (0 0 a x) (1 0 e)"
    found = written(turn, {"a1": "q"})
    assert found is not None
    key, actions = found
    assert key == (WHITE, "q")
    a1, b1, c1 = Square(0), Square(1), Square(2)
    assert actions == (
        Action("move_queen", (a1, b1)),
        Action("appear_arrow", (b1,)),
        Action("move_arrow", (b1, c1)),
    )


def test_an_arrow_shot_back_names_the_squares_met_before() -> None:
    turn = "d1 (0 1 e) (0 1 e) (0 0 a x) (0 -1 e) (0 -1 e)"
    assert plan(turn, {"d1": "q"}) == [
        "move_queen A B",
        "move_queen B C",
        "appear_arrow C",
        "move_arrow C B",
        "move_arrow B A",
    ]


@pytest.mark.parametrize(
    ("turn", "pieces", "expected"),
    [
        ("c3 (1 1 e)", {"c3": "m"}, ["move_man A B"]),
        ("c3 (1 1 p)", {"c3": "m", "d4": "M"}, ["move_man A B"]),
        (
            "c3 (1 1 p) (0 0 d) (1 1 e)",
            {"c3": "m", "d4": "M"},
            ["move_and_remove_man A B", "move_man B C"],
        ),
        ("c3 (1 1 p) (1 1 e)", {"c3": "m", "d4": "M"}, ["move_over_man A B C"]),
        ("c3 (1 1 w) (1 1 e)", {"c3": "m", "d4": "m"}, ["move_over_man A B C"]),
        (
            "c3 (1 1 p) (1 1 p) (1 1 e)",
            {"c3": "m", "d4": "M", "e5": "M"},
            ["move_man A B", "move_over_man B C D"],
        ),
        (
            "c3 (1 1 e) (1 1 p) (0 0 d) (1 1 e) (1 1 e)",
            {"c3": "k", "e5": "M"},
            ["move_king A B", "move_and_remove_king B C", "move_king C D", "move_king D E"],
        ),
        ("e7 (0 1 e) (0 0 a k)", {"e7": "m"}, ["move_man A B", "appear_king B"]),
        ("e7 (1 1 p) (0 0 a k)", {"e7": "m", "f8": "M"}, ["move_man A B", "appear_king B"]),
        ("d4 (0 0 a m)", {}, ["appear_man A"]),
        ("d4 (0 0 d)", {"d4": "M"}, ["remove_man A"]),
        (
            "d4 (0 0 d) (1 0 e) (0 0 a x)",
            {"d4": "M"},
            ["remove_man A", "move_hand A B", "appear_arrow B"],
        ),
        ("d4 (0 0 a k)", {"d4": "m"}, ["appear_king A"]),
        ("a1 (@d7 e)", {"a1": "m"}, ["move_man A B"]),
        ("a1 (@d7 p) (@a1 e)", {"a1": "m", "d7": "M"}, ["move_over_man A B A"]),
        (
            "c3 (1 1 p) (0 0 r m)",
            {"c3": "m", "d4": "M"},
            ["move_man A B", "keep B"],
        ),
        ("c3 (1 0 e)", {"c3": "g"}, ["move_gold_general A B"]),
        (
            "d1 (0 0 a m); f4 (0 0 d)",
            {"f4": "M"},
            ["appear_man A", "remove_man B"],
        ),
        (
            "e1 (1 0 e) (1 0 e); h1 (-1 0 w) (-1 0 e)",
            {"e1": "k", "h1": "m"},
            ["move_king A B", "move_king B C", "move_over_man D C B"],
        ),
        ("c3 (1 1 e); d4 (0 0 a k)", {"c3": "m"}, ["move_man A B", "appear_king B"]),
    ],
)
def test_turns_are_written_in_the_papers_templates(
    turn: str, pieces: dict[str, str], expected: list[str]
) -> None:
    assert plan(turn, pieces) == expected


def test_turns_that_differ_only_in_where_they_are_have_one_plan() -> None:
    one = plan("c3 (1 1 p) (0 0 d) (1 1 e)", {"c3": "m", "d4": "M"})
    other = plan("g5 (-1 1 p) (0 0 d) (-1 1 e)", {"g5": "m", "f6": "M"})
    assert one == other
    round_trip = plan("c3 (0 1 e) (0 -1 e)", {"c3": "q"})
    assert round_trip != plan("c3 (0 1 e) (0 1 e)", {"c3": "q"})


def test_the_plan_belongs_to_what_the_first_square_holds() -> None:
    assert written("d4 (0 0 a m)", {}) == ((WHITE, "."), (Action("appear_man", (Square(0),)),))
    for turn, pieces in [("d4 (0 0 d)", {"d4": "M"}), ("d4 (0 0 a m)", {"d4": "M"})]:
        found = written(turn, pieces)
        assert found is not None
        assert found[0] == (WHITE, "M")


def test_a_pass_has_no_plan() -> None:
    assert written("pass", {}) is None


def test_one_writer_keeps_words_of_different_pieces_apart() -> None:
    writer = PlanWriter(EQUIPMENT)
    cells = ["."] * 64
    cells[0], cells[7] = "q", "M"
    decision = Decision(WHITE, "".join(cells), (), True)
    other = Decision(WHITE, "m" + "." * 63, (), True)
    texts = [(decision, "a1 (0 1 e)"), (other, "a1 (0 1 e)"), (decision, "h1 (0 0 d)")]
    fresh = [PlanWriter(EQUIPMENT).write(*case) for case in texts]
    assert [writer.write(*case) for case in texts * 2] == fresh * 2


def test_one_writer_keeps_flights_apart() -> None:
    writer = PlanWriter(EQUIPMENT)
    decision = Decision(WHITE, "m" + "." * 63, (), True)
    elsewhere = Decision(WHITE, ".m" + "." * 62, (), True)
    back = writer.write(decision, "a1 (@d7 e) (@a1 e)")
    on = writer.write(decision, "a1 (@d7 e) (@b1 e)")
    from_elsewhere = writer.write(elsewhere, "b1 (@d7 e) (@a1 e)")
    assert back is not None
    assert on is not None
    assert from_elsewhere is not None
    assert [a.args for a in back[1]] == [(0, 1), (1, 0)]
    assert [a.args for a in on[1]] == [(0, 1), (1, 2)]
    assert [a.args for a in from_elsewhere[1]] == [(0, 1), (1, 2)]


def test_one_writer_keeps_removals_apart_of_which_the_word_says_nothing() -> None:
    writer = PlanWriter(EQUIPMENT)
    names = []
    for over in "mk":
        decision = Decision(WHITE, "q" + over + "." * 62, (), True)
        found = writer.write(decision, "a1 (1 0 w) (0 0 r m) (0 0 d)")
        assert found is not None
        names.append([action.name for action in found[1]])
    assert names == [
        ["move_queen", "keep", "remove_man"],
        ["move_queen", "keep", "remove_king"],
    ]


def test_renumbering_counts_squares_as_they_come() -> None:
    actions = [Action("a", (Square(9), Square(4))), Action("b", (Square(4), Square(2)))]
    assert renumbered(actions) == (Action("a", (0, 1)), Action("b", (1, 2)))


names = st.sampled_from(["move_man", "appear_king", "remove_man"])
plans_of_actions = st.lists(
    st.builds(Action, names, st.tuples(st.integers(0, 3).map(Square))), min_size=1, max_size=3
).map(tuple)
observations = st.lists(
    st.tuples(
        st.tuples(st.sampled_from([WHITE, BLACK]), st.sampled_from("mM.")),
        plans_of_actions,
        st.integers(1, 5),
    ),
    max_size=12,
)


def observed(items: list[tuple[PlanKey, Plan, int]]) -> Plans:
    plans = Plans()
    for item in items:
        plans.observe(*item)
    return plans


@settings(max_examples=60, deadline=None)
@given(observations, observations)
def test_merging_equals_observing_together(
    one: list[tuple[PlanKey, Plan, int]], two: list[tuple[PlanKey, Plan, int]]
) -> None:
    together = observed(one + two)
    for first, second in ((one, two), (two, one)):
        merged = observed(first)
        merged.merge(observed(second))
        assert merged == together
    total = sum((Counter({(k, p): n}) for k, p, n in one + two), Counter())
    found = {(k, p): n for k, patterns in together.patterns.items() for p, n in patterns.items()}
    assert found == total


def test_merging_leaves_the_other_shard_alone() -> None:
    key, action = (WHITE, "m"), (Action("move_man", (Square(0), Square(1))),)
    one, two = Plans(), observed([(key, action, 2)])
    one.merge(two)
    one.observe(key, action)
    assert two == observed([(key, action, 2)])
    assert one == observed([(key, action, 3)])
