"""Restrictions learned from some positions, to which those that come out wrong are added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import inf

from grl.logic.evenly import evenly
from grl.model import Rule
from grl.progress import Progress, Stopped
from grl.rules.features.vocabulary import ROUNDS
from grl.rules.restrictions.labelled import Labelled
from grl.rules.restrictions.samples import MOST_WRONG, joining, shown
from grl.rules.restrictions.scoring import Explained
from grl.rules.restrictions.strata import relative
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.theory import FEW
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.restrictions.working_set import Working
from grl.rules.search.refine import Attempt, Theory, by_level, refine

REVISIONS = 16
TRIALS = 3
"""So many revisions show whether the features can explain the positions."""
MOST_RULES = 14
"""With more rules than these the features of a round but the last don't do."""
HOPELESS = 24
"""With more than these, or turns unexplained, after some revisions, a feature is missing."""
MOST_BEGUN = 6
"""Of theories with more rules than these none is tried as the first."""
DOUBTS = 1
"""So often theories that leave nothing wrong are asked for what their weak rules rest on."""
DECIDED = 8
ADDED_DECIDED = 3
"""So many positions that each of those rules decides join then, and where others are wrong."""
PATIENCE = (2, 4, 12)
"""How many rules that few positions speak for each round goes through."""
MOST_DOUBTFUL = 2
"""With more provisional rules than these, the expensive features of the last round are tried."""

SCORING = Explained()


def corrected(
    vocabulary: TurnVocabulary,
    first: Sequence[Labelled],
    survey: Survey,
    progress: Progress,
) -> tuple[Rule, ...]:
    """The rules that leave the wrong turns in fewest positions, learned from some of them."""
    table = Working(vocabulary, progress)
    level = 0
    doubts = DOUBTS

    known: Sequence[Labelled] = first
    latest: tuple[Rule, ...] = ()
    remade = False
    joins = 0

    def attempts(working: Sequence[Labelled], revision: int) -> Iterator[Attempt[tuple[Rule, ...]]]:
        nonlocal known, level, remade
        known = working
        progress("restrictions: rounds", revision + 1, None)
        table.add(shown(vocabulary, working[len(table.items) :]))
        drafted: Theory | None = None
        firm = [rule for rule in latest if not table.accidental(rule)]
        if firm and level == ROUNDS - 1:
            draft = table.draft(SCORING, firm, most=HOPELESS, patience=PATIENCE[level])
            draft = table.cheapest(level, draft)
            if not draft.unexplained:
                yield Attempt(draft.rules, draft.cost, draft=True)
                if remade:
                    return
                remade = True
                if all(len(some) >= FEW for some in survey.decided(draft.rules)):
                    drafted = draft
        if revision > 1 and level == ROUNDS - 1:
            table.doubt()
        limit = inf if drafted is None else drafted.cost
        theory, level = _best_theory(table, level, limit)
        if drafted is not None and drafted.rank <= theory.rank:
            return
        hopeless = theory.unexplained > 0 or len(theory.rules) > HOPELESS
        yield Attempt(theory.rules, theory.cost, last=hopeless and revision >= TRIALS)

    def wrong(rules: tuple[Rule, ...]) -> list[Labelled]:
        nonlocal latest
        latest = rules
        return survey.wrong(rules, MOST_WRONG)

    def joined(fresh: Sequence[Labelled]) -> Sequence[Labelled]:
        nonlocal joins
        joins += 1
        found = joining(vocabulary, latest, fresh, joins - 1)
        return [*found, *weakly_explained([*known, *found], ADDED_DECIDED)]

    def weakly_explained(others: Sequence[Labelled], most: int) -> list[Labelled]:
        decided = zip(latest, survey.decided(latest), strict=True)
        weak = [evenly(some, most) for rule, some in decided if table.accidental(rule)]
        inside = set(map(id, others))
        fresh = {id(item): item for item in chain.from_iterable(weak)}
        return [item for number, item in fresh.items() if number not in inside]

    def doubted(_: tuple[Rule, ...]) -> list[Labelled]:
        nonlocal doubts
        doubts -= 1
        return weakly_explained((), DECIDED) if doubts >= 0 else []

    try:
        return refine(first, attempts, wrong, REVISIONS, joining=joined, doubted=doubted)[0]
    except Stopped:
        return ()


def _best_theory(working: Working, least: int, cost_limit: float) -> tuple[Theory, int]:
    """The theory of the first round that explains all by few, well supported rules; or the best.

    Once its rules cost more than `cost_limit`, a theory is given up. With the best comes the round
    at which to begin when more positions have joined.
    """

    def made(level: int) -> Theory:
        most = MOST_RULES if level < ROUNDS - 1 else None
        theory = working.theory(
            level, SCORING, cost_limit=cost_limit, patience=PATIENCE[level], most=most
        )
        if working.ended:
            return theory
        return working.cheapest(level, _begun_otherwise(working, theory, level))

    def enough(found: Theory, level: int) -> bool:
        return sum(rule.provisional for rule in found.rules) <= (0, MOST_DOUBTFUL, 0)[level]

    return by_level(made, range(least, ROUNDS), enough)


def _begun_otherwise(working: Working, theory: Theory, level: int) -> Theory:
    """The best theory of those that begin with another rule of the theory than it does.

    What rivals a turn has depends on the rules before; a greedy search begins with what explains
    most, which need not come first.
    """
    if theory.unexplained and level < ROUNDS - 1:
        return theory
    if any(map(relative, theory.rules)):
        theory = _rearranged(working, theory, level)
    rules = theory.rules
    if len(rules) > MOST_BEGUN:
        return theory
    movable = [n for n in range(1, len(rules)) if any(map(relative, rules[: n + 1]))]
    for number in movable:
        most = None if theory.unexplained else len(rules)
        other = working.theory(
            level,
            SCORING,
            cost_limit=theory.cost,
            patience=PATIENCE[level],
            most=most,
            begun=rules[number : number + 1],
        )
        if other.rank < theory.rank:
            theory = other
    return theory


def _rearranged(working: Working, theory: Theory, level: int) -> Theory:
    """The theory, or a better one that begins with rules met so far in another order."""
    other = working.rearranged(level, SCORING)
    firm = [rule for rule in other.rules if not working.accidental(rule)]
    begun = tuple(rule.body for rule in firm)
    if begun != tuple(rule.body for rule in theory.rules[: len(begun)]):
        more = working.theory(
            level, SCORING, cost_limit=theory.cost, patience=PATIENCE[level], begun=firm
        )
        other = min(other, more, key=lambda each: each.rank)
    return other if other.rank < theory.rank else theory
