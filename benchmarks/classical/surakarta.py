"""Surakarta: captures along the loops at the corners of the board."""

from __future__ import annotations

from classical_rules import ALL, BLACK, WHITE, Classical, Direction, step, ways

from grl.board import EMPTY, Board, Player, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}
SIZE = 6
Stage = tuple[Direction, Square, bool]


class Surakarta(Classical):
    """Stones step to any neighbouring empty point. To capture, a stone runs any way along a line of
    one of the two circuits, through empty points and round at least one of the loops that lead
    from the end of such a line to that of another one, onto an opposing stone. Who has none left
    has lost. The corner points lie on no circuit."""

    name = "surakarta"
    provenance = "Sid Sackson, The Gamut of Games; the whole board, without counting"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        rows = ["b" * SIZE] * 2 + ["." * SIZE] * 2 + ["w" * SIZE] * 2
        self.set_up(board, {key: (who, "stone") for who, key in KEYS.items()}, rows)
        self._near = ways(board, ALL)
        self._tracks: list[list[list[Stage]]] = [[] for _ in range(board.size)]
        for inset in (1, 2):
            circuit = _circuit(inset)
            for way in (circuit, circuit[::-1]):
                for start in range(len(way)):
                    self._tracks[way[start]].append(_track(way[start:] + way[:start]))

    def turns(self, position: Position) -> list[str]:
        cells, own, names = position.cells, KEYS[position.to_move], position.board.names
        found = []
        for square, content in enumerate(cells):
            if content != own:
                continue
            for way, to in self._near[square]:
                if cells[to] == EMPTY:
                    found.append(names[square] + step(way, "e"))
            taken: dict[Square, str] = {}
            for track in self._tracks[square]:
                text, looped = names[square], False
                for way, to, loop in track:
                    looped |= loop
                    if cells[to] == EMPTY or to == square:
                        text += step(way, "e")
                        continue
                    if looped and cells[to] != own:
                        text += step(way, "p")
                        taken[to] = min(taken.get(to, text), text, key=len)
                    break
            found += taken.values()
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if key not in position.cells:
                return self.won(self.other(player))
        return None


def _circuit(inset: int) -> list[Square]:
    """The points of a circuit in their order; those where its lines cross come twice."""
    last = SIZE - 1
    points = [(x, inset) for x in range(SIZE)]
    points += [(last - inset, y) for y in range(SIZE)]
    points += [(x, last - inset) for x in reversed(range(SIZE))]
    points += [(inset, y) for y in reversed(range(SIZE))]
    return [Square(y * SIZE + x) for x, y in points]


def _track(points: list[Square]) -> list[Stage]:
    """The steps from the first point round to it again, and which of them are loops."""
    found = []
    for a, b in zip(points, points[1:] + points[:1], strict=True):
        dx, dy = b % SIZE - a % SIZE, b // SIZE - a // SIZE
        found.append(((dx, dy), b, dx != 0 and dy != 0))
    return found
