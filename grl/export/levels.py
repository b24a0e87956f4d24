"""Rules that walk automata, with their recursion in terms unrolled, and copies of rules.

In such rules a mark ' after a predicate says that its term is a letter longer than those without.
As one recursive program they lose the marks; a dialect without growing terms gets a copy of each
rule for each number of letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from grl.asp.reader import respelt
from grl.asp.rules import Literal, Rule
from grl.asp.terms import Function, Variable

WORDS = frozenset({"begin", "walk", "sets", "now", "down", "left", "fresh", "live", "used"})
"""The predicates that are recursive in the length of a word."""
RESTS = frozenset({"rest", "spare"})
"""Those that are recursive in the number of segments that effects add to it."""
COPIES = ("", "reply_", "later_", "later_reply_")
"""What the names of predicates begin with in the copies that a program has of its rules."""
BOARDS = {"begin": 5, "walk": 6, "down": 2}
"""Predicates of words, and which of their arguments is the board."""
MARK = "'"


def unmarked(name: str) -> str:
    """A predicate's name without its mark."""
    return name.removesuffix(MARK)


def recursive(text: str) -> str:
    """A program without marks: one recursive program."""
    return respelt(text, unmarked, MARK)


def marked(rules: Iterable[Rule]) -> bool:
    """Whether rules have marks."""
    return any(name.endswith(MARK) for rule in rules for name in rule.predicates)


def unrolled(rules: Iterable[Rule], levels: int, changes: int = 0) -> list[Rule]:
    """Rules with a copy for each number of letters up to `levels`, without recursion in terms.

    Those that add effects have one for each number of squares up to `changes`. A levelled predicate
    ``p`` becomes ``p_k``; with a mark ``p_k+1``. What is left in reserve is handed on from level to
    level, and what a board holds for as long as words have this board: it is `used`.
    """
    rules = list(rules)
    found: list[Rule] = []
    for rule in rules:
        recurs = marked([rule])
        if _original(unmarked(rule.name)) in RESTS:
            numbers = range(changes) if recurs else range(1)
            found += [_at_level(rule, level, RESTS) for level in numbers]
        elif _sees_board(rule) or (recurs and _has_one_letter(rule)):
            found.append(_at_level(rule, 0, WORDS))
        elif recurs:
            found += [_at_level(rule, level, WORDS) for level in range(levels)]
        else:
            found.append(rule)
    for rule in _handing_on(rules):
        found += [_at_level(rule, level, WORDS) for level in range(levels)]
    found = _grounded(found)
    heads = {atom.name: atom for rule in found for atom in rule.heads() if _is_levelled(atom.name)}
    for atom in heads.values():
        arguments = tuple(Variable(f"X{i}") for i in range(len(atom.arguments)))
        any_level = Function(_level(atom.name)[0], arguments)
        found.append(Rule(any_level, (Literal(Function(atom.name, arguments)),)))
    return found


def _handing_on(rules: Iterable[Rule]) -> Iterable[Rule]:
    """What a longer word leaves as it was; a program has `now` and `left` in several copies."""
    there = {atom.name: len(atom.arguments) for rule in rules for atom in rule.heads()}
    arguments = tuple(map(Variable, "WBSC"))
    for copy in COPIES:
        used = Function(f"{copy}used{MARK}", arguments[:2])
        for word, place in BOARDS.items():
            name = f"{copy}{word}{MARK}"
            if name in there and f"{copy}now{MARK}" in there:
                others = [Variable(f"X{i}") for i in range(there[name])]
                others[0], others[place] = arguments[:2]
                yield Rule(used, (Literal(Function(name, tuple(others))),))
        for name, needed in (("now", (Literal(used),)), ("left", ())):
            if f"{copy}{name}{MARK}" in there:
                before = Literal(Function(copy + name, arguments))
                yield Rule(Function(f"{copy}{name}{MARK}", arguments), (before, *needed))


def _original(name: str) -> str:
    """The predicate of which this one is a copy."""
    return name.removeprefix("later_").removeprefix("reply_")


def _at_level(rule: Rule, level: int, names: Set[str]) -> Rule:
    def name(old: str) -> str:
        plain = unmarked(old)
        return f"{plain}_{level + (old != plain)}" if _original(plain) in names else old

    return rule.renamed(name)


def _level(name: str) -> tuple[str, str]:
    plain, _, level = name.rpartition("_")
    return plain, level


def _is_levelled(name: str) -> bool:
    plain, level = _level(name)
    return level.isdigit() and _original(plain) in WORDS | RESTS


def _sees_board(rule: Rule) -> bool:
    """Whether a rule speaks of the board on which no letter has changed anything yet."""
    board = Function("board")
    return any(
        _original(atom.name) == "now" and atom.arguments[1:2] == (board,) for atom in rule.atoms()
    )


def _has_one_letter(rule: Rule) -> bool:
    """Whether a rule derives something of a word that only says where it begins."""
    begun = Function("from", (Variable("S"),))
    return any(begun in atom.arguments for atom in rule.heads())


def _grounded(rules: list[Rule]) -> list[Rule]:
    """Rules without those that rest on a level at which nothing is derived."""
    while True:
        heads = {rule.name for rule in rules}
        kept = [
            rule
            for rule in rules
            if all(atom.name in heads for atom, _ in rule.below() if _is_levelled(atom.name))
        ]
        if len(kept) == len(rules):
            return rules
        rules = kept
