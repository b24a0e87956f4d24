"""Dablot Prejjesne, a game of the Sami: draughts on lines, where rank decides who takes whom."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    BLACK,
    DIAGONAL,
    REMOVED,
    WHITE,
    Classical,
    Direction,
    board_of,
    changed,
    distinct,
    rays,
    step,
)

from grl.board import EMPTY, Player, Position, Square

OWN = {WHITE: "wpk", BLACK: "WPK"}
KINDS = ("warrior", "prince", "king")
"""The lowest rank first, here and among the keys."""
ALONG: tuple[Direction, ...] = ((2, 0), (0, 2), (-2, 0), (0, -2))
ROWS = (
    "W#W#W#W",
    "#W#W#W#",
    "W#W#W#W",
    "#P#.#.#",
    "K#.#.#k",
    "#.#.#p#",
    "w#w#w#w",
    "#w#w#w#",
    "w#w#w#w",
)


class DablotPrejjesne(Classical):
    """The board is a grid of squares, each with its diagonals: pieces stand on the corners of the
    squares and on their centres. Lines join a corner to the next corners along the sides and to the
    centres around it, a centre to the four corners of its square. Each side has a king, a prince
    and warriors; the opponents are a landlord, his son and farmers, of the same three ranks. All
    move alike: one point along a line in any direction, onto an empty one. A piece takes by jumping
    along a line over an opposing piece beside it, of its own rank or a lower one, onto the empty
    point right behind; what is taken leaves the board at once. It may jump on, in any direction,
    and may stop after any jump; nobody has to take. Who has no piece or no turn has lost. If each
    has his king alone the game is a draw.

    The original has 5 x 6 squares and 28 warriors a side; here are 3 x 4 squares and eleven
    warriors, placed alike: warriors up to the row before the prince, on the right end of his, and
    the king beside the middle of the board. Simplified: with one piece each of the same rank
    nobody can ask for single combat; no repetition."""

    name = "dablot-prejjesne"
    provenance = "N. Keyland 1921, Frostviken, as R. C. Bell and Ludii have it; on 3 x 4 squares"

    def __init__(self) -> None:
        board = board_of(ROWS, lambda x, y: DIAGONAL if x % 2 else DIAGONAL + ALONG)  # noqa: ARG005
        pieces = {
            key: (who, kind)
            for who, keys in OWN.items()
            for key, kind in zip(keys, KINDS, strict=True)
        }
        self.set_up(board, pieces, ROWS)
        self._rays = rays(board, DIAGONAL + ALONG)

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        quiet, jumps = [], []
        for square in position.board.squares:
            piece = cells[square]
            if piece not in OWN[mover]:
                continue
            for way, line in self._rays[square]:
                if cells[line[0]] == EMPTY:
                    quiet.append(names[square] + step(way, "e"))
            victims = OWN[self.other(mover)][: OWN[mover].index(piece) + 1]
            lifted = changed(cells, {square: EMPTY})
            jumps += [names[square] + text for text in self._jumps(lifted, square, victims)]
        return quiet + distinct(position, jumps)

    def decided(self, position: Position) -> dict[Player, int] | None:
        left = sorted(position.cells.replace(EMPTY, "").replace("#", ""))
        return self.won(None) if left == ["K", "k"] else None

    def _jumps(self, cells: str, square: Square, victims: str) -> Iterator[str]:
        """The letters of one jump or more; the piece that jumps is not among the cells."""
        for way, line in self._rays[square]:
            if len(line) < 2 or cells[line[0]] not in victims or cells[line[1]] != EMPTY:
                continue
            text = step(way, "p") + REMOVED + step(way, "e")
            yield text
            for more in self._jumps(changed(cells, {line[0]: EMPTY}), line[1], victims):
                yield text + more
