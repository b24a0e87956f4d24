"""The L game: one's L is laid down anew, and a neutral piece may follow."""

from __future__ import annotations

from classical_rules import BLACK, REMOVED, WHITE, Classical, appears

from grl.board import EMPTY, Board, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}
NEUTRAL = "n"
SIZE = 4
ROWS = ("nww.", ".bw.", ".bw.", ".bbn")
SHAPE = ((0, 0), (0, 1), (0, 2), (1, 0))


class LGame(Classical):
    """On 4 x 4 squares each player has an L of four squares, and there are two neutral pieces of
    one square. A turn takes one's L up and lays it down on four empty squares, those it has just
    left among them, turned or turned over as one likes, but not just as it lay. After that one may
    put one of the neutral pieces on any empty square. Who can't lay his L down anew has lost. All
    four pieces of an L bear the same key. Simplified: no draw by agreement."""

    name = "l-game"
    provenance = "Edward de Bono, 1967, in The Five-Day Course in Thinking and after"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        ells = {key: (who, "square of an L") for who, key in KEYS.items()}
        self.set_up(board, ells | {NEUTRAL: (None, "neutral piece")}, ROWS)
        self._places = _places(board)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        lain = [s for s in position.board.squares if cells[s] == own]
        lifted = cells.replace(own, EMPTY)
        up = [names[s] + REMOVED for s in lain]
        neutral = [s for s in position.board.squares if cells[s] == NEUTRAL]
        found = []
        for place in self._places:
            if place == lain or any(lifted[s] != EMPTY for s in place):
                continue
            text = "; ".join([*up, *(names[s] + appears(own) for s in place)])
            left = [s for s in position.board.squares if lifted[s] == EMPTY and s not in place]
            found.append(text)
            found += [f"{text}; {names[s]} (@{names[to]} e)" for s in neutral for to in left]
        return found


def _places(board: Board) -> list[list[Square]]:
    """All sets of four squares on which an L can lie."""
    found: set[tuple[Square, ...]] = set()
    for square in board.squares:
        for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            for shape in (SHAPE, [(dy, dx) for dx, dy in SHAPE]):
                squares = [board.step(square, x * dx, y * dy) for dx, dy in shape]
                if None not in squares:
                    found.add(tuple(sorted(s for s in squares if s is not None)))
    return [list(place) for place in sorted(found)]
