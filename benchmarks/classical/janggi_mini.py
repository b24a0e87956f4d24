"""Korean chess on 7 x 7 points: palaces with diagonals, cannons that must jump, and passing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from classical_rules import (
    DIAGONAL,
    ORTHOGONAL,
    Classical,
    Direction,
    Ray,
    changed,
    rays,
    step,
)

from grl.board import EMPTY, Board, Player, Position, Square

CHO, HAN = Player("cho"), Player("han")
SIZE = 7
ROWS = ("reg.ghr", ".c.k.c.", "s..s..s", ".......", "S..S..S", ".C.K.C.", "RHG.GER")
NAMES = {
    **{"k": "general", "g": "guard", "r": "chariot", "c": "cannon"},
    **{"h": "horse", "e": "elephant", "s": "soldier"},
}
Move = tuple[str, Square, Square]
Path = tuple[tuple[Direction, Square], ...]


class JanggiMini(Classical):
    """The three files in the middle of one's three lowest ranks are one's palace; its diagonals are
    lines as well. General and guards step one point along a line and don't leave the palace. A
    chariot goes any distance along a line, the diagonals of both palaces too. A cannon goes so, but
    only over exactly one piece that it jumps, whoever's it is: never over a cannon, nor does it
    take one. A horse goes one point straight and one aslant from there, outwards; an elephant one
    straight and two aslant; neither passes over a piece. A soldier steps one point ahead or aside,
    and in the opponent's palace also aslant ahead along a line. All take what stands where they
    come to. A player may pass instead. No turn, and no pass, may leave one's own general where he
    can be taken; who has no turn then has lost.

    The original has 9 x 10 points, and two horses and two elephants each; here each has one of
    both, and three soldiers. Simplified: generals may face each other and nothing comes of it (no
    bikjang); no draw or count of points after two passes, nor repetition."""

    name = "janggi-mini"
    provenance = "the rules of janggi without bikjang and counts of points; on 7 x 7, our setup"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        pieces = {key.upper(): (CHO, kind) for key, kind in NAMES.items()}
        self.set_up(
            board, pieces | {key: (HAN, kind) for key, kind in NAMES.items()}, ROWS, (CHO, HAN)
        )
        self._palaces = {who: [_palace(s, who) for s in board.squares] for who in (CHO, HAN)}
        self._lines = [
            [*straight, *self._aslant(square, aslant)]
            for square, straight, aslant in zip(
                board.squares, rays(board, ORTHOGONAL), rays(board, DIAGONAL), strict=True
            )
        ]
        self._leaps = {
            key: [list(_leaps(board, s, turns)) for s in board.squares]
            for key, turns in (("h", 1), ("e", 2))
        }
        reached = [self._reached(s) for s in board.squares]
        self._near = [[s for s in board.squares if to in reached[s]] for to in board.squares]

    def turns(self, position: Position) -> list[str]:
        cells, mover = position.cells, position.to_move
        found = [
            text
            for text, square, to in self._moves(cells, mover, position.board.squares)
            if not self._attacked(changed(cells, {square: EMPTY, to: cells[square]}), mover)
        ]
        return found if self._attacked(cells, mover) else [*found, "pass"]

    def _attacked(self, cells: str, mover: Player) -> bool:
        """Whether the opponent could take the general of `mover`."""
        general = cells.index("K" if mover == CHO else "k")
        moves = self._moves(cells, self.other(mover), self._near[general])
        return any(to == general for _, _, to in moves)

    def _moves(self, cells: str, mover: Player, squares: Iterable[Square]) -> Iterator[Move]:
        """The moves from these squares without regard to the general."""
        view, names = self.equipment.views[mover], self.equipment.board.names
        for square in squares:
            if view[cells[square]] != "w":
                continue
            kind = cells[square].lower()
            if kind in "he":
                for *legs, (way, to) in self._leaps[kind][square]:
                    if all(cells[leg] == EMPTY for _, leg in legs) and view[cells[to]] != "w":
                        text = names[square] + "".join(step(leg, "e") for leg, _ in legs)
                        yield text + step(way, view[cells[to]]), square, to
            elif kind == "c":
                yield from self._cannon(cells, square, mover)
            else:
                for way, line in self._lines[square]:
                    text = names[square]
                    for to in line if kind == "r" else line[:1]:
                        text += step(way, on := view[cells[to]])
                        if on != "w" and self._may(kind, way, to, mover):
                            yield text, square, to
                        if on != "e":
                            break

    def _reached(self, square: Square) -> set[Square]:
        """Where pieces may go from a square, of whatever kind."""
        ends = {path[-1][1] for leaps in self._leaps.values() for path in leaps[square]}
        return ends.union(*(line for _, line in self._lines[square]))

    def _cannon(self, cells: str, square: Square, mover: Player) -> Iterator[Move]:
        """The moves of a cannon."""
        view = self.equipment.views[mover]
        for way, line in self._lines[square]:
            text, jumped = self.equipment.board.names[square], False
            for to in line:
                text += step(way, on := view[cells[to]])
                if cells[to] in "Cc":
                    break
                if jumped and on != "w":
                    yield text, square, to
                if jumped and on != "e":
                    break
                jumped = jumped or on != "e"

    def _may(self, kind: str, way: Direction, to: Square, mover: Player) -> bool:
        """Whether a piece of a kind steps in a direction to a square."""
        if kind in "kg":
            return self._palaces[mover][to]
        return kind == "r" or way[1] != (-1 if mover == CHO else 1)

    def _aslant(self, square: Square, aslant: list[Ray]) -> list[Ray]:
        """The diagonal lines of a palace that leave a square."""
        for inside in self._palaces.values():
            if inside[square] and (square % SIZE + square // SIZE) % 2 == 0:
                return [
                    (way, tuple(s for s in line[:2] if inside[s]))
                    for way, line in aslant
                    if inside[line[0]]
                ]
        return []


def _palace(square: Square, player: Player) -> bool:
    """Whether a point lies in a player's palace."""
    rank = square // SIZE if player == CHO else SIZE - 1 - square // SIZE
    return rank < 3 and 2 <= square % SIZE <= 4


def _leaps(board: Board, square: Square, turns: int) -> Iterator[Path]:
    """The ways of a horse, or of an elephant, which goes aslant twice, point by point."""
    for way in ORTHOGONAL:
        for slant in DIAGONAL:
            if way[0] * slant[0] + way[1] * slant[1] != 1:
                continue
            path, here = [], square
            for each in (way, *[slant] * turns):
                there = board.step(here, *each)
                if there is None:
                    break
                path.append((each, there))
                here = there
            else:
                yield tuple(path)
