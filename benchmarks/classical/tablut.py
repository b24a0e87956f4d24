"""Tablut, tafl as Linnaeus saw it played in Lapland."""

from __future__ import annotations

from classical_rules import (
    ORTHOGONAL,
    REMOVED,
    Classical,
    changed,
    custodial,
    rays,
    step,
    ways,
)

from grl.board import EMPTY, Board, Player, Position, Square

MUSCOVITES, SWEDES = Player("muscovites"), Player("swedes")
OWN = {MUSCOVITES: "a", SWEDES: "dk"}
ROWS = (
    "...aaa...",
    "....a....",
    "....d....",
    "a...d...a",
    "aaddkddaa",
    "a...d...a",
    "....d....",
    "....a....",
    "...aaa...",
)


class Tablut(Classical):
    """Sixteen Muscovites hunt the king of eight Swedes on 9 x 9 squares; they begin. All move like
    rooks; nobody enters or crosses the throne in the centre but the king. Whoever moves takes each
    opposing man between the piece moved and another of his own in a row or file. The king is taken
    so as well, but on the throne by four men and beside it by three. He wins on any square of the
    edge. Who has no turn has lost."""

    name = "tablut"
    provenance = "Linnaeus 1732, as R. C. Bell and J. Ashton read him"

    def __init__(self) -> None:
        board = Board(9, 9)
        men = {"a": (MUSCOVITES, "man"), "d": (SWEDES, "man"), "k": (SWEDES, "king")}
        self.set_up(board, men, ROWS, (MUSCOVITES, SWEDES))
        self._throne = board.square("e5")
        self._rays = rays(board, ORTHOGONAL)
        self._near = [{to for _, to in found} for found in ways(board, ORTHOGONAL)]

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        found = []
        for square in position.board.squares:
            for way, line in self._rays[square] if cells[square] in OWN[mover] else ():
                text, after = names[square], changed(cells, {square: EMPTY})
                for to in line:
                    if cells[to] != EMPTY or (to == self._throne and cells[square] != "k"):
                        break
                    text += step(way, "e")
                    taken = self._taken(after, to, mover)
                    found.append("; ".join([text, *(names[s] + REMOVED for s in taken)]))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        if "k" not in position.cells:
            return self.won(MUSCOVITES)
        return self.won(SWEDES) if len(self._near[position.cells.index("k")]) < 4 else None

    def _taken(self, cells: str, to: Square, mover: Player) -> list[Square]:
        """What a piece of `mover` takes that has come to a square."""
        own, foes = OWN[mover], OWN[self.other(mover)]
        found = []
        for _, line in self._rays[to]:
            victim = line[0]
            guarded = victim == self._throne or self._throne in self._near[victim]
            if cells[victim] == "k" and guarded:
                sides = self._near[victim] - {to, self._throne}
                if mover == MUSCOVITES and all(cells[side] == own for side in sides):
                    found.append(victim)
            else:
                found += custodial(cells, line, own, foes)
        return sorted(found)
