"""Turns: their text, what they do to a position, and the quick test of whether they fit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grl.board import Board, Equipment, Piece, Player, Position, Square, make_position
from grl.errors import IllegalTurn, TurnSyntaxError
from grl.interpreter import Interpreter, find_demands, segments
from grl.turn import (
    PASS,
    Letter,
    Mismatch,
    Segment,
    Turn,
    carry_out,
    compile_turn,
    compile_until,
    hand_of,
    play,
)

WHITE, BLACK = Player("white"), Player("black")
PIECES = {
    key: Piece(key, owner, kind)
    for key, owner, kind in [
        ("m", WHITE, "man"),
        ("Q", WHITE, "queen"),
        ("M", BLACK, "man"),
        ("x", None, "arrow"),
    ]
}
EQUIPMENT = Equipment(Board(4, 4, frozenset({Square(15)})), (WHITE, BLACK), PIECES)

steps = st.tuples(st.integers(-3, 3), st.integers(-3, 3)).filter(any)
squares = st.sampled_from([f"{x}{y}" for x in "abcd" for y in range(1, 5)])
keys = st.sampled_from("mQMx")
plain_letters = st.builds(lambda step, on: Letter(*step, on), steps, st.sampled_from("ewpn"))
special_letters = st.one_of(
    st.just(Letter(0, 0, "d")),
    st.builds(lambda on, key: Letter(0, 0, on, key), st.sampled_from("ar"), keys),
)
flights = st.builds(lambda on: Letter(0, 0, on, fly=True), st.sampled_from("ewpn"))


@st.composite
def segments_of_turns(draw: st.DrawFn) -> Segment:
    letters = draw(
        st.lists(st.one_of(plain_letters, special_letters, flights), min_size=1, max_size=5)
    )
    targets = tuple(draw(squares) for letter in letters if letter.fly)
    return Segment(draw(squares), tuple(letters), targets)


turns = st.one_of(
    st.just(PASS),
    st.builds(
        lambda parts: Turn(tuple(parts)), st.lists(segments_of_turns(), min_size=1, max_size=3)
    ),
)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    cells = draw(st.text(".....mQMx", min_size=15, max_size=15)) + "#"
    reserve = draw(
        st.one_of(
            st.just({}),
            st.dictionaries(keys, st.integers(0, 2)).map(lambda hand: {"white": hand}),
        )
    )
    moved = [f"{x}{y}" for x in "abcd" for y in (1, 2)] if draw(st.booleans()) else []
    return make_position(
        EQUIPMENT,
        EQUIPMENT.board.rows(cells),
        draw(st.sampled_from(["white", "black"])),
        reserve,
        {"moved": [name for name in moved if cells[EQUIPMENT.board.square(name)] != "."]},
    )


@st.composite
def walks(draw: st.DrawFn, segments: int = 1, special: bool = False) -> tuple[Position, Turn]:
    """A position and a turn that mostly fits it; with `special` also d, a and r."""
    start = draw(positions())
    board, view = start.board, EQUIPMENT.views[start.to_move]
    parts = []
    for _ in range(segments):
        square = draw(st.sampled_from(board.squares))
        origin, letters, targets = square, [], []
        for _ in range(draw(st.integers(1, 4))):
            if special and draw(st.booleans()):
                letters.append(draw(special_letters))
                continue
            target = draw(st.sampled_from(board.squares))
            content = "e" if target == origin else view[start.cells[target]]
            if draw(st.integers(0, 19)) == 0:
                content = draw(st.sampled_from("ewpn"))
            dy, dx = (b - a for a, b in zip(divmod(square, 4), divmod(target, 4), strict=True))
            if (dx or dy) and draw(st.booleans()):
                letters.append(Letter(dx, dy, content))
            else:
                letters.append(Letter(0, 0, content, fly=True))
                targets.append(board.names[target])
            square = target
        parts.append(Segment(board.names[origin], tuple(letters), tuple(targets)))
    return start, Turn(tuple(parts))


def position(*rows: str, to_move: str = "white", **more: Any) -> Position:
    return make_position(EQUIPMENT, rows, to_move, **more)


def after(start: Position, text: str) -> Position:
    return play(start, Turn.parse(text))


class TestText:
    @given(turns)
    def test_what_is_printed_is_read_back(self, turn: Turn) -> None:
        assert Turn.parse(str(turn)) == turn

    @given(turns, st.data())
    def test_what_is_read_is_printed_back_or_refused(self, turn: Turn, data: st.DataObject) -> None:
        text = str(turn)
        at = data.draw(st.integers(0, len(text)))
        spoilt = text[:at] + data.draw(st.sampled_from(["", "0", "-", " ", ";", "(", "e", "@"]))
        spoilt += text[at + data.draw(st.integers(0, 1)) :]
        try:
            read = Turn.parse(spoilt)
        except TurnSyntaxError:
            return
        assert str(read) == spoilt

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "a1",
            "a1 ",
            "a1 (0 0 e)",
            "a1 (0 1 d)",
            "a1 (1 0 a m)",
            "a1 (0 0 a)",
            "a1 (0 0 a mm)",
            "a1 (0 0 a .)",
            "a1 (01 0 e)",
            "a1 (-0 1 e)",
            "a1 (+1 0 e)",
            "a1 (1  0 e)",
            "a1(1 0 e)",
            "a1 (1 0 e)(1 0 e)",
            "a1 (1 0 q)",
            "a1 (@b1 d)",
            "a1 (@ e)",
            "a1 (1 0 e);b1 (1 0 e)",
            "a1 (1 0 e); ",
            "; a1 (1 0 e)",
            "a1 (1 0 e); pass",
            "Pass",
            "a0 (1 0 e)",
        ],
    )
    def test_other_texts_are_no_turns(self, text: str) -> None:
        with pytest.raises(TurnSyntaxError, match="can't be read at character"):
            Turn.parse(text)

    def test_the_message_says_the_place(self) -> None:
        with pytest.raises(TurnSyntaxError) as caught:
            Turn.parse("a1 (1 0 e); b1 (1 0 z)")
        assert "at character 15" in str(caught.value)
        assert "' (1 0 z)'" in str(caught.value)


class TestLetters:
    @given(st.one_of(plain_letters, special_letters, flights))
    def test_a_letter_does_one_of_four_things(self, letter: Letter) -> None:
        assert [letter.moves, letter.removes, letter.appears, letter.reserves].count(True) == 1
        assert letter.moves == (letter.steps or letter.fly)
        assert letter.onto_piece == (letter.moves and letter.on != "e")
        assert not letter.is_mark

    @given(st.one_of(plain_letters, special_letters, flights), squares)
    def test_it_lands_where_a_segment_of_it_goes(self, letter: Letter, name: str) -> None:
        board = Board(4, 4)
        targets = [(name,) for name in board.names] if letter.fly else [()]
        ends = set()
        for target in targets:
            try:
                ends.add(Segment(name, (letter,), target).path(board)[-1])
            except IllegalTurn:
                assert letter.landings(board, board.square(name)) == []
                return
        if letter.fly:
            ends.remove(board.square(name))
        assert set(letter.landings(board, board.square(name))) == ends

    @given(segments_of_turns())
    def test_a_segment_is_spelled_letter_by_letter(self, segment: Segment) -> None:
        assert str(segment) == " ".join((segment.origin, *segment.spelled()))
        assert tuple(filter(None, segment.flights)) == segment.targets
        assert segment.lifts == (segment.spelled()[0] != "(0 0 d)")

    @given(segments_of_turns(), st.integers(1, 5))
    def test_a_beginning_of_a_segment_is_a_beginning_of_its_text(
        self, segment: Segment, length: int
    ) -> None:
        beginning = segment.prefix(length)
        assert str(segment).startswith(str(beginning))
        assert len(beginning.letters) == min(length, len(segment.letters))


class TestCarryingOut:
    def test_a_step_moves_and_the_pieces_passed_over_stay(self) -> None:
        start = position("...#", "M...", "....", "m...")
        assert after(start, "a1 (0 1 e) (0 1 p) (1 0 e)").rows == ["...#", "Mm..", "....", "...."]

    def test_the_piece_on_the_last_square_is_captured(self) -> None:
        start = position("...#", "....", "M...", "m...")
        assert after(start, "a1 (0 1 p)").rows == ["...#", "....", "m...", "...."]

    def test_a_removal_takes_the_piece_under_the_hand(self) -> None:
        start = position("...#", "....", ".M..", "m...")
        assert after(start, "a1 (1 1 p) (0 0 d) (1 1 e)").rows == ["...#", "..m.", "....", "...."]

    def test_a_removal_first_leaves_an_empty_hand(self) -> None:
        start = position("...#", "....", ".M..", "m...")
        assert after(start, "b2 (0 0 d)").rows == ["...#", "....", "....", "m..."]

    def test_a_piece_that_appears_puts_the_held_one_down_and_is_held(self) -> None:
        start = position("...#", "....", "....", "m...")
        assert after(start, "a1 (0 0 a x) (1 0 e)").rows == ["...#", "....", "....", "mx.."]

    def test_a_promotion_leaves_the_new_piece_only(self) -> None:
        start = position("...#", "....", "....", "m...")
        assert after(start, "a1 (0 1 e) (0 0 a Q)").rows == ["...#", "....", "Q...", "...."]

    def test_a_flight_goes_anywhere(self) -> None:
        start = position("..M#", "....", "....", "m...")
        assert after(start, "a1 (@c4 p)").rows == ["..m#", "....", "....", "...."]

    def test_a_piece_may_come_home(self) -> None:
        start = position("...#", "....", "....", "m...")
        round_trip = after(start, "a1 (0 1 e) (0 -1 e)")
        assert round_trip.rows == start.rows
        assert round_trip.to_move == "black"

    def test_two_pieces_exchange_squares(self) -> None:
        start = position("...#", "....", "....", "mQ..")
        assert after(start, "a1 (1 0 w) (0 1 e); b1 (-1 0 e); b2 (0 -1 e)").rows[3] == "Qm.."

    def test_a_reserve_gives_what_it_lists_and_other_pieces_come_from_nowhere(self) -> None:
        start = position("...#", "....", "....", "....", reserve={"white": {"m": 1}})
        one = after(start, "a1 (0 0 a m)")
        assert one.reserve == {"white": {"m": 0}}
        with pytest.raises(IllegalTurn, match="reserve"):
            after(after(one, "pass"), "a2 (0 0 a m)")
        assert after(start, "a1 (0 0 a Q)").reserve == {"white": {"m": 1}}

    def test_a_captured_piece_joins_the_reserve(self) -> None:
        start = position("...#", "....", "M...", "m...")
        assert after(start, "a1 (0 1 p) (0 0 r m)").reserve == {"white": {"m": 1}}

    def test_own_and_opponent_are_seen_by_the_mover(self) -> None:
        start = position("...#", "....", "M...", "m...", to_move="black")
        assert after(start, "a2 (0 -1 p)").rows == ["...#", "....", "....", "M..."]
        with pytest.raises(IllegalTurn, match="a piece of an opponent"):
            play(start, Turn.parse("a2 (0 -1 p)"), by=WHITE)

    def test_moved_follows_the_pieces(self) -> None:
        start = position("...#", "....", "M...", "m..Q")
        one = after(start, "d1 (0 1 e)")
        assert one.history["moved"] == ["d2"]
        assert after(one, "a2 (0 -1 p)").history["moved"] == ["a1", "d2"]
        two = after(after(one, "pass"), "d2 (-3 0 p)")
        assert two.history["moved"] == ["a2"]
        assert after(two, "a2 (0 0 d)").history["moved"] == []

    def test_a_replaced_piece_has_not_moved(self) -> None:
        start = position("...#", "....", "....", "m...", history={"moved": ["a1"]})
        assert after(start, "a1 (0 0 a Q)").history["moved"] == []

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("a1 (0 1 e)", "an empty square"),
            ("a1 (1 0 p)", "a piece of an opponent"),
            ("a1 (1 0 w)", "a piece of the mover"),
            ("a1 (1 0 n)", "a neutral piece"),
            ("b1 (0 0 d)", "a piece to remove"),
            ("b1 (1 0 e)", "changes something"),
            ("a1 (-1 0 e)", "leads nowhere"),
            ("d3 (0 1 e)", "leads nowhere"),
            ("e1 (0 1 e)", "no square 'e1'"),
            ("a1 (@d4 e)", "no square 'd4'"),
            ("b1 (0 0 a z)", "one of the pieces"),
        ],
    )
    def test_a_turn_that_does_not_fit_says_why(self, text: str, says: str) -> None:
        start = position("...#", "....", "M...", "m...")
        with pytest.raises(IllegalTurn) as caught:
            after(start, text)
        assert says in str(caught.value)
        assert text in str(caught.value)

    @given(walks(segments=2))
    def test_until_the_last_letter_all_is_carried_out_but_that(
        self, walk: tuple[Position, Turn]
    ) -> None:
        start, turn = walk
        last, letters = len(turn.segments) - 1, turn.segments[-1].letters
        whole = compile_turn(turn, start.board)
        for number in range(len(letters) + 1):
            until = compile_until(turn, last, number, start.board)
            assert until == whole[: len(until)]
            assert len(whole) - len(until) == len(letters) - number + 1

    @given(walks() | walks(segments=2, special=True))
    def test_playing_changes_nothing_but_the_copy(self, walk: tuple[Position, Turn]) -> None:
        start, turn = walk
        before = start.to_dict()
        try:
            end = play(start, turn)
        except IllegalTurn:
            assert start.to_dict() == before
            return
        assert start.to_dict() == before
        assert end.last == str(turn)
        assert end.to_move == EQUIPMENT.next_player(start.to_move)
        assert len(end.cells) == len(start.cells)
        assert {i for i, c in enumerate(end.cells) if c == "#"} == {15}
        assert all(end.cells[square] != "." for square in end.moved)

    @given(walks(segments=2))
    def test_segments_one_after_the_other_do_what_the_turn_does(
        self, walk: tuple[Position, Turn]
    ) -> None:
        start, turn = walk
        program = compile_turn(turn, EQUIPMENT.board)
        assert sum(len(part) for part in segments(program)) == len(program)
        try:
            whole = play(start, turn)
        except IllegalTurn:
            return
        cells, moved = list(start.cells), set(start.moved)
        hand = hand_of(start.stock, start.to_move)
        for part in segments(program):
            carry_out(part, cells, EQUIPMENT.views[start.to_move], moved, hand, PIECES)
        assert ("".join(cells), moved) == (whole.cells, whole.moved)


class TestDemands:
    """The quick test and carrying out agree wherever the quick test says yes."""

    @settings(max_examples=400)
    @given(walks(special=True) | walks(segments=2, special=True))
    def test_a_turn_whose_demands_are_met_can_be_carried_out(
        self, walk: tuple[Position, Turn]
    ) -> None:
        start, turn = walk
        program = compile_turn(turn, EQUIPMENT.board)
        view = EQUIPMENT.views[start.to_move]
        hand = hand_of(start.stock, start.to_move)
        demands = find_demands(program, PIECES)
        seen = "".join(view.get(cell, "#") for cell in start.cells)
        if demands is not None and demands.met(seen, hand):
            carry_out(program, list(start.cells), view, set(), hand, PIECES)

    @given(walks())
    def test_for_a_simple_walk_they_are_exact(self, walk: tuple[Position, Turn]) -> None:
        start, turn = walk
        program = compile_turn(turn, EQUIPMENT.board)
        demands = find_demands(program, PIECES)
        view = EQUIPMENT.views[start.to_move]
        seen = "".join(view.get(cell, "#") for cell in start.cells)
        try:
            carry_out(program, list(start.cells), view, set(), {}, PIECES)
        except Mismatch:
            assert demands is None or not demands.met(seen, {})
        else:
            assert demands is not None
            assert demands.met(seen, {})

    @pytest.mark.parametrize(
        ("text", "rows", "met"),
        [
            ("a1 (0 0 a m)", ["...#", "....", "....", "...."], True),
            ("a1 (1 1 p) (0 0 d) (1 1 e)", ["...#", "....", ".M..", "m..."], True),
            ("a1 (1 1 p) (0 0 d) (1 1 e)", ["...#", "..x.", ".M..", "m..."], False),
            ("a1 (1 1 p) (0 0 d) (1 1 e)", ["...#", "....", ".M..", "...."], True),
            ("a1 (0 1 e) (0 0 a x) (0 -1 e)", ["...#", "....", "....", "m..."], True),
            ("a1 (0 1 e)", ["...#", "....", "....", "...."], False),
        ],
    )
    def test_common_shapes_have_them(self, text: str, rows: list[str], met: bool) -> None:
        demands = Interpreter(EQUIPMENT).read(text).demands
        assert demands is not None
        start = position(*rows)
        seen = "".join(EQUIPMENT.views[WHITE].get(cell, "#") for cell in start.cells)
        assert demands.met(seen, {}) == met


class TestEffects:
    def test_two_ways_to_one_square_are_one_turn(self) -> None:
        start = position("...#", "....", "....", "m...")
        assert (
            after(start, "a1 (1 0 e) (0 1 e)").outcome == after(start, "a1 (0 1 e) (1 0 e)").outcome
        )

    def test_a_capture_and_a_step_beside_it_are_not(self) -> None:
        start = position("...#", "....", "M...", "m...")
        assert after(start, "a1 (0 1 p)").outcome != after(start, "a1 (1 0 e)").outcome
