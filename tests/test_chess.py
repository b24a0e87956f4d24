"""Chess and its variants: against the package chess where it is installed, and case by case."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from grids import Grid, Rows, grid_of, name, rows_of

from grl.board import Position, make_position
from grl.games import Game, load

Square = tuple[int, int]

CASTLES = {
    "white": (
        "e1 (1 0 e) (1 0 e); h1 (-1 0 w) (-1 0 e)",
        "e1 (-1 0 e) (-1 0 e); a1 (1 0 e) (1 0 w) (1 0 e)",
    ),
    "black": (
        "e8 (1 0 e) (1 0 e); h8 (-1 0 w) (-1 0 e)",
        "e8 (-1 0 e) (-1 0 e); a8 (1 0 e) (1 0 w) (1 0 e)",
    ),
}


def at(game: Game, text: str, to_move: str = "white", **more: Any) -> Position:
    """The position with these pieces, ``Ke1 pd7``, upper case for white's."""
    rows = [["."] * 8 for _ in range(8)]
    for word in text.split():
        rows[8 - int(word[2])]["abcdefgh".index(word[1])] = word[0]
    return make_position(game.equipment, ["".join(row) for row in rows], to_move, **more)


def after(game: Game, position: Position, *turns: str) -> Position:
    for turn in turns:
        assert turn in game.legal(position)
        position = game.play(position, turn)
    return position


def met(game: Game, seed: int, games: int) -> Iterator[Position]:
    """Some positions of random games, and all of short ones from rare positions."""
    chance = random.Random(seed)
    for number in range(games):
        often = number % 4 > 0
        position = game.rare(chance) if often else game.initial
        for ply in range(3 if often else 80):
            if often or ply % 8 == 0:
                yield position
            turns = game.legal(position)
            if not turns:
                break
            position = game.play(position, chance.choice(turns))


@pytest.mark.parametrize("spec", ["chess", "chess:drops=1"])
def test_turns_and_endings_are_those_of_the_package_chess(spec: str) -> None:
    pytest.importorskip("chess", reason="the package chess (extra pgn) is not installed")
    from chess_oracle import board_of, ending_of, our_effects, their_effects

    game = load(spec)
    seen: Counter[str] = Counter()
    for position in met(game, seed=3, games=48):
        board = board_of(position)
        turns = game.legal(position)
        ours = our_effects(game, position, turns)
        assert ours == their_effects(board), board.fen()
        assert len(ours) == len(turns)
        assert game.is_terminal(position) == (not turns)
        assert (None if turns else game.ending(position)) == ending_of(board)
        seen.update(
            {
                "check": board.is_check(),
                "castling": any(turn in CASTLES[position.to_move] for turn in turns),
                "in passing": any("(0 0 d)" in turn for turn in turns),
                "promotion": any("(0 0 a" in turn and " e)" in turn for turn in turns),
            }
        )
    assert min(seen.values()) >= 3


def test_draws_are_those_of_the_package_chess() -> None:
    pytest.importorskip("chess", reason="the package chess (extra pgn) is not installed")
    from chess_oracle import board_of, ending_of, placement

    game = load("chess:repetition=3,quiet=36,material=1")
    chance = random.Random(4)
    kinds: Counter[str] = Counter()
    for number in range(36):
        # Kings and rooks at home shuffle, back and forth, with castlings and without.
        men = ("Ke1 Ra1 Pa2 ke8 rh8 ph7", "Ke1 Bc1 pd2 ke8", "Ke1 Pd5 ke8 pc7")[number % 3]
        position = at(game, men)
        board = board_of(position)
        while not game.is_terminal(position):
            assert game.legal(position)
            assert not board.is_insufficient_material()
            assert not board.is_repetition(3)
            assert board.halfmove_clock < 36
            turns = game.legal(position)
            past = {entry.cells for entry in position.trail or ()}
            back = [turn for turn in turns if game.play(position, turn).cells in past]
            turn = chance.choice(back if back and chance.random() < 0.6 else turns)
            position = game.play(position, turn)
            for move in list(board.legal_moves):
                board.push(move)
                if board.board_fen() == placement(position.rows):
                    break
                board.pop()
        assert not game.legal(position)
        ending = game.ending(position)
        kinds[ending] += 1
        if ending_of(board) is None:
            assert ending == (
                "no mate left"
                if board.is_insufficient_material()
                else "no progress"
                if board.halfmove_clock >= 36
                else "repetition"
            )
            assert ending != "repetition" or board.is_repetition(3)
            assert set(game.goals(position).values()) == {50}
    assert min(kinds[kind] for kind in ("no mate left", "no progress", "repetition")) >= 3


REACH = {"N": {(1, 2)}, "B": {(1, 1)}, "R": {(0, 1)}, "Q": {(0, 1), (1, 1)}, "K": {(0, 1), (1, 1)}}


