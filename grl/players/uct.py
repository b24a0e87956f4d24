"""UCT: random games guide a tree, and results that are proven are never in doubt again.

After Kocsis and Szepesvári, Bandit based Monte-Carlo planning (2006), with the solver of Winands,
Björnsson and Saito, Monte-Carlo tree search solver (2008). Every player looks to its own goals,
also with three players and more (*max-n*).
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from grl.engine.engine import State
from grl.players.interface import (
    LIKELY,
    MOST_PLIES,
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
)
from grl.players.ordering import Named, named

Values = tuple[int, ...]
"""A value for each player, in turn order."""


@dataclass(frozen=True)
class Uct:
    """A player who plays random games from a tree of states that grows by one state a game.

    `exploration` is the weight of what is little known; `evaluation` speaks in the place of random
    games, where there is one.
    """

    exploration: float = 0.7
    evaluation: Evaluation | None = None

    def choose(self, game: Game, state: State, budget: Budget, seed: int = 0) -> Answer:
        """See `grl.players.interface.Agent`; `Budget.depth` has no meaning here."""
        return _Run(self, game, state, budget, seed).answer()


class _Node:
    """A state of the tree: how often it was visited, what came of it for whom, and what is proven.

    `proof` counts wins from this state; `waiting` are the turns that were not tried.
    """

    __slots__ = ("after", "mover", "proof", "state", "sums", "turn", "visits", "waiting")

    def __init__(self, state: State, turn: Named, proof: Values | None, players: int) -> None:
        self.state, self.turn, self.proof = state, turn, proof
        self.mover = state.mover
        self.visits = 0
        self.sums = [0.0] * players
        self.after: list[_Node] = []
        self.waiting: list[Named] | None = None

    def mean(self, seat: int) -> float:
        """What games from here came to for a player, from -1 to 1."""
        return self.sums[seat] / self.visits

    def note(self, rewards: list[float]) -> None:
        """One more game went through here."""
        self.visits += 1
        for seat, reward in enumerate(rewards):
            self.sums[seat] += reward

    def prove(self) -> bool:
        """Whether a proof follows from what is proven of the states after this one."""
        known = [node.proof for node in self.after if node.proof is not None]
        best = max(known, key=lambda proof: proof[self.mover], default=None)
        if best is None:
            return False
        if best[self.mover] <= LIKELY and (self.waiting or len(known) < len(self.after)):
            return False
        self.proof = tuple(later(value, 1) for value in best)
        return True

    def best(self) -> _Node | None:
        """The state after the best turn: of those that are proven the best, unless that is no win
        and games through the one visited most came to more."""
        seat = self.mover
        proven = max(
            (node for node in self.after if node.proof is not None),
            key=lambda node: _of(node.proof, seat),
            default=None,
        )
        if proven is not None and (self.proof is not None or _of(proven.proof, seat) > LIKELY):
            return proven
        most = max(
            (node for node in self.after if node.proof is None),
            key=lambda node: node.visits,
            default=None,
        )
        if proven is None or most is None:
            return proven or most
        return most if most.mean(seat) > _of(proven.proof, seat) / LIKELY else proven


class _Run:
    """The search for one turn."""

    def __init__(self, uct: Uct, game: Game, state: State, budget: Budget, seed: int) -> None:
        check_going_on(state)
        self.uct = uct
        self.players = game.equipment.players
        self.seats = range(len(self.players))
        self.chance = Random(seed)
        self.root = _Node(state, ("", -1), None, len(self.players))
        self.meter = Meter(budget)
        self.deepest = 1

    def answer(self) -> Answer:
        root = self.root
        self._untried(root)
        number = root.waiting[-1][1] if root.waiting else -1
        with suppress(Spent):
            while root.proof is None:
                self._game()
                self.meter.check()
        line, node = [], root.best()
        value, proven = 0, root.proof is not None
        if node is not None:
            number = node.turn[1]
            proven = node.proof is not None and (proven or node.proof[root.mover] > LIKELY)
            value = (
                round(LIKELY * node.mean(root.mover))
                if node.proof is None
                else later(node.proof[root.mover], 1)
            )
        state = root.state
        while node is not None:
            line.append(state.turns()[node.turn[1]])
            state, node = node.state, node.best()
        spent = self.meter.nodes, self.meter.seconds
        turn = root.state.turns()[number]
        return Answer(number, turn, value, proven, tuple(line or [turn]), *spent, self.deepest)

    def _game(self) -> None:
        """One more game: down the tree, to a state that is new there, and on by chance."""
        path = [self.root]
        while not (waiting := self._untried(path[-1])):
            path.append(self._promising(path[-1]))
        turn, number = waiting[-1]
        self.meter.count()
        state = path[-1].state.play(number)
        proof = self._values(state) if state.over else None
        node = _Node(state, (turn, number), proof, len(self.players))
        values = self._guessed(state) if proof is None else proof
        waiting.pop()
        path[-1].after.append(node)
        path.append(node)
        self.deepest = max(self.deepest, len(path) - 1)
        rewards = [max(-1.0, min(value / LIKELY, 1.0)) for value in values]
        for each in path:
            each.note(rewards)
        if proof is not None:
            for each in reversed(path[:-1]):
                if not each.prove():
                    break

    def _untried(self, node: _Node) -> list[Named]:
        if node.waiting is None:
            node.waiting = named(node.state)
            self.chance.shuffle(node.waiting)
        return node.waiting

    def _promising(self, node: _Node) -> _Node:
        """The state after a turn that is most worth another game."""
        seat, known = node.mover, math.log(node.visits)
        weight = self.uct.exploration
        return max(
            (each for each in node.after if each.proof is None),
            key=lambda each: each.mean(seat) + weight * math.sqrt(known / each.visits),
        )

    def _guessed(self, state: State) -> Values:
        """What a state is worth to each player, by evaluation or a random game."""
        evaluation = self.uct.evaluation
        if evaluation is not None:
            return tuple(guessed(evaluation, state, seat) for seat in self.seats)
        for _ in range(MOST_PLIES):
            self.meter.count()
            state = state.play(self.chance.choice(named(state))[1])
            if state.over:
                return self._values(state)
        return (0,) * len(self.players)

    def _values(self, state: State) -> Values:
        """What a state in which the game is over is worth to each player."""
        goals = state.goals()
        return tuple(final_value(goals, self.players, seat) for seat in self.seats)


def _of(proof: Values | None, seat: int) -> int:
    assert proof is not None
    return proof[seat]
