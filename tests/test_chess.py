"""Chess and its variants: against the package chess where it is installed, and case by case."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

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


def met(game: Game, seed: int, games: int, plies: int) -> Iterator[Position]:
    """Random games from the start, each followed by a short one from a rare position."""
    chance = random.Random(seed)
    for number in range(2 * games):
        position = game.rare(chance) if number % 2 else game.initial
        for _ in range(4 if number % 2 else plies):
            yield position
            turns = game.legal(position)
            if not turns:
                break
            position = game.play(position, chance.choice(turns))


@pytest.mark.parametrize("spec", ["chess", "chess:drops=1"])
def test_turns_and_endings_are_those_of_the_package_chess(spec: str) -> None:
    pytest.importorskip("chess", reason="the package chess (extra pgn) is not installed")
    import chess
    import chess.variant
    from chess_oracle import board_of, ending_of, our_effects, their_effects

    game = load(spec)
    make = chess.variant.CrazyhouseBoard if "drops" in spec else chess.Board
    seen: Counter[str] = Counter()
    for position in met(game, seed=3, games=30 if "drops" not in spec else 10, plies=20):
        board = board_of(position, make)
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

    game = load("chess:repetition=3,quiet=30,material=1")
    chance = random.Random(4)
    kinds: Counter[str] = Counter()
    for number in range(60):
        # Kings and rooks at home shuffle, so that positions recur with castlings and without.
        men = ("Ke1 Ra1 Pa2 ke8 rh8 ph7", "Ke1 Bc1 pg3 kd8", "Ke1 Pd5 ke8 pc7")[number % 3]
        position = at(game, men)
        board = board_of(position)
        while not game.is_terminal(position):
            assert game.legal(position)
            assert not (board.is_insufficient_material() or board.is_repetition(3))
            assert board.halfmove_clock < 30
            turns = game.legal(position)
            shuffling = [turn for turn in turns if turn[1] in "18" and turn[0] in "acdefh"]
            turn = chance.choice(shuffling if shuffling and chance.random() < 0.9 else turns)
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
                if board.halfmove_clock >= 30
                else "repetition"
            )
            assert ending != "repetition" or board.is_repetition(3)
            assert set(game.goals(position).values()) == {50}
    assert min(kinds[kind] for kind in ("no mate left", "no progress", "repetition")) >= 3
