"""Many games and positions at once on a graphics processor, a thread for each.

It runs the text of the model by which processor cores play sets of origins, and gives the same
numbers: random game number n of a seed is the same game.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from importlib import resources
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from grl.board import Position
from grl.engine.asked import MOST_PLIES, check_depth, check_games
from grl.engine.bulk import Bulk, States
from grl.engine.device import Device
from grl.engine.native import Native
from grl.engine.source import Program
from grl.errors import GrlError, IllegalTurn, NotCompiled

GAMES = 1 << 24
"""Random games that are played in one go."""
POSITIONS = 1 << 20
"""Positions of a perft that are looked at in one go."""


class Held(Protocol):
    """Memory of a processor."""

    @property
    def address(self) -> int:
        """That of the first byte."""


class Processor(Protocol):
    """What runs kernels: see `grl.engine.device.Device`."""

    def zeros(self, size: int) -> Held:
        """So many bytes, all 0."""

    def put(self, array: NDArray[Any], address: int) -> None:
        """Copy an array to the processor's memory."""

    def get(self, array: NDArray[Any], address: int) -> None:
        """Fill an array from there."""

    def launch(self, kernel: str, threads: int, *arguments: int) -> None:
        """Run a kernel in so many threads or more."""


def device_text(program: Program, state_size: int = 0) -> str:
    """The text for NVIDIA's compiler; raises `NotCompiled`. With no size none is asserted."""
    if not program.sets:
        reason = program.setwise or "some turns are left to the walk"
        raise NotCompiled("a graphics processor needs turns as sets of origins", found=reason)
    if program.needs.threats:
        raise NotCompiled("rules that ask for threats are left to the walk")
    kernels = resources.files("grl.engine").joinpath("gpu.h").read_text(encoding="utf-8")
    size = state_size or "sizeof(State)"
    return f"#define DEVICE 1\n#define STATE_BYTES {size}\n{program.sets}{kernels}"


class DeviceArray:
    """An array in the memory of the processor, first all 0."""

    def __init__(self, on: Processor, shape: tuple[int, ...], dtype: DTypeLike) -> None:
        self.shape, self.dtype, self._on = shape, np.dtype(dtype), on
        self._memory = on.zeros(int(np.prod(shape)) * self.dtype.itemsize)
        self.address = self._memory.address

    def __len__(self) -> int:
        return self.shape[0]

    def numpy(self) -> NDArray[Any]:
        """A copy in the memory of the machine."""
        array = np.empty(self.shape, self.dtype)
        self._on.get(array, self.address)
        return array


Kind = TypeVar("Kind", NDArray[Any], DeviceArray)


