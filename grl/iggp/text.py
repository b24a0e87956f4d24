"""Rules as ASP: the text of a rule, with the facts that its terms stand for written out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from grl.iggp.terms import (
    Apply,
    Between,
    Const,
    Count,
    Equal,
    Key,
    Literal,
    Rule,
    Term,
    Var,
    parts,
    subterms,
    terms_of,
)
from grl.iggp.world import World

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SLOT = re.compile(r"\?(\d+)\?")


def rule_text(
    world: World,
    head: str,
    arity: int,
    rule: Rule,
    domain: str,
    extra: Sequence[str] = (),
    *,
    guarded: bool = False,
) -> str:
    """One rule as ASP.

    `domain` names the relation of candidates, which binds arguments that nothing else binds (or
    always, where `guarded`); each name in `extra` adds ``not name(arguments)``.
    """
    return _Writer(world, arity, rule).write(head, domain, extra, guarded)


class _Writer:
    """The names of one rule's terms: terms that are equated share a name or a constant."""

    def __init__(self, world: World, arity: int, rule: Rule) -> None:
        self.world, self.arity, self.rule = world, arity, rule
        self.parent: dict[Term, Term] = {}
        self.numbers: dict[Term, int] = {}
        self.contradictions: list[str] = []
        for literal in rule.literals:
            if isinstance(literal, Equal) and literal.positive:
                self._unite(literal.left, literal.right)
        self._close()

    def _close(self) -> None:
        """Equal arguments give equal values: unite terms until nothing changes."""
        terms = list(subterms(t for literal in self.rule.literals for t in terms_of(literal)))
        while True:
            seen: dict[tuple[object, ...], Term] = {}
            changed = False
            for term in terms:
                if not isinstance(term, Apply):
                    continue
                roots = tuple(self._find(argument) for argument in term.arguments)
                same = seen.setdefault((term.relation, term.positions, term.output, roots), term)
                if self._find(same) != self._find(term):
                    self._unite(same, term)
                    changed = True
            if not changed:
                return

    def _find(self, term: Term) -> Term:
        while term in self.parent:
            term = self.parent[term]
        return term

    def _unite(self, left: Term, right: Term) -> None:
        a, b = self._find(left), self._find(right)
        if a == b:
            return
        if isinstance(a, Const) and isinstance(b, Const):
            self.contradictions.append(f"{self._name(a)} = {self._name(b)}")
        elif isinstance(a, Const) or (isinstance(a, Var) and not isinstance(b, Const)):
            self.parent[b] = a
        else:
            self.parent[a] = b

    def _name(self, term: Term) -> str:
        root = self._find(term)
        if isinstance(root, Const):
            return self.world.vocabulary.names[root.code]
        return f"?{self.numbers.setdefault(root, len(self.numbers))}?"

    def _atom(self, key: Key, given: Mapping[int, Term]) -> str:
        name, arity = key
        slots = [self._name(given[i]) if i in given else "_" for i in range(arity)]
        return f"{name}({','.join(slots)})" if slots else name

    def write(self, head: str, domain: str, extra: Sequence[str], guarded: bool) -> str:
        arguments = [Var(i) for i in range(self.arity)]
        head_text = self._atom((head, self.arity), dict(enumerate(arguments)))
        binding: list[str] = []
        tests: list[str] = [*self.contradictions]
        fresh = self.arity
        done: set[Term] = set()
        for generator in self.rule.generators:
            for argument in generator.arguments:
                self._define(argument, done, binding, tests)
            given: dict[int, Term] = dict(
                zip(generator.positions, generator.arguments, strict=True)
            )
            for i in range(generator.relation[1]):
                if i not in given:
                    given[i] = Var(fresh)
                    fresh += 1
            binding.append(self._atom(generator.relation, given))
        for literal in self.rule.literals:
            for term in terms_of(literal):
                self._define(term, done, binding, tests)
            self._literal(literal, binding, tests)
        tests += [
            f"not {self._atom((name, self.arity), dict(enumerate(arguments)))}" for name in extra
        ]
        bound = set(_SLOT.findall(" ".join(binding)))
        needed = set(_SLOT.findall(" ".join((head_text, *tests))))
        if self.arity and (guarded or not needed <= bound):
            binding.insert(0, self._atom((domain, self.arity), dict(enumerate(arguments))))
        body = list(dict.fromkeys((*binding, *tests)))
        text = f"{head_text} :- {', '.join(body)}." if body else f"{head_text}."
        return self._lettered(text)

    def _define(self, term: Term, done: set[Term], binding: list[str], tests: list[str]) -> None:
        for part in parts(term):
            self._define(part, done, binding, tests)
        if term in done or isinstance(term, Var | Const):
            return
        done.add(term)
        given = dict(zip(term.positions, term.arguments, strict=True))
        if isinstance(term, Apply):
            binding.append(self._atom(term.relation, {**given, term.output: term}))
            return
        local = [f"#{i}" for i in range(term.relation[1])]
        if isinstance(term, Count):
            open_ = [i for i in range(term.relation[1]) if i not in given]
            atom = self._open_atom(term.relation, given, local)
            inside = f"{','.join(local[i] for i in open_) or 'x'} : {atom}"
        else:
            inner = local[term.output]
            inside = "; ".join(self._stretches(term, given, inner))
        aggregate = f"{self._name(term)} = #count{{ {inside} }}"
        if isinstance(self._find(term), Const):
            tests.append(aggregate)
        else:
            tests.insert(0, aggregate)

    def _stretches(self, term: Between, given: Mapping[int, Term], inner: str) -> Iterator[str]:
        atom = self._open_atom(
            term.relation,
            given,
            [inner if i == term.output else "_" for i in range(term.relation[1])],
        )
        low, high = self._name(term.low), self._name(term.high)
        order = term.order[0]
        for a, b in ((low, high), (high, low)):
            yield f"{inner} : {atom}, {order}({a},{inner}), {order}({inner},{b})"

    def _open_atom(self, key: Key, given: Mapping[int, Term], local: Sequence[str]) -> str:
        name, arity = key
        slots = [self._name(given[i]) if i in given else local[i] for i in range(arity)]
        return f"{name}({','.join(slots)})" if slots else name

    def _literal(self, literal: Literal, binding: list[str], tests: list[str]) -> None:
        if isinstance(literal, Equal):
            if not literal.positive:
                tests.append(f"{self._name(literal.left)} != {self._name(literal.right)}")
            return
        atom = self._atom(
            literal.relation, dict(zip(literal.positions, literal.arguments, strict=True))
        )
        if literal.positive:
            binding.append(atom)
        else:
            tests.append(f"not {atom}")

    def _lettered(self, text: str) -> str:
        """Variables as letters in the order of appearance; one that appears once is ``_``."""
        times: dict[str, int] = {}
        for slot in _SLOT.findall(text):
            times[slot] = times.get(slot, 0) + 1
        letters: dict[str, str] = {}

        def letter(match: re.Match[str]) -> str:
            slot = match.group(1)
            if times[slot] == 1:
                return "_"
            if slot not in letters:
                number = len(letters)
                letters[slot] = _LETTERS[number] if number < 20 else f"V{number}"
            return letters[slot]

        text = _SLOT.sub(letter, text)
        return re.sub(r"#(\d+)", lambda match: f"X{match.group(1)}", text)


def used_relations(rule: Rule) -> Iterator[Key]:
    """The relations that a rule speaks of, also inside its terms."""
    left: list[Term] = []
    for generator in rule.generators:
        yield generator.relation
        left.extend(generator.arguments)
    for literal in rule.literals:
        if not isinstance(literal, Equal):
            yield literal.relation
        left.extend(terms_of(literal))
    for term in subterms(left):
        if isinstance(term, Apply | Count | Between):
            yield term.relation
        if isinstance(term, Between):
            yield term.order
