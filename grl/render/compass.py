"""Places for the states of an automaton whose letters have directions: a rook's is a cross.

A state that is entered by steps of one direction lies that way from the start, further out with
every step; a state that is entered by letters without a displacement lies beyond the one they come
from. A state entered from all sides has no direction; it is put into the widest gap, or, where a
piece goes on from it in all directions again, across from the start.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from grl.later import Later
from grl.model import Dfa
from grl.render.facing import Point, facing_places, second_centre
from grl.render.words import bearing

nx = Later("networkx")
MAX_STATES = 24
MAX_TRANSITIONS = 200
_STEP = 160.0
_WIDE_STEP = 185.0
_APART = 80.0
_CLEAR = 0.99
_VAGUE = 0.3
_SECTORS = 16


@dataclass(frozen=True, slots=True)
class Places:
    """The place of every state, in points, y growing with the ranks.

    `straight` where arrows need hardly bend to find their way.
    """

    at: tuple[Point, ...]
    straight: bool = False


def places(dfa: Dfa) -> Places | None:
    """The places of an automaton's states.

    None where no two states lie in different directions, or there is too much to lay out so.
    """
    if dfa.size > MAX_STATES or len(dfa.transitions) > MAX_TRANSITIONS:
        return None
    depth = _depths(dfa)
    if len(depth) < dfa.size:
        return None
    order = sorted(depth, key=lambda number: (depth[number], number))
    headings: dict[int, Point] = {}
    clear: set[tuple[float, float]] = set()
    for state in order[1:]:
        vectors = _entering(dfa, state, depth, headings)
        x, y = sum(vector[0] for vector in vectors), sum(vector[1] for vector in vectors)
        length = math.hypot(x, y)
        if length <= _VAGUE * len(vectors):
            continue
        headings[state] = (x / length, y / length)
        if length >= _CLEAR * len(vectors):
            clear.add((round(x / length, 3), round(y / length, 3)))
    if len(clear) < 2:
        return None
    centre = second_centre(dfa, headings)
    if centre is not None:
        return Places(facing_places(dfa, centre, headings, depth), straight=True)
    step = _STEP if len(set(headings.values())) <= 4 else _WIDE_STEP
    placed: dict[int, Point] = {0: (0.0, 0.0)}
    for state in order:
        if state in headings:
            placed[state] = _outwards(headings[state], depth[state] * step, placed.values())
    for state in order:
        if state not in placed:
            placed[state] = _in_gap(dfa, state, placed, step)
    return Places(tuple(placed[number] for number in range(dfa.size)))


def _depths(dfa: Dfa) -> dict[int, int]:
    """How many letters at least lead to each state that is reached."""
    graph = nx.DiGraph((source, target) for source, _, target in dfa.transitions)
    graph.add_node(0)
    return dict(nx.single_source_shortest_path_length(graph, 0))


def _entering(
    dfa: Dfa, state: int, depth: Mapping[int, int], headings: Mapping[int, Point]
) -> list[Point]:
    """The directions of the letters into `state`; one without displacement keeps on going."""
    vectors = []
    for source, letter, target in dfa.transitions:
        if target != state or source == state:
            continue
        vector = bearing(letter)
        if vector is None and depth[source] < depth[state]:
            vector = headings.get(source)
        if vector is not None:
            vectors.append(vector)
    return vectors


def _outwards(heading: Point, radius: float, taken: Iterable[Point]) -> Point:
    """The first free place in a direction, `radius` from the start or beyond."""
    others = list(taken)
    while True:
        place = (heading[0] * radius, heading[1] * radius)
        if all(math.dist(place, other) >= _APART for other in others):
            return place
        radius += _APART / 2


def _in_gap(dfa: Dfa, state: int, placed: Mapping[int, Point], step: float) -> Point:
    """A place for a state without direction, as far as can be from the others' directions."""
    near = [
        placed[other]
        for source, _, target in dfa.transitions
        for other in (source, target)
        if state in (source, target) and other in placed and other != 0
    ]
    radius = max(step, max((math.hypot(*place) for place in near), default=0.0) + step * 0.6)
    angles = [math.atan2(y, x) for x, y in placed.values() if (x, y) != (0.0, 0.0)]
    best: tuple[float, float] = (math.inf, 0.0)
    # From the lower right round, which decides between equal gaps.
    for sector in range(_SECTORS):
        angle = -math.pi / 4 - sector * 2 * math.pi / _SECTORS
        heading = (math.cos(angle), math.sin(angle))
        gap = min((_between(angle, other) for other in angles), default=math.pi)
        pull = sum(math.dist((heading[0] * radius, heading[1] * radius), p) for p in near)
        cost = round(-100 * min(gap, math.pi / 4) + pull / step, 6)
        best = min(best, (cost, angle), key=lambda choice: choice[0])
    heading = (math.cos(best[1]), math.sin(best[1]))
    return _outwards(heading, radius, placed.values())


def _between(one: float, other: float) -> float:
    turn = abs(one - other) % (2 * math.pi)
    return min(turn, 2 * math.pi - turn)
