"""Cam, a small Camelot: canters over one's own, jumps over others, and a castle to reach."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    ALL,
    BLACK,
    REMOVED,
    WHITE,
    Classical,
    board_of,
    changed,
    distinct,
    rays,
    step,
)

from grl.board import EMPTY, Player, Position, Square

KEYS = {WHITE: "mn", BLACK: "MN"}
HALF = ("###.###", "##...##", "#.....#", "..N.N..", ".MMMMM.", ".......")
ROWS = (*HALF, ".......", *(row.lower() for row in reversed(HALF)))


class Cam(Classical):
    """Two knights and five men a side, on 67 squares. A piece steps to an empty square beside it in
    any of eight directions; or it canters: it leaps over a piece of its own side beside it onto the
    empty square right behind, once or more, and does not end where it began. Or it jumps so over an
    opposing piece, which leaves the board at once, and goes on jumping as long as it can, in any
    way. Only a knight may charge: canter first, then jump. Who can jump must do so, with whichever
    piece and whichever way, or charge instead; otherwise nobody need charge, but a knight's
    canter must not stop where it could jump.

    d1 is white's castle, d13 black's. Nobody goes into his own castle but by a jump; a piece that
    is there when its owner's turn begins must leave in this turn, whatever else could jump, and by
    a jump or a charge where it can jump. A piece that comes to the opponent's castle goes no
    further and wins. Who has no piece or no turn has lost. Simplified: if the piece in the castle
    has no turn, the others have theirs; no draw by repetition."""

    name = "cam"
    provenance = "Parker Brothers 1949, after the World Camelot Federation; castle rules simplified"

    def __init__(self) -> None:
        pieces = {"m": (WHITE, "man"), "n": (WHITE, "knight")}
        board = board_of(ROWS)
        self.set_up(board, pieces | {"M": (BLACK, "man"), "N": (BLACK, "knight")}, ROWS)
        self._rays = rays(board, ALL)
        self._castle = {WHITE: board.square("d1"), BLACK: board.square("d13")}

    def turns(self, position: Position) -> list[str]:
        cells, own = position.cells, KEYS[position.to_move]
        home = self._castle[position.to_move]
        inside = self._with(position, [home]) if cells[home] in own else []
        others = [s for s in position.board.squares if cells[s] in own and s != home]
        return inside or self._with(position, others)

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, own in KEYS.items():
            foe = self.other(player)
            none = not any(key in position.cells for key in KEYS[foe])
            if none or position.cells[self._castle[foe]] in own:
                return self.won(player)
        return None

    def _with(self, position: Position, squares: list[Square]) -> list[str]:
        """The turns of the pieces on these squares, with regard to one another alone."""
        cells, names, mover = position.cells, position.board.names, position.to_move
        home = self._castle[mover]
        quiet, jumps, charges = [], [], []
        for square in squares:
            name, piece = names[square], cells[square]
            lifted = changed(cells, {square: EMPTY})
            jumps += [name + text for text in self._jumps(lifted, square, mover) if text]
            for way, line in self._rays[square]:
                if cells[line[0]] == EMPTY and line[0] != home:
                    quiet.append(name + step(way, "e"))
            for to, text in self._canters(lifted, square, mover).items():
                more = list(self._jumps(lifted, to, mover)) if piece in "nN" else [""]
                charges += [name + text + rest for rest in more if rest]
                quiet += [name + text] if more == [""] else []
        return distinct(position, jumps + charges if jumps else quiet + charges)

    def _canters(self, lifted: str, square: Square, mover: Player) -> dict[Square, str]:
        """Where canters from a square lead, each with the letters of one of the shortest."""
        home, goal = self._castle[mover], self._castle[self.other(mover)]
        found, waiting = {square: ""}, [square]
        for here in waiting:
            for way, line in self._rays[here] if here != goal else ():
                if len(line) < 2 or lifted[line[0]] not in KEYS[mover] or lifted[line[1]] != EMPTY:
                    continue
                if line[1] not in found and line[1] != home:
                    found[line[1]] = found[here] + step(way, "w") + step(way, "e")
                    waiting.append(line[1])
        del found[square]
        return found

    def _jumps(self, lifted: str, square: Square, mover: Player) -> Iterator[str]:
        """The letters of the jumps from a square, as far as they lead; none where there is none.
        The piece that jumps is not among the cells."""
        ended, foe = True, self.other(mover)
        for way, line in self._rays[square] if square != self._castle[foe] else ():
            if len(line) > 1 and lifted[line[0]] in KEYS[foe] and lifted[line[1]] == EMPTY:
                ended = False
                for rest in self._jumps(changed(lifted, {line[0]: EMPTY}), line[1], mover):
                    yield step(way, "p") + REMOVED + step(way, "e") + rest
        if ended:
            yield ""
