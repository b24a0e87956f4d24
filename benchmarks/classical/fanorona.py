"""Fanorona on 5 x 5 points: captures by approach and by withdrawal."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    ALL,
    BLACK,
    REMOVED,
    WHITE,
    Classical,
    Direction,
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
ROWS = ("bbbbb", "bbbbb", "bw.bw", "wwwww", "wwwww")


class Fanorona(Classical):
    """A stone steps along a line to an empty point. If it has come up to opposing stones in the
    direction of its step, or moved away from them, it takes all of them in an unbroken row; of two
    such rows the player chooses one. Who can take must. After a capture the stone may take again,
    but neither in the direction just taken nor over a point where it has been in this turn. Who
    loses all stones, or can't move, has lost."""

    name = "fanorona"
    provenance = "Fanoron-dimy: R. C. Bell, Board and Table Games from Many Civilizations"

    def __init__(self) -> None:
        board = board_of(ROWS, alquerque)
        self.set_up(board, {key: (who, "stone") for who, key in KEYS.items()}, ROWS)
        self._near = ways(board, ALL)
        self._rays = [dict(found) for found in rays(board, ALL)]

    def turns(self, position: Position) -> list[str]:
        cells, own, names = position.cells, KEYS[position.to_move], position.board.names
        men = [Square(s) for s, content in enumerate(cells) if content == own]
        taking = [t for s in men for t in self._takes(cells, s, own, (0, 0), frozenset((s,)))]
        if taking:
            return distinct(position, taking)
        steps = ((s, way) for s in men for way, to in self._near[s] if cells[to] == EMPTY)
        return [names[s] + step(way, "e") for s, way in steps]

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if key not in position.cells:
                return self.won(self.other(player))
        return None

    def _takes(
        self, cells: str, square: Square, own: str, last: Direction, been: frozenset[Square]
    ) -> Iterator[str]:
        """The captures of the stone on a square, and those that go on."""
        names = self.equipment.board.names
        for way, to in self._near[square]:
            if cells[to] != EMPTY or way == last or to in been:
                continue
            back = (-way[0], -way[1])
            for line in (self._rays[to].get(way, ()), self._rays[square].get(back, ())):
                row: list[Square] = []
                for there in line:
                    if cells[there] in (own, EMPTY):
                        break
                    row.append(there)
                if not row:
                    continue
                removed = [names[s] + REMOVED for s in row]
                text = "; ".join([names[square] + step(way, "e"), *removed])
                yield text
                after = changed(cells, {square: EMPTY, to: own, **dict.fromkeys(row, EMPTY)})
                for more in self._takes(after, to, own, way, been | {to}):
                    yield f"{text}; {more}"
