"""Lau kata kati, of Bengal: jumping on two triangles that meet in a point."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    BLACK,
    DIAGONAL,
    ORTHOGONAL,
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

from grl.board import EMPTY, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}
ROWS = ("b##b##b", "#b#b#b#", "##bbb##", "###.###", "##www##", "#w#w#w#", "w##w##w")
LONG: tuple[Direction, ...] = ((2, 0), (-2, 0), (3, 0), (-3, 0))


class LauKataKati(Classical):
    """Three lines run from base to base through the point in which the two triangles meet, and
    three bars cross them on either side: 19 points. A stone steps along a line to the next point,
    if that is empty, or jumps along a line over an opposing stone onto the empty point behind it,
    which takes it at once. Who can jump must, and a stone that can go on jumping does; nobody need
    take the most. Who has no stones left, or no turn, has lost."""

    name = "lau-kata-kati"
    provenance = "H. J. R. Murray, A History of Board-Games Other Than Chess, 1952"

    def __init__(self) -> None:
        board = board_of(ROWS, _lines)
        self.set_up(board, {key: (who, "stone") for who, key in KEYS.items()}, ROWS)
        self._rays = rays(board, ORTHOGONAL + DIAGONAL + LONG)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        stones = [s for s in position.board.squares if cells[s] == own]
        jumps = [names[s] + text for s in stones for text in self._jumps(cells, s)]
        return distinct(position, jumps) or [
            names[s] + step(way, "e")
            for s in stones
            for way, line in self._rays[s]
            if cells[line[0]] == EMPTY
        ]

    def _jumps(self, cells: str, square: Square) -> Iterator[str]:
        """The letters of all chains of jumps of a stone."""
        own = cells[square]
        for way, line in self._rays[square]:
            if len(line) < 2 or cells[line[0]] in own + EMPTY or cells[line[1]] != EMPTY:
                continue
            text = step(way, "p") + REMOVED + step(way, "e")
            after = changed(cells, {square: EMPTY, line[0]: EMPTY, line[1]: own})
            for more in list(self._jumps(after, line[1])) or [""]:
                yield text + more


def _lines(x: int, y: int) -> Iterator[Direction]:
    """The ways from a point: along the bar, along the middle line, along a slanting line."""
    aside, up = x - 3, y - 3
    if up:
        yield from ((abs(up), 0), (-abs(up), 0))
    if aside == 0:
        yield from ((0, 1), (0, -1))
    if aside == up:
        yield from ((1, 1), (-1, -1))
    if aside == -up:
        yield from ((1, -1), (-1, 1))
