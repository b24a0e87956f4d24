"""Boards, pieces and positions: frozen values, checked once when they are made.

A square is an index, ``(y - 1) * width + (x - 1)``, so that ``a1`` is 0 and the squares of a rank
lie next to each other. A position's `cells` is one string with a character a square in that order:
``.`` empty, ``#`` no such square, anything else the key of a piece.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NewType, Protocol

from grl.errors import BoardError
from grl.limits import MAX_PIECES, MAX_PLAYERS, MAX_RESERVE, MAX_TRAIL
from grl.showing import svg_of
from grl.sowing import Sowing
from grl.trail import Past, Trail

Square = NewType("Square", int)
Player = NewType("Player", str)
Content = Literal["e", "w", "p", "n"]

EMPTY = "."
HOLE = "#"
RESERVED_CHARACTERS = frozenset(".#@(); ")
MAX_SQUARES = 10_000

_SQUARE_NAME = re.compile(r"([a-z]+)([1-9][0-9]*)")


def file_name(x: int) -> str:
    """The letters of file `x` (from 1): a … z, aa, ab, …."""
    letters = ""
    while x > 0:
        x, digit = divmod(x - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def parse_square_name(name: str) -> tuple[int, int] | None:
    """File and rank, both from 1, of a square's name, or None when `name` is not one."""
    match = _SQUARE_NAME.fullmatch(name)
    if match is None:
        return None
    x = 0
    for letter in match[1]:
        x = x * 26 + ord(letter) - ord("a") + 1
    return x, int(match[2])


