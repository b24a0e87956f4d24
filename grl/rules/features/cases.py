"""What features look at: a position with a player to move, and a turn among its rivals.

Sets of squares are integers: bit ``size - 1 - square`` stands for a square, so that a board's
string of cells becomes such a set by one translation.

Contents are named as the player to move sees them (`grl.logic.contents`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

import numpy as np

from grl.board import (
    EMPTY,
    HOLE,
    Equipment,
    Player,
    Position,
    Square,
    Stock,
    outcome_of,
)
from grl.errors import IllegalTurn
from grl.logic.contents import held_of, keys_of, of_type, owner_at, types_of
from grl.logic.geometry import Geometry
from grl.logic.grid import Bools, Grid
from grl.logic.perspectives import seen_from
from grl.logic.rows import Ground, Rows, Touched
from grl.logic.terms import BACK, OWN, Term
from grl.model import Feature
from grl.moves.candidate import Candidate
from grl.rules.features.replies import Replies, Seen, touched_by
from grl.rules.features.turn_squares import (
    broken_off,
    last_squares,
    passed,
    removed,
    role_of,
)
from grl.trail import Past, Trail
from grl.turn import Letter, Turn, play

Generator = Callable[[Position], Sequence[Candidate]]
Left = Callable[["PositionCase", int], Iterable[Candidate]]
"""The turns that some restrictions leave the player at a seat."""


class Setting(Geometry):
    """The board and the players of a game, with tables that features share.

    `generator` gives the pseudo-legal turns of a position. Set by whoever knows the restrictions,
    `stuck` says whether the player at a seat has no legal turn but a pass, and `left` which turns
    the first level leaves that player. Of turns before, features speak of those so many plies
    `back`, less than a round, and of the last one of who looks.
    """

    def __init__(
        self,
        equipment: Equipment,
        frames: Mapping[Player, str],
        generator: Generator,
    ) -> None:
        super().__init__(equipment.board)
        self.back = (1, OWN, *range(2, min(len(equipment.players), BACK.stop)))
        self.equipment = equipment
        self.frames = frames
        self.generator = generator
        self.stuck: Callable[[PositionCase, int], bool] | None = None
        self.left: Left | None = None
        self.relative: dict[Player, tuple[tuple[int, int], ...]] = {
            player: tuple(
                seen_from(self.board, frames[player], Square(s)) for s in range(self.size)
            )
            for player in equipment.players
        }
        self.grid = Grid(self, frames)
        self.tests: dict[Feature, Callable[[TurnCase], bool]] = {}
        self._keys: dict[tuple[Player, str], frozenset[str]] = {}
        self._contents: dict[tuple[Player, str], str] = {}
        self._tables: dict[tuple[Player, str], dict[int, str]] = {}
        self.replies = Replies(equipment, generator)

    def seat(self, player: Player, number: int) -> Player:
        """The player `number` places after `player` in turn order."""
        players = self.equipment.players
        return players[(players.index(player) + number) % len(players)]

    def places_after(self, player: Player, other: Player) -> int:
        """How many places after `player` the other comes in turn order: the inverse of `seat`."""
        players = self.equipment.players
        return (players.index(other) - players.index(player)) % len(players)

    def keys(self, player: Player, content: str) -> frozenset[str]:
        """The cells' characters that a content names when `player` is to move."""
        found = self._keys.get((player, content))
        if found is None:
            found = self._keys[player, content] = keys_of(self.equipment, player, content)
        return found

    @property
    def owners(self) -> list[str]:
        """The contents of the players' pieces, in turn order from who looks on."""
        players = len(self.equipment.players)
        return [owner_at(seat, players) for seat in range(players)]

    def content(self, player: Player, key: str) -> str:
        """The content that a piece is when `player` looks, with its type where there are several
        of its owner."""
        found = self._contents.get((player, key))
        if found is None:
            piece, players = self.equipment.pieces[key], len(self.equipment.players)
            owner = "neutral"
            if piece.player is not None:
                owner = owner_at(self.places_after(player, piece.player), players)
            several = len(types_of(self.equipment, owner)) > 1
            found = of_type(owner, piece.type if several else "")
            self._contents[player, key] = found
        return found

    def table(self, player: Player, content: str) -> dict[int, str]:
        """A translation of cells to ``1`` where a content lies and ``0`` elsewhere."""
        found = self._tables.get((player, content))
        if found is None:
            keys = self.keys(player, content)
            characters = (EMPTY, HOLE, *self.equipment.pieces)
            found = {ord(key): "1" if key in keys else "0" for key in characters}
            self._tables[player, content] = found
        return found


