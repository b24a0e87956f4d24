"""Turns of many positions, each looked at once: what needs no board is the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grl.board import Board, Player, Square
from grl.logic.grid import Indices
from grl.rules.features.cases import TurnCase
from grl.turn import Segment, Turn

Beginning = tuple[tuple[Segment, ...], str, object, tuple[str, ...]]
"""Whole segments, and the origin, letters and flights of one that may go on."""


class DistinctTurns:
    """The different turns among some cases; those of different movers differ."""

    def __init__(self, cases: Sequence[TurnCase]) -> None:
        known: dict[tuple[Player, Turn], int] = {}
        self.first: list[TurnCase] = []
        """A case of each turn."""
        numbers = []
        for case in cases:
            key = case.turn_list.before.to_move, case.candidate.turn
            number = known.get(key)
            if number is None:
                number = known[key] = len(self.first)
                self.first.append(case)
            numbers.append(number)
        self.number: Indices = np.array(numbers, dtype=np.intp)
        """The number of each case's turn."""

    def spread(self, asked: Callable[[TurnCase], Any], kind: Any) -> NDArray[Any]:
        """What turns are asked, an entry a case: something that depends on no board."""
        found: NDArray[Any] = np.array([asked(case) for case in self.first], dtype=kind)
        return found[self.number]

    @cached_property
    def beginnings(self) -> list[list[int]]:
        """For each turn the numbers of those turns that it begins with, and goes on.

        What is chosen goes on, whatever each of them brings about.
        """
        chosen = [case.candidate.chosen for case in self.first]
        wholes = []
        for turn in chosen:
            *before, last = turn.segments or (None,)
            wholes.append(last and ((*before,), last.origin, last.letters, last.targets))
        return _begun(wholes, map(beginnings_of, chosen))

    @cached_property
    def routes(self) -> list[tuple[Square, ...]]:
        """The route of each turn, by what is chosen, see `route_of`."""
        return [route_of(case.candidate.chosen, case.before.setting.board) for case in self.first]

    @cached_property
    def shorter_routes(self) -> list[list[int]]:
        """For each turn the numbers of those whose route it takes first, and goes on."""
        return _begun(
            [route or None for route in self.routes],
            ([route[:length] for length in range(1, len(route))] for route in self.routes),
        )


def _begun(
    wholes: Iterable[Hashable | None], beginnings: Iterable[Iterable[Hashable]]
) -> list[list[int]]:
    """By turn the numbers of those that are a beginning of it; None for what is none of any."""
    known: dict[Hashable, list[int]] = {}
    for number, whole in enumerate(wholes):
        if whole is not None:
            known.setdefault(whole, []).append(number)
    return [[one for key in keys for one in known.get(key, ())] for keys in beginnings]


def route_of(turn: Turn, board: Board) -> tuple[Square, ...]:
    """Where a turn begins, and the squares at which it comes to pieces, in their order."""
    return tuple(
        square
        for number, segment in enumerate(turn.segments)
        for at, square in enumerate(segment.path(board))
        if (segment.letters[at - 1].onto_piece if at else not number)
    )


def beginnings_of(turn: Turn) -> set[Beginning]:
    """All proper beginnings of a turn that end at a letter."""
    found: set[Beginning] = set()
    segments = turn.segments
    for i, segment in enumerate(segments):
        last = i == len(segments) - 1
        flights = 0
        for n, letter in enumerate(segment.letters[: len(segment.letters) - last], 1):
            flights += letter.fly
            found.add(
                (segments[:i], segment.origin, segment.letters[:n], segment.targets[:flights])
            )
    return found
