"""Endings as learning tasks in ILASP's language: when a game is over, and with which goals.

An atom of a task is a feature of positions that the learner of endings looked at, as a predicate
without arguments; every row of its table is an example whose context lists the features that hold
there. So a task can be solved without knowing boards: what the predicates mean stands in comments.
Features are named as `grl.rules.asp.programs` defines them.

The rules of a task are in no order: one for goals covers no terminal position with other goals.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from grl.errors import ModelError
from grl.model import Feature, Goal, Goals, Literal, Rule, Score
from grl.rules.asp.definitions import Definitions
from grl.rules.endings.pool import Pool, price
from grl.rules.search.conjunctions import RULE_COST, Found, Rows, atoms_of, pure_rules

MOST_ATOMS = 300
"""Of more atoms the cheapest are kept, with those that rules are known to need."""
PENALTY = 10
"""For each position that no short rule distinguishes: more than a rule costs."""
MOST_RULES = 40
"""After so many rules of a class the positions left count as distinguished by none."""
WIDTH = 100


class Ending(NamedTuple):
    """A task as text with the longest body that it needs; what each of its atoms stands for."""

    text: str
    body: int
    atoms: Mapping[str, Feature]
    examples: int


class _Part(NamedTuple):
    """Heads with the rows of which each is wanted, and all rows that examples are made of."""

    heads: tuple[tuple[str, Rows], ...]
    rows: Rows


def ending_tasks(pool: Pool, game: str, rules: Sequence[Rule] = ()) -> dict[str, Ending]:
    """The tasks ``terminal`` and ``goal`` of a pool; none where no game ended.

    The rules that were learned, where they are given, help to say how long bodies need to be.
    """
    ends = np.array([n for n, goals in enumerate(pool.goals) if goals is not None], dtype=np.intp)
    if not len(ends):
        return {}
    classes = [
        (f"goal({','.join(map(_atom, goals))})", _rows_with(pool, goals)) for goals in pool.classes
    ]
    everything = np.arange(len(pool.cases))
    bodies = [rule.body for rule in rules]
    parts = {
        "terminal": _Part((("terminal", ends),), everything),
        "goal": _Part(tuple(classes), ends),
    }
    return {name: _task(pool, game, name, part, bodies) for name, part in parts.items()}


def _atom(goal: Goal) -> str:
    return "counted" if isinstance(goal, Score) else str(goal)


def _rows_with(pool: Pool, goals: Goals) -> Rows:
    return np.array([n for n, each in enumerate(pool.goals) if each == goals], dtype=np.intp)


def _task(
    pool: Pool, game: str, name: str, part: _Part, bodies: Sequence[tuple[Literal, ...]]
) -> Ending:
    atoms = atoms_of(pool.features, pool.table[part.rows])
    features: dict[Feature, None] = {}
    longest = 0
    lost: set[int] = set()
    for _, wanted in part.heads:
        others = np.setdiff1d(part.rows, wanted)
        rules, left = _known_rules(pool, wanted, others, _pure(pool, bodies, wanted, others))
        longest = max([longest, *(len(rule.body) for rule in rules)])
        features |= dict.fromkeys(literal.feature for rule in rules for literal in rule.body)
        lost |= set(left.tolist())
    cheap = sorted(
        (min(zip(costs, literals, strict=True), key=lambda each: (each[0], repr(each[1]))))
        for costs, literals in zip(atoms.costs, atoms.literals, strict=True)
    )
    dropped = max(0, len(cheap) - MOST_ATOMS)
    features |= dict.fromkeys(literal.feature for _, literal in cheap[:MOST_ATOMS])
    collection = Definitions(pool.setting)
    named = {_name(collection, feature): feature for feature in features}
    ordered = sorted(named, key=lambda each: (pool.prices[named[each]], each))
    named = {each: named[each] for each in ordered}
    examples = list(_examples(pool, part, list(named.values()), list(named), lost))
    body = max(1, longest)
    lines = [
        *_comment(
            f"{name} of {game}: {len(part.rows):,} positions as {len(examples):,} examples, "
            f"{len(named):,} atoms. With -ml {body} --max-rule-length {body + 1} for grl las, "
            f"-ml={body} for ILASP."
        ),
        *_comment(
            "An atom is a feature of positions that the learner of endings looked at; a context "
            "lists those that hold. Goals are by seat, from the player to move on."
        ),
        *_comment(f"Left out are {dropped:,} more expensive atoms." if dropped else ""),
        *(f"#modeh({head})." for head, _ in part.heads),
        *(line for each in named for line in _mode(collection, each, named[each])),
        *examples,
    ]
    return Ending("\n".join(lines) + "\n", body, named, len(examples))


def _pure(
    pool: Pool, bodies: Sequence[tuple[Literal, ...]], wanted: Rows, others: Rows
) -> Iterator[Found]:
    """Those of the bodies that cover wanted rows and no others."""
    place = {feature: column for column, (feature, _) in enumerate(pool.features)}
    for body in bodies:
        if all(feature in place for feature, _ in body):
            columns = [place[feature] for feature, _ in body]
            covers = np.all(pool.table[:, columns] == [holds for _, holds in body], axis=1)
            if covers[wanted].any() and not covers[others].any():
                cost = sum(price(literal, pool.prices) for literal in body)
                yield Found(body, wanted[covers[wanted]], cost)


def _known_rules(
    pool: Pool, wanted: Rows, others: Rows, given: Iterable[Found]
) -> tuple[list[Found], Rows]:
    """Rules, as short as can be and found by greed, that cover wanted rows and no others.

    With them come the rows that no such rule covers; some rules may be `given`.
    """
    met = list(given)
    left = wanted
    for _ in range(MOST_RULES):
        rows = np.concatenate([left, others])
        found = pure_rules(atoms_of(pool.features, pool.table[rows]), left)
        if not found:
            break
        met += found
        left = np.setdiff1d(left, max(found, key=_worth).covered)
    reached = np.setdiff1d(wanted, left)
    for longest in range(max((len(each.body) for each in met), default=0) + 1):
        short = [each for each in met if len(each.body) <= longest]
        rules = []
        rest = reached
        while len(rest) and short:
            cut = [each._replace(covered=np.intersect1d(each.covered, rest)) for each in short]
            best = max(cut, key=_worth)
            if not len(best.covered):
                break
            rules.append(best)
            rest = np.setdiff1d(rest, best.covered)
        if not len(rest):
            return rules, left
    return [], left


def _worth(rule: Found) -> tuple[float, str]:
    return len(rule.covered) / (rule.cost + RULE_COST), repr(rule.body)


def _name(collection: Definitions, feature: Feature) -> str:
    """The predicate of a feature, whether it is defined in ASP or not."""
    try:
        return collection.position(feature)
    except ModelError:
        return collection.name(("position", feature), collection.spelt(feature))


def _mode(collection: Definitions, name: str, feature: Feature) -> Iterator[str]:
    """A mode declaration with what the atom means."""
    yield from _comment(collection.english.position(feature, True))
    yield f"#modeb(1, {name})."


def _examples(
    pool: Pool,
    part: _Part,
    features: Sequence[Feature],
    names: Sequence[str],
    lost: set[int],
) -> Iterator[str]:
    """Each row as an example, those that agree in everything as one."""
    place = {feature: column for column, (feature, _) in enumerate(pool.features)}
    table = pool.table[:, [place[feature] for feature in features]]
    heads = {row: head for head, wanted in part.heads for row in wanted.tolist()}
    alike: dict[tuple[bytes, str | None], list[int]] = {}
    for row in part.rows.tolist():
        alike.setdefault((table[row].tobytes(), heads.get(row)), []).append(row)
    for number, ((_, head), rows) in enumerate(alike.items(), 1):
        holds = [head] if head else []
        fails = [other for other, _ in part.heads if other != head]
        penalty = f"@{PENALTY * len(rows)}" if lost & set(rows) else ""
        facts = " ".join(f"{name}." for name, yes in zip(names, table[rows[0]], strict=True) if yes)
        context = textwrap.fill(
            f"{{{facts}}}).",
            WIDTH,
            initial_indent="  ",
            subsequent_indent="   ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        interpretation = f"{{{', '.join(holds)}}}, {{{', '.join(fails)}}}"
        yield f"% {_board(pool, rows)}\n#pos(p{number}{penalty}, {interpretation},\n{context}"


def _board(pool: Pool, rows: Sequence[int]) -> str:
    position = pool.cases[rows[0]].position()
    more = f", and {len(rows) - 1} positions more" if len(rows) > 1 else ""
    return f"{'/'.join(position.rows)}, {position.to_move} to move{more}"


def _comment(text: str) -> Iterator[str]:
    yield from (f"% {line}" for line in textwrap.wrap(text, WIDTH - 2))
