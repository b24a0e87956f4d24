"""Ming mang, also gundru, of Tibet: rook moves, and men caught between two change sides."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    WHITE,
    Classical,
    appears,
    changed,
    custodial,
    rays,
    step,
)

from grl.board import EMPTY, Board, Player, Position

KEYS = {WHITE: "w", BLACK: "b"}


class MingMang(Classical):
    """Men begin along two adjacent edges each, and one of the corners between the players is
    white's, the other black's. A man goes along a row or file any number of empty squares. The
    opposing men in a row or file, one or more without a gap, between the man moved and another of
    the mover's become the mover's; to step between two men is safe, and men so won win no others in
    that turn. Who has no man left or no turn has lost. Simplified: positions may recur."""

    name = "ming-mang"
    provenance = "ming mang (gundru) of Tibet, there on 17 x 17; on 7 x 7, twelve men each"

    def __init__(self, size: int = 7) -> None:
        gap = EMPTY * (size - 2)
        edges = ["w" + "b" * (size - 1), "w" * (size - 1) + "b"]
        rows = [edges[0], *[f"w{gap}b"] * (size - 2), edges[1]]
        board = Board(size, size)
        self.set_up(board, {key: (who, "man") for who, key in KEYS.items()}, rows)
        self._rays = rays(board, ORTHOGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        foe = KEYS[self.other(position.to_move)]
        found = []
        for square in position.board.squares:
            if cells[square] != own:
                continue
            after = changed(cells, {square: EMPTY})
            for way, line in self._rays[square]:
                text = names[square]
                for to in line:
                    if cells[to] != EMPTY:
                        break
                    text += step(way, "e")
                    won = [
                        s
                        for _, far in self._rays[to]
                        for s in custodial(after, far, own, foe, None)
                    ]
                    found.append("; ".join([text, *(names[s] + appears(own) for s in sorted(won))]))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if key not in position.cells:
                return self.won(self.other(player))
        return None
