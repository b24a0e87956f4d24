"""The parts that drawn games are made of: words of movement, restrictions and endings.

Each part is a frozen value that says what it does in a sentence. Directions are white's; black's
are turned half round. Nothing here is fitted to what a learner can express.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Protocol

from grl.board import EMPTY, Board, Content, Player, Position, Square, Stock

Direction = tuple[int, int]
ORTHOGONALS: tuple[Direction, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONALS: tuple[Direction, ...] = ((1, 1), (-1, 1), (-1, -1), (1, -1))

View = Mapping[str, Content]


class Path(NamedTuple):
    """A way of one piece: its letters, where it ends, and the squares whose pieces it takes."""

    letters: str
    end: Square
    taken: frozenset[Square]


class Option(NamedTuple):
    """A turn that may be restricted yet: its text, first and last square, and what it leaves."""

    text: str
    origin: Square
    end: Square
    cells: str
    stock: Stock
    taken: frozenset[Square]


class Word(Protocol):
    """A way in which a piece moves; `cells` lack the piece, which stands on `at`."""

    def paths(
        self, board: Board, cells: list[str], view: View, at: Square, turned: int
    ) -> Iterator[Path]: ...

    def said(self) -> str: ...


@dataclass(frozen=True)
class Ride:
    """Up to `reach` times the same displacement over empty squares, perhaps onto an opponent."""

    directions: tuple[Direction, ...]
    reach: int
    quiet: bool
    captures: bool

    def paths(
        self, board: Board, cells: list[str], view: View, at: Square, turned: int
    ) -> Iterator[Path]:
        for dx, dy in self.directions:
            letters, square = "", at
            for _ in range(self.reach):
                target = board.step(square, dx * turned, dy * turned)
                content = None if target is None else view[cells[target]]
                if target is None or content not in ("e", "p"):
                    break
                before, square = letters, target
                letters = f"{before} ({dx * turned} {dy * turned} {content})"
                if content == "p":
                    if self.captures:
                        yield Path(letters, square, frozenset({square}))
                    break
                if self.quiet:
                    yield Path(letters, square, frozenset())

    def said(self) -> str:
        far = "" if self.reach == 1 else f", up to {self.reach} times,"
        what = {
            (True, True): "onto an empty square or an opponent",
            (True, False): "onto an empty square",
            (False, True): "onto an opponent",
        }[self.quiet, self.captures]
        return f"goes {_directions(self.directions)}{far} {what}"


@dataclass(frozen=True)
class Jump:
    """Over a neighbouring piece onto the empty square behind; `over` holds whose: w, p.

    With `removes` an opponent jumped over is removed; with `many` the piece may jump on, and with
    `to_the_end`, which goes with both, it has to while it can.
    """

    directions: tuple[Direction, ...]
    over: str
    removes: bool
    many: bool
    to_the_end: bool

    def paths(
        self, board: Board, cells: list[str], view: View, at: Square, turned: int
    ) -> Iterator[Path]:
        seen: set[tuple[Square, frozenset[Square]]] = {(at, frozenset())}

        def go_on(at: Square, letters: str, taken: frozenset[Square]) -> Iterator[Path]:
            for direction in self.directions:
                dx, dy = direction[0] * turned, direction[1] * turned
                over = board.step(at, dx, dy)
                land = None if over is None else board.step(over, dx, dy)
                if over is None or land is None or cells[land] != EMPTY or over in taken:
                    continue
                content = view[cells[over]]
                if content not in self.over:
                    continue
                removes = self.removes and content == "p"
                now = taken | {over} if removes else taken
                if (land, now) in seen:
                    continue
                seen.add((land, now))
                middle = " (0 0 d)" if removes else ""
                longer = f"{letters} ({dx} {dy} {content}){middle} ({dx} {dy} e)"
                lifted = cells[over]
                cells[over] = EMPTY if removes else lifted
                if not (self.to_the_end and self._can(board, cells, view, land, turned)):
                    yield Path(longer, land, now)
                if self.many:
                    yield from list(go_on(land, longer, now))
                cells[over] = lifted

        yield from list(go_on(at, "", frozenset()))

    def _can(self, board: Board, cells: list[str], view: View, at: Square, turned: int) -> bool:
        for dx, dy in self.directions:
            over = board.step(at, dx * turned, dy * turned)
            land = None if over is None else board.step(over, dx * turned, dy * turned)
            if over is None or land is None:
                continue
            if cells[land] == EMPTY and view[cells[over]] in self.over:
                return True
        return False

    def said(self) -> str:
        whom = {"p": "an opponent", "w": "an own piece", "wp": "any player's piece"}[self.over]
        removes = ", removing opponents" if self.removes else ""
        many = ", and on while it can" if self.to_the_end else ", once or more"
        return (
            f"jumps {_directions(self.directions)} over {whom}{removes}{many if self.many else ''}"
        )


def _directions(directions: Sequence[Direction]) -> str:
    return "by " + " ".join(f"({dx},{dy})" for dx, dy in directions)


@dataclass(frozen=True)
class PieceType:
    """A type of piece: its name, white's key (black's is the capital), how it moves.

    `promotes` is the key of what it becomes on the far rank; `shoots` how far it then shoots a
    stone that stays (0: not at all). `royal` pieces may have to be kept safe.
    """

    name: str
    key: str
    words: tuple[Word, ...]
    promotes: str = ""
    shoots: int = 0
    royal: bool = False


class Table(Protocol):
    """What restrictions and endings may ask of a game."""

    board: Board

    def own(self, player: Player) -> frozenset[str]:
        """The keys of a player's pieces."""

    def other(self, player: Player) -> Player: ...

    def keys_of(self, kind: PieceType, player: Player) -> str: ...

    def options(self, position: Position, player: Player) -> list[Option]: ...

    def far(self, player: Player, square: Square) -> int:
        """How many ranks `square` is from the player's first one."""

    def near(self, square: Square) -> Sequence[Square]:
        """The squares next to one in a rank or file."""


