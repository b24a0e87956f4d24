"""The turns of a position one by one: what each is worth, and how the game would go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from grl.engine.engine import State
from grl.players.interface import Agent, Budget, Game, check_going_on, final_value, later


@dataclass(frozen=True)
class Judged:
    """A turn as a player judges it; the fields are those of `grl.players.interface.Answer`."""

    number: int
    turn: str
    value: int
    proven: bool
    line: tuple[str, ...]
    nodes: int
    depth: int


def analyse(game: Game, state: State, agent: Agent, budget: Budget, seed: int = 0) -> list[Judged]:
    """The turns of a state, the best first, equally good ones in their order.

    The budget is shared equally by the turns; its depth counts the turn itself. Values are as the
    player to move sees them. With three players and more only the player's own choice is there: the
    others' values say nothing of it. Raises `GameOver` where there are no turns.
    """
    check_going_on(state)
    players = len(game.equipment.players)
    if players > 2:
        own = agent.choose(game, state, budget, seed)
        return [Judged(own.number, own.turn, own.value, own.proven, own.line, own.nodes, own.depth)]
    found = _judged(game, state, agent, _shared(budget, state.count()), seed)
    return sorted(found, key=lambda each: -each.value)


def _judged(game: Game, state: State, agent: Agent, budget: Budget, seed: int) -> Iterator[Judged]:
    """Each turn, in order, by what the player thinks of the state that it leads to."""
    players = game.equipment.players
    for number, turn in enumerate(state.turns()):
        after = state.play(number)
        if after.over:
            value = later(final_value(after.goals(), players, state.mover), 1)
            yield Judged(number, turn, value, True, (turn,), 1, 1)
            continue
        own = agent.choose(game, after, budget, seed)
        value = later(own.value if after.mover == state.mover else -own.value, 1)
        yield Judged(
            number, turn, value, own.proven, (turn, *own.line), own.nodes + 1, own.depth + 1
        )


def _shared(budget: Budget, turns: int) -> Budget:
    """What each of so many turns gets of a budget."""
    return replace(
        budget,
        nodes=None if budget.nodes is None else max(1, budget.nodes // turns),
        seconds=None if budget.seconds is None else budget.seconds / turns,
        depth=None if budget.depth is None else max(1, budget.depth - 1),
    )
