"""Mak-yek: rook moves, captures of a man between two others, and of two with one between."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
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

KEYS = {WHITE: "w", BLACK: "b"}
SIZE = 8


class MakYek(Classical):
    """Men move like rooks. Whoever moves takes each single opposing man in a row or file that is
    now between the man moved and another of his own, and each two opposing men in a row or file
    that the man moved is now right between; he may take in both ways, and along both lines, at
    once. To step between two men is safe, for it takes them. Who has no men left, or no turn, has
    lost. Simplified: no rule of draws."""

    name = "mak-yek"
    provenance = "Mak-yek as on Wikipedia after Low and Murray; who can't move loses"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        bar = "." * SIZE
        black, white = "b" * SIZE, "w" * SIZE
        rows = [black, bar, black, bar, bar, white, bar, white]
        self.set_up(board, {key: (who, "man") for who, key in KEYS.items()}, rows)
        self._rays = [dict(found) for found in rays(board, ORTHOGONAL)]

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        foe = KEYS[self.other(position.to_move)]
        found = []
        for square in position.board.squares:
            for way, line in self._rays[square].items() if cells[square] == own else ():
                text = names[square]
                after = changed(cells, {square: EMPTY})
                for to in line:
                    if cells[to] != EMPTY:
                        break
                    text += step(way, "e")
                    taken = self._taken(after, to, own, foe)
                    found.append("; ".join([text, *(names[s] + REMOVED for s in taken)]))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if key not in position.cells:
                return self.won(self.other(player))
        return None

    def endgames(self) -> list[Position]:
        """Random men need hundreds of plies to take all others: few men, the last in danger."""
        return self._last_men

    @cached_property
    def _last_men(self) -> list[Position]:
        chance = Random(self.name)
        found: list[Position] = []
        while len(found) < STARTS:
            mover, foe = chance.sample(list(KEYS), 2)
            men = KEYS[mover] * chance.randint(1, 5) + KEYS[foe] * chance.randint(1, 3)
            squares = chance.sample(self.equipment.board.squares, len(men))
            cells = changed(EMPTY * SIZE * SIZE, dict(zip(squares, men, strict=True)))
            position = replace(self.initial, cells=cells, to_move=mover)
            turns = self.turns(position)
            if any(self.decided(self.play(position, turn)) is not None for turn in turns):
                found.append(position)
        return found

    def _taken(self, cells: str, to: Square, own: str, foe: str) -> list[Square]:
        """What a man of `own` takes that has come to a square."""
        lines = self._rays[to]
        found = {s for line in lines.values() for s in custodial(cells, line, own, foe)}
        for dx, dy in ORTHOGONAL[:2]:
            beside = [lines[way][0] for way in ((dx, dy), (-dx, -dy)) if way in lines]
            if len(beside) == 2 and all(cells[s] == foe for s in beside):
                found.update(beside)
        return sorted(found)
