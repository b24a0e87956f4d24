"""Hexagonal chess in the manner of Glinski, on a hexagon of side 4."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    BLACK,
    WHITE,
    Classical,
    Direction,
    Ray,
    appears,
    changed,
    rays,
    step,
    ways,
)

from grl.board import EMPTY, HOLE, Board, Player, Position, Square

SIDE = 4
NAMES = {"k": "king", "q": "queen", "b": "bishop", "n": "knight", "p": "pawn"}
SETUP = {"K": "e2", "Q": "c1", "B": "d1 d2", "N": "b1 f3", "P": "b2 c2 d3 e3 f4"}
"""White's pieces; black's stand on the same files, as far from the upper end as these are from the
lower one."""
STRAIGHT: tuple[Direction, ...] = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))
SLANTING: tuple[Direction, ...] = ((1, 2), (2, 1), (1, -1), (-1, -2), (-2, -1), (-1, 1))
LEAPS: tuple[Direction, ...] = tuple(
    sign
    for x, y in ((1, 3), (2, 3), (3, 2), (3, 1), (2, -1), (1, -2))
    for sign in ((x, y), (-x, -y))
)
SLIDES = {"q": STRAIGHT + SLANTING, "b": SLANTING}
STEPS = {"k": STRAIGHT + SLANTING, "n": LEAPS}
AHEAD: dict[Player, Direction] = {WHITE: (0, 1), BLACK: (0, -1)}
TAKES: dict[Player, tuple[Direction, ...]] = {WHITE: ((1, 1), (-1, 0)), BLACK: ((-1, -1), (1, 0))}
PROMOTED = "qbn"
STALEMATED = 25
Move = tuple[str, Square, Square]


class GlinskiMini(Classical):
    """The hexagon lies askew: beside a square lie those to its left and right, above and below,
    and those one up to the right and one down to the left. The files are Glinski's, and up
    is ahead for white. The queen goes any distance straight, to squares that lie side by side, and
    slanting, between two such ways: by steps of (1, 2), (2, 1) or (1, -1) or their opposites, on
    squares of one of three colours. The bishop goes slanting, the king one step straight or
    slanting; the knight leaps two steps straight and one more in a direction next to it, over
    whatever stands there. A pawn steps one square ahead along its file and takes on the two
    squares beside it that lie aslant ahead; at the end of its file it becomes a queen, a bishop or
    a knight. No turn may leave one's own king in check. Who is in check and has no turn has lost;
    who has no turn without being in check is stalemated and gets 25 of 100 points, the other one
    75. Two bare kings are a draw. Simplified: no rooks, on the small board; the pawns stand too
    close for a double step, so that nothing is taken in passing; no repetition, no 50 moves."""

    name = "glinski-mini"
    provenance = "Wladyslaw Glinski, 1936, as published in 1973, on 37 squares with our setup"

    def __init__(self) -> None:
        width, middle = 2 * SIDE - 1, SIDE - 1
        plain = Board(width, width)
        holes = frozenset(s for s in plain.squares if abs(s % width - s // width) > middle)
        board = Board(width, width, holes)
        cells = [HOLE if s in holes else EMPTY for s in range(board.size)]
        for key, places in SETUP.items():
            for place in map(board.square, places.split()):
                x, y = place % width, place // width
                cells[place] = key
                cells[(middle + x - y) * width + x] = key.lower()
        pieces = {key.upper(): (WHITE, kind) for key, kind in NAMES.items()}
        pieces |= {key: (BLACK, kind) for key, kind in NAMES.items()}
        self.set_up(board, pieces, board.rows("".join(cells)))
        self._lines = _lines(board)
        self._ahead = {who: ways(board, (way,)) for who, way in AHEAD.items()}
        self._takes = {who: ways(board, found) for who, found in TAKES.items()}

    def turns(self, position: Position) -> list[str]:
        cells, mover = position.cells, position.to_move
        found = []
        for text, square, to in self._moves(cells, mover):
            if self._attacked(changed(cells, {square: EMPTY, to: cells[square]}), mover):
                continue
            if cells[square] in "Pp" and not self._ahead[mover][to]:
                found += [text + appears(_own(kind, mover)) for kind in PROMOTED]
            else:
                found.append(text)
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        bare = set(position.cells) <= {EMPTY, HOLE, "K", "k"}
        return self.won(None) if bare else None

    def stuck(self, position: Position) -> dict[Player, int]:
        mover = position.to_move
        if self._attacked(position.cells, mover):
            return self.won(self.other(mover))
        return {mover: STALEMATED, self.other(mover): 100 - STALEMATED}

    def _attacked(self, cells: str, mover: Player) -> bool:
        """Whether the opponent could take the king of `mover`."""
        king = cells.index(_own("k", mover))
        return any(to == king for _, _, to in self._moves(cells, self.other(mover)))

    def _moves(self, cells: str, mover: Player) -> Iterator[Move]:
        """The moves without regard to check."""
        view, names = self.equipment.views[mover], self.equipment.board.names
        for square in self.equipment.board.squares:
            if view[cells[square]] != "w":
                continue
            name, kind = names[square], cells[square].lower()
            if kind == "p":
                for way, to in self._ahead[mover][square]:
                    if cells[to] == EMPTY:
                        yield name + step(way, "e"), square, to
                for way, to in self._takes[mover][square]:
                    if view[cells[to]] == "p":
                        yield name + step(way, "p"), square, to
                continue
            for way, line in self._lines[kind][square]:
                text = name
                for to in line:
                    text += step(way, on := view[cells[to]])
                    if on != "w":
                        yield text, square, to
                    if on != "e":
                        break


def _lines(board: Board) -> dict[str, list[list[Ray]]]:
    """By kind of piece, for each square, where it goes from there on an empty board."""
    slides = {kind: rays(board, found) for kind, found in SLIDES.items()}
    steps = {
        kind: [[(way, line[:1]) for way, line in found] for found in rays(board, near)]
        for kind, near in STEPS.items()
    }
    return slides | steps


def _own(kind: str, player: Player) -> str:
    """The key of a player's piece."""
    return kind.upper() if player == WHITE else kind
