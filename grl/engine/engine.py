"""The fast interface of a model: states as small values, turns by number, playouts, perft.

Where there is a compiler states are the compiled model's own objects (``objects.h``); where there
is none, and for a model that can't be compiled, the reference implementation plays behind the same
interface.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from grl.board import Equipment, Player, Position
from grl.compiler import CompilerFailed
from grl.engine.asked import MOST_PLIES, check_depth, check_games
from grl.engine.bulk import Bulk
from grl.engine.gpu import Gpu
from grl.engine.kept import native_of
from grl.engine.native import Native, unsuited
from grl.errors import GrlError, IllegalTurn, NotCompiled, Place, SearchError
from grl.model import Model
from grl.turn import Turn

UNKNOWN = -1
"""In the place of a goal of which nothing is known."""
CHUNK = 256
"""Random games that a thread takes at a time, at least."""


class Rulings(Protocol):
    """What plays a model in Python: `grl.rulebook.Rulebook`."""

    @property
    def initial(self) -> Position:
        """The position in which a game begins."""

    def legal(self, position: Position) -> list[Turn]:
        """The legal turns."""

    def after(self, position: Position, turn: Turn) -> Position:
        """The position after a legal turn."""

    def goals(self, position: Position) -> dict[Player, int]:
        """The goals of a position in which the game is over."""


class Rules(Rulings, Protocol):
    """A learned model that plays in Python."""

    @property
    def looks_back(self) -> bool:
        """Whether rules ask for the game before a position, beyond its last turn."""


class State(Protocol):
    """A position of a game as an engine has it: immutable, hashable, equal where nothing that the
    rules ask of it differs."""

    def count(self) -> int:
        """The number of legal turns; none where the game is over."""

    def turns(self) -> list[str]:
        """The legal turns as text, in the order of `Rulebook.legal`."""

    def play(self, number: int, /) -> State:
        """The state after a turn, by its place in `turns`; raises `IllegalTurn` for none."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""

    def goals(self) -> dict[Player, int]:
        """0..100 for each player where the game is over, as far as that is known."""

    def position(self) -> Position:
        """The position, with the game since the first state."""

    @property
    def mover(self) -> int:
        """The place of the player to move among the players."""

    @property
    def cells(self) -> str:
        """What lies on each square, as in `Position.cells`."""