@dataclass(slots=True, eq=False, repr=False)
class PositionCase:
    """A position as features see it; contents are relative to `to_move`.

    `stuck` answers for this position instead of the setting's, where it is given.
    """

    setting: Setting
    cells: str
    stock: Stock
    to_move: Player
    moved: frozenset[Square] = frozenset()
    last: str | None = None
    stuck: Callable[[int], bool] | None = None
    trail: Trail | None = None
    previous: PositionCase | None = None
    turn: Turn | None = None
    _bits: dict[str, int] = field(default_factory=dict, init=False)
    _hands: dict[str, int] = field(default_factory=dict, init=False)
    _terms: dict[tuple[Term, Left | None], int] = field(default_factory=dict, init=False)
    _touched: dict[tuple[int, Left | None], Touched] = field(default_factory=dict, init=False)
    _rows: Rows | None = field(default=None, init=False)
    _counts: dict[str, Mapping[object, int]] = field(default_factory=dict, init=False)

    @classmethod
    def of(
        cls, setting: Setting, position: Position, stuck: Callable[[int], bool] | None = None
    ) -> PositionCase:
        """The case of a position."""
        return cls(
            setting,
            position.cells,
            position.stock,
            position.to_move,
            position.moved,
            position.last,
            stuck,
            position.trail,
        )

    @classmethod
    def left(
        cls, before: PositionCase, turn: Turn, board: Candidate | Position, to_move: Player
    ) -> PositionCase:
        """What a turn leaves of a position, on which board, and who moves there."""
        return cls(before.setting, board.cells, board.stock, to_move, previous=before, turn=turn)

    def occurrence(self, scope: str) -> object:
        """What occurs again when the board does, or the position: see `grl.rules.features.past`."""
        return self.cells if scope == "board" else outcome_of(self)

    def counts(self, scope: str) -> Mapping[object, int]:
        """How often each board, or position, occurred on the trail that a case itself has.

        A case that a turn leaves has its own past in `previous`, and the trail of that.
        """
        if self.previous is not None:
            return self.previous.counts(scope)
        found = self._counts.get(scope)
        if found is None:
            found = self._counts[scope] = Counter(
                past.cells if scope == "board" else outcome_of(past) for past in self.trail or ()
            )
        return found

    def pasts(self) -> Iterator[Past]:
        """The positions before this one, the last one first, with the turns played there."""
        before = self.previous
        if before is not None:
            yield Past(before.cells, before.to_move, before.stock, str(self.turn))
            yield from before.pasts()
        elif self.trail is not None:
            yield from reversed(self.trail)

    def turns(self) -> Iterator[str]:
        """The turns that led here, the last one first, as text."""
        if self.previous is None and self.trail is None and self.last is not None:
            yield self.last
        for past in self.pasts():
            yield past.turn

    def bits(self, content: str) -> int:
        """The squares that hold a content."""
        found = self._bits.get(content)
        if found is None:
            table = self.setting.table(self.to_move, content)
            found = int(self.cells.translate(table), 2)
            self._bits[content] = found
        return found

    def hand(self, content: str) -> int:
        """How many of a content are in reserve."""
        found = self._hands.get(content)
        if found is None:
            held = held_of(self.setting.equipment, self.to_move, content)
            found = sum(count for player, key, count in self.stock if held(player, key))
            self._hands[content] = found
        return found

    def held(self, zone: str, content: str) -> int:
        """How many of a content are in reserve (zone ``hand``), or there and on the board."""
        return self.hand(content) + (self.bits(content).bit_count() if zone == "all" else 0)

    def touched(self, seat: int, level: int) -> Touched:
        """The squares that turns of a level touch of the player at a seat."""
        setting = self.setting
        left = setting.left if level else None
        found = self._touched.get((seat, left))
        if found is None:
            if left is not None:
                found = touched_by(self.cells, left(self, seat))
            else:
                found = setting.replies.touched(self.seen_by(seat))
            self._touched[seat, left] = found
        return found

    def seen_by(self, seat: int) -> Seen:
        """What pseudo-legal turns of the player at a seat depend on."""
        return self.cells, self.stock, self.setting.seat(self.to_move, seat)

    def ground(self) -> Ground:
        """The board as terms see it."""
        return Ground(self.to_move, self.cells, self.moved, self.last_squares, self)

    def last_squares(self, back: int) -> Mapping[str, Square]:
        """Where the first segment of the turn so many plies ago began (``start1``) and stopped
        (``end1``), or that of the last turn of who looks; nothing for a pass, or where none is
        known."""
        if back == OWN:
            return self.own_squares(self.to_move)
        turns = (self.last,) if back == 1 else islice(self.turns(), back - 1, back)
        return last_squares(self.setting.board, next(iter(turns), None))

    def own_squares(self, player: Player) -> Mapping[str, Square]:
        """The same of a player's last turn; one that leads to what it leaves is none yet."""
        pasts = islice(self.pasts(), self.previous is not None, None)
        turns = (past.turn for past in pasts if past.to_move == player)
        return last_squares(self.setting.board, next(turns, None))

    def some(self, term: Term) -> bool:
        """Whether a term denotes any square of the position."""
        return self.size(term) > 0

    def size(self, term: Term) -> int:
        """How many squares of the position a term denotes."""
        if term.operator.name == "lies":
            return self.bits(str(term.arguments[0])).bit_count()
        key = term, self.setting.left if term.leveled else None
        found = self._terms.get(key)
        if found is None:
            rows = self._as_rows()
            found = self._terms[key] = int(rows.size(term)[0])
            rows.forget()
        return found

    def total(self, term: Term) -> int:
        """What lies on the squares that a term denotes counts together."""
        return int(self._as_rows().total(term)[0])

    def _as_rows(self) -> Rows:
        if self._rows is None:
            self._rows = Rows(self.setting.equipment, self.setting.grid, [self.ground()])
        return self._rows

    def position(self) -> Position:
        """The position itself."""
        if self.previous is not None and self.turn is not None:
            return play(self.previous.position(), self.turn)
        return Position(
            self.setting.equipment,
            self.cells,
            self.to_move,
            self.stock,
            self.moved,
            self.last,
            self.trail,
        )


