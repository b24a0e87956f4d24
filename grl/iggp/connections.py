"""Relations of places that are joined: invented, recursive, and written out as rules.

Over a graph of places and what stands there (`graphs.py`), for what stands there alike:

* what is next to a place,
* the places that a chain of such places joins to a border (a static of places, or the first or
  last value of a coordinate), to a free place, or to something else,
* the free places that a chain of such joins to something,
* whether a chain joins two borders.

A chain is the least fixed point of its rules, computed for all states at once, a bit a state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from grl.iggp.graphs import Bits, Contents, Graph, contents_of, graphs, masks_of
from grl.iggp.orders import is_chain
from grl.iggp.tables import Bools, Ints
from grl.iggp.world import Positions, Relation, World

_FEW = 5
_BORDERS = 6
_MOST = 40
"""How many relations are made at most."""
_ROWS = 1_000_000
_COST = 0.5


@dataclass(frozen=True)
class _Border:
    """Places from which chains begin: which of them by content, and the text that says so."""

    name: str
    places: Bools
    atom: str


def connections(world: World) -> list[Relation]:
    """The relations of joined places that differ from state to state, no two of them alike."""
    made: list[Relation] = []
    seen: set[bytes] = set()
    named: dict[str, int] = {}
    for graph in graphs(world):
        for contents in contents_of(world, graph.places):
            of = graph.atom.partition("(")[0].removeprefix(f"{world.prefix}_")
            name = f"{contents.relation.name}_{of}"
            named[name] = times = named.get(name, 0) + 1
            maker = _Maker(world, graph, contents, name if times == 1 else f"{name}_{times}")
            for relation in maker.relations():
                mark = bytes([relation.arity]) + relation.rows.tobytes()
                if mark in seen or not len(relation.rows):
                    continue
                seen.add(mark)
                made.append(relation)
                if len(made) == _MOST:
                    return made
    return made


class _Maker:
    """The relations of one graph and what stands at its places."""

    def __init__(self, world: World, graph: Graph, contents: Contents, suffix: str) -> None:
        self.world, self.graph, self.contents = world, graph, contents
        letters = ("X", "Y") if graph.width == 2 else ("X",)
        others = ("V", "W") if graph.width == 2 else ("V",)
        self.here, self.there = ",".join(letters), ",".join(others)
        self.stands = contents.atom(self.here, "C" if contents.head else "")
        self.stands_there = contents.atom(self.there, "C" if contents.head else "")
        self.edge = graph.atom.format(self.there, self.here)
        self.suffix = suffix
        self._chains: dict[str, Bits] = {}

    def relations(self) -> Iterator[Relation]:
        yield from self.beside()
        borders = list({border.name: border for border in self.borders()}.values())[:_BORDERS]
        for border in borders:
            yield from self.joined(border)
        for first, second in combinations(borders, 2):
            yield from self.crossing(first, second)
        yield from self.breathing()
        yield from self.touching()
        yield from self.surrounded()
        yield from self.apart()
        yield from self.numbers()

    def beside(self) -> Iterator[Relation]:
        """What stands next to a place: h(place, content)."""
        name = f"{self.world.prefix}_beside_{self.suffix}"
        rule = f"{name}({self.here}{self.contents.head}) :- {self.edge}, {self.stands_there}."
        yield from self._relation(name, self._near(self.contents.bits), (rule,))

    def borders(self) -> Iterator[_Border]:
        """Statics that name some of the places, also by content, and the ends of coordinates."""
        graph, contents = self.graph, self.contents
        width, number = graph.width, {place: i for i, place in enumerate(graph.places)}
        for relation in self.world.relations.values():
            rest = relation.arity - width
            if relation.dynamic or relation.order or rest not in (0, 1):
                continue
            if is_chain(relation) or (rest and contents.other is None):
                continue
            for at in range(rest + 1):
                other = None if not rest else (0 if at else relation.arity - 1)
                if any(
                    relation.masks(at + i) & ~mask for i, mask in enumerate(masks_of(graph.places))
                ):
                    continue
                chosen = np.zeros(contents.bits.shape[:2], dtype=bool)
                for row in relation.rows.tolist():
                    where = number.get(tuple(row[at + 1 : at + 1 + width]))
                    if where is None:
                        continue
                    if other is None:
                        chosen[:, where] = True
                    elif row[other + 1] in contents.codes:
                        chosen[contents.codes.index(row[other + 1]), where] = True
                if 0 < chosen.sum() <= 0.6 * chosen.size:
                    atom = Contents(relation, at, other, (), contents.bits).atom(self.here, "C")
                    yield _Border(relation.name, chosen, atom)
        if width == 2:
            for i, letter in enumerate(("X", "Y")):
                for end, code in self._ends(i):
                    chosen = np.zeros(contents.bits.shape[:2], dtype=bool)
                    chosen[:, [place[i] == code for place in graph.places]] = True
                    atom = f"{letter} = {self.world.vocabulary.names[code]}"
                    yield _Border(f"{end}_{letter.lower()}", chosen, atom)

    def _ends(self, coordinate: int) -> Iterator[tuple[str, int]]:
        """The first and the last value of a coordinate."""
        values = {place[coordinate] for place in self.graph.places}
        for relation in self.world.relations.values():
            if is_chain(relation):
                low, high = ({int(c) for c in relation.rows[:, i]} & values for i in (1, 2))
                if len(low | high) == len(values):
                    yield from (("first", code) for code in sorted(low - high))
                    yield from (("last", code) for code in sorted(high - low))
                    return

    def joined(self, border: _Border) -> Iterator[Relation]:
        """The places that a chain joins to a border: h(place, content)."""
        name = f"{self.world.prefix}_joined_{self.suffix}_{border.name}"
        yield from self._relation(name, self._chain(border), self._chain_rules(name, border))

    def crossing(self, first: _Border, second: _Border) -> Iterator[Relation]:
        """Whether a chain joins two borders: h(content)."""
        if (first.places & second.places).any(axis=1).all():
            return
        chain = f"{self.world.prefix}_joined_{self.suffix}_{first.name}"
        ends = np.where(second.places[:, :, None], self._chain(first), np.uint8(0))
        bits = np.bitwise_or.reduce(ends, axis=1)
        name = f"{self.world.prefix}_crossing_{self.suffix}_{first.name}_{second.name}"
        head = f"({self.contents.head[1:]})" if self.contents.head else ""
        rule = f"{name}{head} :- {chain}({self.here}{self.contents.head}), {second.atom}."
        if not head:
            rule = f"#defined {name}/0. {rule}"
        yield from self._relation(name, bits[:, None], (*self._chain_rules(chain, first), rule))

    def breathing(self) -> Iterator[Relation]:
        """The places that a chain joins to a free place: h(place, content)."""
        bits = self.contents.bits
        free = ~np.bitwise_or.reduce(bits, axis=0)
        seed = bits & self._near(free[None])
        name = f"{self.world.prefix}_breathing_{self.suffix}"
        empty = f"not {self.contents.atom(self.there, '_')}"
        rules = (
            f"{name}({self.here}{self.contents.head}) :- {self.stands}, {self.edge}, {empty}.",
            self._step(name),
        )
        yield from self._relation(name, self._closed(seed), rules)

    def touching(self) -> Iterator[Relation]:
        """The places that a chain joins to something else: h(place, content, something else)."""
        contents = self.contents
        if contents.other is None or len(contents.codes) > _FEW:
            return
        name = f"{self.world.prefix}_touching_{self.suffix}"
        other = contents.atom(self.there, "D")
        rules = (
            f"{name}({self.here},C,D) :- {self.stands}, {self.edge}, {other}, C != D.",
            f"{name}({self.here},C,D) :- {name}({self.there},C,D), {self.edge}, {self.stands}.",
        )
        tables = []
        for i in range(len(contents.codes)):
            near = self._near(contents.bits[i : i + 1])
            seed = near & contents.bits
            seed[i] = 0
            tables.append(self._closed(seed))
        yield from self._relation(name, np.stack(tables), rules)

    def surrounded(self) -> Iterator[Relation]:
        """The free places that a chain of such joins to something: h(place, content)."""
        bits = self.contents.bits
        free = np.broadcast_to(~np.bitwise_or.reduce(bits, axis=0), bits.shape)
        name = f"{self.world.prefix}_open_{self.suffix}"
        content, empty = self.contents.head, f"not {self.contents.atom(self.here, '_')}"
        rules = (
            f"{name}({self.here}{content}) :- {self.edge}, {self.stands_there}, {empty}.",
            f"{name}({self.here}{content}) :- {name}({self.there}{content}), {self.edge}, {empty}.",
        )
        yield from self._relation(name, self._closed(self._near(bits) & free, free), rules)

    def apart(self) -> Iterator[Relation]:
        """The free places that nothing of a kind stands next to: h(place, content)."""
        bits = self.contents.bits
        if self.contents.other is None:
            return
        name, names = f"{self.world.prefix}_apart_{self.suffix}", self.world.vocabulary.names
        kinds, place = f"{name}_kind", f"{name}_place"
        rules = (
            " ".join(f"{kinds}({names[code]})." for code in self.contents.codes),
            f"{place}({self.here}) :- {self.graph.atom.format(self.here, self._blank())}.",
            f"{place}({self.here}) :- {self.graph.atom.format(self._blank(), self.here)}.",
            f"{name}_not({self.here},C) :- {self.edge}, {self.stands_there}.",
            f"{name}({self.here},C) :- {place}({self.here}), {kinds}(C), "
            f"not {self.contents.atom(self.here, '_')}, not {name}_not({self.here},C).",
        )
        free = ~np.bitwise_or.reduce(bits, axis=0)
        yield from self._relation(name, ~self._near(bits) & free, rules)

    def numbers(self) -> Iterator[Relation]:
        """How many places next to a place have something: h(place, n), h(place, content, n)."""
        contents, states = self.contents, self.contents.relation.states
        numbers, number = self.world.vocabulary.numbers, len(self.graph.places)
        stands = np.unpackbits(contents.bits, axis=2, count=states)
        if len(contents.codes) * number * states > _ROWS or not len(numbers):
            return
        for apart in (False, True) if contents.head and len(contents.codes) > 1 else (False,):
            some = stands if apart else stands.max(axis=0, keepdims=True)
            around = np.zeros(some.shape, dtype=np.int64)
            for a, b in self.graph.edges:
                around[:, b] += some[:, a]
            if around.max() >= len(numbers) or around.max() < 2:
                continue
            name = f"{self.world.prefix}_{'numbers' if apart else 'number'}_{self.suffix}"
            names, kind, content = self.world.vocabulary.names, "", "_" if contents.head else ""
            rules = [
                f"{name}_place({self.here}) :- {self.graph.atom.format(*pair)}."
                for pair in ((self.here, self._blank()), (self._blank(), self.here))
            ]
            if apart:
                rules.append(" ".join(f"{name}_kind({names[code]})." for code in contents.codes))
                kind, content = f"{name}_kind(C), ", "C"
            head = f"{name}({self.here},{'C,' if apart else ''}N)"
            rules.append(
                f"{head} :- {name}_place({self.here}), {kind}N = #count{{ {self.there} : "
                f"{self.edge}, {contents.atom(self.there, content)} }}."
            )
            which, place, state = np.nonzero(np.ones_like(around, dtype=bool))
            columns = [state, *np.array(self.graph.places, dtype=np.int64)[place].T]
            if apart:
                columns.append(np.array(contents.codes, dtype=np.int64)[which])
            columns.append(numbers[around[which, place, state]])
            yield self._made(name, columns, tuple(rules))

    def _blank(self) -> str:
        return ",".join("_" for _ in range(self.graph.width))

    def _near(self, bits: Bits) -> Bits:
        """What has an edge from what."""
        found = np.zeros_like(bits)
        for a, b in self.graph.edges:
            found[:, b] |= bits[:, a]
        return found

    def _chain(self, border: _Border) -> Bits:
        if border.name not in self._chains:
            seed = np.where(border.places[:, :, None], self.contents.bits, np.uint8(0))
            self._chains[border.name] = self._closed(seed)
        return self._chains[border.name]

    def _chain_rules(self, name: str, border: _Border) -> tuple[str, ...]:
        first = f"{name}({self.here}{self.contents.head}) :- {self.stands}, {border.atom}."
        return first, self._step(name)

    def _step(self, name: str) -> str:
        content = self.contents.head
        return (
            f"{name}({self.here}{content}) :- "
            f"{name}({self.there}{content}), {self.edge}, {self.stands}."
        )

    def _closed(self, reached: Bits, within: Bits | None = None) -> Bits:
        """All that stands alike and hangs together with what is reached already."""
        reached = reached.copy()
        within = self.contents.bits if within is None else within
        while True:
            before = reached.copy()
            for a, b in self.graph.edges:
                reached[:, b] |= reached[:, a] & within[:, b]
            if (before == reached).all():
                return reached

    def _relation(self, name: str, bits: Bits, rules: tuple[str, ...]) -> Iterator[Relation]:
        """A relation of places and contents, or of contents alone, unless all states agree.

        The bits have an axis for what a chain touches, where that matters, one for contents, and
        one for places, if these are named.
        """
        states = self.contents.relation.states
        table = np.unpackbits(bits, axis=-1, count=states).astype(bool)
        if (table == table[..., :1]).all():
            return
        *touched, content, place, state = np.nonzero(table)
        columns: list[Ints] = [state]
        groups: tuple[Positions, ...] = ()
        if table.shape[-2] > 1:
            groups = (tuple(range(self.graph.width)),)
            places = np.array(self.graph.places, dtype=np.int64)
            columns += list(places[place].T)
        codes = np.array(self.contents.codes, dtype=np.int64)
        if self.contents.head:
            columns.append(codes[content])
        columns += [codes[axis] for axis in touched]
        yield self._made(name, columns, rules, groups)

    def _made(
        self,
        name: str,
        columns: Sequence[Ints],
        rules: tuple[str, ...],
        groups: tuple[Positions, ...] | None = None,
    ) -> Relation:
        """A relation of these columns, the states first; it names places unless said otherwise."""
        return Relation(
            name,
            len(columns) - 1,
            True,
            np.stack(columns, axis=1),
            self.contents.relation.states,
            self.world.vocabulary,
            (*self.graph.definition, *rules),
            cost=_COST,
            groups=(tuple(range(self.graph.width)),) if groups is None else groups,
        )


__all__ = ["connections"]