# Restrictions: which of the options of a position are legal.

Filter = Callable[[Table, Position, list[Option]], list[Option]]


@dataclass(frozen=True)
class Restriction:
    said: str
    keep: Filter


def compulsory() -> Restriction:
    def keep(_: Table, __: Position, options: list[Option]) -> list[Option]:
        return [o for o in options if o.taken] or options

    return Restriction("a capture is compulsory", keep)


def maximal() -> Restriction:
    def keep(_: Table, __: Position, options: list[Option]) -> list[Option]:
        most = max((len(o.taken) for o in options), default=0)
        return [o for o in options if len(o.taken) == most]

    return Restriction("as many pieces as possible have to be taken", keep)


def rests() -> Restriction:
    def keep(table: Table, _: Position, options: list[Option]) -> list[Option]:
        def supported(option: Option) -> bool:
            below = table.board.step(option.end, 0, -1)
            return below is None or option.cells[below] != EMPTY

        return [o for o in options if supported(o)]

    return Restriction("a turn ends on something: a piece, a hole or the edge below", keep)


def adjoins(whose: str, *, forbidden: bool) -> Restriction:
    """`whose` is "own", "opposing" or "any"; the first turns on an empty board are free."""

    def keep(table: Table, position: Position, options: list[Option]) -> list[Option]:
        own = table.own(position.to_move)
        opposing = table.own(table.other(position.to_move))
        keys = {"own": own, "opposing": opposing, "any": own | opposing}[whose]

        def touches(option: Option) -> bool:
            return any(option.cells[s] in keys for s in table.near(option.end))

        if not forbidden and not any(c in keys for c in position.cells):
            return options
        return [o for o in options if touches(o) != forbidden]

    what = {"own": "an own piece", "opposing": "an opposing piece", "any": "any player's piece"}
    must = "may not end" if forbidden else "ends"
    return Restriction(f"a turn {must} next to {what[whose]}", keep)


def keeps_out(name: str, squares: frozenset[Square]) -> Restriction:
    def keep(_: Table, __: Position, options: list[Option]) -> list[Option]:
        return [o for o in options if o.end not in squares]

    return Restriction(f"no turn ends {name}", keep)


def royal_safe(kinds: Sequence[PieceType]) -> Restriction:
    def keep(table: Table, position: Position, options: list[Option]) -> list[Option]:
        mover = position.to_move
        opponent = table.other(mover)
        keys = {table.keys_of(kind, mover) for kind in kinds if kind.royal}

        def safe(option: Option) -> bool:
            after = Position(position.equipment, option.cells, opponent, option.stock)
            taken = (s for o in table.options(after, opponent) for s in o.taken)
            return not any(option.cells[s] in keys for s in taken)

        return [o for o in options if safe(o)]

    return Restriction("no turn leaves a royal piece where it can be taken", keep)


def not_where_the_last_began() -> Restriction:
    def keep(table: Table, position: Position, options: list[Option]) -> list[Option]:
        if position.last is None:
            return options
        left = table.board.square(position.last.partition(" ")[0])
        return [o for o in options if o.end != left]

    return Restriction("no turn ends where the last one began", keep)


# Endings: whether a position is one, and with what goals.


class Judge(Protocol):
    def __call__(self, table: Table, position: Position) -> list[Player]:
        """The players for whom the ending holds, in turn order."""