class Engine:
    """Plays a model fast; `Rulebook.engine` makes it.

    `kind` is ``cc`` or ``tcc``, the compiler, or ``python``, the reference implementation; `reason`
    then says why. `rulings` is the model as Python plays it.
    """

    def __init__(self, rulings: Rules, native: Native | None, reason: str = "") -> None:
        self.rulings, self.native, self.reason = rulings, native, reason
        self.kind = "python" if native is None else native.kind

    def __repr__(self) -> str:
        return f"<Engine, {self.kind}>"

    @property
    def equipment(self) -> Equipment:
        """Board, pieces, players."""
        return self.rulings.initial.equipment

    @property
    def transposes(self) -> bool:
        """Whether states that are equal go on alike: no rule looks at the positions before."""
        if self.native is None:
            return not self.rulings.looks_back
        return not self.native.facts.trail

    @property
    def initial(self) -> State:
        """The state in which a game begins."""
        return self.state(self.rulings.initial)

    def state(self, position: Position) -> State:
        """The state of a position, with its game before as far as it is given."""
        if self.native is None:
            return Interpreted(self.rulings, position)
        found: State = self.native.first_state(self, position)
        return found

    def bulk(self) -> Bulk:
        """What does many positions at once, as arrays.

        Raises `GrlError` where Python plays, and where rules look at the positions before.
        """
        if self.native is None:
            raise GrlError("there is no compiled model", found=self.reason, expected="a C compiler")
        if self.native.facts.trail:
            raise GrlError(
                "this model's states don't stand alone",
                found="rules that ask for the positions before",
                expected="rules that don't",
            )
        return Bulk(self.native)

    def gpu(self) -> Gpu:
        """What plays many games and counts many turns on a graphics processor.

        Raises `NotCompiled` where Python plays, where turns are not sets of origins, and where
        there is no such processor, no driver or no package `gpu`.
        """
        if self.native is None:
            raise NotCompiled("there is no compiled model", found=self.reason)
        return Gpu(self.native)

    # Counting and playing ---------------------------------------------------------------------

    def perft(self, state: State, depth: int, threads: int = 1) -> int:
        """The number of legal turn sequences of length `depth` from a state.

        Raises `GrlError` for a depth that is no whole number from 0 to `MAX_PERFT_DEPTH`.
        """
        check_depth(depth)
        if depth == 0:
            return 1
        if self.native is None:
            return _count(state, depth)
        native = self.native
        if threads < 2 or depth < 2:
            return native.perft(state, depth)
        following = [state.play(number) for number in range(state.count())]
        return sum(_together(threads, lambda each: native.perft(each, depth - 1), following))

    def playouts(
        self,
        n: int,
        seed: int = 0,
        threads: int = 1,
        start: State | None = None,
        most: int = MOST_PLIES,
    ) -> dict[str, Any]:
        """Random games: ``{"games": n, "plies": …, "goals": array of games × players}``.

        A goal is 0..100, or -1 where nothing is known of it and where a game went on for
        `most` plies. The games depend on the seed alone, whatever the number of threads.
        """
        check_games(n, seed)
        first = self.initial if start is None else start
        step = max(CHUNK, n // (8 * max(threads, 1)))
        parts = [(begin, min(begin + step, n)) for begin in range(0, n, step)]
        run: Callable[[tuple[int, int]], tuple[int, NDArray[np.int8]]]
        if self.native is None:
            run = lambda part: _games(first, self._players, seed, *part, most)  # noqa: E731
            threads = 1
        else:
            native = self.native
            run = lambda part: native.playouts(first, seed, *part, most)  # noqa: E731
        done = list(_together(threads, run, parts))
        none = np.zeros((0, len(self._players)), dtype=np.int8)
        return {
            "games": n,
            "plies": sum(plies for plies, _ in done),
            "goals": np.concatenate([none, *(goals for _, goals in done)]),
        }

    @property
    def _players(self) -> tuple[Player, ...]:
        return self.equipment.players

    # What states ask for ----------------------------------------------------------------------

    def _turns(self, state: Any) -> list[str]:
        assert self.native is not None
        return [str(turn) for turn in self.native.turns(state)]

    def _cells(self, state: Any) -> str:
        assert self.native is not None
        return self.native.cells(state)

    def _goals(self, state: Any) -> dict[Player, int]:
        assert self.native is not None
        return self.native.goals(state)

    def _position(self, state: Any) -> Position:
        """The position of a state: that of the first one, and what was played from there."""
        assert self.native is not None
        line = []
        while state.origin is None:
            line.append(state)
            state = state.parent
        position: Position = state.origin
        for here in reversed(line):
            turn = self.native.turns(here.parent)[here.number]
            position = self.rulings.after(position, turn)
        return position

    def _give_up(self, state: Any) -> None:
        raise SearchError(
            "a turn has more ways to go on than the engine follows",
            expected="segments that a player chooses, not effects of the first one",
            place=Place(rows=tuple(self._position(state).rows)),
        )

    def _no_turn(self, number: int, count: int) -> None:
        raise IllegalTurn(
            f"there is no turn number {number}",
            expected=f"0 to {count - 1}" if count else "none: the game is over",
        )


def compiled(model: Model, *, locm: bool = True) -> Native | str:
    """The compiled form of a model, or in a line why there is none."""
    reason = unsuited()
    if reason:
        return reason
    try:
        return native_of(model, locm=locm)
    except NotCompiled as error:
        return str(error)
    except CompilerFailed as failed:
        return str(failed)


class Interpreted:
    """A state where the reference implementation plays: a position."""

    __slots__ = ("_legal", "_position", "_rulings")

    def __init__(self, rulings: Rulings, position: Position) -> None:
        self._rulings, self._position = rulings, position
        self._legal: list[Turn] | None = None

    def _turns(self) -> list[Turn]:
        if self._legal is None:
            self._legal = self._rulings.legal(self._position)
        return self._legal

    def count(self) -> int:
        """See `State`."""
        return len(self._turns())

    def turns(self) -> list[str]:
        """See `State`."""
        return [str(turn) for turn in self._turns()]

    def play(self, number: int, /) -> Interpreted:
        """See `State`."""
        turns = self._turns()
        if not 0 <= number < len(turns):
            raise IllegalTurn(f"there is no turn number {number}", expected=f"of {len(turns)}")
        return type(self)(self._rulings, self._rulings.after(self._position, turns[number]))

    @property
    def over(self) -> bool:
        """See `State`."""
        return not self._turns()

    def goals(self) -> dict[Player, int]:
        """See `State`."""
        return self._rulings.goals(self._position) if self.over else {}

    def position(self) -> Position:
        """See `State`."""
        return self._position

    @property
    def mover(self) -> int:
        """See `State`."""
        return self._position.equipment.players.index(self._position.to_move)

    @property
    def cells(self) -> str:
        """See `State`."""
        return self._position.cells

    def __hash__(self) -> int:
        return hash(self._position.outcome)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Interpreted) and self._position == other._position


def _count(state: State, depth: int) -> int:
    turns = state.count()
    if depth == 1:
        return turns
    return sum(_count(state.play(number), depth - 1) for number in range(turns))


def _games(
    first: State, players: tuple[Player, ...], seed: int, begin: int, end: int, most: int
) -> tuple[int, NDArray[np.int8]]:
    """Random games, numbers `begin` to `end`, in Python: their plies and goals."""
    goals = np.full((end - begin, len(players)), UNKNOWN, dtype=np.int8)
    plies = 0
    for number in range(begin, end):
        chance = random.Random(f"{seed} {number}")
        state = first
        for _ in range(most):
            if state.over:
                _fill(goals[number - begin], players, state.goals())
                break
            state = state.play(chance.randrange(state.count()))
            plies += 1
    return plies, goals


def _fill(row: NDArray[np.int8], players: tuple[Player, ...], goals: Mapping[Player, int]) -> None:
    for place, player in enumerate(players):
        row[place] = goals.get(player, UNKNOWN)


def _together(threads: int, work: Callable[[Any], Any], parts: Iterable[Any]) -> Iterable[Any]:
    """The results of work on all parts, in their order."""
    if threads < 2:
        return map(work, parts)
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, parts))
