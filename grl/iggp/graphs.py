"""Graphs of places, from statics and successors, and what stands at the places of a state.

A static whose arguments name a place twice, such as neighbouring squares, makes a graph; a relation
of the states says whether, or what, something stands at each place. Places are found from the types
of the arguments alone; they have one or two arguments, side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from grl.iggp.bias import alike
from grl.iggp.orders import is_chain
from grl.iggp.tables import Ints, unique_rows
from grl.iggp.world import Relation, World, mask_of

Bits = NDArray[np.uint8]
Place = tuple[int, ...]

_PLACES = 400
_CONTENTS = 12
_EDGES = 4000
_SQUARES = 100
_LABELS = 12
_TURNS = (("A", "B"), ("B", "A"))


@dataclass(frozen=True)
class Graph:
    """Places as tuples of constants, and for each edge the numbers of both; `atom` is its text.

    The text has a slot for each of the two places.
    """

    places: tuple[Place, ...]
    edges: Ints
    atom: str
    definition: tuple[str, ...]

    @property
    def width(self) -> int:
        return len(self.places[0])


@dataclass(frozen=True)
class Contents:
    """What stands at the places of a graph: `bits` by content and place, a bit a state.

    `at` is the first argument that names the place, `other` the one that says what stands there.
    """

    relation: Relation
    at: int
    other: int | None
    codes: tuple[int, ...]
    bits: Bits

    def atom(self, place: str, content: str) -> str:
        width = self.relation.arity - (self.other is not None)
        slots: list[str] = []
        for i in range(self.relation.arity):
            if i == self.other:
                slots.append(content)
            elif i == self.at:
                slots.append(place)
            elif not self.at < i < self.at + width:
                slots.append("_")
        return f"{self.relation.name}({','.join(slots)})"

    @property
    def head(self) -> str:
        return "" if self.other is None else ",C"


def graphs(world: World) -> Iterator[Graph]:
    """Statics with two places of one type among their arguments, those of wide places first."""
    statics = [r for r in world.relations.values() if not r.dynamic and not r.order]
    found: list[tuple[int, int, str, Graph]] = []
    for relation in statics:
        arity = relation.arity
        for width in (2, 1):
            for a in range(arity - 2 * width + 1):
                b = a + width
                domains = [relation.masks(i) for i in range(arity)]
                if any(domains[a + i] != domains[b + i] for i in range(width)):
                    continue
                others = [i for i in range(arity) if not a <= i < b + width]
                if width == 1 and any(alike(domains[a], domains[i]) is not None for i in others):
                    continue  # Such as a sum.
                graph = _graph(relation, a, width)
                if graph is not None and not (width == 1 and is_chain(relation)):
                    found.append((-width, arity, relation.name, graph))
    found.sort(key=lambda item: item[:3])
    if not any(-width == 2 for width, *_ in found):
        # Squares beside one another, where no static names them.
        yield from (graph for pair in _steps(world) for graph in _squares(world, *pair))
    yield from (graph for *_, graph in found)


def _graph(relation: Relation, a: int, width: int) -> Graph | None:
    rows = relation.rows[:, 1:]
    ends = [rows[:, a : a + width], rows[:, a + width : a + 2 * width]]
    places = unique_rows(np.concatenate(ends))
    if len(places) > _PLACES or len(places) < 3:
        return None
    number = {tuple(map(int, place)): i for i, place in enumerate(places)}
    edges = unique_rows(
        np.array(
            [
                [number[tuple(map(int, p))], number[tuple(map(int, q))]]
                for p, q in zip(*ends, strict=True)
            ]
        )
    )
    edges = edges[edges[:, 0] != edges[:, 1]]
    if len(edges) > _EDGES or len(edges) > 0.5 * len(places) * (len(places) - 1):
        return None
    if len(np.unique(edges[:, 0])) == len(edges) or len(np.unique(edges[:, 1])) == len(edges):
        return None  # A function is a determinate term already.
    slots = ["_"] * relation.arity
    slots[a : a + 2 * width] = ["{0}", "{1}"]
    atom = f"{relation.name}({','.join(slots)})"
    return Graph(tuple(number), edges, atom, relation.definition)


def _steps(world: World) -> list[tuple[Relation, Relation]]:
    """The successors of columns and of rows, where two arguments of states are such."""
    chains = [r for r in world.relations.values() if is_chain(r)]
    pairs: dict[tuple[str, str], tuple[Relation, Relation]] = {}
    for relation in world.relations.values():
        if not relation.dynamic or relation.arity not in (2, 3):
            continue
        for i in range(relation.arity - 1):
            both = [
                next(
                    (c for c in chains if not relation.masks(j) & ~(c.masks(0) | c.masks(1))), None
                )
                for j in (i, i + 1)
            ]
            if both[0] is not None and both[1] is not None:
                pairs[both[0].name, both[1].name] = both[0], both[1]
    return list(pairs.values())


def _squares(world: World, across: Relation, up: Relation) -> Iterator[Graph]:
    """The squares of two successors, with those beside them, and with all around them."""
    sides = [np.union1d(chain.rows[:, 1], chain.rows[:, 2]).tolist() for chain in (across, up)]
    if len(sides[0]) * len(sides[1]) > _PLACES:
        return
    number = {place: i for i, place in enumerate(product(*sides))}
    steps = [
        {(int(a), int(b)) for _, a, b in chain.rows} | {(int(b), int(a)) for _, a, b in chain.rows}
        for chain in (across, up)
    ]
    straight = [(number[a, y], number[b, y]) for a, b in steps[0] for y in sides[1]]
    straight += [(number[x, a], number[x, b]) for a, b in steps[1] for x in sides[0]]
    skew = [(number[a, c], number[b, d]) for a, b in steps[0] for c, d in steps[1]]
    beside, around = (f"{world.prefix}_{word}_{across.name}_{up.name}" for word in ("by", "round"))
    rules = []
    for end in ("X,_", "_,X"):
        rules += [
            f"{beside}({v},X,{w},X) :- {across.name}(A,B), {up.name}({end})." for v, w in _TURNS
        ]
        rules += [
            f"{beside}(X,{v},X,{w}) :- {up.name}(A,B), {across.name}({end})." for v, w in _TURNS
        ]
    both = [
        f"{around}(X,Y,V,W) :- {beside}(X,Y,V,W).",
        f"{around}(X,Y,V,W) :- {beside}(X,Y,V,Y), {beside}(V,Y,V,W).",
    ]
    given = (*across.definition, *up.definition)
    for name, edges, text in (
        (beside, straight, rules),
        (around, straight + skew, [*rules, *both]),
    ):
        yield Graph(tuple(number), np.array(edges), f"{name}({{0}},{{1}})", (*given, *text))


@dataclass(frozen=True)
class Directions:
    """The place ahead of each place in each direction, a row a direction, or -1.

    `atom` has slots for the two places; its directions are the variables of `label`.
    """

    places: tuple[Place, ...]
    ahead: Ints
    name: str
    atom: str
    label: str
    definition: tuple[str, ...]


def directions(world: World) -> list[Directions]:
    """Statics that lead from a place to one other in each direction, or those of successors."""
    found: list[Directions] = []
    for relation in world.relations.values():
        if relation.dynamic or relation.order:
            continue
        for a in range(relation.arity - 3):
            masks = [relation.masks(i) for i in range(a, a + 4)]
            if masks[:2] == masks[2:] and relation.arity > 4:
                found += _directions(relation, a)
    return found or [made for pair in _steps(world) for made in _eight(world, *pair)]


def _directions(relation: Relation, a: int) -> list[Directions]:
    rest = [i for i in range(relation.arity) if not a <= i < a + 4]
    rows = relation.rows[:, 1:]
    places = [
        tuple(place)
        for place in unique_rows(
            np.concatenate([rows[:, a : a + 2], rows[:, a + 2 : a + 4]])
        ).tolist()
    ]
    labels = [tuple(label) for label in unique_rows(rows[:, rest]).tolist()]
    if len(places) > _SQUARES or len(labels) > _LABELS or len(places) < 3:
        return []
    number = {place: i for i, place in enumerate(places)}
    ahead = np.full((len(labels), len(places)), -1, dtype=np.int64)
    for row in rows.tolist():
        label = labels.index(tuple(row[i] for i in rest))
        here, there = (number[tuple(row[i : i + 2])] for i in (a, a + 2))
        if ahead[label, here] >= 0 or here == there:
            return []
        ahead[label, here] = there
    slots = [f"L{i}" for i in range(relation.arity)]
    label_text = ",".join(slots[i] for i in rest)
    slots[a : a + 4] = ["{0}", "{1}"]
    atom = f"{relation.name}({','.join(slots)})"
    return [Directions(tuple(places), ahead, relation.name, atom, label_text, relation.definition)]


def _eight(world: World, across: Relation, up: Relation) -> Iterator[Directions]:
    """The eight directions of the squares of two successors."""
    sides = [np.union1d(chain.rows[:, 1], chain.rows[:, 2]).tolist() for chain in (across, up)]
    if len(sides[0]) * len(sides[1]) > _SQUARES:
        return
    number = {place: i for i, place in enumerate(product(*sides))}
    name = f"{world.prefix}_way_{across.name}_{up.name}"
    steps, rules = [], [*across.definition, *up.definition]
    for chain in (across, up):
        forth = {int(a): int(b) for _, a, b in chain.rows}
        steps.append({1: forth, -1: {b: a for a, b in forth.items()}})
        end = f"{name}_{chain.name}"
        rules += [f"{end}(X) :- {chain.name}(X,_).", f"{end}(X) :- {chain.name}(_,X)."]
    ahead = []
    for dx, dy in product((-1, 0, 1), repeat=2):
        if not dx and not dy:
            continue
        moved = {
            (x, y): (steps[0][dx].get(x) if dx else x, steps[1][dy].get(y) if dy else y)
            for x, y in number
        }
        ahead.append([number.get(moved[place], -1) for place in number])
        body = [
            {
                1: f"{chain.name}({a},{b})",
                -1: f"{chain.name}({b},{a})",
                0: f"{name}_{chain.name}({a})",
            }[d]
            for chain, d, a, b in ((across, dx, "X", "V"), (up, dy, "Y", "W"))
        ]
        target = f"{'V' if dx else 'X'},{'W' if dy else 'Y'}"
        rules.append(f"{name}({dx},{dy},X,Y,{target}) :- {', '.join(body)}.")
    yield Directions(
        tuple(number), np.array(ahead), name, f"{name}(L0,L1,{{0}},{{1}})", "L0,L1", tuple(rules)
    )


def contents_of(world: World, places: Sequence[Place]) -> Iterator[Contents]:
    """Relations of the states that say of places whether, or what, something stands there."""
    masks, width = masks_of(places), len(places[0])
    for relation in world.relations.values():
        if not relation.dynamic or relation.definition or relation.name.startswith("does"):
            continue
        rest = relation.arity - width
        if rest not in (0, 1):
            continue
        for at in range(rest + 1):
            other = None if not rest else (0 if at else relation.arity - 1)
            own = [relation.masks(at + i) for i in range(width)]
            if any(
                (a & b).bit_count() < 0.8 * a.bit_count() or a.bit_count() < 3
                for a, b in zip(own, masks, strict=True)
            ):
                continue
            if all(relation.functional((), at + i) for i in range(width)):
                continue  # Where one thing stands alone, nothing is beside it.
            made = _standing(relation, places, at, other)
            if made is not None:
                yield made


def masks_of(places: Sequence[Place]) -> list[int]:
    return [mask_of(set(column)) for column in zip(*places, strict=True)]


def _standing(
    relation: Relation, places: Sequence[Place], at: int, other: int | None
) -> Contents | None:
    codes = (0,) if other is None else tuple(int(code) for code in relation.domains[other])
    if len(codes) > _CONTENTS:
        return None
    number = {place: i for i, place in enumerate(places)}
    table = np.zeros((len(codes), len(places), relation.states), dtype=bool)
    for row in relation.rows.tolist():
        where = number.get(tuple(row[at + 1 : at + 1 + len(places[0])]))
        if where is not None:
            content = 0 if other is None else codes.index(row[other + 1])
            table[content, where, row[0]] = True
    return Contents(relation, at, other, codes, np.packbits(table, axis=2))
