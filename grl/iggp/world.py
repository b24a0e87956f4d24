"""Relations as tables: what the states and statics say, coded as integers for numpy.

A relation holds rows ``(state, argument, …)``; a static one has state 0 everywhere. Lookups by
any choice of argument positions go through one table each, made when first asked for: membership,
the value of an argument that the others determine, and the number of matching rows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from grl.iggp.data import Atom, Task
from grl.iggp.tables import Bools, Ints, Places, Table, runs, unique_rows

Positions = tuple[int, ...]
_T = TypeVar("_T")

_PAIRS = 3_000_000


def constant_key(constant: str) -> tuple[int, int, str]:
    """Numbers by value, then names by spelling."""
    digits = constant.removeprefix("-")
    return (0, int(constant), "") if digits.isdigit() else (1, 0, constant)


@dataclass(frozen=True)
class Vocabulary:
    """All constants in a fixed order; a constant's code is its place there."""

    names: tuple[str, ...]

    @cached_property
    def codes(self) -> Mapping[str, int]:
        return {name: code for code, name in enumerate(self.names)}

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """The code of each number 0, 1, … as far as the vocabulary holds them without a gap."""
        found: list[int] = []
        while str(len(found)) in self.codes:
            found.append(self.codes[str(len(found))])
        return np.array(found, dtype=np.int64)