def goes(grid: Grid, start: Square, end: Square, kind: str) -> bool:
    """Whether a piece other than a pawn gets from square to square over empty ones."""
    if kind == "A":
        return goes(grid, start, end, "N") or goes(grid, start, end, "B")
    dx, dy = end[0] - start[0], end[1] - start[1]
    far = max(abs(dx), abs(dy)) if kind in "BRQ" else 1
    if not far or dx % far or dy % far:
        return False
    step = (dx // far, dy // far)
    low, high = sorted(map(abs, step))
    way = [(start[0] + n * step[0], start[1] + n * step[1]) for n in range(1, far)]
    return (low, high) in REACH[kind] and all(grid[s] == "." for s in way)


def brute_force(grid: Grid, white: bool, spec: str) -> set[tuple[str, Rows]]:
    """The effects of all turns but castling and captures in passing, which need a past."""
    up, own = (1, str.isupper) if white else (-1, str.islower)
    found = set()
    for start in [s for s in grid if own(grid[s])]:
        for end in [s for s in grid if not own(grid[s])]:
            piece, dx, dy = grid[start], end[0] - start[0], (end[1] - start[1]) * up
            kind, free = piece.upper(), grid[end] == "."
            becomes = piece
            if kind != "P":
                if not goes(grid, start, end, kind):
                    continue
            elif abs(dx) == 1 and dy == 0:
                if not free or "sidestep=1" not in spec:
                    continue
            elif dx == 0 and dy in (1, 2):
                home = start[1] == (2 if white else 7)
                if not free or (dy == 2 and not (home and grid[start[0], start[1] + up] == ".")):
                    continue
            elif abs(dx) != 1 or dy != 1 or free:
                continue
            if kind == "P" and end[1] == (8 if white else 1):
                out = "N" if "archbishops=1" in spec else "Q" if "archbishops=4" in spec else "A"
                becomes = "QRBNA".replace(out, "")
                becomes = becomes if white else becomes.lower()
            for key in becomes:
                after = grid | {start: ".", end: key}
                king = next((s for s in after if after[s] == ("K" if white else "k")), None)
                if "check=0" in spec or king is None or not struck(after, king, not white):
                    found.add((name(start), rows_of(after)))
    return found


def struck(grid: Grid, square: Square, white: bool) -> bool:
    """Whether a piece of that player attacks the square."""
    up, own = (1, str.isupper) if white else (-1, str.islower)
    return any(
        (abs(square[0] - s[0]) == 1 and square[1] - s[1] == up)
        if grid[s] in "Pp"
        else goes(grid, s, square, grid[s].upper())
        for s in grid
        if own(grid[s])
    )


@pytest.mark.parametrize(
    "spec", ["chess", "chess:archbishops=1,sidestep=1", "chess:check=0,castling=0,archbishops=4"]
)
def test_turns_are_those_of_brute_force(spec: str) -> None:
    game = load(spec)
    for position in met(game, seed=7, games=12):
        expected = brute_force(grid_of(tuple(position.rows)), position.to_move == "white", spec)
        if "check=0" in spec and not {"K", "k"} <= set(position.cells):
            expected = set()
        turns = [t for t in game.legal(position) if ";" not in t and "(0 0 d)" not in t]
        found = {(t[:2], tuple(game.play(position, t).rows)) for t in turns}
        assert found == expected
        assert len(found) == len(turns)


def test_a_king_castles_only_unmoved_unchecked_and_over_free_safe_squares() -> None:
    game = load("chess")
    home = "Ke1 Ra1 Rh1 ke8 ra8 rh8"

    def castlings(position: Position) -> list[int]:
        ways = CASTLES[position.to_move]
        return [ways.index(turn) for turn in game.legal(position) if turn in ways]

    assert castlings(at(game, home)) == castlings(at(game, home, "black")) == [0, 1]
    assert castlings(at(game, home + " Bf1 nb1")) == []
    assert castlings(at(game, home + " re4")) == []
    assert castlings(at(game, home + " bd3")) == [1]
    assert castlings(at(game, home + " rb4 rh4")) == [0, 1]
    assert castlings(at(game, home + " qg5")) == []
    assert castlings(at(game, home + " rg5")) == [1]
    assert castlings(at(game, home, history={"moved": ["h1"]})) == [1]
    there = ("h1 (-1 0 e)", "a8 (1 0 e)", "g1 (1 0 e)", "b8 (-1 0 e)")
    back = after(game, at(game, home), *there)
    assert castlings(back) == [1]
    assert castlings(after(game, back, "a1 (0 1 e)")) == [0]
    assert after(game, at(game, home), CASTLES["white"][1]).rows[-1] == "..KR...R"
    assert castlings(at(load("chess:castling=0"), home)) == [0, 1]
    assert not set(load("chess:castling=0").legal(at(game, home))) & set(CASTLES["white"])


def test_a_pawn_is_taken_in_passing_at_once_or_never() -> None:
    game = load("chess")
    start = at(game, "Ke1 Pe5 ke8 pd7 pf7", "black")
    taken = "e5 (-1 0 p) (0 0 d) (0 1 e)"
    passed = after(game, start, "d7 (0 -1 e) (0 -1 e)")
    assert [t for t in game.legal(passed) if "d)" in t] == [taken]
    assert after(game, passed, taken).rows[1:4] == [".....p..", "...P....", "........"]
    later = after(game, passed, "e1 (1 0 e)", "e8 (1 0 e)")
    assert taken not in game.legal(later)
    assert taken not in game.legal(after(game, start, "d7 (0 -1 e)"))
    # Both pawns would leave the rank on which the king stands.
    open_rank = at(game, "Ka5 Pe5 rh5 ke8 pd7", "black")
    assert taken not in game.legal(after(game, open_rank, "d7 (0 -1 e) (0 -1 e)"))


def test_a_promoted_piece_appears_on_the_square_that_the_pawn_reaches() -> None:
    game = load("chess")
    turns = game.legal(at(game, "Kh1 Pe7 kh8 rd8"))
    steps = [t for t in turns if t.startswith("e7")]
    assert steps == [
        f"e7 ({dx} 1 {on}) (0 0 a {key})" for dx, on in ((0, "e"), (-1, "p")) for key in "QRBN"
    ]


def test_a_king_that_may_be_taken_loses_when_it_is() -> None:
    game = load("chess:check=0")
    position = at(game, "Ke1 Qe4 ke8 re7")
    assert "e1 (1 0 e)" in game.legal(at(game, "Ke1 kf8 rf7"))
    lost = after(game, position, "e4 (-1 0 e)", "e7" + " (0 -1 e)" * 5 + " (0 -1 p)")
    assert (game.ending(lost), game.goals(lost)) == ("king taken", {"white": 0, "black": 100})


def test_what_is_captured_can_be_dropped_and_promoted_pieces_as_pawns() -> None:
    game = load("chess:drops=1")
    position = at(game, "Ke1 Pe7 ke8 rd8")
    won = after(game, position, "e7 (-1 1 p) (0 0 r R) (0 0 a D)")
    assert won.reserve["white"]["R"] == 1
    lost = after(game, won, "e8 (-1 0 p) (0 0 r p)")
    assert lost.reserve["black"]["p"] == 1
    turns = game.legal(lost)
    assert "a8 (0 0 a R)" in turns
    assert "e1 (0 1 e)" in turns
    drops = game.legal(after(game, lost, "h7 (0 0 a R)"))
    assert {"h2 (0 0 a p)", "a7 (0 0 a p)"} <= set(drops)
    assert not {"a1 (0 0 a p)", "a8 (0 0 a p)"} & set(drops)


def test_rare_positions_show_how_much_material_is_enough() -> None:
    pytest.importorskip("chess", reason="the package chess (extra pgn) is not installed")
    from chess_oracle import board_of

    game = load("chess:material=1")
    chance = random.Random(2)
    found: Counter[str] = Counter()
    for _ in range(600):
        position = game.rare(chance)
        men = len(position.cells) - position.cells.count(".")
        assert not board_of(position).is_insufficient_material()
        following = [game.play(position, turn) for turn in game.legal(position)]
        drawn = [board_of(each).is_insufficient_material() for each in following]
        assert drawn == [
            game.is_terminal(each) and game.ending(each) == "no mate left" for each in following
        ]
        found["just enough left"] += men <= 4 and not set(position.cells) & set("QRPqrp")
        found["a turn draws"] += any(drawn)
    assert min(found[kind] for kind in ("just enough left", "a turn draws")) >= 20, found


def test_rare_positions_are_around_every_kind_of_rare_turn() -> None:
    game = load("chess")
    chance = random.Random(1)
    kinds: Counter[str] = Counter()
    for _ in range(250):
        position = game.rare(chance)
        assert not game.is_terminal(position)
        turns = game.legal(position)
        kinds["castling"] += bool(set(turns) & set(CASTLES[position.to_move]))
        kinds["came back"] += len(position.trail or ()) == 4
        kinds["in passing"] += any("(0 0 d)" in turn for turn in turns)
        kinds["promotion"] += any("(0 0 a" in turn for turn in turns)
        ends = [game.play(position, turn) for turn in turns]
        kinds.update({game.ending(end) for end in ends if game.is_terminal(end)})
    assert min(kinds[kind] for kind in (*kinds, "mate", "stalemate", "came back")) >= 10
