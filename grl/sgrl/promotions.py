"""Pieces that turn into others in the midst of their way.

A man who is crowned where he lands and goes on as a king may be written with the king at the end of
his word, for that leads to the same position; his automaton would be a man's and a king's in one.
Where the records show on which squares pieces are promoted they are written as promoted there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from grl.board import EMPTY, Board, Player, Square
from grl.sgrl.evidence import Evidence
from grl.turn import REMOVE_LETTER, Segment, Turn

Subject = tuple[Player, str]
"""Who moves a piece, and its key."""


class _Way(NamedTuple):
    """Where a piece comes down on its way, and what it is promoted to at the end of it, if it is.

    Each landing is the number of a letter and its square.
    """

    landings: tuple[tuple[int, Square], ...]
    promoted: str

    @classmethod
    def of(cls, segment: Segment, board: Board) -> _Way | None:
        """The way of a segment; None where a piece appears before its end."""
        *others, last = segment.letters
        if any(letter.appears for letter in others):
            return None
        path = segment.path(board)[1:]
        moves = [number for number, letter in enumerate(segment.letters) if letter.moves]
        landings = [
            (number, path[number])
            for number in moves
            if number == moves[-1] or not segment.letters[number].onto_piece
        ]
        return cls(tuple(landings), last.piece if last.appears else "")

    def first_of(self, squares: Collection[Square]) -> tuple[int, Square] | None:
        """The first landing on one of the squares, if any."""
        return next((landing for landing in self.landings if landing[1] in squares), None)

    @property
    def end(self) -> Square:
        """The last square on which it comes down."""
        return self.landings[-1][1]

    def goes_on_from(self, squares: Collection[Square]) -> bool:
        """Whether it comes down on another square after one of these."""
        return self.first_of(squares) not in (None, self.landings[-1])


Zones = Mapping[Subject, Collection[Square]]
"""On which squares pieces that go on from there are promoted."""


def zones_of(evidence: Evidence, board: Board) -> Zones:
    """The squares on which a piece is promoted and then goes on.

    No other of its kind ever comes down there without being promoted. There are none of a piece
    where they don't explain all of its promotions, or all of these are at the ends of ways.
    """
    promoting: dict[Subject, set[_Way]] = {}
    for decision, turns in evidence.decisions.items():
        # Most turns of most games are spared the reading.
        for subject, way in _ways(*decision[:2], (t for t in turns if " a " in t), board):
            if way.promoted and way.landings:
                promoting.setdefault(subject, set()).add(way)
    ends = {subject: {way.end for way in ways} for subject, ways in promoting.items()}
    going_on = {
        subject
        for subject, ways in promoting.items()
        if any(way.goes_on_from(ends[subject]) for way in ways)
    }
    if not going_on:
        return {}
    without: dict[Subject, set[Square]] = {subject: set() for subject in going_on}
    for decision, turns in evidence.decisions.items():
        for subject, way in _ways(*decision[:2], turns, board):
            if subject in going_on and not way.promoted:
                without[subject].update(square for _, square in way.landings)
    found = {}
    for subject in going_on:
        squares, ways = ends[subject] - without[subject], promoting[subject]
        firsts = {way.first_of(squares) for way in ways}
        if None not in firsts and any(way.goes_on_from(squares) for way in ways):
            found[subject] = {first[1] for first in firsts if first is not None}
    return found


def _ways(
    mover: Player, cells: str, turns: Iterable[str], board: Board
) -> Iterator[tuple[Subject, _Way]]:
    """The ways of pieces in the first segments of turns."""
    for text in turns:
        segment = None if text == "pass" else Turn.parse(text).segments[0]
        held = EMPTY if segment is None else cells[board.square(segment.origin)]
        if segment is None or held == EMPTY or not segment.lifts:
            continue
        way = _Way.of(segment, board)
        if way is not None:
            yield (mover, held), way


def promoted_early(evidence: Evidence, board: Board, zones: Zones) -> Evidence:
    """The evidence with pieces promoted where they come to their zones."""
    if not zones:
        return evidence
    decisions = {}
    for decision, turns in evidence.decisions.items():
        spelled: dict[str, int] = {}
        for text, count in turns.items():
            found = spelled_early(decision.mover, decision.cells, text, zones, board)
            spelled[found] = spelled.get(found, 0) + count
        decisions[decision] = spelled
    return evidence.of(decisions)


def spelled_early(mover: Player, cells: str, text: str, zones: Zones, board: Board) -> str:
    """The turn with its piece promoted where it comes to its zone."""
    for subject, way in _ways(mover, cells, [text], board):
        zone, turn = zones.get(subject), Turn.parse(text)
        landing = way.first_of(zone) if zone and way.promoted else None
        if landing is None:
            continue
        segment, *further = turn.segments
        *letters, promotion = segment.letters
        first, _ = landing
        begun, on = letters[: first + 1], letters[first + 1 :]
        # What was held is put down where it is promoted, and leaves the board.
        crowned = (*begun, promotion, REMOVE_LETTER, *on)
        return str(Turn((segment._replace(letters=crowned), *further)))
    return text
