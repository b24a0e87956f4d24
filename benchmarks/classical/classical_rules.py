"""What these games share: boards out of rows, texts of letters, and the frame of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from random import Random

from grl.board import EMPTY, Board, Equipment, Piece, Player, Position, Square, make_position
from grl.errors import GameError
from grl.games import Game
from grl.turn import Turn

WHITE, BLACK = Player("white"), Player("black")

Direction = tuple[int, int]
Way = tuple[Direction, Square]
Ray = tuple[Direction, tuple[Square, ...]]

ORTHOGONAL: tuple[Direction, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL: tuple[Direction, ...] = ((1, 1), (-1, 1), (-1, -1), (1, -1))
ALL = ORTHOGONAL + DIAGONAL
AXES: tuple[Direction, ...] = ((1, 0), (0, 1), (1, 1), (-1, 1))
REMOVED = " (0 0 d)"

STARTS, LONGEST, NEAR = 24, 300, 6
"""Random games that `endgames` plays, the plies after which it gives one up, and how many plies
before an end its positions lie at most."""


class Classical(Game):
    """A game that a board ends, or a player who has no turn.

    `turns` are those of a position that nothing else has ended; `decided` gives the goals where the
    board ends the game, and `stuck` where the player to move has no turn.
    """

    def turns(self, position: Position) -> list[str]:
        """The turns, without asking whether the game is over."""
        raise NotImplementedError

    def decided(self, position: Position) -> dict[Player, int] | None:  # noqa: ARG002
        """The goals where what lies on the board ends the game."""
        return None

    def stuck(self, position: Position) -> dict[Player, int]:
        """The goals where the player to move has no turn: by default that player has lost."""
        return self.won(self.other(position.to_move))

    def legal(self, position: Position) -> list[str]:
        return self.turns(position) if self.decided(position) is None else []

    def is_terminal(self, position: Position) -> bool:
        return self.decided(position) is not None or not self.turns(position)

    def goals(self, position: Position) -> dict[Player, int]:
        decided = self.decided(position)
        if decided is not None:
            return decided
        if self.turns(position):
            raise GameError("the game is not over", expected="a terminal position")
        return self.stuck(position)

    def endgames(self) -> list[Position]:
        """Positions shortly before the ends of random games."""
        return self._endgames

    def other(self, player: Player) -> Player:
        """The opponent."""
        return self.equipment.next_player(player)

    def won(self, winner: Player | None) -> dict[Player, int]:
        """100 for the winner and 0 for the other; 50 each for a draw."""
        return {p: 50 if winner is None else 100 * (p == winner) for p in self.equipment.players}

    def set_up(
        self,
        board: Board,
        pieces: Mapping[str, tuple[Player | None, str]],
        rows: Sequence[str],
        players: tuple[Player, ...] = (WHITE, BLACK),
        reserve: Mapping[Player, Mapping[str, int]] | None = None,
    ) -> None:
        """The equipment, and the first position; the first player begins."""
        hands = reserve or {}
        self.equipment = Equipment(
            board,
            players,
            {key: Piece(key, player, kind) for key, (player, kind) in pieces.items()},
            frozenset((player, key) for player, hand in hands.items() for key in hand),
        )
        self.initial = self.position(rows, players[0], reserve)

    def position(
        self,
        rows: Sequence[str],
        to_move: Player,
        reserve: Mapping[Player, Mapping[str, int]] | None = None,
    ) -> Position:
        """A position of this game."""
        hands = {str(player): hand for player, hand in (reserve or {}).items()}
        return make_position(self.equipment, rows, to_move, hands)

    @cached_property
    def _endgames(self) -> list[Position]:
        found: dict[object, Position] = {}
        for index in range(3 * STARTS):
            if len(found) == STARTS:
                break
            chance, position = Random(f"{self.name} {index}"), self.initial
            way = [position]
            while len(way) < LONGEST and (turns := self.legal(position)):
                position = self.play(position, chance.choice(turns))
                way.append(position)
            if len(way) < LONGEST:
                start = way[-2 - min(index % NEAR, len(way) - 2)]
                found[start.outcome] = start
        return list(found.values())


def step(direction: Direction, on: str) -> str:
    """The letter of a step, with the space in front."""
    return f" ({direction[0]} {direction[1]} {on})"


def appears(key: str) -> str:
    """The letter of a piece that appears, with the space in front."""
    return f" (0 0 a {key})"


def board_of(
    rows: Sequence[str], linked: Callable[[int, int], Iterable[Direction]] | None = None
) -> Board:
    """The board of these rows; `linked` gives the ways that leave a point, by file and rank
    from 0."""
    cells = "".join(reversed(rows))
    holes = frozenset(Square(i) for i, cell in enumerate(cells) if cell == "#")
    plain = Board(len(rows[0]), len(rows), holes)
    if linked is None:
        return plain
    links = frozenset(
        (square, target)
        for square in plain.squares
        for direction in linked(square % plain.width, square // plain.width)
        if (target := plain.step(square, *direction)) is not None
    )
    return Board(plain.width, plain.height, holes, links)


def alquerque(x: int, y: int) -> tuple[Direction, ...]:
    """The lines of the alquerque board: diagonals leave every other point."""
    return ALL if (x + y) % 2 == 0 else ORTHOGONAL


def ways(board: Board, directions: Iterable[Direction]) -> list[list[Way]]:
    """For each square, holes too, the steps in these directions and where they lead."""
    chosen = tuple(directions)
    return [
        [(d, t) for d in chosen if s not in board.holes and (t := board.step(s, *d)) is not None]
        for s in map(Square, range(board.size))
    ]


def connected(cells: str, near: Sequence[Sequence[Square]], square: Square) -> set[Square]:
    """The squares that hang together with one by neighbours that hold the same."""
    found, waiting = {square}, [square]
    while waiting:
        for to in near[waiting.pop()]:
            if cells[to] == cells[square] and to not in found:
                found.add(to)
                waiting.append(to)
    return found


def rays(board: Board, directions: Iterable[Direction]) -> list[list[Ray]]:
    """For each square the squares in each direction, the nearest first, where there is one."""
    near = [dict(found) for found in ways(board, directions)]
    result: list[list[Ray]] = []
    for square in range(board.size):
        found = []
        for direction in near[square]:
            line, here = [], Square(square)
            while (there := near[here].get(direction)) is not None:
                line.append(there)
                here = there
            found.append((direction, tuple(line)))
        result.append(found)
    return result


def lines(board: Board, length: int, axes: Iterable[Direction] = AXES) -> list[tuple[Square, ...]]:
    """All lines of so many squares along these axes."""
    return [
        (Square(square), *line[: length - 1])
        for square, found in enumerate(rays(board, axes))
        for _, line in found
        if len(line) >= length - 1
    ]


def changed(cells: str, changes: Mapping[Square, str]) -> str:
    """The cells with other contents on some squares."""
    found = list(cells)
    for square, content in changes.items():
        found[square] = content
    return "".join(found)


def distinct(position: Position, turns: Iterable[str]) -> list[str]:
    """The turns, of those with one origin and effect only the first."""
    found: dict[object, str] = {}
    for turn in turns:
        found.setdefault(Turn.parse(turn).effect(position), turn)
    return list(found.values())


def custodial(
    cells: str, line: Sequence[Square], own: str, foes: str, most: int | None = 1
) -> tuple[Square, ...]:
    """The foes that begin `line`, at most so many, if a piece of `own` lies behind them."""
    number = 0
    while number < len(line) and cells[line[number]] in foes and number != most:
        number += 1
    closed = number < len(line) and cells[line[number]] in own
    return tuple(line[:number]) if closed else ()


def free(position: Position) -> list[Square]:
    """The empty squares."""
    return [Square(s) for s, content in enumerate(position.cells) if content == EMPTY]
