"""Restrictions: which pseudo-legal turns the rules forbid, learned from where turns are legal.

Rules are learned from a working set of positions, to which positions that come out wrong are added
until none does. Where all legal turns are known a rule is worth the positions that it explains.
Where only the turns played are known, it is worth the surprise of their silence: under a player
who chooses evenly among what is left, that no turn of those it forbids was ever played has a
chance, and its bits have to pay for the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import is_

import numpy as np
from numpy.typing import NDArray

from grl.logic.evenly import evenly
from grl.model import Rule
from grl.progress import Progress
from grl.rules.features.cases import Setting
from grl.rules.features.vocabulary import ROUNDS
from grl.rules.restrictions.labelled import ALIAS, LEGAL, Labelled, subsampled
from grl.rules.restrictions.position_kinds import even, spread, uneven
from grl.rules.restrictions.strata import relative
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.theory import FEW, RULE_COST, Scoring, Theory
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.restrictions.working_set import Working
from grl.rules.search.conjunctions import Bools, Rows
from grl.rules.search.refine import Attempt, by_level, refine

FIRST_TURNS = 2_000
DRAFTED_TURNS = 1_000
MOST_DRAFTED = 6
"""Restrictions that are drafted are at most so many, from so many turns."""
ADDED_TURNS = 500
MOST_POSITIONS = 80
ADDED_POSITIONS = 16
MOST_ADDED = 4
"""The first revision adds so many wrong positions, later ones up to so many times as many."""
MOST_SURPLUS = 48
"""So many turns that are not legal show enough of a position of which all legal ones are known."""
REVISIONS = 16
TRIALS = 3
MOST_RULES = 14
"""With more rules than these the features of a round but the last don't do."""
HOPELESS = 24
"""With more than these, or turns unexplained, after some revisions, a feature is missing."""
MOST_BEGUN = 6
"""Of theories with more rules than these none is tried as the first."""
MOST_WRONG = 300
"""Wrong positions are counted up to this many."""
DOUBTS = 1
"""So often theories that leave nothing wrong are asked for what their weak rules rest on."""
DECIDED = 8
ADDED_DECIDED = 3
"""So many positions that each of those rules decides join then, and where others are wrong."""
SAMPLE = 400
"""Positions from which numbers are taken."""
SILENT_TURNS = 20_000
SILENT_POSITIONS = 3_000
SILENT_ROUNDS = 12
PATIENCE = (2, 4, 12)
"""How many rules that few positions speak for each round goes through."""
MOST_DOUBTFUL = 2
"""With more provisional rules than these, the expensive features of the last round are tried."""
MOST_SHARE = 0.99
"""Where a turn is left at all, no rule is believed to forbid more of a position than this."""
TRUST = 0.5
"""The part of the bits of a silence that counts, for players don't choose evenly."""
LITERAL_BITS = 7.0
"""What a unit of a rule's cost has to be paid with."""


class Explained:
    """Where all legal turns are known: positions explained for the cost of a rule."""

    def worth(self, group: Rows, alive: Bools, covered: Rows, cost: float) -> float:  # noqa: ARG002
        """Positions for the cost."""
        return len(np.unique(group[covered])) / (cost + RULE_COST)

    def weights(self, group: Rows, alive: Bools) -> None:
        """No turn asks more than another."""


class Silence:
    """Where only the turns played are known: bits of silence, less what the rule costs."""

    def worth(self, group: Rows, alive: Bools, covered: Rows, cost: float) -> float:
        """Bits by which the rule makes the turns played likelier than before."""
        size = int(group.max()) + 1
        before = np.bincount(group[alive], minlength=size)
        gone = np.bincount(group[covered], minlength=size)
        touched = gone > 0
        share = np.minimum(gone[touched] / before[touched], MOST_SHARE)
        bits = -np.log2(1 - share).sum()
        return float(TRUST * bits - LITERAL_BITS * (cost + RULE_COST))

    def weights(self, group: Rows, alive: Bools) -> NDArray[np.float64]:
        """The chance of each turn to have been played."""
        found: NDArray[np.float64] = 1.0 / np.maximum(np.bincount(group[alive])[group], 1)
        return found


