"""Which player and piece of one equipment stands for which of another.

Records and reference games of one game come from different hands: letters, type names and
players' names differ. Players correspond by their place in turn order, beginning with the one
who begins; pieces of corresponding players by key and type, by type, by what the initial
position shows, or because only one is left on either side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from grl.board import EMPTY, HOLE, Equipment, Piece, Player, Position, Stock
from grl.errors import BoardError
from grl.turn import Segment, Turn

Pairs = dict[str, str]


@dataclass(frozen=True)
class Correspondence:
    """Translates players, pieces, positions and turns of a source into those of a target."""

    players: Mapping[Player, Player]
    pieces: Mapping[str, str]

    @cached_property
    def trivial(self) -> bool:
        """Whether nothing changes."""
        return all(a == b for a, b in [*self.players.items(), *self.pieces.items()])

    @cached_property
    def _table(self) -> dict[int, str]:
        return str.maketrans(dict(self.pieces))

    def cells(self, cells: str) -> str:
        """A board's cells with the target's pieces."""
        return cells.translate(self._table)

    def stock(self, stock: Stock) -> Stock:
        """Pieces in hand, of the target's players and pieces."""
        return tuple(sorted((self.players[p], self.pieces[k], n) for p, k, n in stock))

    def turn(self, turn: Turn) -> Turn:
        """The same turn with the target's pieces."""
        if self.trivial:
            return turn
        return Turn(tuple(self._segment(segment) for segment in turn.segments))

    def _segment(self, segment: Segment) -> Segment:
        letters = (
            letter._replace(piece=self.pieces[letter.piece]) if letter.piece else letter
            for letter in segment.letters
        )
        return segment._replace(letters=tuple(letters))

    def goals(self, goals: Mapping[Player, int]) -> dict[Player, int]:
        """Goal values by the target's players, in turn order."""
        return {theirs: goals[ours] for ours, theirs in self.players.items()}

    def position(self, position: Position, *, trail: bool = False) -> dict[str, Any]:
        """`position` as plain data of a position file of the target, its `trail` if asked for."""
        data = position.to_dict(trail=trail)
        last = position.last
        return {
            "rows": [self.cells(row) for row in data["rows"]],
            "to_move": self.players[position.to_move],
            "reserve": self._reserve(data["reserve"]),
            "history": {
                "moved": data["history"]["moved"],
                "last": None if last is None else self._text(last),
                **self._trail(data["history"].get("trail")),
            },
        }

    def _trail(self, pasts: Sequence[Mapping[str, Any]] | None) -> dict[str, Any]:
        """The earlier positions, under their name; nothing where they were not asked for."""
        if pasts is None:
            return {}
        return {
            "trail": [
                {
                    "rows": [self.cells(row) for row in past["rows"]],
                    "to_move": self.players[Player(past["to_move"])],
                    "reserve": self._reserve(past["reserve"]),
                    "turn": self._text(past["turn"]),
                }
                for past in pasts
            ]
        }

    def _text(self, turn: str) -> str:
        return str(self.turn(Turn.parse(turn)))

    def _reserve(self, reserve: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
        return {
            self.players[Player(player)]: {self.pieces[k]: n for k, n in hand.items()}
            for player, hand in reserve.items()
        }


def correspond(source: Position, target: Position) -> Correspondence:
    """The correspondence of two games, given by their initial positions; raises `BoardError`."""
    _same_board(source.equipment, target.equipment)
    players = _players(source, target)
    pieces: Pairs = {}
    owners: list[Player | None] = [*source.equipment.players, None]
    for owner in owners:
        other = None if owner is None else players[owner]
        pieces |= _pieces(source, target, owner, other)
    missing = [key for key in source.equipment.pieces if key not in pieces]
    if missing:
        piece = source.equipment.pieces[missing[0]]
        raise BoardError(
            f"nothing corresponds to the piece {piece.key!r} ({_words(piece)})",
            expected="a piece of the same player and type, or the same place at the beginning",
            found=", ".join(f"{p.key!r} ({_words(p)})" for p in target.equipment.pieces.values()),
        )
    return Correspondence(players, pieces)


def _words(piece: Piece) -> str:
    return f"{piece.player or 'neutral'} {piece.type}"


def _same_board(source: Equipment, target: Equipment) -> None:
    one, other = source.board, target.board
    if (one.width, one.height) != (other.width, other.height):
        raise BoardError(
            "the boards differ in size",
            expected=f"{other.width} x {other.height} as in the model",
            found=f"{one.width} x {one.height}",
            hint="give the reference the options that fit, or another model",
        )
    if one.holes != other.holes:
        odd = one.names[min(one.holes ^ other.holes)]
        raise BoardError(f"the boards differ: {odd} is a square of only one of them")


def _players(source: Position, target: Position) -> dict[Player, Player]:
    ours, theirs = _turn_order(source), _turn_order(target)
    if len(ours) != len(theirs):
        raise BoardError(
            "the numbers of players differ",
            expected=f"{len(theirs)} as in the model",
            found=str(len(ours)),
        )
    return dict(zip(ours, theirs, strict=True))


def _turn_order(initial: Position) -> list[Player]:
    players = list(initial.equipment.players)
    first = players.index(initial.to_move)
    return players[first:] + players[:first]


def _pieces(
    source: Position, target: Position, owner: Player | None, other: Player | None
) -> Pairs:
    """The pairs of keys of one player's pieces, by the surest ground that distinguishes them."""
    ours = {k: p for k, p in source.equipment.pieces.items() if p.player == owner}
    theirs = {k: p for k, p in target.equipment.pieces.items() if p.player == other}
    pairs: Pairs = {}
    _pair(pairs, ours, theirs, lambda a, b: a.key == b.key and a.type == b.type)
    _pair(pairs, ours, theirs, lambda a, b: a.type == b.type)
    shown = _shown(source, target)
    _pair(pairs, ours, theirs, lambda a, b: shown.get(a.key) == b.key)
    _pair(pairs, ours, theirs, lambda _, __: True)
    return pairs


def _pair(
    pairs: Pairs,
    ours: Mapping[str, Piece],
    theirs: Mapping[str, Piece],
    alike: Callable[[Piece, Piece], bool],
) -> None:
    """Add the pairs of pieces still free of which each is alike to no other."""
    free = [piece for key, piece in ours.items() if key not in pairs]
    wanted = [piece for key, piece in theirs.items() if key not in pairs.values()]
    for piece in free:
        fitting = [p for p in wanted if alike(piece, p)]
        if len(fitting) == 1 and sum(alike(p, fitting[0]) for p in free) == 1:
            pairs[piece.key] = fitting[0].key


def _shown(source: Position, target: Position) -> Pairs:
    """The keys that always meet on the same squares of the two initial positions."""
    met: dict[str, set[str]] = {}
    back: dict[str, set[str]] = {}
    for ours, theirs in zip(source.cells, target.cells, strict=True):
        met.setdefault(ours, set()).add(theirs)
        back.setdefault(theirs, set()).add(ours)
    return {
        ours: next(iter(theirs))
        for ours, theirs in met.items()
        if ours not in (EMPTY, HOLE) and len(theirs) == 1 and len(back[next(iter(theirs))]) == 1
    }
