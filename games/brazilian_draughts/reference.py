"""Brazilian draughts, the international rules on 8 x 8: flying kings, and most captures count.
With 10 x 10 squares it is international draughts.

A player who can capture must, and with as many pieces as any capture takes; men capture backwards
too. Captured pieces stand until the move is over: none is jumped twice, and none passed. A man is
crowned only where its move ends. A player without a turn loses; there is no rule of draws.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from grl.board import EMPTY, Board, Player, Position, Square
from grl.errors import GameError
from grl.games import Game

from ..common import (
    BLACK,
    DIAGONALS,
    REMOVE_TEXT,
    WHITE,
    Direction,
    appear_text,
    check_option,
    leads_to,
    make_equipment,
    mirrored,
    not_over,
    position_of,
    ray,
    shared_goals,
    step_text,
)

OWN = {WHITE: "mk", BLACK: "MK"}
KING_OF = {"m": "k", "M": "K"}
AHEAD = {"m": 1, "M": -1}
FEW = 60
TRIES = 600
BLOCKED = 40


class Jump(NamedTuple):
    """A jump of the moving piece: over what, where to, and its letters."""

    over: Square
    land: Square
    text: str


class BrazilianDraughts(Game):
    """White's men `m` and kings `k` play up the board and begin; black's are `M` and `K`."""

    name = "brazilian-draughts"
    notations = ("pdn-26", "pdn-20:size=10")
    provenance = (
        "FMJD, Official Rules for International Draughts, on the 8 x 8 board as in Brazil; "
        "without the draw rules, as in Rein Halbersma's perft tables"
    )

    def __init__(self, size: int = 8) -> None:
        check_option(self.name, "size", size, 6)
        if size % 2:
            raise GameError(
                f"{self.name}: impossible size", expected="an even number", found=str(size)
            )
        self.size = size
        board = Board(size, size)
        self.equipment = make_equipment(
            board,
            (WHITE, BLACK),
            {
                "m": (WHITE, "man"),
                "k": (WHITE, "king"),
                "M": (BLACK, "man"),
                "K": (BLACK, "king"),
            },
        )
        manned = size // 2 - 1
        cells = [
            EMPTY if (x + y) % 2 else "m" if y < manned else "M" if y >= size - manned else EMPTY
            for y in range(size)
            for x in range(size)
        ]
        self.initial = position_of(self.equipment, cells, WHITE)
        self._rays = [[(d, ray(board, s, d)) for d in DIAGONALS] for s in board.squares]
        last = board.size - board.width
        self._crowning = {"m": set(board.squares[last:]), "M": set(board.squares[: board.width])}

    def legal(self, position: Position) -> list[str]:
        captures: list[tuple[int, str]] = []
        quiet: list[str] = []
        for square in position.board.squares:
            if position.cells[square] in OWN[position.to_move]:
                captures += self._captures(position, square)
                if not captures:
                    quiet += self._quiet(position, square)
        most = max((number for number, _ in captures), default=0)
        return [text for number, text in captures if number == most] or quiet

    def is_terminal(self, position: Position) -> bool:
        for square in position.board.squares:
            if position.cells[square] in OWN[position.to_move]:
                cells = list(position.cells)
                if self._quiet(position, square) or self._jumps(cells, square, cells[square], []):
                    return False
        return True

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        winner = self.equipment.next_player(position.to_move)
        return shared_goals(self.equipment.players, winner)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        return "no turn" if set(OWN[position.to_move]) & set(position.cells) else "no piece left"

    def endgames(self) -> list[Position]:
        """A few pieces, kings among them; men at the edge about to be blocked."""
        chance = random.Random(10)
        positions = [self._scattered(chance, number) for number in range(FEW)]
        blocked = 0
        for _ in range(TRIES):
            position = self._nearly_blocked(chance, blocked % 2 == 0)
            if blocked < BLOCKED and leads_to(self, position, "no turn"):
                positions.append(position)
                blocked += 1
        distinct = {position.outcome: position for position in positions}
        return [position for position in distinct.values() if not self.is_terminal(position)]

    def _dark(self) -> list[Square]:
        return [s for s in self.equipment.board.squares if sum(divmod(s, self.size)) % 2 == 0]

    def _scattered(self, chance: random.Random, number: int) -> Position:
        """Two to eight pieces on dark squares, half of them kings, no man on its last rank."""
        cells = [EMPTY] * self.size**2
        keys = "mkMK" if number % 2 else "mmMMkK"
        for square in chance.sample(self._dark(), chance.randint(2, 8)):
            key = chance.choice(keys)
            cells[square] = KING_OF[key] if square in self._crowning.get(key, ()) else key
        return position_of(self.equipment, cells, (WHITE, BLACK)[number // 2 % 2])

    def _nearly_blocked(self, chance: random.Random, white: bool) -> Position:
        """Men of white at the left edge, black men before them and one a step away."""
        cells = [EMPTY] * self.size**2
        size = self.size
        y = chance.randrange(2, 5)
        side = [y * size + y % 2]
        if chance.random() < 0.5:
            side.append(side[0] - size - 1 if side[0] % size else 0)
        for square in side:
            cells[square] = "m"
        for square in self._dark():
            if cells[square] == EMPTY and y < square // size < y + 4 and square % size < 5:
                cells[square] = chance.choice("MM.")
        position = position_of(self.equipment, cells, BLACK)
        if white:
            return position
        rows = mirrored(position.rows)
        return position_of(self.equipment, "".join(reversed(rows)), WHITE)

    def _crowned(self, piece: str, square: Square) -> str:
        return appear_text(KING_OF[piece]) if square in self._crowning.get(piece, ()) else ""

    def _quiet(self, position: Position, square: Square) -> list[str]:
        """The steps of a piece without captures."""
        piece = position.cells[square]
        found = []
        for direction, squares in self._rays[square]:
            if piece in AHEAD and direction[1] != AHEAD[piece]:
                continue
            text = position.board.names[square]
            for target in squares[:1] if piece in AHEAD else squares:
                if position.cells[target] != EMPTY:
                    break
                text += step_text(direction, "e")
                found.append(text + self._crowned(piece, target))
        return found

    def _captures(self, position: Position, square: Square) -> list[tuple[int, str]]:
        """The captures of a piece that can't be continued, with the number of pieces taken.

        Ways to the same end over the same pieces count once.
        """
        cells = list(position.cells)
        piece, cells[square] = cells[square], EMPTY
        names = position.board.names
        found: dict[tuple[Square, frozenset[Square]], tuple[int, str]] = {}

        def go_on(at: Square, taken: list[Square], text: str) -> None:
            jumps = self._jumps(cells, at, piece, taken)
            for over, land, letters in jumps:
                go_on(land, [*taken, over], text + letters)
            if taken and not jumps:
                removed = "".join(f"; {names[s]}{REMOVE_TEXT}" for s in sorted(taken))
                turn = text + self._crowned(piece, at) + removed
                found.setdefault((at, frozenset(taken)), (len(taken), turn))

        go_on(square, [], names[square])
        return list(found.values())

    def _jumps(self, cells: list[str], at: Square, piece: str, taken: list[Square]) -> list[Jump]:
        """The next jumps of a piece that is in the air; `taken` still stand and bar the way."""
        own = OWN[WHITE] if piece in OWN[WHITE] else OWN[BLACK]
        found = []
        for direction, squares in self._rays[at]:
            found += _jumps_along(cells, squares, direction, own, piece in AHEAD, taken)
        return found


def _jumps_along(
    cells: list[str],
    squares: list[Square],
    direction: Direction,
    own: str,
    short: bool,
    taken: list[Square],
) -> list[Jump]:
    """The jumps over the first piece on a line; a man's are `short`."""
    text = ""
    for number, over in enumerate(squares[: 1 if short else None]):
        if cells[over] == EMPTY:
            text += step_text(direction, "e")
            continue
        if cells[over] in own or over in taken:
            return []
        text += step_text(direction, "p")
        found = []
        for land in squares[number + 1 : number + 2 if short else None]:
            if cells[land] != EMPTY:
                break
            text += step_text(direction, "e")
            found.append(Jump(over, land, text))
        return found
    return []
