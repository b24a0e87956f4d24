"""What lies on the table: players, types of pieces, zones, and what parts of rules may ask of them.

White is seat 0 and looks up the board, black seat 1 and looks down; a third player has no front.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from grl.board import EMPTY, Content, Piece, Player, Position, Square, Stock

from .fields import Direction, Field

PLAYERS = Player("white"), Player("black"), Player("red")
STONE = "x"
"""A stone that belongs to nobody and never moves."""


class Way(NamedTuple):
    """How one piece can move: its letters, where it ends (None: off the board), what changes.

    `gone` are squares that are emptied with the letters, `later` those emptied by segments that
    follow, `put` what comes to lie elsewhere, and `tail` the segments that say so.
    """

    letters: str
    end: Square | None
    gone: tuple[Square, ...] = ()
    later: tuple[Square, ...] = ()
    put: tuple[tuple[Square, str], ...] = ()
    tail: str = ""
    flipped: tuple[Square, ...] = ()


class Candidate(NamedTuple):
    """A turn that may be restricted yet: its text, what was done with which piece, what it leaves.

    `origin` and `end` are None for a pass; `taken` are the squares whose piece was captured or
    changed sides; `placed` tells whether the piece came from the hand.
    """

    text: str
    origin: Square | None
    end: Square | None
    key: str
    cells: str
    stock: Stock
    taken: frozenset[Square]
    placed: bool


@dataclass(frozen=True)
class Zone:
    """Squares with a name; one set for each seat, for some lie ahead of who looks at them."""

    said: str
    squares: tuple[frozenset[Square], ...]


class Spot(NamedTuple):
    """A piece about to move: what lies on the board without it, its square and key, who moves it.

    `unmoved` tells whether it has not moved in this game.
    """

    cells: list[str]
    at: Square
    key: str
    seat: int
    unmoved: bool


class Word(Protocol):
    """A way of moving."""

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]: ...

    def said(self) -> str: ...


@dataclass(frozen=True)
class Change:
    """A type that becomes another: on arrival in a zone (None: anywhere), perhaps if it captured.

    With `optional` the player chooses.
    """

    into: str
    zone: Zone | None
    capturing: bool = False
    optional: bool = False

    def said(self, name: str) -> str:
        where = "" if self.zone is None else f" on reaching {self.zone.said}"
        how = " by a capture" if self.capturing else ""
        return f"{'may become' if self.optional else 'becomes'} {name}{where or ' by moving'}{how}"


@dataclass(frozen=True)
class PieceType:
    """A type of piece; `letter` is white's key. `seats` are the players who have such pieces.

    A type without seats belongs to nobody, and everybody may move it.
    """

    name: str
    letter: str
    words: tuple[Word, ...]
    seats: tuple[int, ...]
    royal: bool = False
    change: Change | None = None


@dataclass(frozen=True, eq=False)
class Table:
    """Field, players and types, and the questions that parts of rules ask of them."""

    field: Field
    players: tuple[Player, ...]
    types: tuple[PieceType, ...]

    def key(self, kind: PieceType, seat: int) -> str:
        """The key of a type as a player's piece."""
        if not kind.seats:
            return kind.letter
        return (kind.letter, kind.letter.upper(), str(1 + self.types.index(kind)))[seat]

    @cached_property
    def kinds(self) -> dict[str, PieceType]:
        """The type of every key."""
        return {self.key(t, seat): t for t in self.types for seat in t.seats or (0,)}

    @cached_property
    def owners(self) -> dict[str, int]:
        """The seat of the owner of every key that has one."""
        return {self.key(t, seat): seat for t in self.types for seat in t.seats}

    @cached_property
    def free(self) -> frozenset[str]:
        """The keys that everybody may move."""
        return frozenset(t.letter for t in self.types if not t.seats)

    @cached_property
    def royals(self) -> frozenset[str]:
        return frozenset(key for key, kind in self.kinds.items() if kind.royal)

    def pieces(self, *, stones: bool) -> dict[str, Piece]:
        """The pieces of the equipment."""
        found = {
            key: Piece(key, self.players[self.owners[key]] if key in self.owners else None, t.name)
            for key, t in self.kinds.items()
        }
        return found | ({STONE: Piece(STONE, None, "stone")} if stones else {})

    def seat(self, player: Player) -> int:
        return self.players.index(player)

    def own(self, seat: int) -> frozenset[str]:
        """A player's keys."""
        return self._sides[seat][0]

    def enemies(self, seat: int) -> frozenset[str]:
        """The keys of the other players."""
        return self._sides[seat][1]

    @cached_property
    def _sides(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        every = frozenset(self.owners)
        sides = [
            frozenset(k for k, owner in self.owners.items() if owner == seat)
            for seat, _ in enumerate(self.players)
        ]
        return [(own, every - own) for own in sides]

    def on(self, key: str, seat: int) -> Content:
        """What a cell is to a player."""
        if key == EMPTY:
            return "e"
        owner = self.owners.get(key)
        return "n" if owner is None else "w" if owner == seat else "p"

    def mine(self, key: str, enemy: str) -> str:
        """The key of `enemy`'s type as a piece of the owner of `key`."""
        kind, seat = self.kinds[enemy], self.owners[key]
        return self.key(kind, seat) if seat in kind.seats else key

    def front(self, seat: int, direction: Direction) -> Direction:
        """A direction of white's as this player sees it."""
        return (-direction[0], -direction[1]) if seat == 1 else direction

    def count(self, cells: Sequence[str] | str, keys: frozenset[str]) -> int:
        return sum(cell in keys for cell in cells)

    def where(self, cells: Sequence[str] | str, keys: frozenset[str]) -> list[Square]:
        return [square for square in self.field.squares if cells[square] in keys]

    def name(self, square: Square) -> str:
        return self.field.board.names[square]


class Judge(Protocol):
    """The game, as restrictions and endings see it."""

    @property
    def table(self) -> Table: ...

    def raw(self, position: Position, seat: int) -> list[Candidate]:
        """What a player could do if no restriction held."""

    def options(self, position: Position, seat: int) -> list[Candidate]:
        """What a player may do, were it his turn and the game not over; no passes."""

    def attacked(self, position: Position, cells: str, stock: Stock, seat: int) -> set[Square]:
        """The squares of `seat`'s pieces that others could take if the board were `cells`."""

    def in_hand(self, stock: Stock, seat: int) -> int | None:
        """How many pieces a player holds; None where the hand is never empty."""
