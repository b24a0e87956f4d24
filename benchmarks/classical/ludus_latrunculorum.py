"""Ludus latrunculorum, the Roman game of brigands: custodial captures, and a dux to shut in."""

from __future__ import annotations

from random import Random

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    REMOVED,
    STARTS,
    WHITE,
    Classical,
    changed,
    custodial,
    rays,
    step,
)

from grl.board import EMPTY, Board, Player, Position, Square

MEN = {WHITE: "m", BLACK: "M"}
DUCES = {WHITE: "d", BLACK: "D"}
OWN = {WHITE: "md", BLACK: "MD"}


class LudusLatrunculorum(Classical):
    """Each player has eight men on the first rank and the dux before them. All pieces go along
    ranks and files any number of empty squares. Opposing men in an unbroken line between the piece
    that has moved and another of the mover's, the dux included, are taken; a dux in such a line
    stays, but the men beside it are taken. A man in a corner is taken by pieces on both squares
    beside it, one of which has just come there. Who steps between two is safe. A dux that has no
    empty square beside it, and at least one opposing piece, is shut in, and its player has lost; if
    a turn shuts in both, the player who made it wins. Who has no turn has lost."""

    name = "ludus-latrunculorum"
    provenance = (
        "W. J. Kowalski's reconstruction as played in Mac Latrunculi; on 8 x 8 in place of 12 x 8, "
        "without the counter of turns that take nothing"
    )

    def __init__(self) -> None:
        board = Board(8, 8)
        pieces = {key: (who, "man") for who, key in MEN.items()}
        pieces |= {key: (who, "dux") for who, key in DUCES.items()}
        bar = "........"
        self.set_up(board, pieces, ["M" * 8, "...D....", *[bar] * 4, "....d...", "m" * 8])
        self._rays = rays(board, ORTHOGONAL)
        self._near = [[line[0] for _, line in found] for found in self._rays]

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        found = []
        for square in position.board.squares:
            for way, line in self._rays[square] if cells[square] in OWN[mover] else ():
                text = names[square]
                for to in line:
                    if cells[to] != EMPTY:
                        break
                    text += step(way, "e")
                    after = changed(cells, {square: EMPTY, to: cells[square]})
                    taken = [names[s] + REMOVED for s in self._taken(after, to, mover)]
                    found.append("; ".join([text, *taken]))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        mover = position.to_move
        for player in (mover, self.other(mover)):
            dux = Square(position.cells.index(DUCES[player]))
            beside = "".join(position.cells[s] for s in self._near[dux])
            if EMPTY not in beside and any(c in OWN[self.other(player)] for c in beside):
                return self.won(self.other(player))
        return None

    def endgames(self) -> list[Position]:
        """Random play hardly ever shuts a dux in: positions in which the player to move can."""
        chance, squares = Random(self.name), self.equipment.board.squares
        found: dict[object, Position] = {}
        while len(found) < STARTS:
            mover = chance.choice((WHITE, BLACK))
            foe = self.other(mover)
            dux = chance.choice(squares)
            beside = chance.sample(self._near[dux], len(self._near[dux]))
            gap = beside.pop()
            there = {dux: DUCES[foe]} | {s: MEN[chance.choice((WHITE, BLACK))] for s in beside}
            men = [MEN[who] for who in (WHITE, BLACK) for _ in range(chance.randint(2, 5))]
            left = chance.sample([s for s in squares if s not in there and s != gap], len(men) + 1)
            there |= dict(zip(left, [DUCES[mover], *men], strict=True))
            cells = changed(EMPTY * len(squares), there)
            position = self.position(self.equipment.board.rows(cells), mover)
            if any(self.is_terminal(self.play(position, turn)) for turn in self.legal(position)):
                found[position.outcome] = position
        return list(found.values())

    def _taken(self, cells: str, to: Square, mover: Player) -> list[Square]:
        """The men that a piece takes that has moved to a square."""
        own, foes = OWN[mover], OWN[self.other(mover)]
        man = MEN[self.other(mover)]
        found = [
            s
            for _, line in self._rays[to]
            for s in custodial(cells, line, own, foes, None)
            if cells[s] == man
        ]
        for square in self._near[to]:
            beside = self._near[square]
            if len(beside) == 2 and cells[square] == man and all(cells[s] in own for s in beside):
                found.append(square)
        return found
