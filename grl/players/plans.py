"""Wins that can be forced within few turns of one's own, planned by clingo.

Grillotti, draft of a report, 2.2, looks for a turn after which the player can win whatever the
reply, as a general rule with exceptions: "play Z next, but X where the reply was Y". Which states
follow which is the model's own affair; clingo is given them as facts, says whether a win can be
forced, and chooses the plan with the fewest exceptions. `grl.players.forcing` says the same without
clingo, and without a plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import clingo

from grl.engine.engine import State
from grl.errors import GrlError
from grl.las.clock import Clock, grounded, search
from grl.players.forcing import won
from grl.players.interface import Game, check_going_on
from grl.progress import Progress, silent

MOST_NODES = 200_000

FORCED = """% Whether a win can be forced from a node.
good(S) :- won(S).
good(S) :- own(S), turn(S,_,T), good(T).
open(S) :- other(S), turn(S,_,T), not good(T).
good(S) :- other(S), not open(S).
"""
PLAN = """% One turn in each own node that is met, and one that is usual after each own turn.
met(0).
met(T) :- play(S,A), turn(S,A,T).
met(T) :- met(S), other(S), turn(S,_,T).
1 { play(S,A) : turn(S,A,T), good(T) } 1 :- met(S), own(S).
answered(S,T) :- met(S), other(S), turn(S,_,T), own(T).
1 { usual(S,A) : turn(T,A,_), answered(S,T) } 1 :- answered(S,_).
:~ answered(S,T), usual(S,A), not play(T,A). [1@2, T]
% Of equal plans the one with the turns that come first.
:~ play(S,A). [A@1, S]
:~ usual(S,A). [A@1, usual, S]
"""
EXCEPTIONS = 2
"""The level at which these are counted."""
DEFINED = "#defined own/1. #defined other/1. #defined won/1. #defined turn/3."


@dataclass
class Graph:
    """What can follow a state as far as a plan goes: nodes by number, the first of them 0.

    `turns` are the turns of a node, by number of the text in `texts`, with the nodes after them; a
    node without any is an end. `own` are nodes where the planner is to move.
    """

    own: list[bool] = field(default_factory=list)
    won: list[bool] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    turns: list[list[tuple[int, int]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def facts(self) -> Iterator[str]:
        """The graph as a program."""
        for node, turns in enumerate(self.turns):
            if self.won[node]:
                yield f"won({node})."
            elif turns:
                yield f"{'own' if self.own[node] else 'other'}({node})."
            for turn, after in turns:
                yield f"turn({node},{turn},{after})."


@dataclass(frozen=True)
class Step:
    """What a plan says in a state: the turn to play there, None where others move or the game is
    over; the state after it, and what then follows each of the turns there. `usual` is the turn
    that is played after most of these."""

    state: State
    turn: str | None = None
    after: State | None = None
    following: Mapping[str, Step] = field(default_factory=dict)
    usual: str | None = None


@dataclass(frozen=True)
class Plan:
    """A win by `own` turns at most; `exceptions` replies are answered otherwise than usual."""

    own: int
    first: Step
    exceptions: int


def plan(
    game: Game,
    state: State,
    own: int,
    *,
    clock: Clock | None = None,
    progress: Progress = silent,
    most: int = MOST_NODES,
) -> Plan | None:
    """How the player to move wins by the fewest turns of its own, `own` of them at most, whatever
    the others reply; None where it can't be forced so soon.

    Raises `GameOver`, `grl.las.clock.OutOfTime`, and `GrlError` for more than `most` nodes.
    """
    check_going_on(state)
    clock = clock or Clock()
    for number in range(1, own + 1):
        graph = expanded(game, state, number, clock=clock, progress=progress, most=most)
        found = _planned(graph, clock)
        if found is not None:
            played, usual, exceptions = found
            return Plan(number, _step(graph, 0, played, usual), exceptions)
    return None


def expanded(
    game: Game,
    state: State,
    own: int,
    *,
    clock: Clock | None = None,
    progress: Progress = silent,
    most: int = MOST_NODES,
) -> Graph:
    """What can follow until the player to move has had `own` turns. See `plan` for what it raises.

    Equal states, after equally many plies and own turns, are one node where they go on alike.
    """
    clock, graph = clock or Clock(), Graph()
    players, me = game.equipment.players, state.mover
    numbers: dict[object, int] = {}
    texts: dict[str, int] = {}
    left: list[tuple[int, int]] = []

    def node(at: State, plies: int, rest: int) -> int:
        key = (at, plies, rest) if game.transposes else object()
        found = numbers.get(key)
        if found is None:
            found = numbers[key] = len(graph.states)
            if found >= most:
                raise GrlError(
                    "too many states follow",
                    found=f"more than {most:,}",
                    expected="a smaller depth, or a position nearer to the end",
                )
            graph.states.append(at)
            graph.own.append(at.mover == me and not at.over)
            graph.won.append(won(at, players, me))
            graph.turns.append([])
            left.append((plies, rest))
        return found

    node(state, 0, own)
    place = 0
    while place < len(graph.states):
        if not place % 256:
            clock.check()
            progress("states", place, None)
        at, (plies, rest) = graph.states[place], left[place]
        if not at.over and (rest or not graph.own[place]):
            for number, text in enumerate(at.turns()):
                turn = texts.setdefault(text, len(texts))
                after = node(at.play(number), plies + 1, rest - graph.own[place])
                graph.turns[place].append((turn, after))
        place += 1
    graph.texts = list(texts)
    return graph


def _planned(graph: Graph, clock: Clock) -> tuple[dict[int, int], dict[int, int], int] | None:
    """The turns of a plan by node, the usual ones by the node before, and how many exceptions."""
    facts = "\n".join(graph.facts())
    good: set[int] = set()
    base = grounded(f"{facts}\n{FORCED}{DEFINED}")
    search(base, clock, lambda model: good.update(node for node, _ in _atoms(model, "good")))
    if 0 not in good:
        return None
    rest = "\n".join(f"good({node})." for node in sorted(good))
    ctl = grounded(f"{facts}\n{rest}\n{PLAN}{DEFINED}")
    found: list[tuple[dict[int, int], dict[int, int], int]] = []

    def keep(model: clingo.Model) -> None:
        played, usual = (dict(_atoms(model, name)) for name in ("play", "usual"))
        cost = dict(zip(model.priority, model.cost, strict=True))
        found.append((played, usual, cost.get(EXCEPTIONS, 0)))

    search(ctl, clock, keep)
    return found[-1]


def _atoms(model: clingo.Model, name: str) -> Iterator[tuple[int, int]]:
    """The first and the last argument of the atoms of a predicate, which are numbers."""
    for symbol in model.symbols(atoms=True):
        if symbol.name == name:
            yield symbol.arguments[0].number, symbol.arguments[-1].number


def _step(graph: Graph, node: int, played: Mapping[int, int], usual: Mapping[int, int]) -> Step:
    """What a plan says from a node on."""
    state = graph.states[node]
    if not graph.turns[node]:
        return Step(state)
    turn, after = None, node
    if graph.own[node]:
        turn = played[node]
        after = dict(graph.turns[node])[turn]
    ways = graph.turns[after]
    if graph.own[after] and ways:  # the same player moves again
        ways = [each for each in ways if each[0] == played[after]]
    following = {graph.texts[way]: _step(graph, then, played, usual) for way, then in ways}
    most = graph.texts[usual[after]] if after in usual else None
    text = None if turn is None else graph.texts[turn]
    return Step(state, text, graph.states[after], following, most)
