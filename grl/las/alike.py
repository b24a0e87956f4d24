"""Rules of a space that have the same instances in every context: the cheapest stands for all.

What holds in every answer set whatever is learned is known before: predicates of which clingo
makes nothing but facts, with all rules of the space switched on. A rule's literals over them say
which values its other variables may take, and no more. Rules with the same head, the same other
literals and the same values have the same instances; those without any do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import count

import clingo

from grl.las.clock import Clock, grounded
from grl.las.matches import Bodies, Interpretation, readable
from grl.las.programs import SWITCH, definitions
from grl.las.task import Task
from grl.las.terms import (
    Atom,
    Choice,
    Constant,
    Element,
    Literal,
    Rule,
    Term,
    Variable,
    Weak,
    map_atom,
    map_literal,
    variables,
)

MOST = 3_000_000
"""Rules times contexts beyond which they are not compared."""


def alike(
    task: Task, rules: Sequence[Rule], guards: Mapping[int, str], clock: Clock
) -> tuple[set[int], dict[str, list[clingo.Symbol]]]:
    """Numbers of rules that another one stands for, or that have no instance anywhere.

    With them come all atoms that there may be by context; nothing where rules are not compared.
    `guards` are the rules that make atoms, by number and switched by it.
    """
    contexts = sorted({one.context for one in task.examples})
    if definitions(task.background) or len(rules) * len(contexts) > MOST:
        return set(), {}
    makers = "\n".join(guards[number] for number in _least(rules, guards, clock))
    worlds = [_world(task, context, makers, len(rules), clock) for context in contexts]
    loose = {one for known, _ in worlds for one, sure in known.items() if not sure}
    parted = [_part(rule, loose) for rule in rules]
    bodies = Bodies(None if one is None else one.known for one in parted)
    seals = [blake2b(digest_size=16) for _ in rules]
    fires = [one is None for one in parted]
    for _, atoms in worlds:
        here = Interpretation(atoms, bodies, everything=True)
        for number, one in enumerate(parted):
            if one is None:
                continue
            if not number % 512:
                clock.check()
            rows = here.projected(number, one.width)
            if rows is None:
                parted[number] = None
                fires[number] = True
                continue
            fires[number] |= rows > 0
            seals[number].update(b"%x." % rows)
    best: dict[tuple[str, bytes], int] = {}
    idle: set[int] = set()
    for number in sorted(range(len(rules)), key=lambda n: (rules[n].cost, n)):
        one = parted[number]
        if not fires[number]:
            idle.add(number)
        elif one is not None:
            key = one.text, seals[number].digest()
            if best.setdefault(key, number) != number:
                idle.add(number)
    return idle, {c: atoms for c, (_, atoms) in zip(contexts, worlds, strict=True)}


def _least(rules: Sequence[Rule], numbers: Iterable[int], clock: Clock) -> Iterator[int]:
    """Rules that make all the atoms that any of these can make, none of them for another's.

    A rule makes no atoms but those of a rule with its head and fewer of its literals. clingo needs
    far more time for thousands of rules that may use one another's heads than for the few left.
    """
    known: dict[str, list[frozenset[str]]] = {}
    for number in sorted(numbers, key=lambda n: (len(rules[n].body), n)):
        if not number % 512:
            clock.check()
        rule = rules[number]
        if rule.written is None:
            if rule.head is None or isinstance(rule.head, Weak):
                continue
            body = frozenset(map(str, rule.body))
            bodies = known.setdefault(str(rule.head), [])
            if any(fewer <= body for fewer in bodies):
                continue
            bodies.append(body)
        yield number


class _Parted:
    """A rule in two: a text of head and open literals, and literals over what is known."""

    def __init__(self, text: str, known: tuple[Literal, ...], width: int) -> None:
        self.text = text
        self.known = known
        self.width = width


Signature = tuple[str, int, bool]


def _world(
    task: Task, context: str, guards: str, switches: int, clock: Clock
) -> tuple[dict[Signature, bool], list[clingo.Symbol]]:
    """Whether each predicate is made of facts alone, and all atoms that there may be."""
    clock.check()
    outside = f"#external {SWITCH}(0..{switches - 1})." if switches else ""
    ctl = grounded(f"{task.background}\n{context}\n{guards}\n{outside}", "--opt-mode=ignore")
    known: dict[Signature, bool] = {}
    atoms: list[clingo.Symbol] = []
    for atom in ctl.symbolic_atoms:
        symbol = atom.symbol
        if symbol.name == SWITCH:
            continue
        signature = symbol.name, len(symbol.arguments), symbol.positive
        known[signature] = known.get(signature, True) and atom.is_fact
        atoms.append(symbol)
    return known, atoms


def _part(rule: Rule, loose: set[Signature]) -> _Parted | None:
    """None for rules that are not compared."""
    if rule.written is not None or isinstance(rule.head, Weak) or not readable(rule.body):
        return None
    known = [one for one in rule.body if not isinstance(one, Atom) or _signature(one) not in loose]
    open_ = [one for one in rule.body if one not in known]
    inside = {number for one in rule.body for number in variables(one)}
    names: dict[int, Term] = {}
    local = count(1)

    def rename(leaf: Term) -> Term:
        if not isinstance(leaf, Variable):
            return leaf
        number = leaf.number
        if number not in names and number in inside:
            names[number] = Variable(1 + sum(isinstance(one, Variable) for one in names.values()))
        elif number not in names:
            names[number] = Constant(f"L{next(local)}")
        return names[number]

    head = _renamed(rule.head, rename)
    rest = "; ".join(str(map_literal(one, rename)) for one in open_)
    width = sum(isinstance(one, Variable) for one in names.values())
    return _Parted(f"{head} :- {rest}", tuple(map_literal(one, rename) for one in known), width)


def _renamed(head: Atom | Choice | Weak | None, rename: Callable[[Term], Term]) -> str:
    if isinstance(head, Atom):
        return str(map_atom(head, rename))
    if not isinstance(head, Choice):
        return ""
    elements = tuple(
        Element(map_atom(one.atom, rename), tuple(map_atom(c, rename) for c in one.condition))
        for one in head.elements
    )
    return str(Choice(head.lower, elements, head.upper))


def _signature(atom: Atom) -> Signature:
    name = atom.term.name
    return name.removeprefix("-"), len(atom.term.args), not name.startswith("-")