class Gpu:
    """What a graphics processor does with a model; `Engine.gpu` makes it.

    Positions are arrays like those of `Bulk`, or what `put` makes of one, which stays where it is
    between calls; of such a one a method makes such a one.
    """

    def __init__(self, native: Native, made: Callable[[str], Processor] = Device) -> None:
        text = device_text(native.program, native.state_size)
        self._native, self._on, self._bulk = native, made(text), Bulk(native)
        self._size, self._players = native.state_size, len(native.players)

    def pack(self, positions: Iterable[Position]) -> States:
        """Positions as rows."""
        return self._bulk.pack(positions)

    def put(self, array: NDArray[Any]) -> DeviceArray:
        """An array in the memory of the processor."""
        held = DeviceArray(self._on, array.shape, array.dtype)
        self._on.put(np.ascontiguousarray(array), held.address)
        return held

    # Games and sequences ----------------------------------------------------------------------

    def playouts(self, n: int, seed: int = 0, start: Any = None) -> dict[str, Any]:
        """Random games, those of `Engine.playouts`: games, plies and goals are the same."""
        check_games(n, seed)
        first = self._first(start)
        goals = np.empty((n, self._players), dtype=np.int8)
        plies = self._zero()
        for begin in range(0, n, GAMES):
            many = min(GAMES, n - begin)
            out = DeviceArray(self._on, (many, self._players), np.int8)
            numbers = (many, seed, begin, MOST_PLIES)
            self._on.launch("games", many, first.address, *numbers, out.address, plies.address)
            goals[begin : begin + many] = out.numpy()
        return {"games": n, "plies": int(plies.numpy()[0]), "goals": goals}

    def perft(self, state: Any, depth: int) -> int:
        """The number of legal turn sequences of a length from a state, as `Engine.perft` has it."""
        check_depth(depth)
        return self._sequences(self._first(state), depth) if depth else 1

    def _sequences(self, states: DeviceArray, depth: int) -> int:
        if depth == 2:
            total = self._zero()
            many = len(states)
            self._on.launch("grandchildren", many, states.address, many, total.address)
            return int(total.numpy()[0])
        counts = self._counts(states).numpy()
        if depth == 1:
            return int(counts.sum(dtype=np.int64))
        found, begin, upto = 0, 0, np.cumsum(counts, dtype=np.int64)
        while begin < len(states):
            before = int(upto[begin - 1]) if begin else 0
            end = max(begin + 1, int(np.searchsorted(upto, before + POSITIONS, "right")))
            some, at = end - begin, self.put(upto[begin:end] - counts[begin:end] - before)
            if upto[end - 1] > before:
                out = DeviceArray(self._on, (int(upto[end - 1]) - before, self._size), np.uint8)
                source = states.address + begin * self._size
                self._on.launch("children", some, source, some, at.address, out.address)
                found += self._sequences(out, depth - 1)
            begin = end
        return found

    def _first(self, state: Any) -> DeviceArray:
        """A state of the engine, or the initial one, as a row."""
        if state is None:
            return self.put(self.pack([self._native.model.initial]))
        inside = ctypes.string_at(self._native.objects.state_inside(state), self._size)
        return self.put(np.frombuffer(inside, dtype=np.uint8).reshape(1, self._size))

    def _zero(self) -> DeviceArray:
        return DeviceArray(self._on, (1,), np.uint64)

    # Positions --------------------------------------------------------------------------------

    def counts(self, states: Kind) -> Kind:
        """The numbers of legal turns; none where the game is over."""
        found: Kind = self._like(states, self._counts(self._states(states)))
        return found

    def play(self, states: Kind, chosen: Sequence[int] | NDArray[Any] | DeviceArray) -> Kind:
        """The states after a turn each, by their place among the legal ones, in the order of
        `Bulk.play`. Raises `IllegalTurn` for a number that is none."""
        given = self._states(states)
        if not isinstance(chosen, DeviceArray):
            chosen = self.put(np.asarray(chosen, dtype=np.int32))
        if chosen.shape != (len(given),) or chosen.dtype != np.int32:
            raise GrlError(
                "wrong number of turns",
                found=f"{chosen.shape} of {chosen.dtype}",
                expected=f"{(len(given),)} of int32",
            )
        after, many = DeviceArray(self._on, given.shape, np.uint8), len(given)
        refused = self.put(np.array([many], dtype=np.uint64))
        where = (chosen.address, after.address, refused.address)
        self._on.launch("play", many, given.address, many, *where)
        first = int(refused.numpy()[0])
        if first < many:
            raise IllegalTurn(f"state number {first} has no turn of the number given")
        made: Kind = self._like(states, after)
        return made

    def goals(self, states: Kind) -> Kind:
        """0..100 by position and player where a rule ends the game, else -1."""
        given = self._states(states)
        found = DeviceArray(self._on, (len(given), self._players), np.int8)
        self._on.launch("goals", len(given), given.address, len(given), found.address)
        made: Kind = self._like(states, found)
        return made

    def _counts(self, states: DeviceArray) -> DeviceArray:
        found = DeviceArray(self._on, (len(states),), np.int32)
        self._on.launch("counts", len(states), states.address, len(states), found.address)
        return found

    def _states(self, states: States | DeviceArray) -> DeviceArray:
        self._bulk.check(states)
        return states if isinstance(states, DeviceArray) else self.put(states)

    @staticmethod
    def _like(given: object, found: DeviceArray) -> Any:
        """What was found, in the memory that was given."""
        return found if isinstance(given, DeviceArray) else found.numpy()