def learn_restrictions(
    vocabulary: TurnVocabulary, everything: Survey, progress: Progress
) -> tuple[tuple[Rule, ...], int]:
    """Rules that forbid what is never legal, or, where little is known, never played.

    With them comes the number of positions that they don't explain: where other turns are left
    than the legal ones, or the turn played is forbidden. Where most positions are of the second
    kind, the others only add what their rules leave to explain. None is learned from positions
    that the generator lacks a legal turn of, where there are others: what forbids a turn there may
    be the turn that is missing.
    """
    items = everything.items
    complete = [item for item in items if item.complete]
    single = [item for item in items if not item.complete]
    rules: tuple[Rule, ...] = ()
    if 2 * len(complete) < len(items):
        rules = _silent(vocabulary, single, complete, progress)
        complete = Survey(vocabulary.setting, complete).left(rules)
        single = Survey(vocabulary.setting, single).left(rules)
    whole = [item for item in complete if not item.missing] or complete
    ordered = [*whole, *single]
    same = len(ordered) == len(items) and all(map(is_, ordered, items))
    survey = everything if same else Survey(vocabulary.setting, ordered)
    more = _pruned(survey, _revised(vocabulary, whole, survey, progress))
    if len(whole) < len(complete):
        survey = Survey(vocabulary.setting, [*complete, *single])
    more = _without_refuted(survey, more)
    if rules:
        survey = everything
    rules += more
    return _counted(survey, rules), len(survey.wrong(rules))


def drafted_cost(
    vocabulary: TurnVocabulary, items: Sequence[Labelled], progress: Progress
) -> tuple[int, float]:
    """What plain features make of some positions of which all legal turns are known.

    That is how many they leave unexplained, and what their rules cost.
    """
    working = Working(vocabulary, progress)
    working.add(_shown(vocabulary, _beginning(items, DRAFTED_TURNS)))
    theory = working.theory(1, Explained(), patience=PATIENCE[1], most=MOST_DRAFTED)
    return theory.rank


