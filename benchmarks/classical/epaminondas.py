"""Epaminondas on a small board: rows of stones move as one and take shorter rows."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import ALL, BLACK, REMOVED, WHITE, Classical, Ray, rays, step

from grl.board import EMPTY, Board, Player, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}


class Epaminondas(Classical):
    """A phalanx is one or more stones of a player side by side in a line of any direction; it
    moves along that line, its front stone first, by at most as many squares as it has stones. A
    larger phalanx may be split so. What it passes must be empty; it may end on the front of an
    opposing phalanx with fewer stones in that line, and takes all of it. Who, when it is his turn,
    has more stones on the opponent's home row than the opponent has on his, has won."""

    name = "epaminondas"
    provenance = "Robert Abbott, in Sid Sackson, A Gamut of Games; on 7 x 6, copied rows allowed"

    def __init__(self, width: int = 7, height: int = 6) -> None:
        board = Board(width, height)
        rows = ["b" * width] * 2 + ["." * width] * (height - 4) + ["w" * width] * 2
        self.set_up(board, {key: (who, "stone") for who, key in KEYS.items()}, rows)
        self._rays = rays(board, ALL)
        self._back = [dict(found) for found in self._rays]

    def turns(self, position: Position) -> list[str]:
        cells, own = position.cells, KEYS[position.to_move]
        return [
            turn
            for square in position.board.squares
            if cells[square] == own
            for ray in self._rays[square]
            for turn in self._moves(cells, square, ray, own)
        ]

    def decided(self, position: Position) -> dict[Player, int] | None:
        rows, mover = position.rows, position.to_move
        far, home = (rows[0], rows[-1]) if mover == WHITE else (rows[-1], rows[0])
        ahead = far.count(KEYS[mover]) > home.count(KEYS[self.other(mover)])
        return self.won(mover) if ahead else None

    def _moves(self, cells: str, front: Square, ray: Ray, own: str) -> Iterator[str]:
        """The moves of the phalanxes with this front in a direction, each by one to its size."""
        (dx, dy), ahead = ray
        names = self.equipment.board.names
        behind = self._back[front].get((-dx, -dy), ())
        stones = [front, *behind[: _run(cells, behind, own)]]
        for far, to in enumerate(ahead[: len(stones)], 1):
            if cells[to] == own:
                return
            hit = cells[to] != EMPTY
            foes = _run(cells, ahead[far - 1 :], cells[to]) if hit else 0
            slide = step((dx, dy), "e") * (far - 1)
            letters = [slide + step((dx, dy), "p" if hit else "e")]
            removed = [names[s] + REMOVED for s in ahead[far : far + foes - 1]]
            letters += [slide + step((dx, dy), "e")] * (len(stones) - 1)
            moved = [names[s] + text for s, text in zip(stones, letters, strict=True)]
            for size in range(max(far, foes + 1), len(stones) + 1):
                yield "; ".join(moved[:size] + removed)
            if hit:
                return


def _run(cells: str, line: tuple[Square, ...], key: str) -> int:
    """How many squares at the beginning of a line hold a key."""
    return next((n for n, s in enumerate(line) if cells[s] != key), len(line))
