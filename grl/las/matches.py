"""Which values of its variables make a body true in one interpretation: sets of rows as integers.

A row is an assignment of values to the variables V1 … Vk; every literal is a set of rows, worked
out once for the interpretation, and a body is their intersection. Bodies that share literals, as
those of a rule space do, cost little more than the operations on bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

import clingo

from grl.las.evaluate import RELATIONS, invertible, match, value
from grl.las.terms import (
    Atom,
    Comparison,
    Function,
    Literal,
    Operation,
    Slot,
    Term,
    Variable,
    leaves,
    map_leaves,
    parts,
    variables,
)

MOST_ROWS = 1 << 18
"""Assignments beyond which a body is not looked at."""

Signature = tuple[str, int]


def readable(body: Sequence[Literal]) -> bool:
    """Whether a body can be looked at here: each variable stands alone in some positive atom.

    Then its values are parts of atoms. Other bodies may calculate values that occur nowhere.
    """
    plain: set[int] = set()
    every: set[int] = set()
    for one in body:
        if isinstance(one, Atom):
            if not invertible(_opened(one.term)[0]):
                return False
            if not one.negated:
                plain |= set(_plain(one.term))
        elif not isinstance(one, Comparison):
            return False
        every |= variables(one)
    return every <= plain


def _plain(term: Term) -> Iterator[int]:
    """The variables outside arithmetic."""
    if isinstance(term, Variable):
        yield term.number
    for part in parts(term) if not isinstance(term, Operation) else ():
        yield from _plain(part)


class Bodies:
    """Readable bodies, their literals numbered; None stands for a body that is not looked at."""

    def __init__(self, bodies: Iterable[Sequence[Literal] | None]) -> None:
        self.literals: dict[tuple[int, Literal], int] = {}
        self.binding: dict[Signature, None] = {}
        self.bodies: list[tuple[int, tuple[int, ...]] | None] = []
        for body in bodies:
            if body is None:
                self.bodies.append(None)
                continue
            width = max((number for one in body for number in variables(one)), default=0)
            numbers = [self.literals.setdefault((width, one), len(self.literals)) for one in body]
            self.bodies.append((width, tuple(numbers)))
            for one in body:
                if isinstance(one, Atom) and not one.negated:
                    self.binding[one.term.name, len(one.term.args)] = None
        self.numbered = list(self.literals)


class Interpretation:
    """The atoms of an interpretation, in which bodies are looked at by their numbers."""

    def __init__(
        self, atoms: Iterable[clingo.Symbol], bodies: Bodies, *, everything: bool = False
    ) -> None:
        """With `everything` variables may have values that only other predicates hold."""
        self._bodies = bodies
        self._atoms: dict[Signature, list[clingo.Symbol]] = {}
        for atom in atoms:
            name = atom.name if atom.positive else f"-{atom.name}"
            self._atoms.setdefault((name, len(atom.arguments)), []).append(atom)
        seen: dict[clingo.Symbol, None] = {}
        for signature in self._atoms if everything else bodies.binding:
            for atom in self._atoms.get(signature, ()):
                for argument in atom.arguments:
                    seen.update(dict.fromkeys(_inside(argument)))
        self._values = tuple(seen)
        self._place = {one: number for number, one in enumerate(self._values)}
        self._columns: list[int | None] = [None] * len(bodies.numbered)
        self._masks: dict[int, tuple[tuple[int, ...], ...]] = {}

    def rows(self, number: int) -> int | None:
        """The rows in which all of a body holds.

        None where it is not readable, or where there are too many assignments.
        """
        body = self._bodies.bodies[number]
        if body is None or len(self._values) ** body[0] > MOST_ROWS:
            return None
        if body[0] and not self._values:
            return 0
        found = -1
        for literal in body[1]:
            column = self._columns[literal]
            if column is None:
                width, one = self._bodies.numbered[literal]
                column = self._columns[literal] = self._column(one, width)
            found &= column
            if not found:
                return 0
        return found if found >= 0 else 1

    def projected(self, number: int, width: int) -> int | None:
        """The rows of variables 1 … `width` alone with which a body holds for some values of the
        others; None as for `rows`."""
        body = self._bodies.bodies[number]
        size = len(self._values)
        if body is None or size**width > MOST_ROWS:
            return None
        rows = self.rows(number)
        if rows is None:
            return None
        for variable in range(body[0], width, -1):
            block = size ** (variable - 1)
            folded = 0
            while rows:
                folded |= rows & ((1 << block) - 1)
                rows >>= block
            rows = folded
        return _repeated(rows, size ** body[0], size**width)

    def sum(self, rows: int, number: int, variable: int) -> int:
        """The sum of a variable of a body over some rows, of values that are integers."""
        body = self._bodies.bodies[number]
        assert body is not None
        return sum(
            one.number * (rows & mask).bit_count()
            for one, mask in zip(self._values, self._of(body[0])[variable - 1], strict=True)
            if one.type == clingo.SymbolType.Number
        )

    def _of(self, width: int) -> tuple[tuple[int, ...], ...]:
        """For each of so many variables and each value the rows that assign it."""
        known = self._masks.get(width)
        if known is None:
            size = len(self._values)
            masks = []
            for variable in range(width):
                block = size**variable
                one = (1 << block) - 1
                repeated = _repeated(one, block * size, size**width)
                masks.append(tuple(repeated << block * at for at in range(size)))
            known = self._masks[width] = tuple(masks)
        return known

    def _column(self, literal: Literal, width: int) -> int:
        everything: int = (1 << len(self._values) ** width) - 1
        masks = self._of(width)
        if isinstance(literal, Comparison):
            return self._compared(literal, masks, everything)
        assert isinstance(literal, Atom)
        pattern, names = _opened(literal.term)
        found = 0
        for atom in self._atoms.get((literal.term.name, len(literal.term.args)), ()):
            given = match(pattern, atom)
            if given is None:
                continue
            rows = everything
            for name, one in zip(names, given, strict=True):
                place = self._place.get(one)
                rows = rows & masks[name - 1][place] if place is not None else 0
            found |= rows
        if not literal.negated:
            return found
        defined = everything
        for name in _calculated(literal.term):
            defined &= self._integers(masks[name - 1])
        return defined & ~found

    def _integers(self, masks: Sequence[int]) -> int:
        found = 0
        for one, mask in zip(self._values, masks, strict=True):
            if one.type == clingo.SymbolType.Number:
                found |= mask
        return found

    def _compared(
        self, literal: Comparison, masks: Sequence[Sequence[int]], everything: int
    ) -> int:
        names = sorted(variables(literal))
        relation = RELATIONS[literal.op]
        found = 0
        for places in product(range(len(self._values)), repeat=len(names)):
            given = {name: self._values[at] for name, at in zip(names, places, strict=True)}
            left, right = (_value(side, given) for side in (literal.left, literal.right))
            if left is not None and right is not None and relation(left, right):
                rows = everything
                for name, at in zip(names, places, strict=True):
                    rows &= masks[name - 1][at]
                found |= rows
        return found


def _repeated(rows: int, length: int, most: int) -> int:
    """A set of rows below `length` again and again, up to `most`."""
    while 0 < length < most:
        rows |= rows << length
        length *= 2
    return rows & ((1 << most) - 1)


def _opened(term: Function) -> tuple[Function, tuple[int, ...]]:
    """The pattern with open places for variables, and the variables left to right."""
    names: list[int] = []

    def open_(leaf: Term) -> Term:
        if not isinstance(leaf, Variable):
            return leaf
        names.append(leaf.number)
        return Slot("var", "")

    pattern = map_leaves(term, open_)
    assert isinstance(pattern, Function)
    return pattern, tuple(names)


def _value(term: Term, given: Mapping[int, clingo.Symbol]) -> clingo.Symbol | None:
    names = [leaf.number for leaf in leaves(term) if isinstance(leaf, Variable)]
    opened = map_leaves(term, lambda leaf: Slot("var", "") if isinstance(leaf, Variable) else leaf)
    return value(opened, iter([given[name] for name in names]))


def _calculated(term: Term, inside: bool = False) -> Iterator[int]:
    """The variables within arithmetic."""
    if isinstance(term, Variable) and inside:
        yield term.number
    for part in parts(term):
        yield from _calculated(part, inside or isinstance(term, Operation))


def _inside(symbol: clingo.Symbol) -> Iterator[clingo.Symbol]:
    yield symbol
    if symbol.type == clingo.SymbolType.Function:
        for part in symbol.arguments:
            yield from _inside(part)
