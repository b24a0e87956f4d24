"""From moves in square numbers to turns: each move is matched with the legal turns of a game.

All courses that fit the record so far are kept in step, so shorthand that fits several turns is
settled by the moves after it. Rules are the game's alone; here only squares are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from grl.board import Player, Position
from grl.errors import Place
from grl.games import Game
from grl.importers.numbering import Numbering
from grl.importers.records import Move, RecordError
from grl.turn import LIFT, PUT, STEP, Turn, compile_turn

_MOST_COURSES = 1_000


class Way(NamedTuple):
    """A turn and the numbers of its squares: the origin, all landings, the end."""

    turn: Turn
    numbers: tuple[int, ...]


class Played(NamedTuple):
    """A turn as text, and who played it."""

    by: Player
    turn: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """The turns of a record as far as they are certain, the position after them, how many of its
    moves fit at all, and the flaw that stopped them, if any."""

    turns: tuple[Played, ...]
    end: Position
    fitting: int
    flaw: RecordError | None = None


@dataclass
class Matcher:
    """Matches records with turns of `game`; remembers the ways of the turns it has met."""

    game: Game
    numbering: Numbering
    _ways: dict[str, Way] = field(default_factory=dict)

    def replay(self, start: Position, moves: Sequence[Move]) -> Replayed:
        """The one course of the game from `start` that `moves` describe."""
        game = self.game
        certain: list[Played] = []
        known = start
        courses: dict[Position, tuple[Played, ...]] = {start: ()}
        for ply, move in enumerate(moves, 1):
            after: dict[Position, tuple[Played, ...]] = {}
            for position, turns in courses.items():
                for text in self._fitting(game.legal(position), move.numbers):
                    longer = (*turns, Played(position.to_move, text))
                    reached = game.play(position, self._ways[text].turn)
                    if reached in after or len(after) == _MOST_COURSES:
                        rivals = (longer, after.get(reached) or next(iter(after.values())))
                        return self._ambiguous(certain, known, moves, ply, rivals)
                    after[reached] = longer
            if not after:
                misfit = self._misfit(move, ply, list(courses))
                return Replayed(tuple(certain), known, ply - 1, misfit)
            if len(after) == 1:
                ((known, turns),) = after.items()
                certain += turns
                after = {known: ()}
            courses = after
        if len(courses) > 1:
            return self._ambiguous(certain, known, moves, len(moves), list(courses.values()))
        return Replayed(tuple(certain), known, len(moves))

    def _fitting(self, legal: list[str], numbers: tuple[int, ...]) -> list[str]:
        """The turns whose way `numbers` gives.

        Of several ways round to the same effect a game lists one, so where no turn passes the
        squares between in this order, any order will do.
        """
        first, last, between = numbers[0], numbers[-1], numbers[1:-1]
        found = []
        for text in legal:
            way = self._way(text).numbers
            if way and way[0] == first and way[-1] == last:
                found.append(text)
        if not between or not found:
            return found
        inner = {text: self._ways[text].numbers[1:-1] for text in found}
        ordered = [text for text in found if _passes(inner[text], between)]
        return ordered or [t for t in found if sorted(inner[t]) == sorted(between)]

    def _way(self, text: str) -> Way:
        way = self._ways.get(text)
        if way is None:
            way = self._ways[text] = self._find_way(Turn.parse(text))
        return way

    def _find_way(self, turn: Turn) -> Way:
        """Where the piece that the first segment lifts stands in between: each empty square that
        it enters, and the last square."""
        numbers = self.numbering.numbers
        squares = []
        program = compile_turn(turn, self.game.equipment.board)
        end = None
        for op in program:
            if op.code == PUT:
                break
            if op.code == LIFT or (op.code == STEP and op.arg == "e"):
                squares.append(op.square)
            end = op.square if op.code == STEP else end
        if end is None or not squares:
            return Way(turn, ())
        if squares[-1] != end:
            squares.append(end)
        if not all(square in numbers for square in squares):
            return Way(turn, ())
        return Way(turn, tuple(numbers[square] for square in squares))

    def _misfit(self, move: Move, ply: int, positions: list[Position]) -> RecordError:
        legal = sorted({self._name(t) for position in positions for t in self.game.legal(position)})
        place = Place(ply=ply, rows=tuple(positions[0].rows))
        if not legal:
            return RecordError("over", place=place, found=move.text)
        return RecordError(
            "illegal", place=place, found=move.text, expected=f"one of {' '.join(legal)}"
        )

    def _name(self, text: str) -> str:
        return "-".join(map(str, self._way(text).numbers)) or text

    def _ambiguous(
        self,
        certain: list[Played],
        known: Position,
        moves: Sequence[Move],
        fitting: int,
        rivals: Sequence[tuple[Played, ...]],
    ) -> Replayed:
        """The flaw of a record whose moves fit all `rivals`, courses from the position `known`."""
        agreed = 0
        while len({rival[: agreed + 1] for rival in rivals}) == 1:
            known = self.game.play(known, self._ways[rivals[0][agreed].turn].turn)
            agreed += 1
        options = sorted({self._name(rival[agreed].turn) for rival in rivals})
        flaw = RecordError(
            "ambiguous",
            place=Place(ply=len(certain) + agreed + 1, rows=tuple(known.rows)),
            found=moves[len(certain) + agreed].text,
            expected=f"which of {' '.join(options)}",
        )
        return Replayed((*certain, *rivals[0][:agreed]), known, fitting, flaw)


def _passes(way: Sequence[int], numbers: Sequence[int]) -> bool:
    """Whether `numbers` come in `way` in this order."""
    rest = iter(way)
    return all(number in rest for number in numbers)
