"""A game of animals: each takes those of its rank and below, and the lowest the highest."""

from __future__ import annotations

from strange_games import BLACK, STEPS, WHITE, Strange

from grl.board import Board, Equipment, Piece, make_position

RANKS = ("rat", "cat", "dog", "lion")
KEYS = {WHITE: "rcdl", BLACK: "RCDL"}


def takes(one: str, other: str) -> bool:
    """Whether an animal takes another."""
    mine, theirs = RANKS.index(one), RANKS.index(other)
    highest = len(RANKS) - 1
    return (mine == 0 and theirs == highest) or (mine >= theirs and (mine, theirs) != (highest, 0))


class Ranked(Strange):
    """Animals step orthogonally; who reaches the far rank, or takes all others, has won."""

    name = "ranked"
    rows = ("LRCD", "D..C", "....", "....", "c..d", "dcrl")

    def __init__(self) -> None:
        pieces = {
            key: Piece(key, player, kind)
            for player, keys in KEYS.items()
            for key, kind in zip(keys, RANKS, strict=True)
        }
        board = Board(len(self.rows[0]), len(self.rows))
        self.equipment = Equipment(board, (WHITE, BLACK), pieces)
        self.initial = make_position(self.equipment, self.rows, WHITE)

    def winner(self, position):
        rows, cells = position.rows, position.cells
        if any(key in KEYS[WHITE] for key in rows[0]) or not set(KEYS[BLACK]) & set(cells):
            return WHITE
        if any(key in KEYS[BLACK] for key in rows[-1]) or not set(KEYS[WHITE]) & set(cells):
            return BLACK
        return None

    def legal(self, position):
        if self.winner(position) is not None:
            return []
        board, cells = position.board, position.cells
        mine = KEYS[position.to_move]
        found = []
        for s in board.squares:
            for dx, dy in STEPS if cells[s] in mine else ():
                t = board.step(s, dx, dy)
                if t is None or cells[t] in mine:
                    continue
                name, there = f"{board.names[s]} ({dx} {dy}", board.names[t]
                kind = self.equipment.pieces[cells[s]].type
                if not self.may_enter(kind, there):
                    continue
                if cells[t] == ".":
                    found.append(f"{name} e)")
                elif self.may_take(kind, self.equipment.pieces[cells[t]].type, there, position):
                    found.append(f"{name} p)")
        return found

    def may_enter(self, kind, there):  # noqa: ARG002
        """Whether an animal may be on a square."""
        return True

    def may_take(self, kind, other, there, position):  # noqa: ARG002
        """Whether an animal may take another one on a square."""
        return takes(kind, other)
