"""Lines of Action on a small board: as far as there are pieces on the line, until all connect."""

from __future__ import annotations

from classical_rules import ALL, BLACK, WHITE, Classical, Direction, connected, rays, step, ways

from grl.board import EMPTY, Board, Player, Position, Square

KEYS = {BLACK: "x", WHITE: "o"}


class LinesOfAction(Classical):
    """A piece moves along a rank, a file or a diagonal exactly as many squares as there are pieces
    of both players on that whole line. It may pass over pieces of its own, but not over others, and
    ends on an empty square or on an opposing piece, which it takes. Whose pieces all hang together,
    in eight directions, has won, whoever moved; one piece alone does so too. If that becomes true
    of both players at once, the game is a draw. Who can't move passes. Simplified: no draw by
    repetition."""

    name = "lines-of-action"
    provenance = "Claude Soucie, as at the MSO World Championship 2000; on 6 x 6, eight pieces each"

    def __init__(self, size: int = 6) -> None:
        board = Board(size, size)
        edge, between = f".{'x' * (size - 2)}.", f"o{'.' * (size - 2)}o"
        pieces = {key: (who, "piece") for who, key in KEYS.items()}
        self.set_up(board, pieces, [edge, *[between] * (size - 2), edge], (BLACK, WHITE))
        self._rays: list[dict[Direction, tuple[Square, ...]]] = [
            dict(found) for found in rays(board, ALL)
        ]
        self._near = [[to for _, to in found] for found in ways(board, ALL)]

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        view = position.equipment.views[mover]
        found = []
        for square in position.board.squares:
            for way, line in self._rays[square].items() if view[cells[square]] == "w" else ():
                behind = self._rays[square].get((-way[0], -way[1]), ())
                far = 1 + sum(cells[s] != EMPTY for s in (*line, *behind))
                path = line[:far]
                onto = [view[cells[s]] for s in path]
                if far <= len(line) and "p" not in onto[:-1] and onto[-1] != "w":
                    found.append(names[square] + "".join(step(way, on) for on in onto))
        return found or ["pass"]

    def decided(self, position: Position) -> dict[Player, int] | None:
        winners = [who for who, key in KEYS.items() if self._whole(position.cells, key)]
        return self.won(winners[0] if len(winners) == 1 else None) if winners else None

    def _whole(self, cells: str, key: str) -> bool:
        """Whether all pieces of a key hang together."""
        start = Square(cells.index(key))
        return len(connected(cells, self._near, start)) == cells.count(key)
