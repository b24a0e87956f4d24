"""Pah tum: a full board, and points for rows of three and more."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    WHITE,
    Classical,
    appears,
    board_of,
    free,
    rays,
)

from grl.board import Player, Position

KEYS = {WHITE: "w", BLACK: "b"}
ROWS = (".....", ".....", "..#..", ".....", ".....")
POINTS = {3: 3, 4: 10, 5: 25, 6: 56, 7: 119}


class PahTum(Classical):
    """In turn stones are placed on empty points until the board is full. Unbroken rows and files of
    three stones of a colour count 3 points, of four 10, of five 25; more points win."""

    name = "pah-tum"
    provenance = "the game of ancient Assyria as sold today; on 5 x 5 with the centre barred"

    def __init__(self) -> None:
        board = board_of(ROWS)
        self.set_up(board, {key: (who, "stone") for who, key in KEYS.items()}, ROWS)
        found = rays(board, ORTHOGONAL[:2])
        backwards = rays(board, ORTHOGONAL[2:])
        self._starts = [
            (s, *line)
            for s in board.squares
            for (dx, dy), line in found[s]
            if (-dx, -dy) not in dict(backwards[s])
        ]

    def turns(self, position: Position) -> list[str]:
        names, own = position.board.names, KEYS[position.to_move]
        return [names[s] + appears(own) for s in free(position)]

    def stuck(self, position: Position) -> dict[Player, int]:
        white, black = (self.score(position.cells, key) for key in KEYS.values())
        return self.won(None if white == black else WHITE if white > black else BLACK)

    def score(self, cells: str, key: str) -> int:
        """The points of a key."""
        texts = (
            "".join(cells[s] if cells[s] == key else " " for s in line) for line in self._starts
        )
        return sum(POINTS.get(len(run), 0) for text in texts for run in text.split())
