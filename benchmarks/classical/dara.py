"""Dara: stones are placed without a row of three, then rows of three take."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    REMOVED,
    WHITE,
    Classical,
    appears,
    changed,
    free,
    rays,
    step,
    ways,
)

from grl.board import EMPTY, Board, Player, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}
STONES = 12


class Dara(Classical):
    """In turn the players place twelve stones each on 6 x 5 squares, so that no three of them or
    more lie in a row or file. Then a stone steps orthogonally onto an empty square. A step that
    makes a row of exactly three takes one opposing stone that is in no row of three, or any, where
    all are; rows of more than three must not be made. Who has fewer than three stones, or no turn,
    has lost."""

    name = "dara"
    provenance = "R. C. Bell, Board and Table Games from Many Civilizations: dara of Nigeria"

    def __init__(self) -> None:
        board = Board(6, 5)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        hands = {who: {key: STONES} for who, key in KEYS.items()}
        self.set_up(board, pieces, ["......"] * 5, reserve=hands)
        self._near = ways(board, ORTHOGONAL)
        self._rays = [dict(found) for found in rays(board, ORTHOGONAL)]

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        if position.reserve[position.to_move][own]:
            empty = (s for s in free(position) if self._longest(cells, s, own) < 3)
            return [names[s] + appears(own) for s in empty]
        foe = KEYS[self.other(position.to_move)]
        stones = [s for s in position.board.squares if cells[s] == foe]
        loose = [s for s in stones if self._longest(cells, s, foe) < 3] or stones
        found = []
        for square in position.board.squares:
            if cells[square] != own:
                continue
            lifted = changed(cells, {square: EMPTY})
            for way, to in self._near[square]:
                longest = self._longest(lifted, to, own) if cells[to] == EMPTY else 4
                text = names[square] + step(way, "e")
                if longest == 3:
                    found += [f"{text}; {names[s]}{REMOVED}" for s in loose]
                elif longest < 3:
                    found.append(text)
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if position.cells.count(key) + position.reserve[player][key] < 3:
                return self.won(self.other(player))
        return None

    def _longest(self, cells: str, square: Square, key: str) -> int:
        """The length of the longest row of a key with a stone on this square."""
        return max(
            1 + sum(self._run(cells, square, (sign * dx, sign * dy), key) for sign in (1, -1))
            for dx, dy in ORTHOGONAL[:2]
        )

    def _run(self, cells: str, square: Square, way: tuple[int, int], key: str) -> int:
        number = 0
        for there in self._rays[square].get(way, ()):
            if cells[there] != key:
                break
            number += 1
        return number
