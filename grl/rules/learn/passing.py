"""Where a pass is illegal, for players who pass though they have other turns.

A pass is a turn without segments: what can be said of it is what can be said of the position, and
which turns are its rivals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grl.model import Model, Rule, Rules
from grl.progress import Progress
from grl.records import Moment
from grl.rules.endings.features import position_features
from grl.rules.endings.outcomes import Outcome
from grl.rules.features.cases import Setting, TurnCase
from grl.rules.features.columns import turn_table
from grl.rules.features.vocabulary import Priced, landings, shape_features, words_of
from grl.rules.play.referee import Restrictor, pass_case, turn_body
from grl.rules.restrictions.labelled import Labelled
from grl.rules.restrictions.working_set import SCOPE_COST
from grl.rules.search.conjunctions import Bools, Rows, best_rule

FIRST_ILLEGAL = 100
FIRST_LEGAL = 200
ADDED = 40
REVISIONS = 8
TRIALS = 3
RULE_COST = 2.0
FEW = 3
LEVELS = 3
MOST_RULES = 8
"""No further rule is sought after so many: a feature is missing."""


@dataclass(frozen=True)
class Chance:
    """A pass that its player might be free to play, and whether the records list it as legal."""

    case: TurnCase
    legal: bool


@dataclass(frozen=True)
class Passing:
    """Rules, how many positions show whether a pass is legal, and how many are wrong by them."""

    rules: tuple[Rule, ...]
    positions: int
    wrong: int


def learn_passing(
    setting: Setting,
    model: Model,
    rules: Rules,
    pairs: Iterable[tuple[Moment, Labelled]],
    progress: Progress,
) -> Passing:
    """The rules that say where free players may not pass; none where they may everywhere.

    `pairs` are moments, each with its turns, which the restrictions of `rules` are asked to judge.
    Where not all legal turns are known, a pass that was played is known to be legal.
    """
    free = [
        (moment, item)
        for moment, item in pairs
        if (moment.complete or _listed(moment))
        and model.passes.get(moment.position.to_move) == "free"
    ]
    positions = sum(moment.complete for moment, _ in free)
    if all(_listed(moment) for moment, _ in free):
        return Passing((), positions, 0)
    restrictor = Restrictor(setting, rules.restrictions)
    data = []
    for moment, item in free:
        turns = restrictor.survivors(item.turn_list, item.cases)
        data.append(Chance(pass_case(setting, moment.position, turns), _listed(moment)))
    learned = _learned(setting, model, data, progress)
    return Passing(learned, positions, len(_wrong(setting, learned, data)))


def _listed(moment: Moment) -> bool:
    return "pass" in moment.turns


def _learned(
    setting: Setting, model: Model, data: Sequence[Chance], progress: Progress
) -> tuple[Rule, ...]:
    """The best rules of several rounds, each of which adds passes that came out wrong."""
    illegal = [chance for chance in data if not chance.legal]
    legal = [chance for chance in data if chance.legal]
    working = illegal[:FIRST_ILLEGAL] + legal[:FIRST_LEGAL]
    best: tuple[tuple[int, float], tuple[Rule, ...]] | None = None
    level = 0
    for revision in range(REVISIONS):
        progress("passes: rounds", revision + 1, None)
        rules, cost, left, level = _theory(setting, model, working, level)
        wrong = _wrong(setting, rules, data)
        score = (len(wrong), cost)
        if best is None or score < best[0]:
            best = score, rules
        inside = set(map(id, working))
        fresh = [chance for chance in wrong if id(chance) not in inside]
        if not fresh or (left and revision >= TRIALS):
            break
        step = max(1, len(fresh) // ADDED)
        working = working + fresh[::step][:ADDED]
    assert best is not None
    rules = best[1]
    while True:
        counted = _counted(setting, rules, data)
        rules = tuple(rule for rule in counted if rule.against <= rule.support)
        if len(rules) == len(counted):
            return rules


def _theory(
    setting: Setting, model: Model, working: Sequence[Chance], least: int
) -> tuple[tuple[Rule, ...], float, int, int]:
    """Rules of the first round that explains all, or that explain most; their cost.

    With them come how many illegal passes they leave, and the round to begin with when more
    positions have joined.
    """
    best: tuple[tuple[int, float], tuple[Rule, ...]] | None = None
    features: list[Priced] = []
    for level in range(LEVELS):
        features += _features(setting, model, working, level)
        if level < least:
            continue
        rules, cost, left = _greedy(setting, features, working)
        if left and least == level < LEVELS - 1:
            least = level + 1
        if best is None or (left, cost) < best[0]:
            best = (left, cost), rules
        if not left:
            break
    assert best is not None
    (left, cost), rules = best
    return rules, cost, left, least


def _features(
    setting: Setting, model: Model, working: Sequence[Chance], level: int
) -> Iterator[Priced]:
    """The features of passes of a round: of the position, and of the turns that are legal there."""
    if level == 0:
        for feature, cost in shape_features(setting, words_of(model)):
            yield Priced(("rival_has", "any", feature), cost + SCOPE_COST["any"])
    if level == 1:
        for dx in range(3):
            for dy in range(-2, 3):
                if dx or dy:
                    yield Priced(("before", ("came", dx, dy)), 1.8)
        for feature, cost in landings(setting):
            yield Priced(("before", feature), cost)
    plain = [Outcome(chance.case.before, None) for chance in working]
    for feature, cost in position_features(setting, model, plain, level):
        yield Priced(("before", feature), cost)


def _greedy(
    setting: Setting, features: Sequence[Priced], working: Sequence[Chance]
) -> tuple[tuple[Rule, ...], float, int]:
    """Rules found greedily, their cost, and how many illegal passes they leave."""
    table = turn_table(setting, [chance.case for chance in working], [f for f, _ in features])
    legal = np.array([chance.legal for chance in working])
    left: Bools = ~legal
    rules: list[Rule] = []
    cost = 0.0
    while left.any() and len(rules) < MOST_RULES:
        found = best_rule(features, table, np.flatnonzero(left), np.flatnonzero(legal), _worth)
        if found is None:
            break
        rules.append(Rule(found.body))
        cost += found.cost + RULE_COST
        left = left.copy()
        left[found.covered] = False
    return tuple(rules), cost, int(left.sum())


def _worth(covered: Rows, cost: float) -> float:
    return len(covered) / (cost + RULE_COST)


def _wrong(setting: Setting, rules: Sequence[Rule], data: Sequence[Chance]) -> list[Chance]:
    barring = _barring(setting, rules, data)
    return [c for c, rule in zip(data, barring, strict=True) if c.legal == (rule is not None)]


def _counted(setting: Setting, rules: Sequence[Rule], data: Sequence[Chance]) -> tuple[Rule, ...]:
    """The rules with the positions that speak for and against each."""
    support = [0] * len(rules)
    against = [0] * len(rules)
    for chance, number in zip(data, _barring(setting, rules, data), strict=True):
        if number is not None:
            support[number] += not chance.legal
            against[number] += chance.legal
    return tuple(
        replace(rule, support=s, against=a, provisional=s < FEW or a > 0)
        for rule, s, a in zip(rules, support, against, strict=True)
    )


def _barring(setting: Setting, rules: Sequence[Rule], data: Sequence[Chance]) -> list[int | None]:
    """For each pass the first rule that forbids it, by number."""
    bodies = [turn_body(setting, rule.body) for rule in rules]
    return [
        next(
            (number for number, body in enumerate(bodies) if body.covers(case)),
            None,
        )
        for case in (chance.case for chance in data)
    ]
