"""Rules as text: one by one, renamed, wrapped, and with their recursion in terms unrolled.

In rules that walk automata a mark ' after a predicate says that its term is a letter longer than
those without. As one recursive program they lose the marks; a dialect without growing terms gets a
copy of each rule for each number of letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

WORDS = frozenset({"begin", "walk", "sets", "now", "down", "left", "fresh"})
"""The predicates that are recursive in the length of a word."""
RESTS = frozenset({"rest", "spare"})
"""Those that are recursive in the number of segments that effects add to it."""


def _pattern(names: Iterable[str]) -> str:
    return rf"(?:later_)?(?:reply_)?(?:{'|'.join(sorted(names))})"


LEVELLED_NAMES = _pattern(WORDS | RESTS)


def filled(facts: list[str]) -> list[str]:
    """Facts on lines of up to 96 characters."""
    lines: list[str] = []
    for fact in facts:
        if lines and len(lines[-1]) + len(fact) < 96:
            lines[-1] += f" {fact}"
        else:
            lines.append(fact)
    return lines


def unrolled(rules: str, levels: int, changes: int = 0) -> str:
    """Rules with a copy for each number of letters up to `levels`, without recursion in terms.

    Those that add effects have one for each number of squares up to `changes`. A levelled predicate
    ``p`` becomes ``p_k``; with a mark ``p_k+1``. What a board holds, and what is left in reserve,
    is handed on from level to level.
    """
    found = []
    for rule in split(rules):
        if re.match(rf"{_pattern(RESTS)}'?\(", rule):
            numbers = range(changes) if "'" in rule else range(1)
            found += [_at_level(rule, level, RESTS) for level in numbers]
        elif "'" not in rule and "now(W,board" not in rule:
            found.append(rule)
        elif "now(W,board" in rule or "from(S)," in rule.split(":-", maxsplit=1)[0]:
            found.append(_at_level(rule, 0))
        else:
            found += [_at_level(rule, level) for level in range(levels)]
    for prefix in ("", "reply_", "later_", "later_reply_"):
        for name in ("now", "left"):
            if re.search(rf"\b{prefix}{name}'", rules):
                rule = f"{prefix}{name}'(W,B,S,C) :- {prefix}{name}(W,B,S,C)."
                found += [_at_level(rule, level) for level in range(levels)]
    found = _grounded(found)
    heads: dict[tuple[str, str], int] = {}
    for rule in found:
        head = re.match(rf"({LEVELLED_NAMES})_(\d+)\(", rule)
        if head:
            heads[head[1], head[2]] = _arity(rule)
    for (name, level), arity in heads.items():
        arguments = ",".join(f"X{i}" for i in range(arity))
        found.append(f"{name}({arguments}) :- {name}_{level}({arguments}).")
    return "\n".join(found)


def _grounded(rules: list[str]) -> list[str]:
    """Rules without those that rest on a level at which nothing is derived."""
    level = re.compile(rf"\b(?:{LEVELLED_NAMES})_\d+(?=\()")
    while True:
        heads = {m[0] for rule in rules if (m := level.match(rule))}
        kept = [
            rule
            for rule in rules
            if all(name in heads for name in level.findall(rule.partition(":-")[2]))
        ]
        if len(kept) == len(rules):
            return rules
        rules = kept


def _arity(rule: str) -> int:
    """The number of arguments of a rule's head."""
    depth = commas = 0
    for character in rule.partition(":-")[0]:
        depth += {"(": 1, ")": -1}.get(character, 0)
        commas += character == "," and depth == 1
    return commas + 1


def split(rules: str) -> list[str]:
    """Rules one by one, comments left out."""
    bare = re.sub(r"%.*", "", rules)
    return [f"{' '.join(rule.split())}." for rule in re.split(r"\.(?=\s|$)", bare) if rule.strip()]


def _at_level(rule: str, level: int, names: Iterable[str] = WORDS) -> str:
    return re.sub(
        rf"\b({_pattern(names)})('?)\(",
        lambda m: f"{m[1]}_{level + 1 if m[2] else level}(",
        rule,
    )


def recursive(rules: str) -> str:
    """The same rules without marks: one recursive program."""
    return rules.replace("'(", "(")


def wrapped(line: str, width: int = 96) -> str:
    """A rule on lines that are not too long, broken between literals."""
    if len(line) <= width or line.startswith("%"):
        return line
    parts, depth, start = [], 0, 0
    for at, character in enumerate(line):
        depth += {"(": 1, ")": -1, "{": 1, "}": -1}.get(character, 0)
        if depth == 0 and line[at : at + 2] == ", ":
            parts.append(line[start : at + 1])
            start = at + 2
    parts.append(line[start:])
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) < width:
            lines[-1] += f" {part}"
        else:
            lines.append(f"    {part}")
    return "\n".join(lines)


def bare(rules: str) -> str:
    """Rules without comments, one a line, marks kept."""
    return "\n".join(split(rules))


def renamed(rules: str, prefix: str, names: Iterable[str]) -> str:
    """A copy of rules: each of these predicates with a prefix."""
    return re.sub(rf"(?<!\w)({'|'.join(sorted(names))})(?='?\()", rf"{prefix}\1", rules)
