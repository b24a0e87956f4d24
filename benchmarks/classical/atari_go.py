"""Atari go, capture go: the first capture wins."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    WHITE,
    Classical,
    appears,
    changed,
    free,
    ways,
)

from grl.board import EMPTY, Board, Player, Position, Square

KEYS = {BLACK: "x", WHITE: "o"}


class AtariGo(Classical):
    """Each turn places a stone on an empty point. Who leaves a group of the opponent's without an
    empty point beside it has captured it, and won; the stones stay where they are. A stone that
    captures nothing must not leave its own group so. Who has no turn has lost."""

    name = "atari-go"
    provenance = "Yasutoshi Yasuda, Go as Communication: capture go; on 6 x 6"

    def __init__(self, size: int = 6) -> None:
        board = Board(size, size)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        self.set_up(board, pieces, ["." * size] * size, (BLACK, WHITE))
        self._near = [[to for _, to in found] for found in ways(board, ORTHOGONAL)]

    def turns(self, position: Position) -> list[str]:
        names, own = position.board.names, KEYS[position.to_move]
        return [names[s] + appears(own) for s in free(position) if self._may(position, s, own)]

    def decided(self, position: Position) -> dict[Player, int] | None:
        mover = position.to_move
        if self._captured(position.cells, KEYS[mover]):
            return self.won(self.other(mover))
        return None

    def _may(self, position: Position, square: Square, own: str) -> bool:
        near = [position.cells[to] for to in self._near[square]]
        if EMPTY in near:
            return True
        after = changed(position.cells, {square: own})
        foe = KEYS[self.other(position.to_move)]
        return self._captured(after, foe) or not self._captured(after, own)

    def _captured(self, cells: str, key: str) -> bool:
        """Whether a group of a key has no empty point beside it."""
        alive = {s for s, content in enumerate(cells) if content == EMPTY}
        waiting = [Square(s) for s in alive]
        while waiting:
            for to in self._near[waiting.pop()]:
                if cells[to] == key and to not in alive:
                    alive.add(to)
                    waiting.append(to)
        return any(content == key and s not in alive for s, content in enumerate(cells))
