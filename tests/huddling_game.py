"""A small game of putting stones down side by side, in which some squares keep the move."""

from __future__ import annotations

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.games import Game
from grl.turn import Turn

WHITE, BLACK = Player("white"), Player("black")
KEEPING = ("a1", "b4", "d2")
"""Whoever puts a stone there moves again."""


class Huddling(Game):
    """Stones go to empty squares that touch a stone of anybody, where there is one; a full board
    ends it, and who has more stones has won."""

    name = "huddling"
    provenance = "made up for tests"

    def __init__(self) -> None:
        pieces = {"w": Piece("w", WHITE, "stone"), "b": Piece("b", BLACK, "stone")}
        self.equipment = Equipment(Board(4, 4), (WHITE, BLACK), pieces)
        self.initial = make_position(self.equipment, ["...."] * 4, WHITE)

    def legal(self, position: Position) -> list[str]:
        board, cells = position.board, position.cells
        empty = [square for square in board.squares if cells[square] == "."]
        ways = ((1, 0), (-1, 0), (0, 1), (0, -1))
        beside = [
            square
            for square in empty
            if any(
                (other := board.step(square, dx, dy)) is not None and cells[other] != "."
                for dx, dy in ways
            )
        ]
        return [f"{board.names[s]} (0 0 a {position.to_move[0]})" for s in beside or empty]

    def next_player(self, position: Position, turn: Turn) -> Player:
        keeps = turn.segments[0].origin in KEEPING
        return position.to_move if keeps else super().next_player(position, turn)

    def is_terminal(self, position: Position) -> bool:
        return "." not in position.cells

    def goals(self, position: Position) -> dict[Player, int]:
        white, black = position.cells.count("w"), position.cells.count("b")
        won = 50 * (white >= black) + 50 * (white > black)
        return {WHITE: won, BLACK: 100 - won}