class TurnList:
    """The turns of a position, of which some are still alive; relations between turns ask which.

    `columns` holds features on all turns, in the order of `cases`, and `related` relations between
    those that are alive now. `broken` has what turns leave that break off, as several may begin.
    """

    __slots__ = ("_rows", "alive", "before", "broken", "cases", "columns", "related", "rivals")

    def __init__(self, before: PositionCase, candidates: Iterable[Candidate]) -> None:
        self.before = before
        self.cases = [TurnCase(self, number, each) for number, each in enumerate(candidates)]
        self.broken: dict[Turn, PositionCase | None] = {}
        self.columns: dict[Feature, Bools] = {}
        self.related: dict[Feature, Bools] = {}
        self.rivals: Any = None
        self.restrict(np.ones(len(self.cases), dtype=np.bool_))
        self._rows: dict[str, Rows] = {}

    @property
    def survivors(self) -> list[TurnCase]:
        """The turns that are alive."""
        return [case for case, alive in zip(self.cases, self.alive.tolist(), strict=True) if alive]

    def restrict(self, alive: Bools) -> None:
        """Go on with these turns only."""
        self.alive = alive
        self.related = {}

    def judged(self, candidate: Candidate) -> TurnCase:
        """A further turn, which is nobody's rival."""
        case = TurnCase(self, len(self.cases), candidate)
        self.cases.append(case)
        self.restrict(np.append(self.alive, False))
        return case

    def among(self, cases: Iterable[TurnCase]) -> Bools:
        """Which of all turns are among some of them."""
        found = np.zeros(len(self.cases), dtype=np.bool_)
        found[[case.number for case in cases]] = True
        return found

    def rows(self, when: str) -> Rows:
        """All turns, in the order of `cases`, on the boards before or after them."""
        rows = self._rows.get(when)
        if rows is None or len(rows) != len(self.cases):
            rows = self._rows[when] = rows_of(self.before.setting, self.cases, when)
        return rows


