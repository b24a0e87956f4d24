"""Phutball, philosopher's football, on a small pitch."""

from __future__ import annotations

from classical_rules import (
    ALL,
    BLACK,
    REMOVED,
    WHITE,
    Classical,
    appears,
    changed,
    free,
    rays,
    step,
)

from grl.board import EMPTY, Board, Player, Position, Square

BALL, MAN = "o", "x"


class Phutball(Classical):
    """A turn puts a man, who belongs to nobody, on an empty square of the pitch, ranks 2 to 8, or
    moves the ball. The ball jumps in any of eight directions over a row of one man or more onto the
    first empty square behind it; the men jumped over leave the board at once, and the ball may
    jump on. Ranks 1 and 9 lie outside the pitch: the ball may come there, but no man. White wins if
    the ball ends a turn on rank 8, his goal line, or 9, black if it does on rank 2 or 1, whoever
    has moved it; a ball that only passes through the goal line stays in play, and one outside
    doesn't jump on."""

    name = "phutball"
    provenance = "Berlekamp, Conway and Guy, Winning Ways; on 7 x 7 with a rank beyond each goal"

    def __init__(self, width: int = 7, height: int = 9) -> None:
        board = Board(width, height)
        bar = "." * width
        middle = bar[: width // 2] + BALL + bar[width // 2 + 1 :]
        rows = [bar] * (height // 2) + [middle] + [bar] * (height - height // 2 - 1)
        self.set_up(board, {BALL: (None, "ball"), MAN: (None, "man")}, rows)
        self._rays = rays(board, ALL)
        self._outside = {s for s in board.squares if s // width in (0, height - 1)}

    def turns(self, position: Position) -> list[str]:
        names, cells = position.board.names, position.cells
        ball = Square(cells.index(BALL))
        placed = [names[s] + appears(MAN) for s in free(position) if s not in self._outside]
        found: dict[str, str] = {}
        self._jump(cells, ball, names[ball], found)
        return placed + list(found.values())

    def decided(self, position: Position) -> dict[Player, int] | None:
        rank = position.cells.index(BALL) // position.board.width
        if rank >= position.board.height - 2:
            return self.won(WHITE)
        return self.won(BLACK) if rank <= 1 else None

    def _jump(self, cells: str, ball: Square, text: str, found: dict[str, str]) -> None:
        """Add the jumps that go on from here: what they leave, and the whole turn."""
        for way, line in self._rays[ball] if ball not in self._outside else ():
            men = next((n for n, s in enumerate(line) if cells[s] != MAN), len(line))
            if men in (0, len(line)):
                continue
            gone = dict.fromkeys([ball, *line[:men]], EMPTY)
            after = changed(cells, gone | {line[men]: BALL})
            if after not in found:
                more = (step(way, "n") + REMOVED) * men + step(way, "e")
                found[after] = text + more
                self._jump(after, line[men], text + more, found)
