"""The search of `grl.players.minimax` in C, over the compiled states of a learned model.

The same switches, values and bounds, another order of turns. The text of the search is put after
that of the model, and both are compiled as a library of their own.
"""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from random import Random
from typing import Any

from grl.compiler import load
from grl.engine.engine import Engine, State
from grl.engine.native import TOO_LARGE, Native, TooLarge
from grl.players.fuzzycode import Compiled
from grl.players.interface import Answer, Budget, Evaluation, Game, check_going_on
from grl.players.minimax import DEEPEST, Search
from grl.players.ordering import named, off_middle
from grl.players.stopping import stoppable

MOST = 2**63
MASK = 2**64 - 1


class _Found(ctypes.Structure):
    """What the library answers; the line as numbers of states, which are their hashes."""

    _fields_ = (
        ("value", ctypes.c_int),
        ("depth", ctypes.c_int),
        ("proven", ctypes.c_int),
        ("failed", ctypes.c_int),
        ("nodes", ctypes.c_uint64),
        ("turns", ctypes.c_int64 * (DEEPEST + 1)),
    )


@dataclass(frozen=True)
class Swift:
    """A player who searches in C where the game is a compiled model.

    The switches are those of `grl.players.minimax.Search`, which plays any other game. `entries`
    are states that the table holds, of 24 bytes each. An `evaluation` of the same model in C is
    asked there; with any other one it is the search in Python.
    """

    prune: bool = True
    order: bool = True
    table: bool = True
    deepen: bool = True
    zero_window: bool = True
    entries: int = 1 << 21
    evaluation: Evaluation | None = None

    def choose(self, game: Game, state: State, budget: Budget, seed: int = 0) -> Answer:
        """See `grl.players.interface.Agent`; a node is a state that was made."""
        switches = self.prune, self.order, self.table, self.deepen, self.zero_window
        judged = self.evaluation
        native = game.native if isinstance(game, Engine) else None
        if native is None or not (judged is None or isinstance(judged, Compiled)):
            return Search(judged, *switches).choose(game, state, budget, seed)
        check_going_on(state)
        began = time.perf_counter()
        flags = sum(on << place for place, on in enumerate(switches))
        library = _library(native, "" if judged is None else judged.text)
        found = _searched(native, library, state, flags, self.entries, budget, seed)
        if found.failed:
            raise MemoryError if found.failed == 1 else TooLarge(TOO_LARGE)
        root, numbers, line = state, [], []
        for mark in found.turns:
            after = [state.play(number) for number in range(state.count())]
            number = next((n for n, each in enumerate(after) if hash(each) == mark), None)
            if number is None:
                break
            numbers.append(number)
            line.append(state.turns()[number])
            state = after[number]
        if not numbers:  # nothing was searched to the end of the game
            _, number = Random(seed).choice(named(root))
            numbers, line = [number], [root.turns()[number]]
        seconds = time.perf_counter() - began
        return Answer(
            numbers[0], line[0], found.value, bool(found.proven), tuple(line),
            found.nodes, seconds, found.depth,
        )  # fmt: skip


def _searched(
    native: Native, library: Any, state: Any, flags: int, entries: int, budget: Budget, seed: int
) -> _Found:
    """What the library finds."""
    board = native.board
    middle = (ctypes.c_int * board.size)(*(off_middle(board, each) for each in board.squares))
    inside = native.objects.state_inside(state)
    deepest = DEEPEST if budget.depth is None else budget.depth
    most = MOST if budget.nodes is None else budget.nodes
    stop, found = ctypes.c_int(), _Found()

    def search() -> None:
        library.search(
            inside, middle, flags, deepest, most, entries, seed & MASK,
            ctypes.byref(stop), ctypes.byref(found),
        )  # fmt: skip

    stoppable(search, stop, budget)
    return found


@lru_cache(maxsize=16)
def _library(native: Native, evaluation: str) -> Any:
    """The library that searches a model's states, with the text of an evaluation if any."""
    text = resources.files("grl.players").joinpath("search.h").read_text(encoding="utf-8")
    library = load(native.program.text + evaluation + text).library
    number, pointer = ctypes.c_int, ctypes.c_void_p
    library.search.restype = number
    library.search.argtypes = [
        pointer, pointer, number, number, *[ctypes.c_uint64] * 3, pointer, pointer,
    ]  # fmt: skip
    return library
