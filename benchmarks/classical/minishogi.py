"""Minishogi: shogi on 5 x 5 squares, with six pieces a side."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    ALL,
    BLACK,
    DIAGONAL,
    ORTHOGONAL,
    WHITE,
    Classical,
    Direction,
    Ray,
    appears,
    changed,
    free,
    rays,
    step,
)

from grl.board import EMPTY, Board, Player, Position, Square

SIZE = 5
ROWS = ("rbsgk", "....p", ".....", "P....", "KGSBR")
NAMES = {
    **{"k": "king", "g": "gold", "s": "silver", "b": "bishop", "r": "rook", "p": "pawn"},
    **{"n": "promoted silver", "h": "horse", "d": "dragon", "t": "tokin"},
}
PROMOTED = {"s": "n", "b": "h", "r": "d", "p": "t"}
PLAIN = {promoted: kind for kind, promoted in PROMOTED.items()}
HAND = "gsbrp"
GOLD: tuple[Direction, ...] = (*ORTHOGONAL, (1, 1), (-1, 1))
STEPS: dict[str, tuple[Direction, ...]] = {
    **{"k": ALL, "g": GOLD, "n": GOLD, "t": GOLD, "s": (*DIAGONAL, (0, 1)), "p": ((0, 1),)},
    **{"h": ORTHOGONAL, "d": DIAGONAL},
}
"""The directions, as white sees them, in which the pieces go one square."""
SLIDES = {"b": DIAGONAL, "r": ORTHOGONAL, "h": DIAGONAL, "d": ORTHOGONAL}
Move = tuple[str, Square, Square]


class Minishogi(Classical):
    """The king steps one square in any direction; the gold straight or diagonally ahead; the silver
    diagonally or straight ahead; the pawn straight ahead, and takes so. The bishop goes any
    distance along diagonals, the rook along ranks and files. A silver, bishop, rook or pawn whose
    step begins or ends on the far rank may be promoted at its end, and a pawn on the far rank must
    be: silver and pawn then go like a gold, the bishop also one square straight (horse), the rook
    also one square diagonally (dragon). What is taken goes into the taker's hand, not promoted.
    Instead of a step a piece from the hand may be put on an empty square, not promoted; a pawn not
    on the far rank, nor in a file with a pawn of the same player's that is not promoted, nor so
    that it mates. No turn may leave one's own king in check. Who has no turn has lost, in check or
    not. Simplified: no rule of repetition, nor of perpetual check."""

    name = "minishogi"
    provenance = "Shigenobu Kusumoto, about 1970, with the usual rules of shogi; no repetition"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        hands = {WHITE: dict.fromkeys(HAND.upper(), 0), BLACK: dict.fromkeys(HAND, 0)}
        pieces = {key.upper(): (WHITE, kind) for key, kind in NAMES.items()}
        pieces |= {key: (BLACK, kind) for key, kind in NAMES.items()}
        self.set_up(board, pieces, ROWS, reserve=hands)
        self._reach = {key: _reach(board, key) for key in pieces}

    def turns(self, position: Position) -> list[str]:
        mover = position.to_move
        found = []
        for text, square, to in self._safe(position.cells, mover):
            kind, taken = position.cells[square].lower(), position.cells[to].lower()
            turn = text
            if taken in NAMES:
                turn += f" (0 0 r {_own(PLAIN.get(taken, taken), mover)})"
            if kind != "p" or not _far(to, mover):
                found.append(turn)
            if kind in PROMOTED and (_far(square, mover) or _far(to, mover)):
                found.append(turn + appears(_own(PROMOTED[kind], mover)))
        return found + list(self._drops(position))

    def _drops(self, position: Position) -> Iterator[str]:
        """The turns that put a piece down from the hand."""
        cells, mover = position.cells, position.to_move
        held = [key for key, number in position.reserve[mover].items() if number]
        checked = self._attacked(cells, mover)
        for square in free(position):
            for key in held:
                after = changed(cells, {square: key})
                if checked and self._attacked(after, mover):
                    continue
                if key not in "Pp" or self._may_hold_pawn(cells, after, square, mover):
                    yield position.board.names[square] + appears(key)

    def _may_hold_pawn(self, cells: str, after: str, square: Square, mover: Player) -> bool:
        """Whether a pawn may be put there; only a step can answer the check of one."""
        foe = self.other(mover)
        if _far(square, mover) or _own("p", mover) in cells[square % SIZE :: SIZE]:
            return False
        return not self._attacked(after, foe) or any(self._safe(after, foe))

    def _safe(self, cells: str, mover: Player) -> Iterator[Move]:
        """The steps and slides that don't leave the king in check."""
        for text, square, to in self._moves(cells, mover):
            if not self._attacked(changed(cells, {square: EMPTY, to: cells[square]}), mover):
                yield text, square, to

    def _attacked(self, cells: str, mover: Player) -> bool:
        """Whether the opponent could take the king of `mover`."""
        king = cells.index(_own("k", mover))
        return any(to == king for _, _, to in self._moves(cells, self.other(mover)))

    def _moves(self, cells: str, mover: Player) -> Iterator[Move]:
        """The steps and slides without regard to check."""
        view, names = self.equipment.views[mover], self.equipment.board.names
        for square in self.equipment.board.squares:
            key = cells[square]
            for way, line in self._reach[key][square] if view[key] == "w" else ():
                text = names[square]
                for to in line:
                    text += step(way, on := view[cells[to]])
                    if on != "w":
                        yield text, square, to
                    if on != "e":
                        break


def _reach(board: Board, key: str) -> list[list[Ray]]:
    """For each square where a piece goes from there on an empty board."""
    ahead = 1 if key.isupper() else -1
    steps = [(x, ahead * y) for x, y in STEPS.get(key.lower(), ())]
    slides = rays(board, SLIDES.get(key.lower(), ()))
    return [
        [*((way, line[:1]) for way, line in near), *far]
        for near, far in zip(rays(board, steps), slides, strict=True)
    ]


def _own(kind: str, player: Player) -> str:
    """The key of a player's piece."""
    return kind.upper() if player == WHITE else kind


def _far(square: Square, player: Player) -> bool:
    """Whether a square lies on the far rank of a player."""
    return square // SIZE == (SIZE - 1 if player == WHITE else 0)
