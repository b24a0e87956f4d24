"""Halma for two on a small board: steps, and chains of jumps into the opposite corner."""

from __future__ import annotations

from classical_rules import ALL, BLACK, WHITE, Classical, rays, step

from grl.board import EMPTY, Board, Player, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}
ROWS = ("...bbb", "....bb", ".....b", "w.....", "ww....", "www...")


class Halma(Classical):
    """A man steps in any of eight directions onto an empty square, or jumps so over a man of either
    player onto the empty square behind it, and may go on jumping, in any direction, as long as it
    can; nothing is taken, and a turn doesn't end where it began. A man that begins its turn in the
    opponent's camp ends it there too. The player who moved has won when the opponent's camp is full
    and holds at least one of his men. Who has no turn has lost. Simplified: nobody is made to leave
    his own camp by some move."""

    name = "halma"
    provenance = (
        "G. H. Monks, 1883, with D. Parlett's rule against spoilers; on 6 x 6, six men each"
    )

    def __init__(self) -> None:
        board = Board(6, 6)
        self.set_up(board, {key: (who, "man") for who, key in KEYS.items()}, ROWS)
        self._rays = rays(board, ALL)
        start = self.initial.cells
        self._goal = {
            who: [s for s in board.squares if start[s] == KEYS[self.other(who)]] for who in KEYS
        }

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        goal, found = self._goal[mover], []
        for square in position.board.squares:
            if cells[square] != KEYS[mover]:
                continue
            steps = {
                line[0]: step(way, "e")
                for way, line in self._rays[square]
                if cells[line[0]] == EMPTY
            }
            for to, text in {**steps, **self._jumps(position, square)}.items():
                if square not in goal or to in goal:
                    found.append(names[square] + text)
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        mover = self.other(position.to_move)
        camp = [position.cells[s] for s in self._goal[mover]]
        return self.won(mover) if EMPTY not in camp and KEYS[mover] in camp else None

    def _jumps(self, position: Position, square: Square) -> dict[Square, str]:
        """Where chains of jumps from a square end, with the letters of the shortest of them."""
        cells, view = position.cells, position.equipment.views[position.to_move]
        found, waiting = {square: ""}, [square]
        for here in waiting:
            for way, line in self._rays[here]:
                if len(line) < 2 or line[0] == square or cells[line[0]] == EMPTY:
                    continue
                over, to = line[:2]
                if cells[to] == EMPTY and to not in found:
                    found[to] = found[here] + step(way, view[cells[over]]) + step(way, "e")
                    waiting.append(to)
        del found[square]
        return found
