"""Congo: chess with animals, lions in castles, and a river in which they drown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from classical_rules import (
    ALL,
    BLACK,
    ORTHOGONAL,
    REMOVED,
    WHITE,
    Classical,
    Direction,
    appears,
    changed,
    distinct,
    rays,
    step,
)

from grl.board import EMPTY, Board, Player, Position, Square

ROWS = ("gmelecz", "ppppppp", ".......", ".......", ".......", "PPPPPPP", "GMELECZ")
NAMES = {
    **{"l": "lion", "z": "zebra", "e": "elephant", "g": "giraffe", "c": "crocodile"},
    **{"m": "monkey", "p": "pawn", "s": "superpawn"},
}
SIZE, RIVER = 7, 3
LEAPS = tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if x * x != y * y)
Move = tuple[str, Square, Square]


def _twice(directions: Iterable[Direction]) -> tuple[Direction, ...]:
    return tuple((2 * x, 2 * y) for x, y in directions)


class Congo(Classical):
    """The lion goes like a king, within the 3 x 3 squares of its castle, and takes the other lion
    at any distance along an open file or diagonal. The zebra is a knight. The elephant goes or
    leaps one or two squares along ranks and files; the giraffe leaps two in any of eight
    directions, or goes one without taking. The crocodile goes like a king, like a rook straight
    towards the river, and like a rook within it. The monkey goes like a king without taking; it
    takes by jumping over a piece onto the empty square behind it, which removes that piece at once,
    and may go on jumping, but need not; a lion taken ends its turn. The pawn goes and takes ahead,
    straight or diagonally; beyond the river it may also go one or two squares straight back, not
    taking or jumping. On the last rank it becomes a superpawn, which also goes and takes one square
    sideways, and goes back one or two squares straight or diagonally wherever it is. All pieces of
    the mover but crocodiles that were in the river (the middle rank) when his turn began, and are
    there when it ends, drown, whether they moved or not. Who takes the lion wins; there is no rule
    about check. Two lions alone that don't see each other are a draw. Who has no turn has lost."""

    name = "congo"
    provenance = "Demian Freeling, 1982, as on MindSports and on R. Rognlie's PBM server"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        pieces = {key.upper(): (WHITE, kind) for key, kind in NAMES.items()}
        self.set_up(board, pieces | {k: (BLACK, kind) for k, kind in NAMES.items()}, ROWS)
        self._rays = rays(board, ALL)

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        view = position.equipment.views[mover]
        wet = {s for s in range(RIVER * SIZE, (RIVER + 1) * SIZE) if view[cells[s]] == "w"}
        wet = {s for s in wet if cells[s] not in "Cc"}
        found = []
        for square in position.board.squares:
            for text, to in self._moves(cells, square, mover) if view[cells[square]] == "w" else ():
                turn = names[square] + text
                if cells[square] in "Pp" and to // SIZE == (SIZE - 1 if mover == WHITE else 0):
                    turn += appears("S" if mover == WHITE else "s")
                drowned = sorted(wet - {square})
                if square in wet and to // SIZE == RIVER:
                    drowned.append(to)
                found.append("; ".join([turn, *(names[s] + REMOVED for s in drowned)]))
        return distinct(position, found)

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells, mover = position.cells, position.to_move
        for player, lion in ((WHITE, "L"), (BLACK, "l")):
            if lion not in cells:
                return self.won(self.other(player))
        alone = len(cells) - cells.count(EMPTY) == 2
        square = Square(cells.index("L" if mover == WHITE else "l"))
        return self.won(None) if alone and not list(self._stares(cells, square)) else None

    def _moves(self, cells: str, square: Square, mover: Player) -> Iterator[tuple[str, Square]]:
        """The letters and ends of a piece's moves."""
        ahead, rank = (1 if mover == WHITE else -1), square // SIZE
        side = (rank - RIVER) * ahead
        kind = cells[square].lower()
        back = [(x, -ahead) for x in (-1, 0, 1)]
        if kind == "l":
            yield from (move for move in self._single(cells, square, ALL) if self._home(*move))
            yield from self._stares(cells, square)
        elif kind == "z":
            yield from self._single(cells, square, LEAPS)
        elif kind == "e":
            yield from self._single(cells, square, ORTHOGONAL + _twice(ORTHOGONAL))
        elif kind == "g":
            yield from self._single(cells, square, ALL, "e")
            yield from self._single(cells, square, _twice(ALL))
        elif kind == "c":
            yield from self._single(cells, square, ALL)
            near = ((1, 0), (-1, 0)) if not side else ((0, 1 if rank < RIVER else -1),)
            yield from self._slides(cells, square, near, abs(rank - RIVER) or SIZE, "ep")
        elif kind == "m":
            yield from self._single(cells, square, ALL, "e")
            yield from self._jumps(cells, square, mover)
        else:
            yield from self._single(cells, square, [(x, ahead) for x in (-1, 0, 1)])
            if kind == "s":
                yield from self._single(cells, square, ((1, 0), (-1, 0)))
                yield from self._slides(cells, square, back, 2, "e")
            elif side > 0:
                yield from self._slides(cells, square, back[1:2], 2, "e")

    def _home(self, _: str, to: Square) -> bool:
        """Whether a square lies in a castle; from one, no step leads to the other."""
        y, x = divmod(to, SIZE)
        return y != RIVER and x in (2, 3, 4)

    def _stares(self, cells: str, square: Square) -> Iterator[tuple[str, Square]]:
        """How a lion takes the other one across the river."""
        for way, line in self._rays[square]:
            far = next((n for n, s in enumerate(line) if cells[s] != EMPTY), 0)
            if way[1] and cells[line[far]] == cells[square].swapcase():
                yield step(way, "e") * far + step(way, "p"), line[far]

    def _single(
        self, cells: str, square: Square, directions: Iterable[Direction], onto: str = "ep"
    ) -> Iterator[tuple[str, Square]]:
        """Steps and leaps in these directions."""
        view = self._view(cells, square)
        for way in directions:
            to = self.equipment.board.step(square, *way)
            if to is not None and view[cells[to]] in onto:
                yield step(way, view[cells[to]]), to

    def _slides(
        self, cells: str, square: Square, directions: Iterable[Direction], most: int, onto: str
    ) -> Iterator[tuple[str, Square]]:
        """Slides of at most so many squares."""
        view = self._view(cells, square)
        for way, line in self._rays[square]:
            text = ""
            for to in line[:most] if way in directions else ():
                if view[cells[to]] not in onto:
                    break
                text += step(way, view[cells[to]])
                yield text, to
                if cells[to] != EMPTY:
                    break

    def _jumps(self, cells: str, square: Square, mover: Player) -> Iterator[tuple[str, Square]]:
        """A monkey's chains of jumps, each of their beginnings too."""
        view = self._view(cells, square)
        for way, line in self._rays[square]:
            if len(line) > 1 and view[cells[line[0]]] == "p" and cells[line[1]] == EMPTY:
                text = step(way, "p") + REMOVED + step(way, "e")
                yield text, line[1]
                if cells[line[0]] in "Ll":
                    continue
                after = changed(cells, {square: EMPTY, line[0]: EMPTY, line[1]: cells[square]})
                for more, to in self._jumps(after, line[1], mover):
                    yield text + more, to

    def _view(self, cells: str, square: Square) -> dict[str, str]:
        """What the contents of squares are to the owner of a piece."""
        owner = WHITE if cells[square].isupper() else BLACK
        return dict(self.equipment.views[owner])
