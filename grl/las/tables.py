"""Bit sets over rows: one row for each bit that a head may derive and each binding of the rest.

A row is an atom of an example together with values for the variables that occur in the body only.
A literal placed on variables is then a set of rows, a body is an intersection, and what a rule
derives is the set of atoms that have a row left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

import clingo
import numpy as np
import numpy.typing as npt

from grl.las.evaluate import candidates, match
from grl.las.observed import Bit, World
from grl.las.schemas import Placed, Schema
from grl.las.terms import Atom, Slot, bound_by, map_leaves
from grl.las.terms import Variable as Name
from grl.las.truths import Domains, Truth, truth

MANY = 400
"""Bits beyond which their rows are not kept one set for each."""
MOST_CELLS = 400_000_000
"""Rows times columns beyond which a table is not built."""


class TooLarge(Exception):
    """A table would not fit."""


@dataclass(frozen=True, slots=True)
class Column:
    """A placed literal: the rows where it holds, and the variables that it binds."""

    placed: Placed
    rows: int
    binds: int


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one head and one choice of further variables; sets of rows are integers.

    `atoms` gives for each bit, by its number, its rows; where there are many of them it is empty,
    and `spans` says where the rows of each begin, for they lie side by side.
    """

    head: Atom | None
    types: tuple[str, ...]
    everything: int
    atoms: Mapping[int, int]
    welcome: int
    forbidden: int
    columns: tuple[Column, ...]
    spans: Spans | None = None

    @property
    def bits(self) -> bool:
        """Whether there is anything to derive."""
        return bool(self.atoms) or self.spans is not None

    def derived(self, rows: int) -> int:
        """The bits, as a set of their numbers, that have one of these rows."""
        if self.spans is not None:
            return self.spans.derived(rows)
        return sum(1 << number for number, own in self.atoms.items() if own & rows)

    @property
    def complete(self) -> bool:
        """Whether the literals can bind every variable."""
        bound = 0
        for column in self.columns:
            bound |= column.binds
        return bound == (1 << (len(self.types) + 1)) - 2

    def true_at(self, row: int) -> int:
        """The columns that hold in a row, as a set of their numbers."""
        bit = 1 << row
        return sum(1 << n for n, column in enumerate(self.columns) if column.rows & bit)