@dataclass(frozen=True)
class Rule:
    """An ending that holds for a player, who then gets `holder`, the other player `rest`.

    Where it holds for both at once each gets 50.
    """

    name: str
    said: str
    holds: Judge
    holder: int
    rest: int


@dataclass(frozen=True)
class NoTurn:
    """What a player without a turn and the other one get."""

    mover: int
    rest: int


def pattern(offsets: Sequence[Direction], holder: int, rest: int) -> Rule:
    def holds(table: Table, position: Position) -> list[Player]:
        found, shapes, cells = [], _shapes(table.board, tuple(offsets)), position.cells
        for player in position.equipment.players:
            keys = table.own(player)
            if any(all(cells[s] in keys for s in shape) for shape in shapes):
                found.append(player)
        return found

    where = " ".join(f"({dx},{dy})" for dx, dy in offsets)
    return Rule("pattern", f"own pieces at {where} from one another", holds, holder, rest)


def race(kinds: Sequence[PieceType], ranks: int, holder: int, rest: int) -> Rule:
    names = " or ".join(kind.name for kind in kinds)

    def holds(table: Table, position: Position) -> list[Player]:
        return [
            player
            for player in position.equipment.players
            if any(
                position.cells[s] in {table.keys_of(kind, player) for kind in kinds}
                and table.far(player, s) >= table.board.height - ranks
                for s in table.board.squares
            )
        ]

    far = "the far rank" if ranks == 1 else f"one of the {ranks} far ranks"
    return Rule("far rank", f"an own {names} on {far}", holds, holder, rest)


def bereft(kinds: Sequence[PieceType], fewer_than: int, holder: int, rest: int) -> Rule:
    names = " or ".join(kind.name for kind in kinds)

    def holds(table: Table, position: Position) -> list[Player]:
        found = []
        for player in position.equipment.players:
            keys = {table.keys_of(kind, player) for kind in kinds}
            number = sum(c in keys for c in position.cells)
            number += sum(n for p, key, n in position.stock if p == player and key in keys)
            if number < fewer_than:
                found.append(player)
        return found

    few = f"no {names}" if fewer_than == 1 else f"fewer than {fewer_than} {names}"
    return Rule(f"{few} left", f"{few} left, in hand or on the board", holds, holder, rest)


def filled(squares: frozenset[Square], name: str, holder: int, rest: int) -> Rule:
    def holds(table: Table, position: Position) -> list[Player]:
        size = table.board.size
        areas = squares, frozenset(Square(size - 1 - s) for s in squares)
        return [
            player
            for player, area in zip(position.equipment.players, areas, strict=True)
            if all(position.cells[s] in table.own(player) for s in area)
        ]

    return Rule("region full", f"own pieces on all of {name}", holds, holder, rest)


def connects(*, diagonally: bool, holder: int, rest: int) -> Rule:
    directions = ORTHOGONALS + (DIAGONALS if diagonally else ())

    def holds(table: Table, position: Position) -> list[Player]:
        board = table.board
        found = []
        for axis, player in enumerate(position.equipment.players):
            keys = table.own(player)
            last = (board.width, board.height)[axis] - 1
            mine = {s for s in board.squares if position.cells[s] in keys}
            place = {s: (s % board.width, s // board.width)[axis] for s in mine}
            reached = [s for s in sorted(mine) if place[s] == 0]
            seen = set(reached)
            for square in reached:
                for dx, dy in directions:
                    near = board.step(square, dx, dy)
                    if near in mine and near not in seen:
                        seen.add(near)
                        reached.append(near)
            if any(place[s] == last for s in seen):
                found.append(player)
        return found

    how = "steps in any direction" if diagonally else "steps along ranks and files"
    said = f"own pieces join left and right (first player), bottom and top (second), by {how}"
    return Rule("edges joined", said, holds, holder, rest)


def crowded(number: int, goals: int) -> Rule:
    def holds(table: Table, position: Position) -> list[Player]:
        board = table.board
        pieces = sum(position.cells[s] != EMPTY for s in board.squares)
        return list(position.equipment.players) if pieces >= number else []

    return Rule("crowded", f"{number} pieces or more on the board", holds, goals, goals)


@cache
def _shapes(board: Board, offsets: tuple[Direction, ...]) -> list[list[int]]:
    """The squares at some displacements from each, where all of them lie on the board."""
    found = []
    for square in board.squares:
        y, x = divmod(square, board.width)
        places = [(x + dx, y + dy) for dx, dy in offsets]
        if all(0 <= x < board.width and 0 <= y < board.height for x, y in places):
            found.append([y * board.width + x for x, y in places])
    return found
