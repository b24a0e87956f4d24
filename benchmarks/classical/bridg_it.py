"""Bridg-it, the game of Gale: bridges between the dots of two woven lattices."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    WHITE,
    Classical,
    appears,
    board_of,
    free,
    ways,
)

from grl.board import Player, Position, Square

KEYS = {WHITE: ("w", "W"), BLACK: ("b", "B")}


class BridgIt(Classical):
    """White's dots `W` and black's `B` form two lattices, woven into each other. A turn puts a
    bridge on an empty square between two dots of one's own that lie side by side; crossed there by
    a bridge it can't be. White wins by joining the lowest rank with the highest, black by joining
    the first file with the last."""

    name = "bridg-it"
    provenance = "David Gale, in M. Gardner's column, 1958; dots 5 x 4"

    def __init__(self, size: int = 4) -> None:
        width = 2 * size + 1
        inner = range(1, width - 1)
        rows = [
            "".join(
                "WB"[y % 2] if (x + y) % 2 else "." if x in inner and y in inner else "#"
                for x in range(width)
            )
            for y in reversed(range(width))
        ]
        pieces = {key: (who, "bridge") for who, (key, _) in KEYS.items()}
        pieces |= {key: (who, "dot") for who, (_, key) in KEYS.items()}
        board = board_of(rows)
        self.set_up(board, pieces, rows)
        self._near = ways(board, ORTHOGONAL)
        low, left = range(width), range(0, width * width, width)
        self._edges: dict[Player, tuple[list[int], set[int]]] = {
            WHITE: (list(low), {s + width * (width - 1) for s in low}),
            BLACK: (list(left), {s + width - 1 for s in left}),
        }

    def turns(self, position: Position) -> list[str]:
        names, own = position.board.names, KEYS[position.to_move][0]
        return [names[s] + appears(own) for s in free(position)]

    def decided(self, position: Position) -> dict[Player, int] | None:
        return next((self.won(who) for who in KEYS if self._joined(position.cells, who)), None)

    def _joined(self, cells: str, player: Player) -> bool:
        first, last = self._edges[player]
        waiting = [Square(s) for s in first if cells[s] in KEYS[player]]
        met = set(waiting)
        while waiting:
            for _, to in self._near[waiting.pop()]:
                if to not in met and cells[to] in KEYS[player]:
                    met.add(to)
                    waiting.append(to)
        return not met.isdisjoint(last)
