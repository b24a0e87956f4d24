"""Yote, of West Africa: stones enter at any time, and a jump takes two."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    REMOVED,
    WHITE,
    Classical,
    appears,
    free,
    rays,
    step,
)

from grl.board import EMPTY, Board, Player, Position

KEYS = {WHITE: "w", BLACK: "b"}
STONES, FEW = 12, 3


class Yote(Classical):
    """The board of 6 x 5 squares begins empty, with twelve stones in each hand. A turn places a
    stone on an empty square, or moves one orthogonally to an empty square, or jumps orthogonally
    over an opposing stone onto the empty square behind it: that takes the stone, and a second one
    of the opponent's anywhere on the board, if there is one. Who has no stones left, or no turn,
    has lost; three or fewer on both sides are a draw."""

    name = "yote"
    provenance = "R. C. Bell, Board and Table Games from Many Civilizations"

    def __init__(self) -> None:
        board = Board(6, 5)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        hands = {who: {key: STONES} for who, key in KEYS.items()}
        self.set_up(board, pieces, ["......"] * 5, reserve=hands)
        self._rays = rays(board, ORTHOGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        foe = KEYS[self.other(position.to_move)]
        stones = [s for s in position.board.squares if cells[s] == foe]
        in_hand = position.reserve[position.to_move][own]
        found = [names[s] + appears(own) for s in free(position)] if in_hand else []
        for square, content in enumerate(cells):
            for way, line in self._rays[square] if content == own else ():
                if cells[line[0]] == EMPTY:
                    found.append(names[square] + step(way, "e"))
                elif "".join(cells[s] for s in line[:2]) == foe + EMPTY:
                    text = names[square] + step(way, "p") + REMOVED + step(way, "e")
                    others = [f"{text}; {names[s]}{REMOVED}" for s in stones if s != line[0]]
                    found += others or [text]
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        left = {
            who: position.cells.count(key) + position.reserve[who][key] for who, key in KEYS.items()
        }
        for player, number in left.items():
            if number == 0:
                return self.won(self.other(player))
        return self.won(None) if max(left.values()) <= FEW else None
