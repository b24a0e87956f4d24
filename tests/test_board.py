"""Boards, equipment and positions: names, shapes, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grl.board import (
    Board,
    Equipment,
    Piece,
    Player,
    Square,
    file_name,
    make_position,
    parse_square_name,
)
from grl.errors import BoardError

WHITE, BLACK = Player("white"), Player("black")
PIECES = {
    "p": Piece("p", WHITE, "pawn"),
    "P": Piece("P", BLACK, "pawn"),
    "x": Piece("x", None, "s"),
}
EQUIPMENT = Equipment(Board(3, 2, frozenset({Square(4)})), (WHITE, BLACK), PIECES)
ROWS = ["P#P", "p.x"]

sizes = st.integers(1, 40)


@pytest.mark.parametrize(
    ("x", "name"),
    [(1, "a"), (26, "z"), (27, "aa"), (52, "az"), (53, "ba"), (702, "zz"), (703, "aaa")],
)
def test_files_are_lettered_like_columns_of_a_sheet(x: int, name: str) -> None:
    assert file_name(x) == name
    assert parse_square_name(f"{name}7") == (x, 7)


@given(st.integers(1, 70_000), st.integers(1, 70_000))
def test_square_names_are_read_back(x: int, y: int) -> None:
    assert parse_square_name(f"{file_name(x)}{y}") == (x, y)


@pytest.mark.parametrize("name", ["", "a", "1", "a0", "a01", "A1", "a1 ", "1a", "a-1", "a1b", "é1"])
def test_other_texts_name_no_square(name: str) -> None:
    assert parse_square_name(name) is None


@given(sizes, sizes, st.data())
def test_names_and_squares_are_inverse(width: int, height: int, data: st.DataObject) -> None:
    board = Board(width, height)
    square = Square(data.draw(st.integers(0, board.size - 1)))
    assert board.square(board.names[square]) == square
    assert len(set(board.names)) == board.size


@given(sizes, sizes, st.data())
def test_rows_and_cells_are_inverse(width: int, height: int, data: st.DataObject) -> None:
    board = Board(width, height)
    cells = data.draw(st.text("pP.x", min_size=board.size, max_size=board.size))
    rows = board.rows(cells)
    assert [len(row) for row in rows] == [width] * height
    assert board.cells(rows) == cells
    assert rows[-1][0] == cells[board.square("a1")]


@given(sizes, sizes, st.data())
def test_a_step_and_the_step_back_lead_home(width: int, height: int, data: st.DataObject) -> None:
    board = Board(width, height)
    square = Square(data.draw(st.integers(0, board.size - 1)))
    dx, dy = data.draw(st.tuples(st.integers(-4, 4), st.integers(-4, 4)))
    x, y = parse_square_name(board.names[square]) or (0, 0)
    target = board.step(square, dx, dy)
    if 1 <= x + dx <= width and 1 <= y + dy <= height:
        assert target is not None
        assert board.names[target] == f"{file_name(x + dx)}{y + dy}"
        assert board.step(target, -dx, -dy) == square
    else:
        assert target is None


def test_no_step_leads_into_a_hole_and_no_name_names_one() -> None:
    board = EQUIPMENT.board
    assert board.step(board.square("a2"), 1, 0) is None
    assert board.step(board.square("a2"), 2, 0) == board.square("c2")
    assert Square(4) not in board.squares
    with pytest.raises(BoardError, match="no square 'b2'"):
        board.square("b2")


def test_links_allow_the_steps_along_them_only() -> None:
    a1, b1, a2 = Square(0), Square(1), Square(2)
    board = Board(2, 2, links=frozenset({(a1, a2), (a2, a1), (a1, b1)}))
    assert board.step(a1, 0, 1) == a2
    assert board.step(a2, 0, -1) == a1
    assert board.step(a1, 1, 0) == b1
    assert board.step(b1, -1, 0) is None
    assert board.step(a1, 1, 1) is None


@pytest.mark.parametrize(("width", "height"), [(0, 3), (3, 0), (-1, -1), (65_536, 2)])
def test_impossible_sizes_are_refused(width: int, height: int) -> None:
    with pytest.raises(BoardError, match="impossible size"):
        Board(width, height)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (["P#P"], "wrong number of rows"),
        (["P#P", "p.x", "..."], "wrong number of rows"),
        (["P#P", "p."], "row 2 has the wrong length"),
        (["P.P", "p.x"], "'#' must mark the same squares in every position; b2 differs"),
        (["P#P", "p#x"], "b1 differs"),
        (["P#P", "q.x"], "unknown piece on a1"),
    ],
)
def test_rows_that_do_not_fit_the_board_are_refused(rows: list[str], says: str) -> None:
    with pytest.raises(BoardError) as caught:
        make_position(EQUIPMENT, rows, "white")
    assert says in str(caught.value)


@pytest.mark.parametrize("key", [".", "#", "@", "(", ")", ";", " ", "", "pp", "\n", "\u2028"])
def test_keys_that_a_row_or_a_turn_could_not_hold_are_refused(key: str) -> None:
    with pytest.raises(BoardError, match="bad key"):
        Equipment(Board(2, 2), (WHITE,), {key: Piece(key, WHITE, "pawn")})


@pytest.mark.parametrize("players", [(), (WHITE, WHITE)])
def test_players_are_named_once(players: tuple[Player, ...]) -> None:
    with pytest.raises(BoardError, match="bad list of players"):
        Equipment(Board(2, 2), players, {})


def test_a_cell_is_something_else_to_each_player() -> None:
    assert EQUIPMENT.views[WHITE] == {".": "e", "p": "w", "P": "p", "x": "n"}
    assert EQUIPMENT.views[BLACK] == {".": "e", "p": "p", "P": "w", "x": "n"}


def test_players_follow_each_other_in_a_ring() -> None:
    assert [EQUIPMENT.next_player(p) for p in (WHITE, BLACK)] == [BLACK, WHITE]
    alone = Equipment(Board(1, 1), (WHITE,), {})
    assert alone.next_player(WHITE) == WHITE


def test_a_position_is_plain_data_and_back() -> None:
    reserve = {"white": {"p": 2}}
    history = {"moved": ["c1", "a1"], "last": "pass"}
    position = make_position(EQUIPMENT, ROWS, "black", reserve, history)
    data = position.to_dict()
    assert data == {
        "rows": ROWS,
        "to_move": "black",
        "reserve": reserve,
        "history": {"moved": ["a1", "c1"], "last": "pass"},
    }
    again = make_position(
        EQUIPMENT, data["rows"], data["to_move"], data["reserve"], data["history"]
    )
    assert again == position


def test_effects_are_compared_without_history_and_without_empty_stock() -> None:
    with_nothing_left = make_position(EQUIPMENT, ROWS, "white", {"white": {"p": 0}})
    moved = make_position(EQUIPMENT, ROWS, "white", history={"moved": ["a1"], "last": None})
    assert with_nothing_left != moved
    assert with_nothing_left.outcome == moved.outcome
    in_hand = make_position(EQUIPMENT, ROWS, "white", {"white": {"p": 1}})
    assert in_hand.outcome != moved.outcome


def test_without_a_reserve_a_stocked_piece_counts_zero() -> None:
    equipment = Equipment(EQUIPMENT.board, (WHITE, BLACK), PIECES, frozenset({(WHITE, "p")}))
    assert make_position(equipment, ROWS, "white").reserve == {"white": {"p": 0}}
