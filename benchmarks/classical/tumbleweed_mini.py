"""Tumbleweed on a hexagon of side 4: stacks as high as the number of own stacks in sight."""

from __future__ import annotations

from classical_rules import WHITE, Classical, Direction, Ray, appears, rays

from grl.board import EMPTY, HOLE, Board, Player, Position, Square

SIDE = 4
RED = Player("red")
STACKS = {RED: "ABCDEF", WHITE: "abcdef"}
NEUTRAL, TOKEN = "n", "p"
HEIGHTS = {key: n for keys in STACKS.values() for n, key in enumerate(keys, 1)} | {NEUTRAL: 2}
BESIDE = {RED: "a7", WHITE: "g1"}
SETUP = {"A": "b2", "a": "f6", NEUTRAL: "d4"}
AROUND: tuple[Direction, ...] = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))


class TumbleweedMini(Classical):
    """The hexagon lies askew: beside a square lie those to its left and right, above and below,
    and those one up to the right and one down to the left; these are the six directions. A square
    sees the nearest stack in each of them. A turn puts a stack on a square that sees stacks of the
    mover's, as many pieces high as it sees of them; what stood there, the opponent's, one's own or
    neutral, must be lower and goes out of the game. Instead of that a player may pass. When both
    have passed, one right after the other, or nobody can put a stack, the game is over; who has
    stacks on more squares has won, and as many are a draw.

    A to F are red's stacks of one to six pieces, a to f white's; n is the neutral stack of two in
    the centre. a7 and g1 are no squares of the hexagon: who passes puts a token p there, red on a7
    and white on g1, and who puts a stack takes the opponent's token away. Simplified: the setup is
    ours, without the choice of colours; empty squares count for nobody."""

    name = "tumbleweed-mini"
    provenance = "Mike Zapawa, 2020; Little Golem's smallest hexagon, of side 4, with our setup"

    def __init__(self) -> None:
        width, middle = 2 * SIDE - 1, SIDE - 1
        plain = Board(width, width)
        beside = {player: plain.square(name) for player, name in BESIDE.items()}
        holes = frozenset(
            s
            for s in plain.squares
            if abs(s % width - s // width) > middle and s not in beside.values()
        )
        board = Board(width, width, holes)
        pieces: dict[str, tuple[Player | None, str]] = {
            key: (player, f"stack of {height}")
            for player, keys in STACKS.items()
            for height, key in enumerate(keys, 1)
        }
        pieces |= {NEUTRAL: (None, "neutral stack of 2"), TOKEN: (None, "token of a pass")}
        cells = [HOLE if s in holes else EMPTY for s in range(board.size)]
        for key, name in SETUP.items():
            cells[board.square(name)] = key
        self.set_up(board, pieces, board.rows("".join(cells)), (RED, WHITE))
        self._beside = beside
        found = rays(board, AROUND)
        self._sights = {s: found[s] for s in board.squares if s not in beside.values()}

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        theirs = self._beside[self.other(mover)]
        end = f"; {names[theirs]} (0 0 d)" if cells[theirs] == TOKEN else ""
        stacks = [
            names[s] + appears(STACKS[mover][height - 1]) + end
            for s, height in self._stacks(cells, mover).items()
        ]
        return [*stacks, names[self._beside[mover]] + appears(TOKEN)]

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells = position.cells
        passed = all(cells[s] == TOKEN for s in self._beside.values())
        if not passed and any(self._stacks(cells, player) for player in STACKS):
            return None
        red, white = (sum(cells.count(key) for key in STACKS[who]) for who in (RED, WHITE))
        return self.won(None if red == white else RED if red > white else WHITE)

    def _stacks(self, cells: str, player: Player) -> dict[Square, int]:
        """The squares where a player can put a stack, and how high it is."""
        found = {}
        for square, sight in self._sights.items():
            height = sum(_seen(cells, ray) in STACKS[player] for ray in sight)
            if height > HEIGHTS.get(cells[square], 0):
                found[square] = height
        return found


def _seen(cells: str, ray: Ray) -> str:
    """The nearest stack in a direction, or an empty square."""
    return next((cells[s] for s in ray[1] if cells[s] != EMPTY), EMPTY)
