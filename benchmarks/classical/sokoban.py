"""Sokoban: a man pushes three boxes onto the marked squares of a warehouse, for one."""

from __future__ import annotations

from random import Random

from classical_rules import ORTHOGONAL, STARTS, Classical, board_of, changed, step

from grl.board import EMPTY, HOLE, Player, Position, Square

SOLVER = Player("solver")
MAN, BOX = "m", "b"
ROWS = (".#...", "..b..", ".bmb.", "...#.", ".#...")
MARKED = "a2 e1 e5"
FARTHEST = 40
"""Steps and pulls that lead from the solved warehouse to the positions of `endgames`, at most."""


class Sokoban(Classical):
    """Walls shut the warehouse in, and stand where it has no square. The man steps to an empty
    square beside him, along ranks and files. If a box stands there, and the square behind it, in
    the same direction, is empty, he pushes the box there and takes its place; he never pulls, nor
    pushes two. The puzzle is solved when the boxes stand on the marked squares a2, e1 and e5,
    whichever on which; the marks stay where they are, so that only boxes and man are pieces. A box
    that can't be moved any more ends nothing; a man who can't is stuck, for 0 points."""

    name = "sokoban"
    provenance = "Hiroyuki Imabayashi, Thinking Rabbit, 1982; our own warehouse, of 17 turns"

    def __init__(self) -> None:
        board = board_of(ROWS)
        pieces: dict[str, tuple[Player | None, str]] = {
            MAN: (SOLVER, "man"),
            BOX: (None, "box"),
        }
        self.set_up(board, pieces, ROWS, (SOLVER,))
        self._marked = [board.square(name) for name in MARKED.split()]

    def turns(self, position: Position) -> list[str]:
        cells, board = position.cells, position.board
        man, found = Square(cells.index(MAN)), []
        for way in ORTHOGONAL:
            to = board.step(man, *way)
            if to is None:
                continue
            walk = board.names[man] + step(way, "e")
            if cells[to] == EMPTY:
                found.append(walk)
            elif (behind := board.step(to, *way)) is not None and cells[behind] == EMPTY:
                found.append(f"{board.names[to]}{step(way, 'e')}; {walk}")
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        done = all(position.cells[s] == BOX for s in self._marked)
        return {SOLVER: 100} if done else None

    def stuck(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        return {SOLVER: 0}

    def endgames(self) -> list[Position]:
        """Random play seldom solves it: these come from the end by steps and pulls backwards."""
        chance, found = Random(self.name), dict[object, Position]()
        board = self.equipment.board
        bare = "".join(HOLE if s in board.holes else EMPTY for s in range(board.size))
        done = changed(bare, dict.fromkeys(self._marked, BOX))
        while len(found) < STARTS:
            man = chance.choice([s for s in board.squares if s not in self._marked])
            cells = changed(done, {man: MAN})
            for _ in range(chance.randint(1, FARTHEST)):
                cells = self._back(cells, chance)
            position = self.position(board.rows(cells), SOLVER)
            if not self.is_terminal(position):
                found[position.outcome] = position
        return list(found.values())

    def _back(self, cells: str, chance: Random) -> str:
        """The warehouse after a step backwards, with a pull wherever a box stands behind him."""
        board, man = self.equipment.board, Square(cells.index(MAN))
        x, y = chance.choice(ORTHOGONAL)
        to, pulled = board.step(man, x, y), board.step(man, -x, -y)
        if to is None or cells[to] != EMPTY:
            return cells
        if pulled is None or cells[pulled] != BOX:
            return changed(cells, {man: EMPTY, to: MAN})
        return changed(cells, {pulled: EMPTY, man: BOX, to: MAN})
