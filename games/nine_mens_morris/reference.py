"""Nine Men's Morris: place nine men each, then move along the lines; three in a line take one.

Men are placed out of the reserve first, and move to a neighbouring point once it is empty. Who
completes a mill removes one opposing man in the same turn, from outside mills while there is one.
With `flying` = 1 a player down to three men may move to any empty point. Who has fewer than three
men, reserve included, or no turn, has lost. There is no rule of draws.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from grl.board import EMPTY, HOLE, Board, Player, Position, Square, make_position
from grl.games import Game

from ..common import (
    BLACK,
    REMOVE_TEXT,
    WHITE,
    appear_text,
    check_option,
    fly_text,
    leads_to,
    make_equipment,
    not_over,
    shared_goals,
    step_text,
)

ROWS = (
    ".##.##.",
    "#.#.#.#",
    "##...##",
    "...#...",
    "##...##",
    "#.#.#.#",
    ".##.##.",
)
LINES = (
    *("a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6"),
    *("a7 d7 g7", "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5"),
    *("f2 f4 f6", "g1 g4 g7"),
)
KEYS = {WHITE: "m", BLACK: "M"}
MEN = 9
FEW_MEN = 40
NEARLY_BLOCKED = 80
BLOCKS_TRIED = 400

Mill = frozenset[Square]


class NineMensMorris(Game):
    """White's men are `m`, black's `M`; white begins."""

    name = "nine-mens-morris"
    provenance = (
        "R. C. Bell, Board and Table Games from Many Civilizations; without the draw rules; "
        "24 points, no diagonals, one man removed for two mills at once"
    )

    def __init__(self, flying: int = 0) -> None:
        self._flying = bool(check_option(self.name, "flying", flying, 0, 1))
        plain = Board(len(ROWS[0]), len(ROWS))
        cells = "".join(reversed(ROWS))
        lines = [[plain.square(name) for name in line.split()] for line in LINES]
        pairs = [pair for a, b, c in lines for pair in ((a, b), (b, c))]
        board = Board(
            plain.width,
            plain.height,
            frozenset(Square(i) for i, c in enumerate(cells) if c == HOLE),
            frozenset([*pairs, *((b, a) for a, b in pairs)]),
        )
        self.equipment = make_equipment(
            board,
            tuple(KEYS),
            {key: (player, "man") for player, key in KEYS.items()},
            stocked=tuple(KEYS.items()),
        )
        self.initial = self._position(cells, WHITE, MEN)
        self._mills = {s: [Mill(line) for line in lines if s in line] for s in board.squares}
        self._near = {s: [b for a, b in pairs if a == s] for s in board.squares}
        for a, b in pairs:
            self._near[b].append(a)

    def legal(self, position: Position) -> list[str]:
        return [] if self._too_few(position) else list(self._turns(position))

    def is_terminal(self, position: Position) -> bool:
        return bool(self._too_few(position)) or next(self._turns(position), None) is None

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        losers = self._too_few(position) or [position.to_move]
        winner = self.equipment.next_player(losers[0]) if len(losers) == 1 else None
        return shared_goals(tuple(KEYS), winner)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        return "two men left" if self._too_few(position) else "no turn"

    def endgames(self) -> list[Position]:
        """Three men against a few, and a player about to be shut in; nobody has men in hand."""
        chance = random.Random(9)
        found: dict[object, Position] = {}
        for number in range(FEW_MEN + BLOCKS_TRIED):
            loser, winner = (WHITE, BLACK) if number % 2 else (BLACK, WHITE)
            if number < FEW_MEN:
                cells = self._few_men(chance, KEYS[loser], KEYS[winner])
            else:
                cells = self._nearly_blocked(chance, KEYS[loser], KEYS[winner])
            position = self._position(cells, winner, 0)
            if number < FEW_MEN or leads_to(self, position, "no turn"):
                found[position.outcome] = position
            if len(found) == FEW_MEN + NEARLY_BLOCKED:
                break
        return [position for position in found.values() if not self.is_terminal(position)]

    def _position(self, cells: str | list[str], to_move: Player, in_hand: int) -> Position:
        rows = self.equipment.board.rows("".join(cells))
        reserve: dict[str, dict[str, int]] = {p: {key: in_hand} for p, key in KEYS.items()}
        return make_position(self.equipment, rows, to_move, reserve)

    def _few_men(self, chance: random.Random, loser: str, winner: str) -> list[str]:
        """Three men of the loser, three or four of the winner, two of them in one line."""
        cells = list(self.initial.cells)
        line = sorted(chance.choice(chance.choice(list(self._mills.values()))))
        for square in chance.sample(line, 2):
            cells[square] = winner
        free = [s for s in self.equipment.board.squares if cells[s] == EMPTY]
        men = [loser] * 3 + [winner] * chance.randint(1, 2)
        for square, man in zip(chance.sample(free, len(men)), men, strict=True):
            cells[square] = man
        return cells

    def _nearly_blocked(self, chance: random.Random, loser: str, winner: str) -> list[str]:
        """Four or five men of the loser with the winner's all round, one of which stepped away."""
        while True:
            group = {chance.choice(self.equipment.board.squares)}
            number = chance.randint(4, 5)
            while len(group) < number:
                group.add(chance.choice([n for s in sorted(group) for n in self._near[s]]))
            ring = sorted({n for s in group for n in self._near[s]} - group)
            gaps = [(s, t) for s in ring for t in self._near[s] if t not in group | set(ring)]
            if len(ring) > MEN - 1 or not gaps:
                continue
            cells = list(self.initial.cells)
            for square in group:
                cells[square] = loser
            for square in ring:
                cells[square] = winner
            square, target = chance.choice(gaps)
            cells[square], cells[target] = EMPTY, winner
            return cells

    def _too_few(self, position: Position) -> list[Player]:
        """The players with fewer than three men, those in hand included."""
        in_hand = {owner: count for owner, _, count in position.stock}
        return [
            player
            for player, key in KEYS.items()
            if position.cells.count(key) + in_hand[player] < 3
        ]

    def _turns(self, position: Position) -> Iterator[str]:
        cells = position.cells
        board = position.board
        own = KEYS[position.to_move]
        free = [s for s in board.squares if cells[s] == EMPTY]
        if any(count for owner, _, count in position.stock if owner == position.to_move):
            for target in free:
                yield from self._ended(
                    position, cells, target, board.names[target] + appear_text(own)
                )
            return
        flies = self._flying and cells.count(own) == 3
        for square in board.squares:
            if cells[square] != own:
                continue
            lifted = cells[:square] + EMPTY + cells[square + 1 :]
            for target in free if flies else self._near[square]:
                if cells[target] == EMPTY:
                    text = board.names[square] + self._way(board, square, target)
                    yield from self._ended(position, lifted, target, text)

    def _way(self, board: Board, square: Square, target: Square) -> str:
        if target not in self._near[square]:
            return fly_text(board.names[target], "e")
        (y, x), (to_y, to_x) = divmod(square, board.width), divmod(target, board.width)
        return step_text((to_x - x, to_y - y), "e")

    def _ended(self, position: Position, cells: str, target: Square, text: str) -> Iterator[str]:
        """The turns that begin with `text`, a man's arrival on `target`; `cells` lack that man."""
        own = KEYS[position.to_move]
        if not any(self._filled(cells, mill - {target}, own) for mill in self._mills[target]):
            yield text
            return
        other = KEYS[self.equipment.next_player(position.to_move)]
        men = [s for s in position.board.squares if cells[s] == other]
        outside = [
            s for s in men if not any(self._filled(cells, mill, other) for mill in self._mills[s])
        ]
        for square in outside or men:
            yield f"{text}; {position.board.names[square]}{REMOVE_TEXT}"

    def _filled(self, cells: str, squares: Mill, key: str) -> bool:
        return all(cells[square] == key for square in squares)
