"""Reversi on a small board: a game in which a turn changes pieces that nobody chooses.

It is here to be learned. Nothing in grl was written with it in mind.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from grl.board import Board, Equipment, Piece, Player, Position, Square, make_position
from grl.errors import GameError
from grl.games import Game

BLACK, WHITE = Player("black"), Player("white")
DISCS = {BLACK: "x", WHITE: "o"}
COMPASS = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
INFORMATIVE = (29, 109, 118, 128, 140, 185, 255, 259, 270, 286, 305, 343, 388)
"""Seeds of random games on 6 x 6 squares that are drawn, or with a pass at as many discs each.

Either happens in few games. Records without them leave open when a game is drawn.
"""


class Reversing(Game):
    """A disc is placed where it encloses runs of the opponent's, which are turned over.

    A turn is `d3 (0 0 a x); d4 (0 0 a x)`. Who can't place a disc passes, as long as the opponent
    can; more discs win.
    """

    name = "reversing"
    provenance = "Othello (Hasegawa 1973), on a board of any even size"

    def __init__(self, size: int = 6) -> None:
        middle = size // 2
        rows = ["." * size for _ in range(size)]
        rows[middle - 1] = "." * (middle - 1) + "ox" + "." * (middle - 1)
        rows[middle] = "." * (middle - 1) + "xo" + "." * (middle - 1)
        pieces = {key: Piece(key, player, "disc") for player, key in DISCS.items()}
        self.equipment = Equipment(Board(size, size), (BLACK, WHITE), pieces)
        self.initial = make_position(self.equipment, rows, BLACK)

    def legal(self, position: Position) -> list[str]:
        turns = list(self._placements(position, position.to_move))
        if turns:
            return turns
        other = self.equipment.next_player(position.to_move)
        return ["pass"] if any(self._placements(position, other)) else []

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise GameError("the game is not over", expected="a terminal position")
        (one, mine), (other, theirs) = ((p, position.cells.count(key)) for p, key in DISCS.items())
        goal = 50 if mine == theirs else 100 * (mine > theirs)
        return {one: goal, other: 100 - goal}

    def endgames(self) -> list[Position]:
        """From some random games: where a player has to pass, and shortly before the end."""
        found = []
        for seed in INFORMATIVE:
            rng, line = random.Random(seed), [self.initial]
            while turns := self.legal(line[-1]):
                line.append(self.play(line[-1], rng.choice(turns)))
            found += [position for position in line if self.legal(position) == ["pass"]]
            found += line[-5:-2]
        return found

    def _placements(self, position: Position, mover: Player) -> Iterator[str]:
        board, cells = position.board, position.cells
        for square in board.squares:
            turned = self._turned(board, cells, square, mover) if cells[square] == "." else []
            if turned:
                yield "; ".join(
                    f"{board.names[s]} (0 0 a {DISCS[mover]})" for s in [square, *turned]
                )

    def _turned(self, board: Board, cells: str, square: Square, mover: Player) -> list[Square]:
        found: list[Square] = []
        for dx, dy in COMPASS:
            run: list[Square] = []
            here = board.step(square, dx, dy)
            while here is not None and cells[here] not in (".", DISCS[mover]):
                run.append(here)
                here = board.step(here, dx, dy)
            if here is not None and cells[here] == DISCS[mover]:
                found += run
        return found
