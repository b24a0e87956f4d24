"""Pong hau k'i, known in Korea as ou-moul-ko-no: blockade on five points."""

from __future__ import annotations

from classical_rules import BLACK, WHITE, Classical, Direction, board_of, step, ways

from grl.board import EMPTY, Position

KEYS = {WHITE: "w", BLACK: "b"}
ROWS = ("b#b", "#.#", "w#w")
SIDES: tuple[Direction, ...] = ((2, 0), (0, 2), (-2, 0), (0, -2))
WAYS = (*SIDES, (1, 1), (-1, 1), (-1, -1), (1, -1))


class PongHauKi(Classical):
    """Four corners and the centre, which is joined to all of them; the corners are joined along
    three sides, not along the lowest. A man goes along a line to the empty point. Who can't move
    has lost."""

    name = "pong-hau-ki"
    provenance = "S. Culin, Games of the Orient"

    def __init__(self) -> None:
        board = board_of(ROWS, lambda _, y: [way for way in WAYS if y or way not in SIDES[::2]])
        self.set_up(board, {key: (who, "man") for who, key in KEYS.items()}, ROWS)
        self._near = ways(board, WAYS)

    def turns(self, position: Position) -> list[str]:
        cells, own, names = position.cells, KEYS[position.to_move], position.board.names
        men = [s for s, content in enumerate(cells) if content == own]
        steps = ((s, way) for s in men for way, to in self._near[s] if cells[to] == EMPTY)
        return [names[s] + step(way, "e") for s, way in steps]
