"""Restrictions where only the turns played are known: what is never played, again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Any

from grl.model import Rule
from grl.progress import Progress, Stopped
from grl.rules.features.terms import asked_of
from grl.rules.features.vocabulary import ROUNDS
from grl.rules.restrictions.habits import Habits, measured
from grl.rules.restrictions.labelled import Kind, Labelled
from grl.rules.restrictions.neglected import neglected
from grl.rules.restrictions.paying import paying_rules
from grl.rules.restrictions.rarities import Further, Kinds, alone, held_to, offering, refuting
from grl.rules.restrictions.samples import (
    FIRST_TURNS,
    MOST_POSITIONS,
    first_of,
    rarest,
    spread,
)
from grl.rules.restrictions.scoring import Silence, bits_to_pay
from grl.rules.restrictions.strata import relative
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.theory import Body
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary

SILENT_TURNS = 20_000
SILENT_POSITIONS = 3_000
SILENT_ROUNDS = 16
MOST_LESSONS = 3
"""So often further positions refute rules, and others are learned in their stead."""
WAYS = 3
"""So many ways there are to choose positions of which only the turns played are known."""


@dataclass(frozen=True)
class Unplayed:
    """Rules that forbid what was never played, and the habits that may be why.

    `expected` says for each body how often an even choice would have played what it forbids.
    """

    rules: tuple[Rule, ...]
    expected: Mapping[Body, float]
    habits: Habits
    avoided: tuple[Rule, ...] = ()
    """What was never played, either, and may be forbidden; but habits explain it for less."""

    def open(self, rule: Rule) -> bool:
        """Whether a habit may explain what a rule is made of.

        It always may where a rule compares turns, or asks what somebody could do: there are others,
        which players may prefer without exception, as whoever sees a win takes it.
        """
        expected = self.expected.get(rule.body)
        return expected is not None and (_preferred(rule) or self.habits.explain(expected))

    def figures(self, rules: Sequence[Rule]) -> list[dict[str, Any]]:
        """Of each of the rules, numbered from 1, how odd its silence is, and whether it is open."""
        return [
            {
                "rule": number,
                "expected": round(expected, 1),
                "bits": round(self.habits.bits(expected), 1),
                "open": rule.provisional and self.open(rule),
                "preferred": _preferred(rule),
            }
            for number, rule in enumerate(rules, 1)
            if (expected := self.expected.get(rule.body)) is not None
        ]


def _preferred(rule: Rule) -> bool:
    """Whether a rule forbids what players may never like, whatever else they do."""
    return relative(rule) or any(asked_of(literal.feature) for literal in rule.body)


def avoidable(
    rules: Sequence[Rule],
    expected: Mapping[Body, float],
    costs: Mapping[Body, float],
    habits: Habits,
) -> tuple[Rule, ...]:
    """The rules of several literals that forbid what players may never like, and of whose silence
    habits leave fewer bits than the rule has to be paid with; none where no habits are known."""
    return tuple(
        rule
        for rule in rules
        if habits.habits
        and len(rule.body) > 1
        and _preferred(rule)
        and habits.bits(expected[rule.body]) < bits_to_pay(costs[rule.body])
    )


def silent_rules(
    vocabulary: TurnVocabulary,
    items: Sequence[Labelled],
    known: Sequence[Labelled],
    further: Further,
    progress: Progress,
) -> Unplayed:
    """Rules where only the turns played are known, but for the positions `known`.

    They are learned in turn from any positions; from those in which the rules so far leave the
    fewest turns, for there a turn's silence says most; and from positions with the rarest kinds of
    turns; until none of these gives a further rule. The plain features of the first two rounds are
    tried before those of the last are offered. `Further` positions refute rules, which are learned
    anew with these, and in the end say more of the rare kinds of turns. Of these habits are a
    lesser doubt once it was measured which ones players have. What players may avoid in certain
    circumstances is forbidden only where habits would not explain it for less than a rule costs.
    """
    learner = _Silent(vocabulary, items, known, further, progress)
    with suppress(Stopped):
        learner.learn()
        learner.learn_rarities()
    if not learner.rules:
        return Unplayed((), {}, Habits(()))
    habits = measured(vocabulary, learner.left)
    avoided = avoidable(learner.rules, learner.expected, learner.costs, habits)
    rules = tuple(rule for rule in learner.rules if rule not in avoided)
    return Unplayed(rules, learner.expected, habits, avoided)


class _Silent:
    """The rules so far, and what they leave of the positions that they are learned from."""

    def __init__(
        self,
        vocabulary: TurnVocabulary,
        items: Sequence[Labelled],
        known: Sequence[Labelled],
        further: Further,
        progress: Progress,
    ) -> None:
        self.vocabulary, self.further, self.progress = vocabulary, further, progress
        self.rules: tuple[Rule, ...] = ()
        self.expected: dict[Body, float] = {}
        self.costs: dict[Body, float] = {}
        self.items, self.known = list(items), known
        self.begin(())

    def begin(self, more: Sequence[Labelled]) -> None:
        """Let the rules forbid turns, in further positions, too, in which they did so already."""
        setting = self.vocabulary.setting
        both = Survey(setting, [*self.items, *self.known]).left(self.rules)
        self.left, self.settled = [*both[: len(self.items)], *more], both[len(self.items) :]
        self.survey = Survey(setting, [*self.left, *self.settled])

    def add(self, more: Mapping[Rule, float]) -> None:
        """Go on with further rules, of which it is known what each costs."""
        rules = tuple(more)
        self.rules += rules
        for rule, shares in zip(rules, self.survey.shares(rules), strict=True):
            self.expected[rule.body] = float(shares.sum())
            self.costs[rule.body] = more[rule]
        both, number = self.survey.left(rules), len(self.left)
        self.left, self.settled = both[:number], both[number:]
        self.survey = Survey(self.vocabulary.setting, both)

    def drop(self, refuted: Sequence[bool], positions: Sequence[Labelled]) -> None:
        """Go on without some rules, and with the positions that speak against them."""
        self.rules = tuple(r for r, bad in zip(self.rules, refuted, strict=True) if not bad)
        self.items += positions
        self.begin(())

    def learn(self) -> None:
        """Learn from the positions in several ways, until none gives a further rule."""
        fruitless = 0
        for number in range(SILENT_ROUNDS):
            level = ROUNDS - 1 if number else 0
            with_surplus = [item for item in self.left if item.surplus]
            if not with_surplus:
                break
            way = number % WAYS
            if way == 1:
                with_surplus.sort(key=lambda item: len(item.cases))
            elif way == 2:
                with_surplus = spread(with_surplus, rarest(self.vocabulary, with_surplus))
            first = first_of(with_surplus, SILENT_POSITIONS, SILENT_TURNS)
            more = self.found(first, Silence(len(with_surplus) / len(first)), level)
            fruitless = 0 if more else fruitless + 1
            if fruitless == WAYS:
                break
            self.take(more)
        for kind in neglected(self.vocabulary, self.left):
            more = self.of_kind(kind, None)
            self.take(more)
            if more:
                whole = Survey(self.vocabulary.setting, [*self.items, *self.known])
                self.rules = needed(whole, self.rules)

    def take(self, more: Mapping[Rule, float]) -> None:
        """Go on with further rules that the first further positions don't refute, if any."""
        if not more:
            return
        self.add(more)
        refuted, positions = refuting(self.further(), self.rules, self.vocabulary)
        if any(refuted):
            self.drop(refuted, positions)

    def found(
        self, first: Sequence[Labelled], scoring: Silence, level: int
    ) -> Mapping[Rule, float]:
        """Rules of some positions that pay for themselves in all."""
        first = [*first, *first_of(self.settled, MOST_POSITIONS, FIRST_TURNS)]
        return self.paying(first, self.survey, scoring, level)

    def paying(
        self,
        first: Sequence[Labelled],
        survey: Survey,
        scoring: Silence,
        level: int,
        kind: Kind | None = None,
    ) -> Mapping[Rule, float]:
        """Rules of the first positions of a survey that pay for themselves in all."""
        return paying_rules(
            self.vocabulary, first, survey, self.survey, scoring, self.progress, level, kind
        )

    def learn_rarities(self) -> None:
        """Let all further positions refute rules, and learn of rare kinds of turns from them.

        The widest kinds come first: a rule on one of them is worth several on narrower ones.
        """
        if next(self.further(), None) is None:
            return
        for _ in range(MOST_LESSONS):
            kinds = Kinds(self.vocabulary, self.left)
            if not (kinds.features or self.rules):
                return
            refuted, more = held_to(
                self.further(), self.rules, kinds, self.vocabulary, self.progress
            )
            if not any(refuted):
                self.begin(more)
                break
            self.drop(refuted, more)
            self.learn()
        habits = measured(self.vocabulary, self.left)
        for kind in reversed(kinds.features):
            of_kind = Kind.of(kind)
            while found := self.of_kind(of_kind, habits) or self.among_rivals(of_kind, habits):
                self.add(found)

    def of_kind(self, kind: Kind, habits: Habits | None) -> Mapping[Rule, float]:
        """Rules for a kind of turns, of these alone."""
        some = alone(self.vocabulary, self.left, kind)
        first = first_of([item for item in some if item.surplus], len(some), SILENT_TURNS)
        if not first:
            return {}
        scoring = Silence(len(some) / len(first), inf, habits)
        survey = Survey(self.vocabulary.setting, some)
        return self.paying(first, survey, scoring, ROUNDS - 1, kind)

    def among_rivals(self, kind: Kind, habits: Habits) -> Mapping[Rule, float]:
        """Rules learned where a kind of turns is offered, among its rivals."""
        whole = [item for item, _ in offering(self.vocabulary, self.left, kind)]
        if not whole:
            return {}
        first = first_of(whole, SILENT_POSITIONS, SILENT_TURNS)
        return self.found(first, Silence(len(whole) / len(first), inf, habits), ROUNDS - 1)


def needed(survey: Survey, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules without those that forbid only what others forbid, earlier ones first."""
    for rule in rules:
        others = tuple(each for each in rules if each is not rule)
        if survey.agree(others, rules):
            rules = others
    return rules
