"""Fox and geese on the cross of thirty-three points."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from classical_rules import (
    ALL,
    REMOVED,
    STARTS,
    Classical,
    alquerque,
    board_of,
    changed,
    distinct,
    rays,
    step,
)

from grl.board import EMPTY, HOLE, Player, Position, Square

GEESE, FOX = Player("geese"), Player("fox")
KEYS = {GEESE: "g", FOX: "f"}
ROWS = ("##ggg##", "##ggg##", "ggggggg", "...f...", ".......", "##...##", "##...##")
NUMBER, FEWEST = 13, 4


class FoxAndGeese(Classical):
    """A cross of 33 points with rows, files, and diagonals as on the alquerque board. Geese and fox
    step along a line to an empty point beside them, in any direction. The fox may instead jump
    along a line over a goose onto the empty point behind it, which takes the goose, and may go on
    jumping as long as it likes; it never must. Fewer than four geese have lost, for they can't shut
    the fox in; a fox that has no turn has lost, and so have the geese."""

    name = "fox-and-geese"
    provenance = "Traditional Games of the Ages, 2011: thirteen geese, who begin; ten taken win"

    def __init__(self) -> None:
        board = board_of(ROWS, alquerque)
        pieces = {"g": (GEESE, "goose"), "f": (FOX, "fox")}
        self.set_up(board, pieces, ROWS, (GEESE, FOX))
        self._rays = rays(board, ALL)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        men = [s for s in position.board.squares if cells[s] == own]
        found = [
            names[s] + step(way, "e")
            for s in men
            for way, line in self._rays[s]
            if cells[line[0]] == EMPTY
        ]
        if own == "f":
            found += [names[s] + text for s in men for text in self._jumps(cells, s)]
        return distinct(position, found)

    def decided(self, position: Position) -> dict[Player, int] | None:
        return self.won(FOX) if position.cells.count("g") < FEWEST else None

    def endgames(self) -> list[Position]:
        """Random play hardly ever shuts the fox in: half of the positions let the geese do that."""
        chance = Random(self.name)
        board = self.equipment.board
        bare = "".join(HOLE if s in board.holes else EMPTY for s in range(board.size))
        found: dict[object, Position] = {}
        while len(found) < STARTS:
            fox = chance.choice(board.squares)
            near = sorted(board.squares, key=lambda s: _distance(s, fox) + 2 * chance.random())
            geese = [s for s in near if s != fox][: chance.randint(NUMBER - 3, NUMBER)]
            cells = changed(bare, dict.fromkeys(geese, "g") | {fox: "f"})
            position = self.position(board.rows(cells), GEESE)
            if any(self.is_terminal(self.play(position, turn)) for turn in self.legal(position)):
                found[position.outcome] = position
        return [*super().endgames(), *found.values()]

    def _jumps(self, cells: str, square: Square) -> Iterator[str]:
        """The letters of one jump and more from a square."""
        for way, line in self._rays[square]:
            if len(line) > 1 and cells[line[0]] == "g" and cells[line[1]] == EMPTY:
                text = step(way, "p") + REMOVED + step(way, "e")
                yield text
                after = changed(cells, {square: EMPTY, line[0]: EMPTY, line[1]: "f"})
                for more in self._jumps(after, line[1]):
                    yield text + more


def _distance(one: int, other: int) -> int:
    return max(abs(one % 7 - other % 7), abs(one // 7 - other // 7))
