"""Search by depth: negamax, alpha-beta, and all that makes it fast, each of which can be left out.

After Pulles, Symbolic AI's for Generalised Connect Four: his negamax (algorithm 1), alpha-beta (3)
and *insane* AI (6 to 8: move ordering, a transposition table with bounds, iterative deepening,
MTD(f)). Killers and history are added.

States are of two sides, the player who thinks and everybody else, who are taken to play against it
together (*paranoid*, with three players and more). Who moves twice in a row stays on its side.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from grl.engine.engine import State
from grl.players.interface import (
    LIKELY,
    MOST_PLIES,
    WIN,
    Answer,
    Budget,
    Evaluation,
    Game,
    Meter,
    Spent,
    check_going_on,
    final_value,
    guessed,
    later,
    plies_to_end,
)
from grl.players.ordering import Experience, Named, named, number_of

DEEPEST = 400
"""Plies beyond which nothing is searched: each is a call of a function within another."""
WHOLE = MOST_PLIES
"""The depth of what was searched to the end of the game."""
INFINITY = WIN + 1
MOST_ENTRIES = 1 << 20
"""States that a table holds; it forgets none, and takes no more."""


class Entry(NamedTuple):
    """What a table knows of a state: bounds of its value, with wins counted from it; to which
    depth they hold; and the turn that was best."""

    lower: int
    upper: int
    depth: int
    turn: str


@dataclass(frozen=True)
class Search:
    """A player who searches.

    `prune` is alpha-beta, `order` tries promising turns first, `table` remembers states, `deepen`
    searches one ply deeper after the other, `zero_window` asks only whether a value is above or
    below another, MTD(f). Where a search stops in the midst of a game `evaluation` says how it
    stands; without one it stands even.
    """

    evaluation: Evaluation | None = None
    prune: bool = True
    order: bool = True
    table: bool = True
    deepen: bool = True
    zero_window: bool = True

    def choose(self, game: Game, state: State, budget: Budget, seed: int = 0) -> Answer:
        """See `grl.players.interface.Agent`."""
        return _Run(self, game, state, budget, seed).answer()


class _Run:
    """The search for one turn.

    `open` says whether anything was left unsearched since it was last set back.
    """

    def __init__(self, search: Search, game: Game, state: State, budget: Budget, seed: int) -> None:
        check_going_on(state)
        self.search, self.root, self.budget = search, state, budget
        self.players, self.me = game.equipment.players, state.mover
        self.first = named(state)
        Random(seed).shuffle(self.first)
        self.meter = Meter(budget, free=len(self.first))
        self.table: dict[State, Entry] | None = {} if search.table and game.transposes else None
        self.experience = Experience(game.equipment.board) if search.order else None
        self.open = False
        self.lines: list[tuple[str, ...]] = [()] * (DEEPEST + 2)
        self.line: tuple[str, ...] = (self.first[0][0],)
        self.found: int | None = None

    def answer(self) -> Answer:
        deepest = DEEPEST if self.budget.depth is None else min(self.budget.depth, DEEPEST)
        value, done, proven = 0, 0, False
        try:
            for depth in range(1 if self.search.deepen else deepest, deepest + 1):
                self.open, self.found = False, None
                value = self._searched(depth, value)
                done, distance = depth, plies_to_end(value)
                proven = not self.open or (distance is not None and distance <= depth)
                if proven:
                    break
                self.meter.check()
        except Spent:
            if self.found is not None:
                value, proven = self.found, self.found > LIKELY
        spent = self.meter.nodes, self.meter.seconds
        line = self._followed(done)
        number = number_of(self.root, self.line[0])
        return Answer(number, line[0], value, proven, line, *spent, done)

    def _searched(self, depth: int, guess: int) -> int:
        """The value of the root, searched to a depth: in one go, or by MTD(f)."""
        if depth == 1 or not (self.search.zero_window and self.search.prune):
            return self._value(self.root, depth, -INFINITY, INFINITY, 0)
        lower, upper = -INFINITY, INFINITY
        while lower < upper:
            beta = max(guess, lower + 1)
            guess = self._value(self.root, depth, beta - 1, beta, 0)
            if guess < beta:
                upper = guess
            else:
                lower = guess
        return guess

    def _value(self, state: State, depth: int, alpha: int, beta: int, ply: int) -> int:
        """What a state is worth to the side to move: between alpha and beta exactly, else a bound.

        Wins count from the root.
        """
        self.lines[ply] = ()
        mover = state.mover
        sign = 1 if mover == self.me else -1
        if state.over:
            return sign * later(final_value(state.goals(), self.players, self.me), ply)
        if depth == 0:
            self.open = True
            evaluation = self.search.evaluation
            return 0 if evaluation is None else sign * guessed(evaluation, state, self.me)
        if self.search.prune and ply and alpha >= WIN - ply - 1:
            return WIN - ply - 1
        known = None if self.table is None else self.table.get(state)
        lower, upper = -INFINITY, INFINITY
        if known is not None and ply:
            lower, upper = self._bounds(known, depth, ply)
            alpha, beta = max(alpha, lower), min(beta, upper)
            if alpha >= beta:
                value = lower if lower >= beta else upper
                self.open |= known.depth < WHOLE and abs(value) <= LIKELY
                return value
        opened, self.open = self.open, False
        best, chosen, floor = -INFINITY, "", alpha
        for turn, number in self._ordered(state, mover, ply, known):
            self.meter.count()
            after = state.play(number)
            if (after.mover == self.me) == (mover == self.me):
                value = self._value(after, depth - 1, floor, beta, ply + 1)
            else:
                value = -self._value(after, depth - 1, -beta, -floor, ply + 1)
            if value > best:
                best, chosen = value, turn
                self.lines[ply] = (turn, *self.lines[ply + 1])
                if ply == 0 and best > alpha:
                    self.line, self.found = self.lines[0], best
                if best >= beta:
                    if self.experience is not None:
                        self.experience.cut(mover, turn, ply, depth)
                    break
                if self.search.prune:
                    floor = max(floor, best)
        best = min(max(best, lower), upper)
        if (best >= beta and best > LIKELY) or (best <= alpha and best < -LIKELY):
            self.open = False  # a win is one whatever else was left unsearched, and so is a loss
        if self.table is not None and (known is not None or len(self.table) < MOST_ENTRIES):
            reached = depth if self.open else WHOLE
            self.table[state] = _entry(known, later(best, -ply), alpha, beta, best, reached, chosen)
        self.open |= opened
        return best

    def _ordered(self, state: State, mover: int, ply: int, known: Entry | None) -> list[Named]:
        """The turns of a state as they are tried: at the root by chance, after the best so far."""
        if ply == 0:
            return sorted(self.first, key=lambda each: each[0] != self.line[0])
        turns = named(state)
        if self.experience is not None:
            self.experience.sort(turns, mover, ply, known.turn if known else None)
        return turns

    def _bounds(self, known: Entry, depth: int, ply: int) -> tuple[int, int]:
        """What a table's entry says of a state that is to be searched to a depth: a win and a loss
        hold to any."""
        lower, upper = later(known.lower, ply), later(known.upper, ply)
        if known.depth >= depth:
            return lower, upper
        return lower if lower > LIKELY else -INFINITY, upper if upper < -LIKELY else INFINITY

    def _followed(self, depth: int) -> tuple[str, ...]:
        """The best line, from where the search cut it off as far as the table knows it."""
        names, state = list(self.line), self.root
        line: list[str] = []
        while names or (self.table is not None and len(line) < depth and not state.over):
            known = None if names or self.table is None else self.table.get(state)
            if not names and known is None:
                break
            number = number_of(state, names.pop(0) if known is None else known.turn)
            line.append(state.turns()[number])
            state = state.play(number)
        return tuple(line)


def _entry(
    known: Entry | None, value: int, alpha: int, beta: int, best: int, depth: int, turn: str
) -> Entry:
    """What is known after a search between alpha and beta that came to `best`, which is `value` as
    counted from the state; what was `known` before stays where it holds to the same depth."""
    lower = value if best > alpha else -INFINITY
    upper = value if best < beta else INFINITY
    if known is not None:
        if known.depth == depth or known.lower > LIKELY:
            lower = max(lower, known.lower)
        if known.depth == depth or known.upper < -LIKELY:
            upper = min(upper, known.upper)
        if best <= alpha:
            turn = known.turn
    return Entry(lower, upper, depth, turn)
