"""Santorini without gods: workers climb the towers that they build."""

from __future__ import annotations

from classical_rules import ALL, BLACK, WHITE, Classical, appears, free, step, ways

from grl.board import EMPTY, Board, Player, Position
from grl.turn import Turn

SIZE, WORKERS = 5, 2
FLOORS = ".1234"
OWN = {WHITE: "ABCD", BLACK: "abcd"}
NAMES = ("one floor", "two floors", "three floors", "a tower with a dome")


class Santorini(Classical):
    """First white puts his two workers on empty squares, one after the other, then black does so.
    From then on a turn moves one of one's workers and builds with it. It steps to a square beside
    it, in any of eight directions, on which there is neither a worker nor a dome, and which is at
    most one floor higher than the square it leaves; down it may go any number of floors. Then it
    adds a floor to a square beside the one it has come to, again without a worker or a dome; that
    may be the square it left. On three floors a dome is put, and nothing more. A worker that steps
    up to three floors wins at once, and doesn't build. Who can't move has lost.

    1 to 3 are towers of so many floors and 4 is one with a dome; they are nobody's. A and a are
    workers on the ground, B and b on one floor, C and c on two, D and d on three. Simplified: any
    number of blocks of each kind."""

    name = "santorini"
    provenance = "Gordon Hamilton, 2004, as Roxley published it in 2016; without gods"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        towers: dict[str, tuple[Player | None, str]] = {
            key: (None, kind) for key, kind in zip(FLOORS[1:], NAMES, strict=True)
        }
        workers = {
            key: (player, f"worker on level {level}")
            for player, keys in OWN.items()
            for level, key in enumerate(keys)
        }
        self.set_up(board, towers | workers, [EMPTY * SIZE] * SIZE)
        self._ways = ways(board, ALL)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, OWN[position.to_move]
        if self._placed(cells, position.to_move) < WORKERS:
            return [names[s] + appears(own[0]) for s in free(position)]
        found = []
        for square in position.board.squares:
            for way, to in self._ways[square] if cells[square] in own else ():
                level, height = own.index(cells[square]), FLOORS.find(cells[to])
                if not 0 <= height <= min(level + 1, 3):
                    continue
                text = names[square] + step(way, "n" if height else "e")
                text += appears(own[height]) if height != level else ""
                if height == 3:
                    found.append(_then(text, names[square], level))
                    continue
                for _, place in self._ways[to]:
                    if place == square:
                        found.append(_then(text, names[square], level + 1))
                    elif 0 <= (floors := FLOORS.find(cells[place])) < 4:
                        left = _then(text, names[square], level)
                        found.append(_then(left, names[place], floors + 1))
        return found

    def next_player(self, position: Position, turn: Turn) -> Player:  # noqa: ARG002
        placed = self._placed(position.cells, position.to_move)
        return position.to_move if placed + 1 < WORKERS else self.other(position.to_move)

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, keys in OWN.items():
            if keys[-1] in position.cells:
                return self.won(player)
        return None

    def _placed(self, cells: str, player: Player) -> int:
        """How many workers of a player are on the board."""
        return sum(cells.count(key) for key in OWN[player])


def _then(text: str, name: str, floors: int) -> str:
    """The turn, and what a square comes to that no worker stands on."""
    return f"{text}; {name}{appears(FLOORS[floors])}" if floors else text