@dataclass(eq=False)
class Relation:
    """A predicate's rows over all states. `definition` is the ASP text of an invented relation.

    `choice` is what naming one of very many relations costs, and `groups` are positions that name a
    place together.
    """

    name: str
    arity: int
    dynamic: bool
    rows: Ints
    states: int
    vocabulary: Vocabulary
    definition: tuple[str, ...] = ()
    cost: float = 0.0
    target: bool = False
    order: bool = False
    choice: float = 0.0
    groups: tuple[Positions, ...] = ()
    _tables: dict[Any, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rows = unique_rows(self.rows.reshape(-1, self.arity + 1))

    @cached_property
    def domains(self) -> tuple[Ints, ...]:
        """The values of each argument position, ascending."""
        return tuple(np.unique(self.rows[:, i + 1]) for i in range(self.arity))

    def masks(self, position: int) -> int:
        """The domain of a position as a bit set."""
        return self.once(("mask", position), lambda: mask_of(self.domains[position]))  # type: ignore[no-any-return]

    def places(self, position: int) -> Places:
        """The places of the constants at an argument position."""
        return self.once(  # type: ignore[no-any-return]
            ("places", position),
            lambda: Places(self.domains[position], len(self.vocabulary.names)),
        )

    def contains(self, positions: Positions, states: Ints, arguments: Sequence[Ints]) -> Bools:
        """Whether some row agrees with the arguments at these positions.

        Arguments are given by their places there, also several for each state, a row each.
        """
        table = self.once(("in", positions), lambda: self._membership(positions))
        found: Bools = table.get(states, arguments) >= 0
        return found

    def determined(
        self, positions: Positions, output: int, states: Ints, arguments: Sequence[Ints]
    ) -> Ints:
        """The argument at `output` of the row that agrees at `positions`, where it is unique."""
        table = self.once(("value", positions, output), lambda: self._values(positions, output))
        found: Ints = table.get(states, arguments).astype(np.int64)
        return found

    def number(self, positions: Positions, states: Ints, arguments: Sequence[Ints]) -> Ints:
        """How many rows agree with the arguments at these positions."""
        table = self.once(("count", positions), lambda: self._numbers(positions))
        found: Ints = table.get(states, arguments).astype(np.int64)
        return np.maximum(found, 0)

    def distinct(self, positions: Positions) -> int:
        """How many different rows there are when only these positions and the state count."""
        columns = [0, *(i + 1 for i in sorted(positions))]
        return self.once(  # type: ignore[no-any-return]
            ("n", frozenset(positions)), lambda: len(runs(self.rows[:, columns])[0])
        )

    def functional(self, positions: Positions, output: int) -> bool:
        """Whether the arguments at `positions` determine that at `output` in every state."""
        return self.once(  # type: ignore[no-any-return]
            ("fd", positions, output),
            lambda: self.distinct(positions) == self.distinct((*positions, output)),
        )

    def functional_at(self, positions: Positions, output: int, fixed: int, constant: int) -> bool:
        """The same among the rows that have `constant` at position `fixed`."""

        def found() -> bool:
            rows = self.rows[self.rows[:, fixed + 1] == constant]
            keys = rows[:, [0, *(i + 1 for i in positions)]]
            both = rows[:, [0, *(i + 1 for i in positions), output + 1]]
            return len(runs(keys)[0]) == len(runs(both)[0])

        return self.once(("fda", positions, output, fixed, constant), found)  # type: ignore[no-any-return]

    def join(
        self, positions: Positions, states: Ints, arguments: Sequence[Ints]
    ) -> tuple[Ints, list[Ints]]:
        """All rows that agree: the index of the asker for each, and the other arguments."""
        table, starts, ends, columns = self.once(("join", positions), lambda: self._runs(positions))
        run = table.get(states, arguments)
        hit = run >= 0
        lengths = np.where(hit, ends[run] - starts[run], 0) if len(starts) else np.zeros_like(run)
        asker = np.repeat(np.arange(len(states)), lengths)
        if not len(asker):
            return asker, [np.empty(0, dtype=np.int64) for _ in columns]
        first = np.cumsum(lengths) - lengths
        inside = np.arange(len(asker)) - first[asker]
        at = starts[run[asker]] + inside
        return asker, [column[at] for column in columns]

    def once(self, key: Any, make: Any) -> Any:
        """What `make` makes of the rows, made once for each key."""
        if key not in self._tables:
            self._tables[key] = make()
        return self._tables[key]

    def _table(self, positions: Positions, rows: Ints, values: Ints) -> Table:
        places = [self.places(i) for i in positions]
        return Table(self.states if self.dynamic else 1, places, rows, values)

    def _membership(self, positions: Positions) -> Table:
        rows = unique_rows(self.rows[:, [0, *(i + 1 for i in positions)]])
        return self._table(positions, rows, np.ones(len(rows), dtype=np.int64))

    def _values(self, positions: Positions, output: int) -> Table:
        rows = unique_rows(self.rows[:, [0, *(i + 1 for i in positions), output + 1]])
        first, times = runs(rows[:, :-1])
        once = rows[first[times == 1]]
        return self._table(positions, once[:, :-1], once[:, -1])

    def _numbers(self, positions: Positions) -> Table:
        rows = self.rows[:, [0, *(i + 1 for i in positions)]]
        first, times = runs(rows)
        return self._table(positions, rows[first], times)

    def _runs(self, positions: Positions) -> tuple[Table, Ints, Ints, list[Ints]]:
        others = [i for i in range(self.arity) if i not in positions]
        order = np.lexsort([self.rows[:, i + 1] for i in reversed((*positions, *others))])
        order = order[np.argsort(self.rows[order, 0], kind="stable")]
        rows = self.rows[order]
        keys = rows[:, [0, *(i + 1 for i in positions)]]
        starts, times = runs(keys)
        table = self._table(positions, keys[starts], np.arange(len(starts)))
        return table, starts, starts + times, [rows[:, i + 1] for i in others]


def mask_of(codes: Iterable[int]) -> int:
    """A set of constants as the bits of one integer."""
    mask = 0
    for code in codes:
        mask |= 1 << int(code)
    return mask


@dataclass(eq=False)
class World:
    """The relations of a task by name, and the candidates with their labels.

    `targets` maps a target predicate to the candidates that are learned from (coded arguments, a
    row each) and `labels` to a table of truth values with a row a state and a column a candidate.
    `columns` says which of the file's candidates they are and `candidates` holds all of those:
    where there are very many, those that are never true are represented by some.
    """

    vocabulary: Vocabulary
    states: int
    relations: dict[tuple[str, int], Relation]
    targets: dict[tuple[str, int], Ints]
    labels: dict[tuple[str, int], Bools]
    candidates: dict[tuple[str, int], Ints]
    columns: dict[tuple[str, int], Ints]
    prefix: str
    _made: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def constant_costs(self) -> tuple[float, float]:
        """What naming a number or another constant costs: half the bits of the choice."""
        numbers = sum(name.lstrip("-").isdigit() for name in self.vocabulary.names)
        others = len(self.vocabulary.names) - numbers
        return tuple(max(1.0, 0.5 * float(np.log2(n + 1))) for n in (numbers, others))  # type: ignore[return-value]

    def constant_cost(self, code: int) -> float:
        number = self.vocabulary.names[code].lstrip("-").isdigit()
        return self.constant_costs[0 if number else 1]

    def add(self, relation: Relation) -> Relation:
        self.relations[relation.name, relation.arity] = relation
        self._made.clear()
        return relation

    def remove(self, keys: Iterable[tuple[str, int]]) -> None:
        for key in keys:
            del self.relations[key]
        self._made.clear()

    def once(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """What `make` makes of the relations that there are, made once for each key."""
        if key not in self._made:
            self._made[key] = make()
        made: _T = self._made[key]
        return made


def make_world(task: Task) -> World:
    """The tables of a task."""
    constants = {c for atom in (*task.atoms, *task.statics) for c in atom.arguments}
    most = 0
    for state in task.states:
        counts: dict[tuple[str, int], int] = {}
        for atom in state.background:
            constants.update(atom.arguments)
            counts[atom.signature] = counts.get(atom.signature, 0) + 1
        most = max(most, *counts.values(), 0) if counts else most
    constants.update(str(number) for number in range(most + 1))
    vocabulary = Vocabulary(tuple(sorted(constants, key=constant_key)))
    codes = vocabulary.codes

    facts: dict[tuple[str, int], list[list[int]]] = {}
    dynamic: dict[tuple[str, int], bool] = {}
    for atom in task.statics:
        facts.setdefault(atom.signature, []).append([0, *(codes[c] for c in atom.arguments)])
        dynamic[atom.signature] = False
    static_rows = {key: list(rows) for key, rows in facts.items()}
    for number, state in enumerate(task.states):
        for atom in state.background:
            key = atom.signature
            if not dynamic.get(key, False):
                # A predicate with static rows and rows of states holds the static ones everywhere.
                dynamic[key] = True
                facts[key] = [
                    [i, *row[1:]]
                    for row in static_rows.get(key, ())
                    for i in range(len(task.states))
                ]
            facts[key].append([number, *(codes[c] for c in atom.arguments)])
    relations = {
        key: Relation(
            key[0],
            key[1],
            dynamic[key],
            np.array(facts[key], dtype=np.int64),
            len(task.states),
            vocabulary,
        )
        for key in sorted(facts)
    }

    candidates: dict[tuple[str, int], list[Atom]] = {}
    for atom in task.atoms:
        candidates.setdefault(atom.signature, []).append(atom)
    targets, labels, everything, columns = {}, {}, {}, {}
    for key, atoms in sorted(candidates.items()):
        everything[key] = np.array(
            [[codes[c] for c in atom.arguments] for atom in atoms], dtype=np.int64
        ).reshape(len(atoms), key[1])
        place = {atom: i for i, atom in enumerate(atoms)}
        truth = np.zeros((len(task.states), len(atoms)), dtype=bool)
        for number, state in enumerate(task.states):
            for atom in state.positives:
                if atom in place:
                    truth[number, place[atom]] = True
        columns[key] = _some_columns(truth)
        targets[key] = everything[key][columns[key]]
        labels[key] = truth[:, columns[key]]
    prefix = "aux"
    names = {name for name, _ in (*relations, *targets)}
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    return World(
        vocabulary, len(task.states), relations, targets, labels, everything, columns, prefix
    )


def _some_columns(truth: Bools) -> Ints:
    """All candidates, or where the table is too large those ever true and some of the others."""
    states, number = truth.shape
    room = _PAIRS // max(states, 1)
    if number <= room:
        return np.arange(number)
    ever = np.flatnonzero(truth.any(axis=0))
    never = np.flatnonzero(~truth.any(axis=0))
    some = np.random.default_rng(0).permutation(never)[: max(room - len(ever), 0)]
    return np.sort(np.concatenate([ever, some]))
