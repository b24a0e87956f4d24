"""Alquerque, the ancestor of draughts."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    ALL,
    BLACK,
    REMOVED,
    WHITE,
    Classical,
    alquerque,
    board_of,
    changed,
    distinct,
    rays,
    step,
    ways,
)

from grl.board import EMPTY, Player, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}
ROWS = ("bbbbb", "bbbbb", "bb.ww", "wwwww", "wwwww")


class Alquerque(Classical):
    """A man steps along a line to an empty point, in any direction, or jumps along a line over an
    opposing man onto the empty point behind, and takes him. Who can jump must, and the man goes on
    while he can. Who has no men left, or no turn, has lost."""

    name = "alquerque"
    provenance = "Alfonso X, Libro de los juegos, as R. C. Bell reads it; taking is compulsory"

    def __init__(self) -> None:
        board = board_of(ROWS, alquerque)
        self.set_up(board, {key: (who, "man") for who, key in KEYS.items()}, ROWS)
        self._near = ways(board, ALL)
        self._jumps = [
            [(way, line[0], line[1]) for way, line in found if len(line) > 1]
            for found in rays(board, ALL)
        ]

    def turns(self, position: Position) -> list[str]:
        cells, own, names = position.cells, KEYS[position.to_move], position.board.names
        men = [Square(s) for s, content in enumerate(cells) if content == own]
        jumps = [names[s] + text for s in men for text in self._chains(cells, s, own) if text]
        if jumps:
            return distinct(position, jumps)
        steps = ((s, way) for s in men for way, to in self._near[s] if cells[to] == EMPTY)
        return [names[s] + step(way, "e") for s, way in steps]

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if key not in position.cells:
                return self.won(self.other(player))
        return None

    def _chains(self, cells: str, square: Square, own: str) -> Iterator[str]:
        """The letters of the jumps from a square, as far as they lead; none where there is none."""
        ended = True
        for way, over, to in self._jumps[square]:
            if cells[to] == EMPTY and cells[over] not in (own, EMPTY):
                ended = False
                after = changed(cells, {square: EMPTY, over: EMPTY, to: own})
                for more in self._chains(after, to, own):
                    yield step(way, "p") + REMOVED + step(way, "e") + more
        if ended:
            yield ""
