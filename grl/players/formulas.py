"""Goals of a game description as formulas over the propositions of a state, and their truth.

clingo grounds the rules with a choice of states: what no state changes is worked out and gone. What
is left is read as a circuit of conjunctions, disjunctions and negations over propositions. Equal
parts are one node, and conjunctions of conjunctions are one, as are disjunctions, so that it
doesn't matter in how many ways a description derives the same.

`Logic` says how true such a formula is in a state: fuzzy logic, as in Genesereth and Thielscher,
*General Game Playing*, sections 16.2 and 16.4.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import pow, prod

from clingo.backend import Observer

from grl.errors import GrlError
from grl.las.clock import grounded

STATES = "{ true(F) } :- base(F).\n#defined does/2.\n"
MOST_NODES = 200_000


class Kind(StrEnum):
    """What a node says."""

    FLUENT = "fluent"
    NOT = "not"
    AND = "and"
    OR = "or"
    COUNT = "count"
    """So many of its parts, or more."""


@dataclass(frozen=True, slots=True)
class Node:
    """A formula; `parts` are numbers of earlier nodes, of a count with repetition for weights."""

    kind: Kind
    parts: tuple[int, ...] = ()
    name: str = ""
    least: int = 0


class TooManyNodes(GrlError):
    """A formula that is too large, or that rests on itself."""


@dataclass
class Circuit:
    """Nodes in an order in which parts come first, each once."""

    nodes: list[Node] = field(default_factory=list)
    _number: dict[Node, int] = field(default_factory=dict)

    def add(self, node: Node) -> int:
        """The number of a node, which is new or known."""
        found = self._number.get(node)
        if found is None:
            if len(self.nodes) >= MOST_NODES:
                raise TooManyNodes("a goal is too large a formula", expected=f"{MOST_NODES} parts")
            found = self._number[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    def fluent(self, name: str) -> int:
        """The node of a proposition, or of anything else that has a truth by name."""
        return self.add(Node(Kind.FLUENT, name=name))

    def negated(self, part: int) -> int:
        """Not this."""
        node = self.nodes[part]
        if node.kind == Kind.NOT:
            return node.parts[0]
        if node.kind in (Kind.AND, Kind.OR) and not node.parts:
            return self._joined(Kind.OR if node.kind == Kind.AND else Kind.AND, ())
        return self.add(Node(Kind.NOT, (part,)))

    def both(self, parts: Iterable[int]) -> int:
        """All of these; without any, truth."""
        return self._joined(Kind.AND, parts)

    def either(self, parts: Iterable[int]) -> int:
        """One of these at least; without any, falsehood."""
        return self._joined(Kind.OR, parts)

    def count(self, least: int, weighted: Iterable[tuple[int, int]]) -> int:
        """Parts whose weights add up to `least` or more."""
        parts = tuple(sorted(part for part, weight in weighted for _ in range(weight)))
        return self.add(Node(Kind.COUNT, parts, least=least))

    def _joined(self, kind: Kind, parts: Iterable[int]) -> int:
        found: set[int] = set()
        for part in parts:
            node = self.nodes[part]
            if node.kind == kind:
                found.update(node.parts)
            elif node.kind in (Kind.AND, Kind.OR) and not node.parts:
                return part  # a truth among disjuncts, a falsehood among conjuncts
            else:
                found.add(part)
        return next(iter(found)) if len(found) == 1 else self.add(Node(kind, tuple(sorted(found))))

    def given(self, root: int, values: Mapping[str, bool]) -> int:
        """A formula with some propositions decided."""
        known: dict[int, int] = {}
        for number in self.below([root]):
            node = self.nodes[number]
            parts = [known[part] for part in node.parts]
            match node.kind:
                case Kind.FLUENT if node.name in values:
                    found = self.both(()) if values[node.name] else self.either(())
                case Kind.FLUENT:
                    found = number
                case Kind.NOT:
                    found = self.negated(parts[0])
                case Kind.AND:
                    found = self.both(parts)
                case Kind.OR:
                    found = self.either(parts)
                case Kind.COUNT:
                    found = self.count(node.least, [(part, 1) for part in parts])
            known[number] = found
        return known[root]

    def below(self, roots: Iterable[int]) -> list[int]:
        """The nodes of which formulas consist, in order."""
        found = set()
        rest = list(roots)
        while rest:
            number = rest.pop()
            if number not in found:
                found.add(number)
                rest += self.nodes[number].parts
        return sorted(found)

    def only(self, roots: Sequence[int]) -> tuple[Circuit, list[int]]:
        """A circuit of nothing but these formulas, and their numbers in it."""
        numbers = {number: place for place, number in enumerate(self.below(roots))}
        found = Circuit()
        for number in numbers:
            node = self.nodes[number]
            parts = tuple(numbers[part] for part in node.parts)
            found.add(Node(node.kind, parts, node.name, node.least))
        return found, [numbers[root] for root in roots]

    @property
    def fluents(self) -> dict[str, int]:
        """The propositions with their nodes."""
        return {n.name: i for i, n in enumerate(self.nodes) if n.kind == Kind.FLUENT}


@dataclass(frozen=True)
class Logic:
    """Degrees of truth: `tau` of what is true, 1 - `tau` of what is false.

    With `theta` a conjunction whose parts are all more true than not is at least so true; of the
    parts of others those that are more true than not come first, which makes the order in which
    they are written nothing to be asked for. `q` is the parameter of Yager's t-norms, None the
    product. The chapter leaves out that Yager's S is 1 at most.
    """

    tau: float = 0.9
    theta: float | None = None
    q: float | None = None

    def atom(self, holds: bool) -> float:
        """The truth of a proposition."""
        return self.tau if holds else 1 - self.tau

    def either(self, values: Collection[float]) -> float:
        """The truth of a disjunction."""
        if self.q is None:
            return 1 - prod(1 - value for value in values)
        return min(1.0, pow(sum(pow(value, self.q) for value in values), 1 / self.q))

    def both(self, values: Collection[float]) -> float:
        """The truth of a conjunction."""
        if self.theta is None:
            return self._norm(values)
        likely = [value for value in values if value > 0.5]
        first = self._norm(likely)
        if len(likely) > 1:
            first = max(first, self.theta)
        rest = [value for value in values if value <= 0.5]
        return self._norm([first, *rest]) if rest else first

    def _norm(self, values: Collection[float]) -> float:
        if self.q is None:
            return prod(values)
        return 1 - self.either([1 - value for value in values])

    def count(self, least: int, values: Sequence[float]) -> float:
        """The truth of so many parts or more, which grows with how many there are."""
        there = sum(value > 0.5 for value in values)
        if there < least:
            return (1 - self.tau) + (self.tau - 0.5) * there / least
        return 0.5 + (self.tau - 0.5) * (there - least + 1) / (len(values) - least + 1)

    def truths(self, circuit: Circuit, atoms: Mapping[str, float]) -> list[float]:
        """The truth of every node, from those of the propositions."""
        found: list[float] = []
        for node in circuit.nodes:
            values = [found[part] for part in node.parts]
            match node.kind:
                case Kind.FLUENT:
                    found.append(atoms[node.name])
                case Kind.NOT:
                    found.append(1 - values[0])
                case Kind.AND:
                    found.append(self.both(values))
                case Kind.OR:
                    found.append(self.either(values))
                case Kind.COUNT:
                    found.append(self.count(node.least, values))
        return found


class _Rules(Observer):
    """The ground rules of a program."""

    def __init__(self) -> None:
        self.bodies: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
        self.sums: defaultdict[int, list[tuple[int, tuple[tuple[int, int], ...]]]]
        self.sums = defaultdict(list)
        self.facts: set[int] = set()

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        if not choice and head:
            self.bodies[head[0]].append(tuple(body))

    def weight_rule(
        self,
        choice: bool,
        head: Sequence[int],
        lower_bound: int,
        body: Sequence[tuple[int, int]],
    ) -> None:
        if not choice and head:
            self.sums[head[0]].append((lower_bound, tuple(body)))


def grounded_formulas(program: str, wanted: Collection[str]) -> tuple[Circuit, dict[str, int]]:
    """The formulas of all atoms of some predicates, by the atom as text.

    The program has ``base/1`` and ``true/1`` as in the Game Description Language. Raises
    `grl.las.TaskError`, and `TooManyNodes` also where rules are recursive in the state.
    """
    rules = _Rules()
    ctl = grounded(f"{program}\n{STATES}", observer=rules)
    names = {
        atom.literal: str(atom.symbol.arguments[0])
        for atom in ctl.symbolic_atoms.by_signature("true", 1)
    }
    reader = _Reader(rules, names)
    found = {
        str(atom.symbol): reader.formula(atom.literal)
        for atom in ctl.symbolic_atoms
        if atom.symbol.name in wanted
    }
    return reader.circuit, found


class _Reader:
    """Reads ground rules into a circuit."""

    def __init__(self, rules: _Rules, names: Mapping[int, str]) -> None:
        self.circuit = Circuit()
        self._rules, self._names = rules, names
        self._known: dict[int, int] = {}
        self._open: set[int] = set()

    def formula(self, literal: int) -> int:
        """The node of a literal."""
        atom = abs(literal)
        if atom not in self._known:
            self._known[atom] = self._atom(atom)
        found = self._known[atom]
        return found if literal > 0 else self.circuit.negated(found)

    def _atom(self, atom: int) -> int:
        if atom in self._names:
            return self.circuit.fluent(self._names[atom])
        if atom in self._open:
            raise TooManyNodes(
                "a goal that rests on itself", expected="rules without recursion over the state"
            )
        self._open.add(atom)
        ways = [self.circuit.both(map(self.formula, body)) for body in self._rules.bodies[atom]]
        for least, body in self._rules.sums[atom]:
            weighted = [(self.formula(literal), weight) for literal, weight in body]
            ways.append(self.circuit.count(least, weighted))
        self._open.discard(atom)
        return self.circuit.either(ways)
