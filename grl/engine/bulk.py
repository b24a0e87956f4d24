"""Many positions at once, as arrays: a state is a row of bytes, which only its engine can read.

Work is shared among threads; the interpreter's lock is not held meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grl.board import Position
from grl.engine.native import Native
from grl.errors import GrlError, IllegalTurn, SearchError

States = NDArray[np.uint8]
"""Positions × bytes of a state."""
Numbers = Sequence[int] | NDArray[Any]
LEAST = 64
"""Positions that a thread takes at least."""


class Bulk:
    """What an engine does with many positions; `Engine.bulk` makes it."""

    def __init__(self, native: Native) -> None:
        self._native = native
        self._players = len(native.players)

    def pack(self, positions: Iterable[Position]) -> States:
        """Positions as rows."""
        rows = [self._native.state(position).raw for position in positions]
        joined = np.frombuffer(b"".join(rows), dtype=np.uint8)
        return joined.reshape(len(rows), self._native.state_size)

    def counts(self, states: States, threads: int = 1) -> NDArray[np.int32]:
        """The numbers of legal turns; none where the game is over."""
        counts = np.zeros(len(states), dtype=np.int32)
        self._run("counts", threads, states, counts)
        return counts

    def play(
        self, states: States, chosen: Sequence[int] | NDArray[Any], threads: int = 1
    ) -> States:
        """The states after a turn each, by their place among the legal ones.

        Raises `IllegalTurn` for a number that is none.
        """
        numbers = np.ascontiguousarray(chosen, dtype=np.int32)
        if numbers.shape != (len(states),):
            raise GrlError(
                "wrong number of turns", found=str(numbers.shape), expected=str((len(states),))
            )
        self.check(states)
        after = np.zeros(states.shape, dtype=np.uint8)
        self._run("play", threads, states, numbers, after)
        return after

    def goals(self, states: States, threads: int = 1) -> NDArray[np.int8]:
        """0..100 by position and player where a rule ends the game, else -1."""
        goals = np.zeros((len(states), self._players), dtype=np.int8)
        self._run("goals", threads, states, goals)
        return goals

    def masks(self, states: States, threads: int = 1) -> NDArray[np.bool_]:
        """Positions × squares × squares: whether some legal turn begins on the one and ends its
        first segment on the other."""
        size = self._native.board.size
        masks = np.zeros((len(states), size, size), dtype=np.bool_)
        self._run("masks", threads, states, masks)
        return masks

    def check(self, states: Any) -> None:
        """Raises `GrlError` for an array that is none of rows of states."""
        size = self._native.state_size
        if len(states.shape) != 2 or states.dtype != np.uint8 or states.shape[1] != size:
            raise GrlError(
                "not an array of this engine's states",
                found=f"{states.shape} of {states.dtype}",
                expected=f"(n, {size}) of uint8",
            )

    def _run(self, name: str, threads: int, states: States, *arrays: NDArray[Any]) -> None:
        """Do the work for parts of the arrays, each in a thread."""
        self.check(states)
        states = np.ascontiguousarray(states)
        step = max(LEAST, -(-len(states) // max(threads, 1)))
        begins = range(0, len(states), step)

        def part(begin: int) -> int:
            some = slice(begin, begin + step)
            return begin + self._native.many(name, states[some], *(a[some] for a in arrays))

        if threads > 1 and len(begins) > 1:
            with ThreadPoolExecutor(threads) as pool:
                done = list(pool.map(part, begins))
        else:
            done = list(map(part, begins))
        for begin, end in zip(begins, done, strict=True):
            if end < min(begin + step, len(states)):
                if name == "play":
                    raise IllegalTurn(f"state number {end} has no turn of the number given")
                raise SearchError(f"state number {end} has too many ways to go on")
