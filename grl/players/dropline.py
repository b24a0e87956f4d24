"""Drop-and-line games on bit boards: a stone falls down its file, so many in a row win.

Whether a learned model is such a game is read off its rules, never off its name, and the bit board
is held to the compiled model on random games before anybody trusts it.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from grl.board import EMPTY
from grl.compiler import CompilerFailed, load
from grl.engine.engine import Engine, State
from grl.model import Literal, Model, Role, Rule
from grl.players.interface import Budget
from grl.players.stopping import stoppable

MOST_SQUARES = 126
"""Twice as many scores, and one more, are a byte."""
GAMES = 60
"""Random games on which a bit board has to agree with the model."""
LIMIT = 2**63
LARGEST = 127

BELOW_EMPTY = (
    "some", "before", ("both", ("shift", "board", 0, -1, ("square", "end1")), ("lies", "empty")),
)  # fmt: skip
"""The square below the one where the turn ends was empty before."""


class Form(NamedTuple):
    """A drop-and-line game: files, ranks, stones in a row that win, and each player's stone."""

    width: int
    height: int
    line: int
    stones: tuple[str, str]

    def seen(self, state: State) -> bytes:
        """The squares of a state: 0 empty, 1 the player's to move, 2 the other's."""
        mine, other = self.stones[:: 1 if state.mover == 0 else -1]
        return state.cells.translate({ord(EMPTY): 0, ord(mine): 1, ord(other): 2}).encode()


def form_of(model: Model) -> Form | None:
    """The form of a model, if it has one: decided from its equipment, automata and rules.

    Every turn puts a stone of one's own on an empty square; the one rule about turns forbids those
    above an empty square; a line of the opponent's loses, and where nobody can move it is a draw.
    """
    equipment, board, rules = model.equipment, model.equipment.board, model.rules
    owned = {player: [k for k, p in equipment.pieces.items() if p.player == player]
             for player in equipment.players}  # fmt: skip
    if (
        rules is None
        or len(owned) != 2
        or any(len(keys) != 1 for keys in owned.values())
        or len(equipment.pieces) != 2
        or board.holes
        or board.links is not None
        or model.initial.stock
        or model.effects
        or model.passes
        or model.segments != 1
        or rules.control
        or any(frame != "identity" for frame in rules.frames.values())
        or [rule.body for rule in rules.restrictions] != [(Literal(BELOW_EMPTY, True),)]
    ):
        return None
    stones = {player: keys[0] for player, keys in owned.items()}
    line = _line(rules.endings)
    if line is None or not _only_puts(model, stones):
        return None
    first, second = (stones[player] for player in equipment.players)
    form = Form(board.width, board.height, line, (first, second))
    bits = form.width * (form.height + 1)
    fits = board.size <= MOST_SQUARES and bits <= 128
    return form if fits and (line - 1) * (form.height + 2) < (64 if bits <= 64 else 128) else None


def _line(endings: Sequence[Rule]) -> int | None:
    """How many in a row win, where endings say that and nothing else but that being stuck draws."""
    if not endings or len(endings) > 2:
        return None
    line, *stuck = endings
    if stuck and (stuck[0].body, stuck[0].value) != ((Literal(("stuck", 0), True),), (50, 50)):
        return None
    if len(line.body) != 1 or not line.body[0].holds or line.value != (0, 100):
        return None
    match line.body[0].feature:
        case ("some", "now", ("lined", "around", int(number), ("lies", "opposing"))):
            return number if number > 1 else None
    return None


def _only_puts(model: Model, stones: Mapping[Any, str]) -> bool:
    """Whether each player's only word puts the stone on an empty square."""
    words = {}
    for dfa in model.automata:
        if dfa.key.role is not Role.FIRST:
            if dfa.transitions:
                return False
            continue
        if dfa.key.holds != EMPTY or dfa.key.mover in words or len(dfa.transitions) != 1:
            return False
        ((begin, letter, end),) = dfa.transitions
        if begin == end or not letter.appears or (letter.dx, letter.dy) != (0, 0):
            return False
        words[dfa.key.mover] = letter.piece
    return words == stones


