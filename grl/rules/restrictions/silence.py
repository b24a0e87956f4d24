"""Restrictions where only the turns played are known: what is never played, again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress

from grl.model import Rule
from grl.progress import Progress
from grl.rules.features.vocabulary import ROUNDS
from grl.rules.restrictions.correction import corrected
from grl.rules.restrictions.labelled import Labelled
from grl.rules.restrictions.position_kinds import even, spread, uneven
from grl.rules.restrictions.samples import FIRST_TURNS, MOST_POSITIONS, first_of, rarest
from grl.rules.restrictions.scoring import Silence
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.theory import Body
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary

SILENT_TURNS = 20_000
SILENT_POSITIONS = 3_000
SILENT_ROUNDS = 16
WAYS = 4
"""So many ways there are to choose positions of which only the turns played are known."""


def silent_rules(
    vocabulary: TurnVocabulary,
    items: Sequence[Labelled],
    known: Sequence[Labelled],
    progress: Progress,
) -> tuple[Rule, ...]:
    """Rules where only the turns played are known, but for the positions `known`.

    They are learned in turn from any positions; from those in which the rules so far leave the
    fewest turns, for there a turn's silence says most; where any positions hardly hold some kind of
    them, from positions of every kind alike; and from positions with the rarest kinds of turns;
    until none of these gives a further rule. The plain features of the first two rounds are tried
    before those of the last are offered.
    """
    rules: tuple[Rule, ...] = ()
    left = list(items)
    settled = list(known)
    survey = Survey(vocabulary.setting, [*left, *settled])
    fruitless = 0
    for number in range(SILENT_ROUNDS):
        level = ROUNDS - 1 if number else 0
        with_surplus = [item for item in left if item.surplus]
        if not with_surplus:
            break
        way = number % WAYS
        mixed = even(with_surplus) if way == 2 else []
        if way == 1:
            with_surplus.sort(key=lambda item: len(item.cases))
        elif way == 3:
            with_surplus = spread(with_surplus, rarest(vocabulary, with_surplus))
        first = first_of(with_surplus, SILENT_POSITIONS, SILENT_TURNS)
        if mixed and uneven(first, mixed):
            first = first_of(mixed, SILENT_POSITIONS, SILENT_TURNS)
        elif mixed:
            first = []
        more: tuple[Rule, ...] = ()
        if first:
            scoring = Silence(len(with_surplus) / len(first))
            first = [*first, *first_of(settled, MOST_POSITIONS, FIRST_TURNS)]
            found, costs = corrected(vocabulary, first, survey, scoring, progress, level)
            more = _paid(survey, found, costs)
        fruitless = 0 if more else fruitless + 1
        if fruitless == WAYS:
            break
        if more:
            rules += more
            both = survey.left(more)
            left, settled = both[: len(items)], both[len(items) :]
            survey = Survey(vocabulary.setting, both)
    return rules


def _paid(survey: Survey, rules: tuple[Rule, ...], costs: Mapping[Body, float]) -> tuple[Rule, ...]:
    """Of rules that pay for themselves in a sample those that do so in all positions."""
    shares = survey.shares(rules)
    paid = [
        Silence().paid(some, costs[rule.body]) > 0 for rule, some in zip(rules, shares, strict=True)
    ]
    return tuple(compress(rules, paid))
