"""Restrictions: which pseudo-legal turns the rules forbid, learned from where turns are legal.

Rules are learned from a working set of positions, to which positions that come out wrong are added
until none does (`grl.rules.restrictions.correction`). Where all legal turns are known a rule is
worth the positions that it explains. Where only the turns played are known, it is worth the
surprise of their silence (`grl.rules.restrictions.scoring`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import is_

from grl.model import Rule
from grl.progress import Progress
from grl.rules.restrictions.correction import PATIENCE, corrected
from grl.rules.restrictions.labelled import Labelled
from grl.rules.restrictions.rarities import Further
from grl.rules.restrictions.samples import beginning, shown
from grl.rules.restrictions.scoring import Explained
from grl.rules.restrictions.silence import Unplayed, silent_rules
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.theory import FEW
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.restrictions.widening import widened
from grl.rules.restrictions.working_set import Working

DRAFTED_TURNS = 1_000
MOST_DRAFTED = 6
"""Restrictions that are drafted are at most so many, from so many turns."""
SAMPLE = 400
"""Positions from which numbers are taken."""


@dataclass(frozen=True)
class Learned:
    """Rules, and in how many positions they leave the wrong turns or forbid the one played.

    Where rules are made of what was never played, `unplayed` has what habits may explain of it.
    """

    rules: tuple[Rule, ...]
    unexplained: int
    unplayed: Unplayed | None


def learn_restrictions(
    vocabulary: TurnVocabulary, everything: Survey, further: Further, progress: Progress
) -> Learned:
    """Rules that forbid what is never legal, or, where little is known, never played.

    Where most positions are of the second
    kind, the others only add what their rules leave to explain, and `further` ones of the second
    kind say more of what is rare. None is learned from positions
    that the generator lacks a legal turn of, where there are others: what forbids a turn there may
    be the turn that is missing.
    """
    items = everything.items
    complete = [item for item in items if item.complete]
    single = [item for item in items if not item.complete]
    rules: tuple[Rule, ...] = ()
    unplayed: Unplayed | None = None
    if 2 * len(complete) < len(items):
        unplayed = silent_rules(vocabulary, single, complete, further, progress)
        rules = unplayed.rules
        left = everything.left(rules)
        complete = [item for item in left if item.complete]
        single = [item for item in left if not item.complete]
    whole = [item for item in complete if not item.missing] or complete
    ordered = [*whole, *single]
    same = len(ordered) == len(items) and all(map(is_, ordered, items))
    survey = everything if same else Survey(vocabulary.setting, ordered)
    # None may forbid a turn that was played where single turns are known.
    first = beginning(whole)
    more = corrected(vocabulary, first, survey, progress) if first else ()
    more = widened(survey, more)
    more = _without(survey, more, sorted(more, key=lambda rule: rule.support))
    if len(whole) < len(complete):
        survey = Survey(vocabulary.setting, [*complete, *single])
    against = [(-rule.against, at) for at, rule in enumerate(_counted(survey, more))]
    more = _without(survey, more, [more[at] for number, at in sorted(against) if number])
    if rules:
        survey = everything
    counted = _counted(survey, rules + more)
    if unplayed is not None:
        known = Survey(vocabulary.setting, [item for item in items if item.complete])
        counted = _doubted(counted, known, unplayed)
    return Learned(counted, len(survey.wrong(counted)), unplayed)


def drafted_cost(
    vocabulary: TurnVocabulary, items: Sequence[Labelled], progress: Progress, limit: float
) -> tuple[int, float]:
    """What plain features make of some positions of which all legal turns are known.

    That is how many they leave unexplained, and what their rules cost; above the `limit` no further
    rule is sought.
    """
    working = Working(vocabulary, progress)
    working.add(shown(vocabulary, beginning(items, DRAFTED_TURNS)))
    theory = working.theory(
        1, Explained(), cost_limit=limit, patience=PATIENCE[1], most=MOST_DRAFTED
    )
    return theory.rank


def _without(survey: Survey, rules: tuple[Rule, ...], doubted: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules without those of the `doubted` that don't make fewer positions come out wrong."""
    wrong = len(survey.wrong(rules)) if doubted else 0
    for rule in doubted:
        fewer = tuple(other for other in rules if other is not rule)
        left = len(survey.wrong(fewer, wrong + 1))
        if left <= wrong:
            rules, wrong = fewer, left
    return rules


def _counted(survey: Survey, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules with the positions that speak for and against each."""
    return tuple(
        replace(rule, support=support, against=against, provisional=support < FEW or against > 0)
        for rule, (support, against) in zip(rules, survey.counted(rules), strict=True)
    )


def _doubted(rules: tuple[Rule, ...], known: Survey, unplayed: Unplayed) -> tuple[Rule, ...]:
    """The rules, provisional where habit may explain a silence that no list of turns confirms."""
    return tuple(
        replace(rule, provisional=True) if support < FEW and unplayed.open(rule) else rule
        for rule, (support, _) in zip(rules, known.counted(rules), strict=True)
    )
