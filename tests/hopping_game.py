"""A small game of pieces that hop from afar and to afar, and don't stop where they can hop on.

It is here to be learned.
"""

from __future__ import annotations

from collections.abc import Iterator

from capturing_games import STRAIGHT, Capturing

from grl.board import Position, Square

Leg = tuple[str, Square, Square]


class Hopping(Capturing):
    """Men step straight, or hop along a rank or file over the first piece there, an opponent's.

    They come from any distance, land on any empty square behind it before the next piece, and
    remove what they have passed at once: `a1 (0 1 e) (0 1 p) (0 0 d) (0 1 e)`. Nobody has to hop,
    but who has begun may not stop where he can hop on. Who has no men or can't move loses.
    """

    name = "hopping"
    kind = "man"
    start = (".b.b.", "b.b.b", ".....", "w.w.w", ".w.w.")

    def decided(self, position: Position) -> bool:
        return any(key not in position.cells for key in self.keys.values())

    def turns(self, position: Position) -> Iterator[str]:
        board, cells = position.board, position.cells
        mine = self.keys[position.to_move]
        for square in board.squares:
            for dx, dy in STRAIGHT if cells[square] == mine else ():
                target = board.step(square, dx, dy)
                if target is not None and cells[target] == ".":
                    yield f"{board.names[square]} ({dx} {dy} e)"
            if cells[square] == mine:
                left = cells[:square] + "." + cells[square + 1 :]
                name = board.names[square]
                for text in self._hops(position, left, square, set()):
                    yield name + text

    def _hops(
        self, position: Position, cells: str, here: Square, seen: set[tuple[Square, str]]
    ) -> Iterator[str]:
        """What follows a square, hop by hop; of several ways to one board and square the first."""
        for letters, over, target in list(self._legs(position, cells, here)):
            left = cells[:over] + "." + cells[over + 1 :]
            if (target, left) in seen:
                continue
            seen.add((target, left))
            if not any(self._legs(position, left, target)):
                yield letters
            for further in self._hops(position, left, target, seen):
                yield letters + further

    def _legs(self, position: Position, cells: str, here: Square) -> Iterator[Leg]:
        """Single hops: what is written, the square of the piece, and that of the landing."""
        board = position.board
        for dx, dy in STRAIGHT:
            text, over = "", board.step(here, dx, dy)
            while over is not None and cells[over] == ".":
                text += f" ({dx} {dy} e)"
                over = board.step(over, dx, dy)
            if over is None or cells[over] != self.theirs(position):
                continue
            text += f" ({dx} {dy} p) (0 0 d)"
            target = board.step(over, dx, dy)
            while target is not None and cells[target] == ".":
                text += f" ({dx} {dy} e)"
                yield text, over, target
                target = board.step(target, dx, dy)
