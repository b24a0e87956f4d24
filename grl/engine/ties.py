"""Ties of a graph that its nodes decide: checks that always hold are left out, edges of checks that
never do are removed, and so are registers that nobody asks for.

A node is reached with squares that stand in registers; of many it is known how far from the hand
they lie, or that they are one, whatever way led there. That is a data flow over the graph: what is
known meets where ways meet, and what differs is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

from grl.engine.graph import CAME, HERE, THERE, Check, Edge, End, Graph, Node, Store
from grl.turn import Letter

Offset = tuple[int, int]
NO_OFFSET: Offset = (0, 0)


@dataclass(frozen=True)
class _Known:
    """How far from the hand squares lie, by name; of others it is unknown.

    `same` has the pairs of names that are one square, those at one distance among them.
    """

    at: Mapping[str, Offset]
    same: frozenset[tuple[str, str]] = frozenset()

    def meet(self, other: _Known) -> _Known:
        """What is known on both ways."""
        at = {k: v for k, v in self.at.items() if other.at.get(k) == v}
        return _Known(at, self.same & other.same)

    def check(self, check: Check, there: Offset | None) -> bool | None:
        """Whether a check holds; None where that is unknown."""
        return self._alike(check.one, check.other, there)

    def _alike(self, one: str, other: str, there: Offset | None) -> bool | None:
        if one == other or (min(one, other), max(one, other)) in self.same:
            return True
        far, near = self._offset(one, there), self._offset(other, there)
        return None if far is None or near is None else far == near

    def after(self, stores: Sequence[Store], there: Offset | None, came: bool) -> _Known:
        """What is known once the hand has moved; `came`: it came onto a piece from here."""
        before = {name: name for name in (*self.at, *chain.from_iterable(self.same))}
        before |= {_register(store.register): store.square for store in stores}
        if came:
            before[CAME] = HERE
        pairs = combinations(sorted(before), 2)
        same = frozenset(
            (one, other) for one, other in pairs if self._alike(before[one], before[other], there)
        )
        at: dict[str, Offset] = {}
        for name, square in before.items():
            offset = self._offset(square, there)
            if square == THERE:
                at[name] = NO_OFFSET
            elif offset is not None and there is not None:
                at[name] = (offset[0] - there[0], offset[1] - there[1])
        return _Known(at, same)

    def _offset(self, name: str, there: Offset | None) -> Offset | None:
        if name == HERE:
            return NO_OFFSET
        return there if name == THERE else self.at.get(name)


def _register(number: int) -> str:
    return f"w->tie[{number}]"


def decided(graph: Graph, letters: Sequence[Letter], *, tree: bool) -> Graph:
    """The graph without ties that are decided.

    Registers that are stored and never asked for distinguish ways to one state; they go where the
    walk is a `tree`, and where their distance is known at every node that has them.
    """
    flow = _Flow(graph, letters)
    known = flow.known()
    nodes = [flow.decided(node, known[node.number]) for node in graph.nodes]
    asked = {name for node in nodes for check in _checks(node) for name in (check.one, check.other)}
    places = {
        number: place
        for place, number in enumerate(
            number
            for number in range(graph.registers)
            if _register(number) in asked or not (tree or flow.constant(number, known))
        )
    }
    renumbered = tuple(_renumbered(node, places) for node in nodes)
    return replace(graph, nodes=renumbered, registers=len(places))


class _Flow:
    """The data flow over a graph."""

    def __init__(self, graph: Graph, letters: Sequence[Letter]) -> None:
        self.graph, self.letters = graph, letters

    def known(self) -> list[_Known]:
        """What is known at each node; everything of those that are never reached."""
        found: dict[int, _Known] = {start: _Known({}) for _, start in self.graph.starts}
        waiting = list(found)
        while waiting:
            number = waiting.pop()
            for target, after in self._following(self.graph.nodes[number], found[number]):
                before = found.get(target)
                met = after if before is None else before.meet(after)
                if met != before:
                    found[target] = met
                    waiting.append(target)
        return [found.get(node.number, _Known({})) for node in self.graph.nodes]

    def _following(self, node: Node, known: _Known) -> list[tuple[int, _Known]]:
        found = []
        for edge in node.edges:
            there = self._there(edge)
            if all(known.check(check, there) is not False for check in edge.checks):
                moves = self.letters[edge.letter].moves
                after = known.after(edge.stores, there, edge.pending and moves)
                found.append((edge.target, after))
        if node.end is not None:
            found += [(target, _Known({})) for _, target in node.end.following]
        return found

    def _there(self, edge: Edge) -> Offset | None:
        """How far a letter moves the hand; None for a flight."""
        letter = self.letters[edge.letter]
        if letter.moves and letter.fly:
            return None
        return (letter.dx, letter.dy) if letter.moves else NO_OFFSET

    def constant(self, number: int, known: Sequence[_Known]) -> bool:
        """Whether a register says nothing that a node and its square don't."""
        stored = {
            edge.target
            for node in self.graph.nodes
            for edge in node.edges
            if any(store.register == number for store in edge.stores)
        }
        reached, waiting = set(stored), list(stored)
        while waiting:
            node = self.graph.nodes[waiting.pop()]
            following = node.end.following if node.end is not None else ()
            for target in (*(edge.target for edge in node.edges), *(t for _, t in following)):
                if target not in reached:
                    reached.add(target)
                    waiting.append(target)
        return all(_register(number) in known[target].at for target in reached)

    def decided(self, node: Node, known: _Known) -> Node:
        """A node with the checks that are open, and the edges that can be gone."""
        edges = []
        for edge in node.edges:
            there = self._there(edge)
            held = [known.check(check, there) for check in edge.checks]
            if False not in held:
                checks = tuple(
                    check for check, holds in zip(edge.checks, held, strict=True) if holds is None
                )
                edges.append(replace(edge, checks=checks))
        end = node.end
        if end is not None:
            held = [known.check(check, NO_OFFSET) for check in end.checks]
            checks = tuple(
                check for check, holds in zip(end.checks, held, strict=True) if holds is None
            )
            end = None if False in held else replace(end, checks=checks)
        return replace(node, edges=tuple(edges), end=end)


def _checks(node: Node) -> list[Check]:
    found = [check for edge in node.edges for check in edge.checks]
    return [*found, *(node.end.checks if node.end is not None else ())]


def _renumbered(node: Node, places: Mapping[int, int]) -> Node:
    """A node with the registers that are left."""
    names = {_register(number): _register(place) for number, place in places.items()}

    def checks(some: Sequence[Check]) -> tuple[Check, ...]:
        return tuple(Check(names.get(x.one, x.one), names.get(x.other, x.other)) for x in some)

    def stores(some: Sequence[Store]) -> tuple[Store, ...]:
        return tuple(
            Store(places[x.register], names.get(x.square, x.square))
            for x in some
            if x.register in places
        )

    edges = tuple(
        replace(edge, checks=checks(edge.checks), stores=stores(edge.stores)) for edge in node.edges
    )
    end: End | None = node.end
    if end is not None:
        end = replace(end, checks=checks(end.checks), stores=stores(end.stores))
    return replace(node, edges=edges, end=end)
