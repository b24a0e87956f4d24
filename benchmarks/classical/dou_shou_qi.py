"""Dou shou qi, the jungle game, on a small board."""

from __future__ import annotations

from classical_rules import BLACK, ORTHOGONAL, WHITE, Classical, rays, step

from grl.board import EMPTY, Board, Player, Position, Square

ROWS = ("T...L", "RC.DE", ".....", ".....", ".....", "ed.cr", "l...t")
RANKS = "rcdtle"
NAMES = ("rat", "cat", "dog", "tiger", "lion", "elephant")
WATER = "b3 b4 b5 d3 d4 d5"
DENS = {WHITE: "c1", BLACK: "c7"}
TRAPS = {WHITE: "b1 d1 c2", BLACK: "b7 d7 c6"}


class DouShouQi(Classical):
    """Six animals each on 5 x 7 squares with two lakes. An animal steps orthogonally, not into
    its own den, and takes one of the same or a lower rank: elephant, lion, tiger, dog, cat, rat.
    The rat takes the elephant, the elephant doesn't take the rat. In a trap beside its opponent's
    den an animal may be taken by any. Only rats enter the water; from there they take nothing on
    land, nor from land anything in the water. Lions and tigers leap straight over a lake, along or
    across, if no rat swims in between, and may take where they land. Who enters the other's den
    has won; who has no animals left, or no turn, has lost."""

    name = "dou-shou-qi"
    provenance = "jungle as in D. Pritchard, Popular Chess Variants; on 5 x 7 without wolf, leopard"

    def __init__(self) -> None:
        board = Board(5, 7)
        white = {key: (WHITE, name) for key, name in zip(RANKS, NAMES, strict=True)}
        black = {key.upper(): (BLACK, name) for key, (_, name) in white.items()}
        self.set_up(board, white | black, ROWS)
        self._water = {board.square(name) for name in WATER.split()}
        self._dens = {who: board.square(name) for who, name in DENS.items()}
        self._traps = {
            who: {board.square(name) for name in names.split()} for who, names in TRAPS.items()
        }
        self._rays = rays(board, ORTHOGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        view = position.equipment.views[mover]
        found = []
        for square in position.board.squares:
            for way, line in self._rays[square] if view[cells[square]] == "w" else ():
                crossed = 0
                while line[crossed] in self._water and cells[square].lower() in "lt":
                    crossed += 1
                to = line[crossed]
                wet = {square in self._water, to in self._water}
                if (
                    to == self._dens[mover]
                    or any(cells[s] != EMPTY for s in line[:crossed])
                    or (True in wet and crossed == 0 and cells[square].lower() != "r")
                ):
                    continue
                on = view[cells[to]]
                if on == "e" or (on == "p" and self._takes(cells, square, to, mover)):
                    found.append(names[square] + step(way, "e") * crossed + step(way, on))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells = position.cells
        for player, view in position.equipment.views.items():
            inside = cells[self._dens[self.other(player)]]
            if view[inside] == "w" or all(view[content] != "p" for content in cells):
                return self.won(player)
        return None

    def _takes(self, cells: str, square: Square, to: Square, mover: Player) -> bool:
        if (square in self._water) != (to in self._water):
            return False
        own, foe = (RANKS.index(cells[s].lower()) for s in (square, to))
        if to in self._traps[mover]:
            return True
        rat, elephant = 0, len(RANKS) - 1
        if {own, foe} == {rat, elephant}:
            return own == rat
        return own >= foe
