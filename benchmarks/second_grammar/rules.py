"""The rules of a drawn game as one value."""

from __future__ import annotations

from dataclasses import dataclass

from grl.board import Square

from .control import Control, NoTurn
from .endings import Ending
from .restrictions import Restriction
from .table import Table, Zone
from .takings import Taking


@dataclass(frozen=True)
class Placing:
    """How pieces come from the hand.

    `where` is all, zone, rests (the lowest empty square of a file), own, opposing or any (squares
    that touch such a piece, if there is any).
    With `first` nobody moves a piece while he holds one.
    """

    where: str = "all"
    zone: Zone | None = None
    first: bool = False

    def said(self) -> str:
        where = {
            "all": "any empty square",
            "zone": f"an empty square of {self.zone.said}" if self.zone else "",
            "rests": "the lowest empty square of a file",
            "own": "an empty square that touches an own piece, if there is any",
            "opposing": "an empty square that touches an opponent, if there is any",
            "any": "an empty square that touches a piece, if there is any",
        }[self.where]
        first = "; nobody moves with pieces in hand" if self.first else ""
        return f"pieces are placed on {where}{first}"


@dataclass(frozen=True)
class Aftermath:
    """A stone of nobody's that a move leaves.

    ``arrow`` is shot up to `reach` squares from where the piece stands now, ``block`` put on an
    empty square that touches it, ``trail`` left where it came from.
    """

    how: str
    reach: int = 1

    def said(self) -> str:
        return {
            "arrow": f"who moved shoots a stone up to {self.reach} squares over empty ones",
            "block": "who moved puts a stone on an empty square that touches the piece",
            "trail": "a stone stays where the piece came from",
        }[self.how]


@dataclass(frozen=True)
class Rules:
    """A whole game.

    `start` has keys by square; `hand` how many of a key each seat holds, None where they never run
    out. `takes_on` is all, moves or placings; with `prisoners` what is taken joins the taker's hand
    as the type that may turn into it. `passing` is none, forced (without a turn) or free.
    """

    frame: str
    table: Table
    start: tuple[tuple[Square, str], ...]
    hand: tuple[tuple[int, str, int | None], ...]
    placing: Placing
    takings: tuple[Taking, ...]
    takes_on: str
    prisoners: bool
    aftermath: Aftermath | None
    restrictions: tuple[Restriction, ...]
    endings: tuple[Ending, ...]
    no_turn: NoTurn
    control: Control
    passing: str
