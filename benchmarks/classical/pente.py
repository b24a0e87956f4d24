"""Pente on a small board: five in a row, or five pairs taken."""

from __future__ import annotations

from classical_rules import (
    ALL,
    BLACK,
    REMOVED,
    WHITE,
    Classical,
    appears,
    free,
    lines,
    rays,
)

from grl.board import Board, Player, Position

KEYS = {WHITE: "w", BLACK: "b"}
ENOUGH = 10


class Pente(Classical):
    """Each turn places a stone on an empty point. Exactly two opposing stones side by side that lie
    between it and another own stone, in any of eight directions, are taken; to place between two is
    safe. Five in a row win, and so do ten stones taken; a full board is a draw. Stones taken lie in
    the hand of who took them."""

    name = "pente"
    provenance = "Gary Gabrel 1977; on 7 x 7, without the opening rule"

    def __init__(self, size: int = 7) -> None:
        board = Board(size, size)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        hands = {WHITE: {"b": 0}, BLACK: {"w": 0}}
        self.set_up(board, pieces, ["." * size] * size, reserve=hands)
        self._rays, self._lines = rays(board, ALL), lines(board, 5)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        foe = KEYS[self.other(position.to_move)]
        found = []
        for square in free(position):
            taken = [
                f"{names[s]}{REMOVED} (0 0 r {foe})"
                for _, line in self._rays[square]
                if "".join(cells[s] for s in line[:3]) == foe + foe + own
                for s in line[:2]
            ]
            found.append("; ".join([names[square] + appears(own), *taken]))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if position.reserve[player][KEYS[self.other(player)]] >= ENOUGH:
                return self.won(player)
            if any(all(position.cells[s] == key for s in line) for line in self._lines):
                return self.won(player)
        return None

    def stuck(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        return self.won(None)