class Spans:
    """Where the rows of bits begin that lie side by side."""

    def __init__(self, numbers: npt.NDArray[np.int64]) -> None:
        change = np.flatnonzero(np.diff(numbers)) + 1
        self._starts = np.concatenate([np.zeros(1, dtype=np.int64), change])
        self._size = len(numbers)
        self.numbers = numbers[self._starts]

    def alive(self, rows: int) -> npt.NDArray[np.bool_]:
        """For each bit whether it has one of these rows."""
        raw = np.frombuffer(rows.to_bytes((self._size + 7) // 8, "little"), dtype=np.uint8)
        flags = np.unpackbits(raw, count=self._size, bitorder="little")
        found: npt.NDArray[np.bool_] = np.maximum.reduceat(flags, self._starts).astype(np.bool_)
        return found

    def derived(self, rows: int) -> int:
        """The bits that have one of these rows, as a set of their numbers."""
        holds = np.zeros(int(self.numbers.max()) + 1, dtype=np.bool_)
        holds[self.numbers] = self.alive(rows)
        return pack(holds)


class Tables:
    """Builds tables; what worlds and schemas have in common is worked out once."""

    def __init__(
        self, worlds: Sequence[World], pool: Sequence[Schema], bits: Sequence[Bit]
    ) -> None:
        self._worlds = worlds
        self._pool = pool
        self._bits = bits
        self._welcome = np.array([bit.welcome for bit in bits], dtype=np.bool_)
        self._forbidden = np.array([bit.forbidden for bit in bits], dtype=np.bool_)
        self._types = sorted({kind for schema in pool for kind in schema.types})
        self._fits: dict[int, dict[clingo.Symbol, tuple[clingo.Symbol, ...] | None]] = {}
        self._bound: dict[int, set[int]] = {}
        self._truths: dict[tuple[int, int], Truth] = {}
        self._matched: dict[tuple[int, int], list[tuple[clingo.Symbol, ...]]] = {}
        self._bindable = [self._values(world) for world in range(len(worlds))]

    def _matches(self, world: int, schema: Schema) -> list[tuple[clingo.Symbol, ...]]:
        literal = schema.literal
        if not isinstance(literal, Atom):
            return []
        key = (world, schema.atom)
        if key not in self._matched:
            known = self._fits.setdefault(schema.atom, {})
            found = []
            for symbol in candidates(literal.term, self._worlds[world]):
                if symbol not in known:
                    known[symbol] = match(literal.term, symbol)
                values = known[symbol]
                if values is not None:
                    found.append(values)
            self._matched[key] = found if literal.term.args else found[:1]
        return self._matched[key]

    def _values(self, world: int) -> dict[str, list[clingo.Symbol]]:
        """For each type the values that a positive literal can give a variable."""
        found: dict[str, dict[clingo.Symbol, None]] = {kind: {} for kind in self._types}
        for schema in self._pool:
            literal = schema.literal
            if not schema.types or not isinstance(literal, Atom) or literal.negated:
                continue
            if schema.index not in self._bound:
                self._bound[schema.index] = self._binding(schema)
            binding = self._bound[schema.index]
            for values in self._matches(world, schema):
                for place, (kind, one) in enumerate(zip(schema.types, values, strict=True)):
                    if place in binding:
                        found[kind].setdefault(one)
        return {kind: list(values) for kind, values in found.items()}

    @staticmethod
    def _binding(schema: Schema) -> set[int]:
        names = bound_by(schema.place(range(len(schema.types))), set())
        return {place for place in range(len(schema.types)) if place in names}

    def further(self, types: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
        """Choices of the types of variables that only the body has, small ones first."""
        for number in range(most - len(types) + 1):
            yield from combinations_with_replacement(self._types, number)

    def build(self, head: Atom | None, types: tuple[str, ...], more: tuple[str, ...]) -> Table:
        """The table of a head whose variables have `types`, with further variables `more`."""
        kinds = (*types, *more)
        blocks = self._blocks(head, types, more)
        rows = sum(block.size for block in blocks)
        placements = list(self._placements(kinds))
        if rows * len(placements) > MOST_CELLS:
            raise TooLarge
        order = self._order(blocks)
        columns = tuple(self._columns(blocks, placements, order))
        atoms: dict[int, int] = {}
        spans = None
        welcome = forbidden = 0
        if blocks:
            numbers = np.concatenate([block.bits for block in blocks])[order]
            welcome = pack(self._welcome[numbers])
            forbidden = pack(self._forbidden[numbers])
            distinct = sorted(set(numbers.tolist()))
            if len(distinct) > MANY:
                spans = Spans(numbers)
            else:
                atoms = {number: pack(numbers == number) for number in distinct}
        return Table(head, kinds, (1 << rows) - 1, atoms, welcome, forbidden, columns, spans)

    def _placements(self, kinds: tuple[str, ...]) -> Iterator[Placed]:
        by_type: dict[str, list[int]] = {}
        for number, kind in enumerate(kinds, 1):
            by_type.setdefault(kind, []).append(number)
        for schema in self._pool:
            for names in product(*(by_type.get(kind, ()) for kind in schema.types)):
                placed = Placed(schema, names)
                if placed.allowed():
                    yield placed

    def _blocks(
        self, head: Atom | None, types: tuple[str, ...], more: tuple[str, ...]
    ) -> list[_Block]:
        """One block of rows for each world in which the head has instances."""
        instances: dict[int, list[tuple[int, tuple[clingo.Symbol, ...]]]] = {}
        for number, bit in enumerate(self._bits):
            values = _instance(head, len(types), bit.atom)
            if values is not None:
                instances.setdefault(bit.world, []).append((number, values))
        return [
            self._block(world, found, types, more) for world, found in sorted(instances.items())
        ]

    def _block(
        self,
        world: int,
        found: list[tuple[int, tuple[clingo.Symbol, ...]]],
        types: tuple[str, ...],
        more: tuple[str, ...],
    ) -> _Block:
        bindable = self._bindable[world]
        domains = {kind: list(bindable.get(kind, ())) for kind in {*self._types, *types}}
        places = {kind: {one: n for n, one in enumerate(v)} for kind, v in domains.items()}
        for _, values in found:
            for kind, one in zip(types, values, strict=True):
                if one not in places[kind]:
                    places[kind][one] = len(domains[kind])
                    domains[kind].append(one)
        spans = [len(bindable.get(kind, ())) for kind in more]
        shape = (len(found), *spans)
        grid = np.indices(shape, dtype=np.int32).reshape(len(shape), -1)
        axes: list[npt.NDArray[np.int32]] = []
        for axis, kind in enumerate(types):
            index = np.array([places[kind][values[axis]] for _, values in found], dtype=np.int32)
            axes.append(index[grid[0]])
        axes += [grid[1 + axis] for axis in range(len(more))]
        truths = {}
        for schema in self._pool:
            sizes = tuple(len(domains[kind]) for kind in schema.types)
            if sizes != tuple(len(bindable.get(kind, ())) for kind in schema.types):
                truths[schema.index] = self._truth(world, schema, domains, places)
                continue
            key = world, schema.index
            if key not in self._truths:
                self._truths[key] = self._truth(world, schema, domains, places)
            truths[schema.index] = self._truths[key]
        numbers = np.array([number for number, _ in found], dtype=np.int64)
        return _Block(grid.shape[1], axes, truths, numbers[grid[0]])

    def _truth(
        self,
        world: int,
        schema: Schema,
        domains: Domains,
        places: Mapping[str, Mapping[clingo.Symbol, int]],
    ) -> Truth:
        matched = self._matches(world, schema)
        here = self._worlds[world]
        return truth(schema.literal, schema.types, here, domains, places, matched)

    def _order(self, blocks: Sequence[_Block]) -> npt.NDArray[np.int64]:
        """Rows of forbidden atoms first, so that they are the low bits of a set."""
        if not blocks:
            return np.zeros(0, dtype=np.int64)
        numbers = np.concatenate([block.bits for block in blocks])
        free = np.array([not bit.forbidden for bit in self._bits], dtype=np.bool_)
        return np.argsort(free[numbers], kind="stable")

    def _columns(
        self,
        blocks: Sequence[_Block],
        placements: Sequence[Placed],
        order: npt.NDArray[np.int64],
    ) -> Iterator[Column]:
        for placed in placements:
            if not blocks:
                return
            parts = [block.column(placed) for block in blocks]
            column = np.concatenate(parts)[order]
            if not column.any():
                continue
            literal = placed.literal()
            binds: set[int] = bound_by(literal, set())
            yield Column(
                placed,
                pack(column),
                sum(1 << n for n in binds),
            )


@dataclass(frozen=True, slots=True)
class _Block:
    size: int
    axes: Sequence[npt.NDArray[np.int32]]
    truths: Mapping[int, npt.NDArray[np.bool_]]
    bits: npt.NDArray[np.int64]

    def column(self, placed: Placed) -> npt.NDArray[np.bool_]:
        holds = self.truths[placed.schema.index]
        if not placed.names:
            return np.full(self.size, bool(holds), dtype=np.bool_)
        return holds[tuple(self.axes[name - 1] for name in placed.names)]


def _instance(
    head: Atom | None, width: int, atom: clingo.Symbol | None
) -> tuple[clingo.Symbol, ...] | None:
    """The values of variables 1 … `width` with which a head is an atom."""
    if head is None or atom is None:
        return () if head is None and atom is None else None
    names: list[int] = []

    def open_(leaf: object) -> Slot:
        assert isinstance(leaf, Name)
        names.append(leaf.number)
        return Slot("var", str(leaf.number))

    pattern = map_leaves(head.term, lambda leaf: open_(leaf) if isinstance(leaf, Name) else leaf)
    values = match(pattern, atom)
    if values is None:
        return None
    given: dict[int, clingo.Symbol] = {}
    for name, one in zip(names, values, strict=True):
        if given.setdefault(name, one) != one:
            return None
    return tuple(given[number] for number in range(1, width + 1))


def pack(column: npt.NDArray[np.bool_]) -> int:
    """A set of rows as an integer, row 0 in the lowest bit."""
    return int.from_bytes(np.packbits(column, bitorder="little").tobytes(), "little")
