"""Havannah on a small hexagon: a ring, a bridge or a fork wins."""

from __future__ import annotations

from classical_rules import BLACK, WHITE, Classical, Direction, appears, board_of, free, ways

from grl.board import Player, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}
HEXAGON: tuple[Direction, ...] = ((1, 0), (0, 1), (1, -1), (-1, 0), (0, -1), (-1, 1))


class Havannah(Classical):
    """On a hexagon of hexagons each turn places a stone on an empty cell. A connected group of
    one's own stones wins when it is a ring, around one cell or more, whatever lies on these; a
    bridge, which joins two of the six corners; or a fork, which joins three of the six sides, to
    which the corners do not belong. A full board is a draw. The cells lie askew on squares: each is
    linked to six others."""

    name = "havannah"
    provenance = "Christian Freeling, 1979 (Ravensburger 1981); a side of four cells, no swapping"

    def __init__(self, side: int = 4) -> None:
        size = 2 * side - 1
        there = range(side - 1, 3 * side - 2)
        rows = ["".join("#."[x + y in there] for x in range(size)) for y in reversed(range(size))]
        board = board_of(rows, lambda x, y: HEXAGON)  # noqa: ARG005
        self.set_up(board, {key: (who, "stone") for who, key in KEYS.items()}, rows)
        self._near = [[to for _, to in found] for found in ways(board, HEXAGON)]
        last = size - 1
        self._sides: dict[Square, set[str]] = {}
        for square in board.squares:
            y, x = divmod(square, size)
            at = {"left": x == 0, "right": x == last, "bottom": y == 0, "top": y == last}
            at |= {"low": x + y == side - 1, "high": x + y == 3 * side - 3}
            self._sides[square] = {name for name, there_too in at.items() if there_too}

    def turns(self, position: Position) -> list[str]:
        names, own = position.board.names, KEYS[position.to_move]
        return [names[s] + appears(own) for s in free(position)]

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells = position.cells
        return next((self.won(who) for who, key in KEYS.items() if self.wins(cells, key)), None)

    def stuck(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        return self.won(None)

    def wins(self, cells: str, key: str) -> bool:
        """Whether the stones of a key have a bridge, a fork or a ring."""
        own = {s for s in self._sides if cells[s] == key}
        for group in self._groups(own):
            corners = [s for s in group if len(self._sides[s]) == 2]
            touched = {side for s in group if len(self._sides[s]) == 1 for side in self._sides[s]}
            if len(corners) >= 2 or len(touched) >= 3:
                return True
        return self._ring(own)

    def _ring(self, own: set[Square]) -> bool:
        """Whether a ring shuts in others' cells, or one of its own with six neighbours of its own.

        What is not one's own and does not reach the edge is shut in.
        """
        others = self._groups(set(self._sides) - own)
        shut_in = any(not any(self._sides[s] for s in group) for group in others)
        return shut_in or any(len(own.intersection(self._near[s])) == 6 for s in own)

    def _groups(self, cells: set[Square]) -> list[set[Square]]:
        """The connected parts of a set of cells."""
        found, left = [], set(cells)
        while left:
            waiting = [left.pop()]
            group = set(waiting)
            while waiting:
                for to in left.intersection(self._near[waiting.pop()]):
                    left.remove(to)
                    group.add(to)
                    waiting.append(to)
            found.append(group)
        return found
