"""Which predicates rest on which: what one needs, what depends on it, and stratification."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any, Generic, TypeVar

from grl.asp.rules import Rule
from grl.later import Later

nx = Later("networkx")
K = TypeVar("K")


class Dependencies(Generic[K]):
    """Predicates and their dependencies; a predicate is a name, or a signature, as K has it."""

    def __init__(self, rules: Iterable[tuple[K, Iterable[tuple[K, bool]]]]) -> None:
        """Of rules: what each derives, and what is in its body, which may be monotone in that."""
        self._graph: Any = nx.DiGraph()
        for head, body in rules:
            self._graph.add_node(head)
            for below, monotone in body:
                known = self._graph.get_edge_data(below, head, {"monotone": True})
                self._graph.add_edge(below, head, monotone=known["monotone"] and monotone)

    def depending(self, on: Set[K]) -> frozenset[K]:
        """The predicates that depend on those of `on`, these included."""
        return self._reached(nx.descendants, self._graph, on)

    def below(self, wanted: Set[K], cut: Set[K] = frozenset()) -> frozenset[K]:
        """`wanted` and what they rest on, not looking below those of `cut`."""
        graph = self._graph.copy() if cut else self._graph
        if cut:
            graph.remove_edges_from([edge for edge in graph.edges if edge[1] in cut - wanted])
        return self._reached(nx.ancestors, graph, wanted)

    def _reached(self, search: Any, graph: Any, start: Set[K]) -> frozenset[K]:
        return frozenset(start).union(*(search(graph, one) for one in start if one in graph))

    def ranks(self) -> dict[K, int]:
        """A number for each predicate, larger than those of all that it rests on."""
        condensed = nx.condensation(self._graph)
        return {
            one: rank
            for rank, part in enumerate(nx.topological_sort(condensed))
            for one in condensed.nodes[part]["members"]
        }

    def unstratified(self) -> set[tuple[K, K]]:
        """Head and body predicate wherever one rests on itself other than monotonically."""
        component: dict[K, int] = {}
        for number, members in enumerate(nx.strongly_connected_components(self._graph)):
            component.update(dict.fromkeys(members, number))
        return {
            (head, body)
            for body, head, monotone in self._graph.edges(data="monotone")
            if not monotone and component[body] == component[head]
        }


def dependencies(rules: Iterable[Rule]) -> Dependencies[str]:
    """Those of rules, by the names of predicates."""
    return Dependencies(
        (head.name, [(atom.name, monotone) for atom, monotone in rule.below()])
        for rule in rules
        for head in rule.heads()
    )
