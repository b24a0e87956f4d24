"""The squares of turns: which plays what role, and where the last turn led."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grl.board import Board, Square
from grl.moves.candidate import Candidate
from grl.turn import Kind, Segment, Turn

FIRST_OF = {"drop": "a", "taken": "d"}
"""Squares of a turn that a letter shows: where the first piece appears, or is removed."""


def last_squares(board: Board, last: str | None) -> Mapping[str, Square]:
    """Where a turn's first segment started and ended; nothing for a pass, or where none was."""
    if last is None or last == "pass":
        return {}
    path = Turn.parse(last).segments[0].path(board)
    return {"start1": path[0], "end1": path[-1]}


def stop_of(segment: Segment, board: Board) -> Square:
    """The square on which a segment puts the hand down."""
    return segment.path(board)[-1]


def role_of(board: Board, candidate: Candidate, role: str) -> Square | None:
    """The square that plays a role: ``start1``, ``end1``, ``start2``, …, ``drop`` or ``taken``.

    ``drop`` and ``taken`` are where the first segment's first piece appears, and where its first
    piece is removed; on ``captured`` it ends, if a piece lies there. None where there is none.
    """
    if role not in FIRST_OF and role != "captured":
        squares = candidate.starts if role[0] == "s" else candidate.ends
        index = int(role[-1]) - 1
        return squares[index] if index < len(squares) else None
    segments = candidate.turn.segments
    if segments and role == "captured":
        moves = [letter for letter in segments[0].letters if letter.kind is Kind.STEP]
        return candidate.ends[0] if moves and moves[-1].on != "e" else None
    if segments:
        for letter, square in zip(segments[0].letters, segments[0].path(board), strict=False):
            if letter.on == FIRST_OF[role]:
                return square
    return None


def broken_off(turn: Turn) -> Iterator[Turn]:
    """The turns that break off after a letter of the first segment, the last letter apart."""
    for segment in turn.segments[:1]:
        for end in range(1, len(segment.letters)):
            letters = segment.letters[:end]
            targets = segment.targets[: sum(letter.fly for letter in letters)]
            yield Turn((Segment(segment.origin, letters, targets),))


def passed(board: Board, candidate: Candidate) -> Sequence[Square]:
    """The squares that the first segment steps on; none where the hand flies."""
    segments = candidate.turn.segments
    if not segments or segments[0].targets:
        return ()
    steps = zip(segments[0].letters, segments[0].path(board)[1:], strict=True)
    return [square for letter, square in steps if letter.kind is Kind.STEP]


def removed(board: Board, candidate: Candidate) -> Sequence[Square]:
    """The squares on which a turn removes pieces, other than by landing on them."""
    return [
        square
        for segment in candidate.turn.segments
        for letter, square in zip(segment.letters, segment.path(board)[1:], strict=True)
        if letter.kind is Kind.REMOVE
    ]