@dataclass(slots=True, eq=False, repr=False)
class TurnCase:
    """A pseudo-legal turn in its list, where it has a `number`."""

    turn_list: TurnList
    number: int
    candidate: Candidate
    _after: PositionCase | None = field(default=None, init=False)
    _letters: tuple[Letter, ...] | None = field(default=None, init=False)
    _midway: list[PositionCase] | None = field(default=None, init=False)

    @property
    def before(self) -> PositionCase:
        """The position in which the turn is played."""
        return self.turn_list.before

    @property
    def after(self) -> PositionCase:
        """The position that the turn leaves, the next player in turn order to move."""
        if self._after is None:
            before = self.turn_list.before
            follower = before.setting.equipment.next_player(before.to_move)
            self._after = PositionCase.left(before, self.turn, self.candidate, follower)
        return self._after

    def forget(self) -> None:
        """Let go of what is known of the positions that the turn leaves; it can be made again."""
        self._after = self._midway = None
        self.turn_list.broken.clear()

    @property
    def midway(self) -> Sequence[PositionCase]:
        """What turns leave that break off within the first segment, as `after` is seen.

        There is none where the hand would put nothing down.
        """
        if self._midway is None:
            broken = self.turn_list.broken
            self._midway = []
            for turn in broken_off(self.candidate.turn):
                if turn not in broken:
                    broken[turn] = self._left_by(turn)
                left = broken[turn]
                if left is not None:
                    self._midway.append(left)
        return self._midway

    def _left_by(self, turn: Turn) -> PositionCase | None:
        """What a turn leaves that breaks off; None where it can't."""
        before = self.turn_list.before
        with suppress(IllegalTurn):
            left = play(before.position(), turn)
            return PositionCase.left(before, turn, left, left.to_move)
        return None

    def touched(self, seat: int, level: int) -> Touched:
        """The squares that turns after this one touch, of the player at a seat from its mover."""
        return self.after.touched((seat - 1) % len(self.before.setting.equipment.players), level)

    @property
    def turn(self) -> Turn:
        """The turn itself."""
        return self.candidate.turn

    @property
    def letters(self) -> tuple[Letter, ...]:
        """The letters of all segments."""
        if self._letters is None:
            segments = self.candidate.turn.segments
            self._letters = (
                segments[0].letters
                if len(segments) == 1
                else tuple(chain.from_iterable(s.letters for s in segments))
            )
        return self._letters

    def square(self, role: str) -> Square | None:
        """The square that plays a role, see `role_of`."""
        return role_of(self.turn_list.before.setting.board, self.candidate, role)

    def path(self) -> Sequence[Square]:
        """The squares that the first segment steps on; none where the hand flies."""
        return passed(self.turn_list.before.setting.board, self.candidate)

    def taken(self) -> Sequence[Square]:
        """The squares on which the turn removes pieces, other than by landing on them."""
        return removed(self.turn_list.before.setting.board, self.candidate)

    def lifted(self) -> str:
        """What lay on the square where the turn starts."""
        starts = self.candidate.starts
        return self.turn_list.before.cells[starts[0]] if starts else EMPTY


def rows_of(setting: Setting, cases: Sequence[TurnCase], when: str) -> Rows:
    """Turns as terms see them, on the boards before or after them."""
    grounds: list[Ground] = []
    parent: list[int] = []
    turn_list: TurnList | None = None
    for case in cases:
        if case.turn_list is not turn_list:
            turn_list = case.turn_list
            ground = turn_list.before.ground()
            if when == "before":
                grounds.append(ground)
        if when == "before":
            parent.append(len(grounds) - 1)
        else:
            left = case.candidate.cells
            grounds.append(Ground(ground.mover, left, ground.moved, ground.last, case))
    among = None if when == "after" else np.array(parent, dtype=np.intp)
    return Rows(setting.equipment, setting.grid, grounds, cases, among)