@dataclass(frozen=True)
class Board:
    """The squares of a game and, where it has them, the links along which steps go.

    `links` is None where any displacement counts; otherwise it holds ordered pairs of squares
    (both orders of an undirected link).
    """

    width: int
    height: int
    holes: frozenset[Square] = frozenset()
    links: frozenset[tuple[Square, Square]] | None = None

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or self.width * self.height > MAX_SQUARES:
            raise BoardError(
                "impossible size of board",
                found=f"{self.width} x {self.height}",
                expected=f"width and height of at least 1 and at most {MAX_SQUARES} squares",
            )

    @property
    def size(self) -> int:
        """The number of squares, holes included."""
        return self.width * self.height

    @cached_property
    def squares(self) -> tuple[Square, ...]:
        """All squares that exist, in ascending order."""
        return tuple(Square(i) for i in range(self.size) if i not in self.holes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of every square, holes included, by index."""
        return tuple(
            f"{file_name(x)}{y}"
            for y in range(1, self.height + 1)
            for x in range(1, self.width + 1)
        )

    @cached_property
    def _by_name(self) -> dict[str, Square]:
        return {self.names[square]: square for square in self.squares}

    def square(self, name: str) -> Square:
        """The square called `name`; raises `BoardError` when the board has none."""
        found = self._by_name.get(name)
        if found is None:
            raise BoardError(
                f"there is no square {name!r} on this board",
                expected=f"a square of the {self.width} x {self.height} board",
            )
        return found

    def step(self, square: Square, dx: int, dy: int) -> Square | None:
        """The square `dx` files and `dy` ranks away, or None when no step leads there."""
        key = square, dx, dy
        if key not in self._steps:
            self._steps[key] = self._stepped(square, dx, dy)
        return self._steps[key]

    @cached_property
    def _steps(self) -> dict[tuple[Square, int, int], Square | None]:
        """Where steps were found to lead: there are few, and they are asked for all the time."""
        return {}

    def _stepped(self, square: Square, dx: int, dy: int) -> Square | None:
        y, x = divmod(square, self.width)
        x += dx
        y += dy
        if not (0 <= x < self.width and 0 <= y < self.height):
            return None
        target = Square(y * self.width + x)
        if target in self.holes:
            return None
        if self.links is not None and (square, target) not in self.links:
            return None
        return target

    @cached_property
    def edges_meet(self) -> tuple[bool, bool]:
        """Whether links lead from the last file on to the first one, and so for ranks.

        They do where squares lie between the two that a link joins; a long link over holes is a
        line like any other.
        """
        files = ranks = False
        for one, other in map(sorted, self.links or ()):
            (y, x), (to_y, to_x) = divmod(one, self.width), divmod(other, self.width)
            if y == to_y and to_x - x == self.width - 1:
                files |= not self.holes.issuperset(range(one + 1, other))
            if x == to_x and to_y - y == self.height - 1:
                ranks |= not self.holes.issuperset(range(one + self.width, other, self.width))
        return files, ranks

    def rows(self, cells: str) -> list[str]:
        """`cells` as rows, from the highest rank down."""
        w = self.width
        return [cells[i : i + w] for i in range(self.size - w, -1, -w)]

    def cells(self, rows: Sequence[str]) -> str:
        """The inverse of `rows`; raises `BoardError` when the shape or the holes don't fit."""
        if len(rows) != self.height:
            raise BoardError(
                "wrong number of rows", found=str(len(rows)), expected=f"{self.height}"
            )
        for number, row in enumerate(rows, 1):
            if not isinstance(row, str) or len(row) != self.width:
                raise BoardError(
                    f"row {number} has the wrong length",
                    found=repr(row),
                    expected=f"{self.width} characters",
                )
        cells = "".join(reversed(rows))
        holes = frozenset(Square(i) for i, c in enumerate(cells) if c == HOLE)
        if holes != self.holes:
            odd = self.names[min(holes ^ self.holes)]
            raise BoardError(f"'#' must mark the same squares in every position; {odd} differs")
        return cells


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of piece: its one-character key, its owner (None: nobody's) and its type."""

    key: str
    player: Player | None
    type: str


@dataclass(frozen=True)
class Equipment:
    """What a game is played with: board, players in turn order, and kinds of pieces by key.

    `stocked` lists the (player, piece key) pairs that the initial reserve names: of those a
    piece only ever appears out of the reserve. `sowing` is what a model knows of contents that are
    numbers; records don't say it, and it is no part of what a game is played with.
    """

    board: Board
    players: tuple[Player, ...]
    pieces: Mapping[str, Piece]
    stocked: frozenset[tuple[Player, str]] = frozenset()
    sowing: Sowing | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.players or len(set(self.players)) != len(self.players):
            raise BoardError(
                "bad list of players",
                found=str(list(self.players[:4])),
                expected="at least one name, each once",
            )
        for what, number, most in (
            ("players", len(self.players), MAX_PLAYERS),
            ("kinds of pieces", len(self.pieces), MAX_PIECES),
        ):
            if number > most:
                raise BoardError(
                    f"too many {what}", found=f"{number:,}", expected=f"up to {most:,}"
                )
        for key, piece in self.pieces.items():
            if len(key) != 1 or not key.isprintable() or key in RESERVED_CHARACTERS:
                raise BoardError(
                    "bad key of a piece",
                    found=repr(key),
                    expected="one printable character, none of '. # @ ( ) ;' and no space",
                )
            if piece.player is not None and piece.player not in self.players:
                raise BoardError(
                    f"piece {key!r} belongs to an unknown player",
                    found=repr(piece.player),
                    expected=f"one of {list(self.players)} or null",
                )

    @cached_property
    def views(self) -> dict[Player, dict[str, Content]]:
        """For each player, what a cell's character is to them: e, w, p or n."""
        views: dict[Player, dict[str, Content]] = {}
        for player in self.players:
            view: dict[str, Content] = {EMPTY: "e"}
            for key, piece in self.pieces.items():
                view[key] = "n" if piece.player is None else "w" if piece.player == player else "p"
            views[player] = view
        return views

    def next_player(self, player: Player) -> Player:
        """The player after `player` in turn order."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]


Stock = tuple[tuple[Player, str, int], ...]
"""Pieces in hand, sorted: (player, piece key, count)."""


def held(stock: Stock) -> Stock:
    """The pieces that are in hand, those left out of which none is left: what counts as equal."""
    return tuple(item for item in stock if item[2])


def board_lines(rows: Sequence[str]) -> list[str]:
    """A board for people: ranks at the side, files below."""
    files = [file_name(x + 1) for x in range(len(rows[0]))]
    wide = max(map(len, files))
    side = len(str(len(rows)))
    lines = [
        f"{len(rows) - i:>{side}}  " + " ".join(cell.ljust(wide) for cell in row).rstrip()
        for i, row in enumerate(rows)
    ]
    return [*lines, " " * (side + 2) + " ".join(name.ljust(wide) for name in files).rstrip()]


def hand_lines(reserve: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Pieces in hand for people, a line each player."""
    return [
        f"{player} holds " + (", ".join(f"{n} {key}" for key, n in hand.items()) or "nothing")
        for player, hand in reserve.items()
    ]


class Moment(Protocol):
    """What of a position may occur again."""

    @property
    def cells(self) -> str:
        """What lies where."""

    @property
    def stock(self) -> Stock:
        """What is in hand."""

    @property
    def to_move(self) -> str:
        """Who moves."""


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """One moment of a game, as far as turns can depend on it.

    `cells` is described at the top of the module; `stock` holds the pieces in hand; `moved` the
    squares whose piece has moved in this game and `last` the turn just played, as text. The `trail`
    leads back through the game; two positions are equal whatever theirs are.
    """

    equipment: Equipment = field(repr=False, compare=False)
    cells: str
    to_move: Player
    stock: Stock = ()
    moved: frozenset[Square] = frozenset()
    last: str | None = None
    trail: Trail | None = field(default=None, compare=False)

    def __str__(self) -> str:
        """The position for people: the board with its ranks and files, hands, who is to move."""
        lines = [*board_lines(self.rows), *hand_lines(self.reserve)]
        return "\n".join([*lines, f"{self.to_move} to move"])

    def __repr__(self) -> str:
        stock = f", reserve={self.reserve}" if self.stock else ""
        past = f", history={self.history}" if self.moved or self.last else ""
        return f"Position({'/'.join(self.rows)!r}, to_move={self.to_move!r}{stock}{past})"

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        return svg_of(self)

    @property
    def board(self) -> Board:
        return self.equipment.board

    @property
    def rows(self) -> list[str]:
        """The board from the highest rank down, file a first."""
        return self.board.rows(self.cells)

    @property
    def reserve(self) -> dict[str, dict[str, int]]:
        """Pieces in hand by player and key; empty where the game has none."""
        return _reserve(self.stock)

    @property
    def history(self) -> dict[str, Any]:
        """What the game so far leaves behind: ``{"moved": [square names], "last": turn}``."""
        names = self.board.names
        return {"moved": [names[s] for s in sorted(self.moved)], "last": self.last}

    @property
    def outcome(self) -> tuple[str, Stock, Player]:
        """What decides whether two turns have the same effect: rows, reserve, player to move."""
        return outcome_of(self)

    def to_dict(self, *, trail: bool = False) -> dict[str, Any]:
        """Plain data, as in a position file; with the `trail` if asked for."""
        history = self.history
        if trail:
            history["trail"] = [
                {
                    "rows": self.board.rows(past.cells),
                    "to_move": past.to_move,
                    "reserve": _reserve(past.stock),
                    "turn": past.turn,
                }
                for past in self.trail or ()
            ]
        return {
            "rows": self.rows,
            "to_move": self.to_move,
            "reserve": self.reserve,
            "history": history,
        }


def outcome_of(moment: Moment) -> tuple[str, Stock, Player]:
    """See `Position.outcome`; of an earlier position, too."""
    return (moment.cells, held(moment.stock), Player(moment.to_move))


def _reserve(stock: Stock) -> dict[str, dict[str, int]]:
    """Pieces in hand by player and key."""
    reserve: dict[str, dict[str, int]] = {}
    for player, key, count in stock:
        reserve.setdefault(player, {})[key] = count
    return reserve


def make_position(
    equipment: Equipment,
    rows: Sequence[str],
    to_move: str,
    reserve: Mapping[str, Mapping[str, int]] | None = None,
    history: Mapping[str, Any] | None = None,
) -> Position:
    """A checked position from plain data; raises `BoardError`.

    Without a reserve every stocked piece counts 0; without history nothing has moved and there
    is no last turn.
    """
    board = equipment.board
    cells = board.cells(rows)
    for square in board.squares:
        if cells[square] != EMPTY and cells[square] not in equipment.pieces:
            raise BoardError(
                f"unknown piece on {board.names[square]}",
                found=repr(cells[square]),
                expected=f"'.' or one of {' '.join(equipment.pieces)}",
            )
    if to_move not in equipment.players:
        raise BoardError(
            "unknown player to move",
            found=repr(to_move),
            expected=f"one of {list(equipment.players)}",
        )
    moved: Sequence[str] = ()
    last: str | None = None
    if history is not None:
        moved = history.get("moved") or ()
        last = history.get("last")
        if isinstance(moved, str) or not all(isinstance(name, str) for name in moved):
            raise BoardError(
                "wrong history", found=_shown(moved), expected="'moved' as a list of squares"
            )
        if last is not None and not isinstance(last, str):
            raise BoardError("wrong history", found=_shown(last), expected="'last' as a turn")
    return Position(
        equipment,
        cells,
        Player(to_move),
        make_stock(equipment, reserve or {}),
        frozenset(board.square(name) for name in moved),
        last,
        _trail(equipment, (history or {}).get("trail")),
    )


def _trail(equipment: Equipment, entries: object) -> Trail | None:
    """The trail that a list of positions and turns stands for; raises `BoardError`."""
    if entries is None:
        return None
    if not isinstance(entries, list | tuple) or len(entries) > MAX_TRAIL:
        raise BoardError(
            "wrong history",
            found=_shown(entries),
            expected=f"'trail' as a list of at most {MAX_TRAIL:,} positions",
        )
    found = []
    for number, entry in enumerate(entries):
        try:
            if not isinstance(entry, Mapping) or not isinstance(entry.get("turn"), str):
                raise BoardError(
                    "no earlier position",
                    found=_shown(entry),
                    expected="an object with rows, to_move and turn",
                )
            rows = entry.get("rows")
            if not isinstance(rows, list | tuple) or not all(isinstance(r, str) for r in rows):
                raise BoardError("wrong rows", found=_shown(rows), expected="a list of strings")
            to_move, reserve = entry.get("to_move"), entry.get("reserve")
            if not isinstance(to_move, str):
                raise BoardError("wrong player", found=_shown(to_move), expected="a string")
            if reserve is not None and not isinstance(reserve, Mapping):
                raise BoardError("wrong reserve", found=_shown(reserve), expected="an object")
            past = make_position(equipment, rows, to_move, reserve)
        except BoardError as error:
            raise error.at(field=f"history.trail[{number}]") from None
        found.append(Past(past.cells, past.to_move, past.stock, entry["turn"]))
    return Trail(found)


def _shown(value: object) -> str:
    """What stands where something else should, however long it is."""
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a number of more than 20 digits"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def make_stock(equipment: Equipment, reserve: Mapping[str, Mapping[str, int]]) -> Stock:
    """A checked stock from ``{player: {piece key: count}}``; raises `BoardError`."""
    counts = dict.fromkeys(equipment.stocked, 0)
    for player, pieces in reserve.items():
        if player not in equipment.players:
            raise BoardError(
                "reserve of an unknown player",
                found=repr(player),
                expected=f"one of {list(equipment.players)}",
            )
        for key, count in pieces.items():
            if key not in equipment.pieces:
                raise BoardError(
                    f"unknown piece in the reserve of {player}",
                    found=repr(key),
                    expected=f"one of {' '.join(equipment.pieces)}",
                )
            if type(count) is not int or not 0 <= count <= MAX_RESERVE:
                raise BoardError(
                    f"bad count of {key!r} in the reserve of {player}",
                    found=_shown(count),
                    expected=f"a whole number from 0 to {MAX_RESERVE:,}",
                )
            counts[Player(player), key] = count
    return tuple(sorted((player, key, count) for (player, key), count in counts.items()))