def _beginning(items: Sequence[Labelled], turns: int = FIRST_TURNS) -> list[Labelled]:
    """Positions to begin with: with illegal turns, and without; none where all are legal."""
    with_surplus = [item for item in items if item.surplus]
    quiet = [item for item in items if not item.surplus and item.cases]
    if not with_surplus:
        return []
    first = _first(with_surplus, MOST_POSITIONS, turns)
    return first + _first(quiet, MOST_POSITIONS // 2, turns // 4)


def _revised(
    vocabulary: TurnVocabulary,
    items: Sequence[Labelled],
    survey: Survey,
    progress: Progress,
) -> tuple[Rule, ...]:
    """Rules where all legal turns are known; none may forbid a turn that was played elsewhere.

    `survey` has the `items`, and where single turns are known.
    """
    first = _beginning(items)
    return _corrected(vocabulary, first, survey, Explained(), progress) if first else ()


def _silent(
    vocabulary: TurnVocabulary,
    items: Sequence[Labelled],
    known: Sequence[Labelled],
    progress: Progress,
) -> tuple[Rule, ...]:
    """Rules where only the turns played are known, but for the positions `known`.

    They are learned in turn from any positions; from those in which the rules so far leave the
    fewest turns, for there a turn's silence says most; and, where any positions hardly hold some
    kind of them, from positions of every kind alike; until none of these gives a further rule.
    """
    rules: tuple[Rule, ...] = ()
    fruitless = 0
    for number in range(SILENT_ROUNDS):
        left = Survey(vocabulary.setting, items).left(rules) if rules else items
        settled = Survey(vocabulary.setting, known).left(rules) if rules else known
        with_surplus = [item for item in left if item.surplus]
        if not with_surplus:
            break
        mixed = even(with_surplus) if number % 3 == 2 else []
        if number % 3 == 1:
            with_surplus.sort(key=lambda item: len(item.cases))
        first = _first(with_surplus, SILENT_POSITIONS, SILENT_TURNS)
        if mixed and uneven(first, mixed):
            first = _first(mixed, SILENT_POSITIONS, SILENT_TURNS)
        elif mixed:
            first = []
        if first:
            first = [*first, *_first(settled, MOST_POSITIONS, FIRST_TURNS)]
        survey = Survey(vocabulary.setting, [*left, *settled])
        more = _corrected(vocabulary, first, survey, Silence(), progress) if first else ()
        fruitless = 0 if more else fruitless + 1
        if fruitless == 3:
            break
        rules += more
    return rules


def _corrected(
    vocabulary: TurnVocabulary,
    first: Sequence[Labelled],
    survey: Survey,
    scoring: Scoring,
    progress: Progress,
) -> tuple[Rule, ...]:
    """The rules that leave the wrong turns in fewest positions, learned from some of them."""
    table = Working(vocabulary, progress)
    level = 0
    added = 1
    doubts = DOUBTS

    known: Sequence[Labelled] = first
    latest: tuple[Rule, ...] = ()
    remade = False

    def attempts(working: Sequence[Labelled], revision: int) -> Iterator[Attempt[tuple[Rule, ...]]]:
        nonlocal known, level, remade
        known = working
        progress("restrictions: rounds", revision + 1, None)
        table.add(_shown(vocabulary, working[len(table.items) :]))
        firm = [rule for rule in latest if not table.accidental(rule)]
        if firm and level == ROUNDS - 1 and isinstance(scoring, Explained):
            draft = table.draft(scoring, firm, most=HOPELESS, patience=PATIENCE[level])
            draft = table.cheapest(level, draft)
            if not draft.unexplained:
                yield Attempt(draft.rules, draft.cost, draft=True)
                if remade:
                    return
                remade = True
        if revision > 1 and level == ROUNDS - 1:
            table.doubt()
        theory, level = _best_theory(table, scoring, level)
        hopeless = theory.unexplained > 0 or len(theory.rules) > HOPELESS
        last = hopeless and revision >= TRIALS and isinstance(scoring, Explained)
        yield Attempt(theory.rules, theory.cost, last)

    def wrong(rules: tuple[Rule, ...]) -> list[Labelled]:
        nonlocal latest
        latest = rules
        return survey.wrong(rules, MOST_WRONG)

    def joining(fresh: Sequence[Labelled]) -> Sequence[Labelled]:
        nonlocal added
        number, added = added, min(2 * added, MOST_ADDED)
        mixed = spread(fresh, _faults(vocabulary, latest, fresh))
        found = _first(mixed, ADDED_POSITIONS * number, ADDED_TURNS * number)
        return [*found, *weakly_explained([*known, *found], ADDED_DECIDED)]

    def weakly_explained(others: Sequence[Labelled], most: int) -> list[Labelled]:
        if not isinstance(scoring, Explained):
            return []
        decided = zip(latest, survey.decided(latest), strict=True)
        weak = [evenly(some, most) for rule, some in decided if table.accidental(rule)]
        inside = set(map(id, others))
        fresh = {id(item): item for item in chain.from_iterable(weak)}
        return [item for number, item in fresh.items() if number not in inside]

    def doubted(_: tuple[Rule, ...]) -> list[Labelled]:
        nonlocal doubts
        doubts -= 1
        return weakly_explained((), DECIDED) if doubts >= 0 else []

    return refine(first, attempts, wrong, REVISIONS, joining=joining, doubted=doubted)[0]


def _faults(
    vocabulary: TurnVocabulary, rules: Sequence[Rule], items: Sequence[Labelled]
) -> list[bytes]:
    """For each position of which shapes the turns are that rules leave or forbid wrongly."""
    shapes = vocabulary.levels[0][: vocabulary.shapes]
    found = []
    for item, left in zip(items, Survey(vocabulary.setting, items).left(rules), strict=True):
        kept = set(map(id, left.cases))
        wrong = [
            case
            for case, label in zip(item.cases, item.labels, strict=True)
            if label != ALIAS and (id(case) in kept) != (label == LEGAL)
        ]
        rows = vocabulary.table(wrong, shapes)
        found.append(b"".join(sorted({row.tobytes() for row in rows})))
    return found


def _first(items: Sequence[Labelled], positions: int, turns: int) -> list[Labelled]:
    """The first positions, until there are enough of them or of their turns; at least one."""
    found: list[Labelled] = []
    for item in items[:positions]:
        found.append(item)
        turns -= len(item.cases) - (max(0, item.surplus - MOST_SURPLUS) if item.complete else 0)
        if turns <= 0:
            break
    return found


def _shown(vocabulary: TurnVocabulary, items: Sequence[Labelled]) -> list[Labelled]:
    """The positions; of large ones where all legal turns are known with some of the others."""
    shapes = vocabulary.levels[0][: vocabulary.shapes]
    return [
        subsampled(item, vocabulary.table(item.cases, shapes), MOST_SURPLUS)
        if item.complete and item.surplus > MOST_SURPLUS
        else item
        for item in items
    ]


def _best_theory(working: Working, scoring: Scoring, least: int) -> tuple[Theory, int]:
    """The theory of the first round that explains all by few, well supported rules; or the best.

    With it comes the round at which to begin when more positions have joined. Where only the turns
    played are known nothing shows that all is explained; the plain features of the first two rounds
    have to do, for each that is offered may also be found by chance.
    """
    if isinstance(scoring, Silence):
        return working.theory(1, scoring, patience=PATIENCE[-1]), 0

    def made(level: int) -> Theory:
        most = MOST_RULES if level < ROUNDS - 1 else None
        theory = working.theory(level, scoring, patience=PATIENCE[level], most=most)
        return working.cheapest(level, _begun_otherwise(working, scoring, theory, level))

    def enough(found: Theory, level: int) -> bool:
        return sum(rule.provisional for rule in found.rules) <= (0, MOST_DOUBTFUL, 0)[level]

    return by_level(made, range(least, ROUNDS), enough)


def _begun_otherwise(working: Working, scoring: Scoring, theory: Theory, level: int) -> Theory:
    """The best theory of those that begin with another rule of the theory than it does.

    What rivals a turn has depends on the rules before; a greedy search begins with what explains
    most, which need not come first.
    """
    if theory.unexplained and level < ROUNDS - 1:
        return theory
    if any(map(relative, theory.rules)):
        theory = _rearranged(working, scoring, theory, level)
    rules = theory.rules
    if len(rules) > MOST_BEGUN:
        return theory
    movable = [n for n in range(1, len(rules)) if any(map(relative, rules[: n + 1]))]
    for number in movable:
        most = None if theory.unexplained else len(rules)
        other = working.theory(
            level,
            scoring,
            cost_limit=theory.cost,
            patience=PATIENCE[level],
            most=most,
            begun=rules[number : number + 1],
        )
        if other.rank < theory.rank:
            theory = other
    return theory


def _rearranged(working: Working, scoring: Scoring, theory: Theory, level: int) -> Theory:
    """The theory, or a better one that begins with rules met so far in another order."""
    other = working.rearranged(level, scoring)
    firm = [rule for rule in other.rules if not working.accidental(rule)]
    begun = tuple(rule.body for rule in firm)
    if begun != tuple(rule.body for rule in theory.rules[: len(begun)]):
        more = working.theory(
            level, scoring, cost_limit=theory.cost, patience=PATIENCE[level], begun=firm
        )
        other = min(other, more, key=lambda each: each.rank)
    return other if other.rank < theory.rank else theory


def misjudged(
    setting: Setting, rules: Sequence[Rule], items: Sequence[Labelled], most: int | None = None
) -> int:
    """In how many positions the rules leave the wrong turns; they are counted up to `most`."""
    return len(Survey(setting, items).wrong(rules, most))


def _pruned(survey: Survey, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules without those that the others make needless."""
    missed = len(survey.wrong(rules))
    for rule in sorted(rules, key=lambda rule: rule.support):
        fewer = tuple(other for other in rules if other is not rule)
        if len(survey.wrong(fewer, missed + 1)) <= missed:
            rules = fewer
    return rules


def _without_refuted(survey: Survey, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules without those that forbid legal turns in more positions than they help with."""
    counted = _counted(survey, rules)
    refuted = sorted((-c.against, i) for i, c in enumerate(counted) if c.against)
    if not refuted:
        return rules
    wrong = len(survey.wrong(rules))
    gone: set[int] = set()
    for _, number in refuted:
        fewer = tuple(r for i, r in enumerate(rules) if i != number and i not in gone)
        left = len(survey.wrong(fewer, wrong + 1))
        if left <= wrong:
            wrong = left
            gone.add(number)
    return tuple(rule for i, rule in enumerate(rules) if i not in gone)


def _counted(survey: Survey, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules with the positions that speak for and against each."""
    return tuple(
        replace(rule, support=support, against=against, provisional=support < FEW or against > 0)
        for rule, (support, against) in zip(rules, survey.counted(rules), strict=True)
    )
