"""Ard Ri, the Scottish tafl: sixteen attackers round a king and eight defenders, on 7 x 7."""

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

ATTACKERS, DEFENDERS = Player("attackers"), Player("defenders")
OWN = {ATTACKERS: "a", DEFENDERS: "dk"}
MEN = {ATTACKERS: "a", DEFENDERS: "d"}
KING = "k"
ROWS = ("..aaa..", "...a...", "a.ddd.a", "aadkdaa", "a.ddd.a", "...a...", "..aaa..")


class ArdRi(Classical):
    """The attackers begin. Every piece goes one square along a rank or a file, onto an empty
    square. Nobody but the king goes onto the throne in the centre. Whoever moves takes each
    opposing man between the piece moved and another of his own in a rank or file; the king takes
    part in that, whether he moves or not. The throne and the edge take part in nothing. A piece
    that goes between two opponents is safe. The king is taken when attackers stand on all four
    sides of him; he wins on any square of the edge. Who has no turn has lost."""

    name = "ard-ri"
    provenance = (
        "the rules at dragonheelslair.com, where every piece goes one square; the attackers begin "
        "as elsewhere"
    )

    def __init__(self) -> None:
        board = Board(7, 7)
        men = {"a": (ATTACKERS, "man"), "d": (DEFENDERS, "man"), KING: (DEFENDERS, "king")}
        self.set_up(board, men, ROWS, (ATTACKERS, DEFENDERS))
        self._throne = board.square("d4")
        self._rays, self._ways = rays(board, ORTHOGONAL), ways(board, ORTHOGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        found = []
        for square in position.board.squares:
            for way, to in self._ways[square] if cells[square] in OWN[mover] else ():
                if cells[to] != EMPTY or (to == self._throne and cells[square] != KING):
                    continue
                taken = self._taken(changed(cells, {square: EMPTY}), to, mover)
                text = names[square] + step(way, "e")
                found.append("; ".join([text, *(names[s] + REMOVED for s in taken)]))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        if KING not in position.cells:
            return self.won(ATTACKERS)
        return self.won(DEFENDERS) if len(self._ways[position.cells.index(KING)]) < 4 else None

    def _taken(self, cells: str, to: Square, mover: Player) -> list[Square]:
        """What a piece of `mover` takes that has come to a square."""
        own, foes, found = OWN[mover], MEN[self.other(mover)], []
        for _, line in self._rays[to]:
            if cells[line[0]] == KING and mover == ATTACKERS:
                sides = [side for _, side in self._ways[line[0]] if side != to]
                if all(cells[side] in own for side in sides):
                    found.append(line[0])
            else:
                found += custodial(cells, line, own, foes)
        return sorted(found)
