"""A game of eight ranked animals, after Dou Shou Qi without water and traps.

    grl traces generate benchmarks/animals.py:Animals -n 200 --all-moves --seed 1 -o animals.jsonl

Animals step along files and ranks and take those of their rank and below; the lowest takes the
highest, and not the other way round. Nobody enters his own den; who enters the other's has won, and
so has who has taken all animals, or whose opponent has no turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.games import Game

RANKS = ("rat", "cat", "wolf", "dog", "leopard", "tiger", "lion", "elephant")
KEYS = {Player("white"): "rcwdptle", Player("black"): "RCWDPTLE"}
DENS = {Player("white"): "c1", Player("black"): "c7"}
ROWS = ("L.D.T", ".C.W.", "RPE..", ".....", "..epr", ".w.c.", "t.d.l")
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def takes(one: str, other: str) -> bool:
    """Whether an animal takes another, by their keys."""
    mine, theirs = (KEYS[Player("white")].index(key.lower()) for key in (one, other))
    highest = len(RANKS) - 1
    if {mine, theirs} == {0, highest}:
        return mine == 0
    return mine >= theirs


class Animals(Game):
    """The game; see the top of the module."""

    name = "animals"
    provenance = "after Dou Shou Qi, without water and traps; board and beginning are ours"

    def __init__(self) -> None:
        pieces = {
            key: Piece(key, player, kind)
            for player, keys in KEYS.items()
            for key, kind in zip(keys, RANKS, strict=True)
        }
        self.equipment = Equipment(Board(5, 7), tuple(KEYS), pieces)
        self.initial = make_position(self.equipment, ROWS, Player("white"))

    def legal(self, position: Position) -> list[str]:
        return [] if self._won(position) else list(self._turns(position))

    def _turns(self, position: Position) -> Iterator[str]:
        board, cells, mine = position.board, position.cells, KEYS[position.to_move]
        den = board.square(DENS[position.to_move])
        for start in board.squares:
            for dx, dy in STEPS if cells[start] in mine else ():
                end = board.step(start, dx, dy)
                if end is None or end == den or cells[end] in mine:
                    continue
                if cells[end] == ".":
                    yield f"{board.names[start]} ({dx} {dy} e)"
                elif takes(cells[start], cells[end]):
                    yield f"{board.names[start]} ({dx} {dy} p)"

    def _won(self, position: Position) -> Player | None:
        """Who has won by what is on the board."""
        white, black = KEYS
        for player, other in ((white, black), (black, white)):
            there = position.cells[position.board.square(DENS[other])]
            if there in KEYS[player] or not set(KEYS[other]) & set(position.cells):
                return player
        return None

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        won = self._won(position) or self.equipment.next_player(position.to_move)
        return {player: 100 * (player == won) for player in self.equipment.players}
