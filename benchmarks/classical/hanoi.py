"""The towers of Hanoi: four discs on three pegs, for one."""

from __future__ import annotations

from random import Random

from classical_rules import STARTS, Classical

from grl.board import EMPTY, Board, Player, Position, Square

SOLVER = Player("solver")
FARTHEST = 8
"""Turns from a tower that is done, in the positions of `endgames`."""


class Hanoi(Classical):
    """The pegs are the files a, b and c. The discs are 1 to 4, the smallest first; they begin as a
    tower on peg a, the largest at the bottom. A turn takes the uppermost disc of a peg and puts it
    on top of another peg, on the lowest square that is empty there; never on a smaller disc. The
    puzzle is solved when all discs stand on peg b, or all on peg c. There is always a turn."""

    name = "hanoi"
    provenance = "Edouard Lucas, La Tour d'Hanoi, 1883: the tower to one of the other pegs"

    def __init__(self, pegs: int = 3, discs: int = 4) -> None:
        board = Board(pegs, discs)
        keys = [str(n) for n in range(1, discs + 1)]
        pieces = {key: (SOLVER, f"disc {key}") for key in keys}
        rows = [key + EMPTY * (pegs - 1) for key in keys]
        self.set_up(board, pieces, rows, (SOLVER,))
        self._pegs = [[Square(s) for s in range(x, board.size, pegs)] for x in range(pegs)]

    def turns(self, position: Position) -> list[str]:
        cells, names = position.cells, position.board.names
        held = [[s for s in peg if cells[s] != EMPTY] for peg in self._pegs]
        return [
            f"{names[one[-1]]} (@{names[peg[len(other)]]} e)"
            for one in held
            for peg, other in zip(self._pegs, held, strict=True)
            if one and one is not other and (not other or cells[one[-1]] < cells[other[-1]])
        ]

    def decided(self, position: Position) -> dict[Player, int] | None:
        done = any(EMPTY not in (position.cells[s] for s in peg) for peg in self._pegs[1:])
        return {SOLVER: 100} if done else None

    def endgames(self) -> list[Position]:
        """Positions a few turns away from a tower: every turn can be taken back."""
        chance, found = Random(self.name), dict[object, Position]()
        board = self.equipment.board
        while len(found) < STARTS:
            done = chance.choice(self._pegs[1:])
            keys = dict(zip(reversed(done), sorted(self.equipment.pieces), strict=True))
            position = self.position(
                board.rows("".join(keys.get(Square(s), EMPTY) for s in range(board.size))), SOLVER
            )
            for _ in range(chance.randint(1, FARTHEST)):
                position = self.play(position, chance.choice(self.turns(position)))
            if not self.is_terminal(position):
                found[position.outcome] = self.position(position.rows, SOLVER)
        return list(found.values())
