"""Neutron: each turn moves the piece that belongs to nobody, and then a soldier."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import ALL, BLACK, WHITE, Classical, changed, rays, step

from grl.board import EMPTY, Board, Player, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}
HOMES = {WHITE: range(5), BLACK: range(20, 25)}
NEUTRON = "n"


class Neutron(Classical):
    """On 5 x 5 squares all pieces slide in any of eight directions as far as they can. A turn moves
    the neutron and then one of the mover's five soldiers; the very first turn moves a soldier only.
    The neutron on a player's home rank wins for him at once, whoever has brought it there. Who
    can't move it has lost."""

    name = "neutron"
    provenance = "R. A. Kraus, Games and Puzzles 71, 1978"

    def __init__(self) -> None:
        board = Board(5, 5)
        pieces = {key: (who, "soldier") for who, key in KEYS.items()}
        rows = ["bbbbb", ".....", "..n..", ".....", "wwwww"]
        self.set_up(board, pieces | {NEUTRON: (None, "neutron")}, rows)
        self._rays = rays(board, ALL)
        self._ends = {s for home in HOMES.values() for s in home}

    def turns(self, position: Position) -> list[str]:
        cells, own = position.cells, KEYS[position.to_move]
        if cells == self.initial.cells and position.to_move == WHITE:
            return [text for text, _ in self._slides(cells, own)]
        found = []
        square = cells.index(NEUTRON)
        for text, to in self._slides(cells, NEUTRON):
            if to in self._ends:
                found.append(text)
                continue
            after = changed(cells, {Square(square): EMPTY, to: NEUTRON})
            found += [f"{text}; {soldier}" for soldier, _ in self._slides(after, own)]
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        square = position.cells.index(NEUTRON)
        return next((self.won(who) for who, home in HOMES.items() if square in home), None)

    def _slides(self, cells: str, key: str) -> Iterator[tuple[str, Square]]:
        """The slides of all pieces of a key, and where they end."""
        for square, content in enumerate(cells):
            for way, line in self._rays[square] if content == key else ():
                far = next((n for n, s in enumerate(line) if cells[s] != EMPTY), len(line))
                if far:
                    yield self.equipment.board.names[square] + step(way, "e") * far, line[far - 1]
