"""Pentago: a marble is placed, and a quarter of the board is turned."""

from __future__ import annotations

from classical_rules import BLACK, REMOVED, WHITE, Classical, appears, changed, free, lines

from grl.board import EMPTY, Board, Player, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}
SIDE = 3


class Pentago(Classical):
    """A board of 6 x 6 squares in four quarters of 3 x 3. A turn puts a marble on an empty square
    and then turns one of the quarters, any, by a right angle one way or the other; if the marble
    makes five in a row, nothing is turned. Five or more in a row in any direction win, whoever has
    made them; five of both colours at once are a draw, and so is a full board without five."""

    name = "pentago"
    provenance = "Tomas Flodén, Mindtwister 2005"

    def __init__(self) -> None:
        size = 2 * SIDE
        board = Board(size, size)
        self.set_up(board, {k: (who, "marble") for who, k in KEYS.items()}, ["." * size] * size)
        self._lines = lines(board, 5)
        last = SIDE - 1
        self._rotations = []
        for corner in (0, SIDE, SIDE * size, SIDE * size + SIDE):
            at = {(x, y): Square(corner + y * size + x) for x in range(SIDE) for y in range(SIDE)}
            self._rotations += [
                [(square, at[last - y, x]) for (x, y), square in at.items()],
                [(square, at[y, last - x]) for (x, y), square in at.items()],
            ]
        """The squares of a quarter, each with the one whose content comes there."""

    def turns(self, position: Position) -> list[str]:
        own = KEYS[position.to_move]
        return [turn for s in free(position) for turn in self._placed(position.cells, s, own)]

    def decided(self, position: Position) -> dict[Player, int] | None:
        fives = [player for player, key in KEYS.items() if self._five(position.cells, key)]
        return self.won(fives[0] if len(fives) == 1 else None) if fives else None

    def stuck(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        return self.won(None)

    def _five(self, cells: str, key: str) -> bool:
        return any(all(cells[s] == key for s in line) for line in self._lines)

    def _placed(self, cells: str, square: Square, own: str) -> list[str]:
        """The turns that put a marble on this square, one for each board that comes of it."""
        names = self.equipment.board.names
        text, before = names[square] + appears(own), changed(cells, {square: own})
        if self._five(before, own):
            return [text]
        found: dict[str, str] = {}
        for rotation in self._rotations:
            after = changed(before, {s: before[source] for s, source in rotation})
            others = sorted(s for s, _ in rotation if after[s] != before[s])
            contents = [names[s] + _content(after[s]) for s in others]
            found.setdefault(after, "; ".join([text, *contents]))
        return list(found.values())


def _content(cell: str) -> str:
    return REMOVED if cell == EMPTY else appears(cell)
