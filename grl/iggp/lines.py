"""Relations along lines of places: what is met first, and what stands between two of a kind.

Along a direction from a place (`graphs.py`) there are

* what is met first, past free places alone, or past those and what is of one kind,
* a row of one kind that ends with another, and the places of that row.

All are written out as recursive rules, and computed for all states at once, a bit a state.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grl.iggp.graphs import Bits, Contents, Directions, contents_of, directions
from grl.iggp.world import Relation, World

_KINDS = 5
_ROWS = 2_000_000
_COST = 0.5
_ONES = np.array([byte.bit_count() for byte in range(256)], dtype=np.uint8)
"""The ones of each byte."""


def lines(world: World) -> list[Relation]:
    """The relations along lines that differ from state to state, no two of them alike."""
    made: list[Relation] = []
    seen: set[bytes] = set()
    names: set[tuple[str, int]] = set()
    for ways in directions(world):
        for contents in contents_of(world, ways.places):
            if len(contents.codes) > _KINDS:
                continue
            for relation in _Maker(world, ways, contents).relations():
                mark = bytes([relation.arity]) + relation.rows.tobytes()
                key = relation.name, relation.arity
                if mark not in seen and key not in names and len(relation.rows):
                    seen.add(mark)
                    names.add(key)
                    made.append(relation)
    return made


class _Maker:
    """The relations of one set of directions and what stands at its places."""

    def __init__(self, world: World, ways: Directions, contents: Contents) -> None:
        self.world, self.ways, self.contents = world, ways, contents
        self.suffix = f"{contents.relation.name}_{ways.name.removeprefix(f'{world.prefix}_')}"
        self.way = ways.atom.format("X,Y", "V,W")
        self.any = ",".join("_" * len(ways.label.split(",")))
        self.free: Bits = ~np.bitwise_or.reduce(contents.bits, axis=0)

    def relations(self) -> Iterator[Relation]:
        yield from self.met()
        if self.contents.other is not None:
            yield from self.met_past()
            yield from self.rows_of_a_kind()

    def _name(self, word: str) -> str:
        return f"{self.world.prefix}_{word}_{self.suffix}"

    def _rays(self) -> Iterator[tuple[int, list[int]]]:
        """Each place with the places ahead of it, one after another, in each direction."""
        for ahead in self.ways.ahead:
            for start in range(len(self.ways.places)):
                ray: list[int] = []
                at = int(ahead[start])
                while at >= 0 and at != start and len(ray) < len(ahead):
                    ray.append(at)
                    at = int(ahead[at])
                if ray:
                    yield start, ray

    def met(self) -> Iterator[Relation]:
        """What is met first from a place in some direction: h(place, content)."""
        name, label, bits = self._name("meets"), self.ways.label, self.contents.bits
        there = self.contents.atom("V,W", "C" if self.contents.head else "")
        head = self.contents.head
        rules = (
            f"{name}_on({label},X,Y{head}) :- {self.way}, {there}.",
            f"{name}_on({label},X,Y{head}) :- {self.way}, not {self.contents.atom('V,W', '_')}, "
            f"{name}_on({label},V,W{head}).",
            f"{name}(X,Y{head}) :- {name}_on({self.any},X,Y{head}).",
        )
        found = np.zeros_like(bits)
        for start, ray in self._rays():
            clear = np.full(bits.shape[2], 255, dtype=np.uint8)
            for at in ray:
                found[:, start] |= bits[:, at] & clear
                clear = clear & self.free[at]
                if not clear.any():
                    break
        yield from self._relation(name, found, rules)

    def met_past(self) -> Iterator[Relation]:
        """What is met first where one kind is looked through: h(place, that kind, content)."""
        name, label, bits = self._name("past"), self.ways.label, self.contents.bits
        there, kind = self.contents.atom("V,W", "D"), f"{self._name('kind')}(C)"
        names = self.world.vocabulary.names
        rules = (
            " ".join(f"{self._name('kind')}({names[code]})." for code in self.contents.codes),
            f"{name}_on({label},X,Y,C,D) :- {self.way}, {there}, {kind}, C != D.",
            f"{name}_on({label},X,Y,C,D) :- {self.way}, {self.contents.atom('V,W', 'C')}, "
            f"{name}_on({label},V,W,C,D).",
            f"{name}_on({label},X,Y,C,D) :- {self.way}, "
            f"not {self.contents.atom('V,W', '_')}, {name}_on({label},V,W,C,D).",
            f"{name}(X,Y,C,D) :- {name}_on({self.any},X,Y,C,D).",
        )
        number = len(bits)
        found = np.zeros((number, *bits.shape), dtype=np.uint8)
        for start, ray in self._rays():
            for kind_ in range(number):
                clear = np.full(bits.shape[2], 255, dtype=np.uint8)
                for at in ray:
                    found[kind_, :, start] |= bits[:, at] & clear
                    clear = clear & (self.free[at] | bits[kind_, at])
                    if not clear.any():
                        break
        for kind_ in range(number):
            found[kind_, kind_] = 0
        yield from self._relation(name, found, rules)

    def rows_of_a_kind(self) -> Iterator[Relation]:
        """Rows of one kind up to another that begin ahead of a place.

        They give h(place, kind, other), h(free place, other), and h(place of the row, place,
        other).
        """
        bits, ways = self.contents.bits, self.ways
        number, places = len(bits), len(ways.places)
        flanked = np.zeros((number, *bits.shape), dtype=np.uint8)
        between = np.zeros((number, places, places, bits.shape[2]), dtype=np.uint8)
        for start, ray in self._rays():
            for kind in range(number):
                inside = np.full(bits.shape[2], 255, dtype=np.uint8)
                for length, at in enumerate(ray):
                    if length:
                        ends = bits[:, at] & inside
                        ends[kind] = 0
                        flanked[kind, :, start] |= ends
                        for passed in ray[:length]:
                            between[:, passed, start] |= ends
                    inside = inside & bits[kind, at]
                    if not inside.any():
                        break
        line, taken = self._name("line"), self._name("taken")
        label = ways.label
        stands = self.contents.atom("X,Y", "C")
        onward = ways.atom.format("V,W", "X,Y")
        first = ways.atom.format("S,T", "X,Y")
        rules = (
            f"{line}({label},X,Y,C,D) :- {stands}, {self.way}, "
            f"{self.contents.atom('V,W', 'D')}, C != D.",
            f"{line}({label},X,Y,C,D) :- {stands}, {self.way}, {line}({label},V,W,C,D).",
        )
        name = self._name("flanked")
        rule = f"{name}(X,Y,C,D) :- {self.way}, {line}({label},V,W,C,D)."
        yield from self._relation(name, flanked, (*rules, rule))
        name = self._name("enclosing")
        empty = f"not {self.contents.atom('X,Y', '_')}"
        first_free = f"{name}(X,Y,D) :- {self.way}, {line}({label},V,W,_,D), {empty}."
        enclosing = np.bitwise_or.reduce(flanked, axis=0) & self.free
        yield from self._relation(name, enclosing, (*rules, first_free))
        name = self._name("between")
        further = (
            f"{taken}({label},X,Y,S,T,C,D) :- {first}, {line}({label},X,Y,C,D).",
            f"{taken}({label},X,Y,S,T,C,D) :- {taken}({label},V,W,S,T,C,D), {onward}, "
            f"{line}({label},X,Y,C,D).",
            f"{name}(X,Y,S,T,D) :- {taken}({self.any},X,Y,S,T,_,D).",
        )
        if int(_ONES[between].sum()) <= _ROWS:
            yield from self._relation(name, between, (*rules, *further), pairs=True)

    def _relation(
        self, name: str, bits: Bits, rules: tuple[str, ...], *, pairs: bool = False
    ) -> Iterator[Relation]:
        """A relation of a place and contents; where it is of `pairs`, of two places and one."""
        states = self.contents.relation.states
        table = np.unpackbits(bits, axis=-1, count=states)
        if (table == table[..., :1]).all():
            return
        *axes, state = np.nonzero(table)
        codes = np.array(self.contents.codes, dtype=np.int64)
        places = np.array(self.ways.places, dtype=np.int64)
        columns = [state]
        if pairs:
            kind, passed, start = axes
            columns += [*places[passed].T, *places[start].T, codes[kind]]
        else:
            *kinds, place = axes
            columns += [*places[place].T, *(codes[kind] for kind in kinds)]
        if not self.contents.head:
            columns = columns[:3]
        yield Relation(
            name,
            len(columns) - 1,
            True,
            np.stack(columns, axis=1),
            states,
            self.world.vocabulary,
            (*self.ways.definition, *rules),
            cost=_COST,
            groups=((0, 1), (2, 3)) if pairs else ((0, 1),),
        )


__all__ = ["lines"]
