"""Turns of many positions, each looked at once: what needs no board is the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grl.board import Player
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
        whole: dict[Beginning, list[int]] = {}
        for number, case in enumerate(self.first):
            segments = case.candidate.chosen.segments
            if segments:
                last = segments[-1]
                key = segments[:-1], last.origin, last.letters, last.targets
                whole.setdefault(key, []).append(number)
        return [
            [one for key in beginnings_of(case.candidate.chosen) for one in whole.get(key, ())]
            for case in self.first
        ]


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