class BitBoard:
    """The solver of a form. What it finds out it keeps in a table of `entries`, of 8 bytes each.

    Raises `CompilerFailed` where there is no compiler for it.
    """

    SPENT = -128

    def __init__(self, form: Form, entries: int = 1 << 20) -> None:
        self.form, self.nodes = form, 0
        self._library = _library(form.width, form.height, form.line)
        self._stop = ctypes.c_int()
        self._solver = self._library.solver_new(entries, ctypes.byref(self._stop))
        if not self._solver:
            raise MemoryError

    def __del__(self) -> None:
        if getattr(self, "_solver", None):
            self._library.solver_free(self._solver)

    def score(
        self, cells: bytes, budget: Budget | None = None, least: int = -LARGEST, most: int = LARGEST
    ) -> int | None:
        """How many stones of the winner's are left at the end, the last one too: more than 0 for
        a win of the player to move, less for a loss. None where the budget was spent before.

        A score beyond `least` or `most` is given as that, or as itself. Lines that are there
        already don't count.
        """
        if budget is None:
            return self._score(cells, LIMIT, least, most)
        found: list[int | None] = []
        limit = LIMIT if budget.nodes is None else max(budget.nodes, 0)
        self._stop.value = 0
        stoppable(lambda: found.append(self._score(cells, limit, least, most)), self._stop, budget)
        self._stop.value = 0
        return found[0]

    def _score(self, cells: bytes, limit: int, least: int, most: int) -> int | None:
        nodes = ctypes.c_uint64()
        score: int = self._library.solve(
            self._solver, cells, least, most, limit, ctypes.byref(nodes)
        )
        self.nodes += nodes.value
        return None if score == self.SPENT else score

    def scores(self, boards: Sequence[bytes]) -> list[int]:
        """The scores of many, one after the other."""
        out, nodes = np.zeros(len(boards), dtype=np.int8), ctypes.c_uint64()
        self._library.solve_all(
            self._solver, b"".join(boards), len(boards), out.ctypes.data, ctypes.byref(nodes)
        )
        self.nodes += nodes.value
        return [int(score) for score in out]

    def plies(self, cells: bytes, score: int) -> int | None:
        """In how many plies a score is reached; None for a draw."""
        if not score:
            return None
        stones = sum(map(bool, cells))
        plies = len(cells) - 2 * (abs(score) - 1) - stones
        return plies - ((plies % 2 == 1) != (score > 0))

    def files(self, cells: bytes) -> list[int]:
        """The files into which a stone may be put."""
        found: int = self._library.open_files(self._solver, cells)
        return [file for file in range(self.form.width) if found >> file & 1]

    def lined(self, cells: bytes) -> int:
        """Who has a line: 1 the player to move, 2 the other, 3 both, 0 nobody."""
        found: int = self._library.lined(self._solver, cells)
        return found


def agrees(bits: BitBoard, engine: Engine, games: int = GAMES, seed: int = 0) -> bool:
    """Whether turns, ends and goals are those of a model in all positions of random games."""
    chance = random.Random(seed)
    players, names = engine.equipment.players, engine.equipment.board.names
    form = bits.form
    for _ in range(games):
        state = engine.initial
        while True:
            cells = form.seen(state)
            lined, files = bits.lined(cells), bits.files(cells)
            over = bool(lined) or not files
            if state.over != over:
                return False
            if over:
                loser, winner = players[state.mover], players[1 - state.mover]
                goals = {loser: 0, winner: 100} if lined == 2 else {loser: 50, winner: 50}
                if lined not in (0, 2) or state.goals() not in (goals, *(() if lined else ({},))):
                    return False
                break
            lowest = {names[_lowest(form, cells, file)] for file in files}
            turns = state.turns()
            if len(turns) != len(lowest) or {turn.split(" ")[0] for turn in turns} != lowest:
                return False
            state = state.play(chance.randrange(len(turns)))
    return True


def _lowest(form: Form, cells: bytes, file: int) -> int:
    """The lowest empty square of a file."""
    return next(at for at in range(file, len(cells), form.width) if not cells[at])


@lru_cache(maxsize=16)
def form_of_engine(engine: Engine) -> Form | None:
    """The form of a compiled model on which bit boards may be relied."""
    form = None if engine.native is None else form_of(engine.native.model)
    if form is None:
        return None
    try:
        return form if agrees(BitBoard(form, 1), engine) else None
    except CompilerFailed:
        return None


@lru_cache(maxsize=16)
def _library(width: int, height: int, line: int) -> Any:
    text = resources.files("grl.players").joinpath("dropline.h").read_text(encoding="utf-8")
    defined = f"#define WIDTH {width}\n#define HEIGHT {height}\n#define LINE {line}\n"
    library = load(defined + text).library
    pointer, number = ctypes.c_void_p, ctypes.c_int
    for name, result, takes in (
        ("solver_new", pointer, [ctypes.c_uint64, pointer]),
        ("solver_free", None, [pointer]),
        ("solve", number, [pointer, ctypes.c_char_p, number, number, ctypes.c_uint64, pointer]),
        ("solve_all", ctypes.c_long, [pointer, ctypes.c_char_p, ctypes.c_long, pointer, pointer]),
        ("open_files", ctypes.c_uint64, [pointer, ctypes.c_char_p]),
        ("lined", number, [pointer, ctypes.c_char_p]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, takes
    return library
