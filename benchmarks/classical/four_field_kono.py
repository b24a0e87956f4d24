"""Four-field kono, of Korea: captures by a jump over one's own man."""

from __future__ import annotations

from classical_rules import BLACK, ORTHOGONAL, WHITE, Classical, rays, step

from grl.board import EMPTY, Board, Player, Position

KEYS = {WHITE: "w", BLACK: "b"}


class FourFieldKono(Classical):
    """On 4 x 4 points a man steps orthogonally to an empty point, or jumps orthogonally over a man
    of his own onto an opposing man just behind him, and takes that. Who has one man left, or no
    turn, has lost."""

    name = "four-field-kono"
    provenance = "S. Culin, Games of the Orient"

    def __init__(self) -> None:
        board = Board(4, 4)
        pieces = {key: (who, "man") for who, key in KEYS.items()}
        self.set_up(board, pieces, ["bbbb", "bbbb", "wwww", "wwww"])
        self._rays = rays(board, ORTHOGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        foe = KEYS[self.other(position.to_move)]
        found = []
        for square, content in enumerate(cells):
            for way, line in self._rays[square] if content == own else ():
                if cells[line[0]] == EMPTY:
                    found.append(names[square] + step(way, "e"))
                elif "".join(cells[s] for s in line[:2]) == own + foe:
                    found.append(names[square] + step(way, "w") + step(way, "p"))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if position.cells.count(key) < 2:
                return self.won(self.other(player))
        return None
