"""When a game is over and for whom: an ordered list of rules over terminal positions.

Terminal positions with the same goals, by seat from the player to move, form a class. A rule covers
terminal positions of its class, no position in which the game went on, and no terminal position
of another class that earlier rules leave; the best rule of all classes comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from grl.model import Feature, Model, Rule
from grl.progress import Progress
from grl.rules.endings.contested import squares_contested
from grl.rules.endings.features import patterns_of, position_features, regions_of
from grl.rules.endings.mirrored import either_side, mirrored_rules
from grl.rules.endings.neighbourhood import with_one_notion
from grl.rules.endings.outcomes import Outcome, asks_turns, examples
from grl.rules.endings.points import points_compared
from grl.rules.endings.pool import Pool, pool_of
from grl.rules.features.cases import Setting
from grl.rules.features.decision_list import Examples
from grl.rules.features.vocabulary import Priced
from grl.rules.search.deepening import deepened_positions
from grl.rules.search.lists import ListLearner, Use

FIRST_MOMENTS = 500
FIRST_ENDS = 500
LEVELS = 3


@dataclass(frozen=True)
class Endings:
    """Rules, and how many terminal positions and positions going on they get wrong.

    `pool` holds the features and positions of the last round.
    """

    rules: tuple[Rule, ...]
    unexplained: int
    early: int
    pool: Pool | None = None

    @property
    def rank(self) -> tuple[int, int]:
        """Rules that get fewer positions wrong come first, then fewer rules."""
        return self.unexplained + self.early, len(self.rules)


def ending_learner(
    setting: Setting,
    model: Model,
    data: Sequence[Outcome],
    without: frozenset[Feature] = frozenset(),
) -> ListLearner[Outcome]:
    """What learns which positions of `data` are terminal, and with which goals.

    The features `without` are left out, which gives theories that differ.
    """
    return ListLearner(_use(setting, model, without), examples(setting, data))


def learn_endings(
    setting: Setting, model: Model, learner: ListLearner[Outcome], progress: Progress
) -> Endings:
    """The rules that say which positions are terminal, in their order, with what they rest on.

    Where a game may end at the turn of either side, rules come with what they say of one player
    said of the next as well, as far as no position of the records speaks against it.
    """
    everything = learner.examples
    if all(item.goals is None for item in everything.items):
        return Endings((), 0, 0)
    ordered = shortened(everything, _stuck_last(everything, learner.learned(progress)))
    rules = with_one_notion(everything, ordered)
    for one, other in zip(ordered, rules, strict=True):
        for (known, _), (said, _) in zip(one.body, other.body, strict=True):
            learner.prices.setdefault(said, learner.prices[known])
    pool = pool_of(setting, learner.features, rules, learner.prices, learner.known)
    if either_side(model):
        silent = [item.case for item in everything.uncovered(rules)]
        rules += mirrored_rules(setting, rules, silent)
    rules = everything.believed(rules)
    wrong = everything.wrong(rules)
    early = sum(item.goals is None for item in wrong)
    return Endings(rules, len(wrong) - early, early, pool)


def _stuck_last(data: Examples[Outcome], rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules, those that ask whether a player is stuck behind the others, if no outcome minds.

    Where the board ends a game it does so whether there are turns to play or not. What those rules
    say beyond that, only to make way for others, they need not say behind them.
    """
    ordered = tuple(sorted(rules, key=asks_turns))
    if ordered == rules:
        return rules
    wrong = len(data.wrong(rules))
    if len(data.wrong(ordered)) > wrong:
        return rules
    for number, rule in enumerate(ordered):
        shorter = rule
        for literal in rule.body if asks_turns(rule) else ():
            body = tuple(each for each in shorter.body if each != literal)
            tried = (*ordered[:number], replace(rule, body=body), *ordered[number + 1 :])
            if literal.feature[0] != "stuck" and len(data.wrong(tried)) <= wrong:
                ordered, shorter = tried, tried[number]
    return ordered


def shortened(data: Examples[Outcome], rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules without literals that they need only to make way for others, behind these.

    All that share a literal go behind the others together, in their order.
    """
    wrong = len(data.wrong(rules))
    for literal in dict.fromkeys(literal for rule in rules for literal in rule.body):
        sharing = [rule for rule in rules if literal in rule.body and len(rule.body) > 1]
        others = [rule for rule in rules if rule not in sharing]
        shorter = [replace(r, body=tuple(x for x in r.body if x != literal)) for r in sharing]
        tried = (*others, *shorter)
        moved = shorter and others and _preempted(tried) <= _preempted(rules)
        if moved and len(data.wrong(tried)) <= wrong:
            rules = tried
    return rules


def _preempted(rules: Sequence[Rule]) -> int:
    """How many rules never count, because one before them covers all that they cover."""
    bodies = [frozenset(rule.body) for rule in rules]
    return sum(
        any(before <= body for before in bodies[:number]) for number, body in enumerate(bodies)
    )


def _use(setting: Setting, model: Model, without: frozenset[Feature] = frozenset()) -> Use[Outcome]:
    """Rules over positions: what lies where, and what terminal ones have in common."""

    def closer(
        loose: Sequence[Outcome], working: Sequence[Outcome], level: int
    ) -> Iterator[Priced]:
        yield from regions_of(setting, loose, working)
        if level:
            yield from patterns_of(setting, loose, working)
            over = [item for item in loose if item.goals is not None]
            yield from squares_contested(setting, over)
            yield from points_compared(setting, over)

    return Use(
        "endings",
        (FIRST_ENDS, FIRST_MOMENTS),
        LEVELS,
        partial(position_features, setting, model),
        closer,
        partial(deepened_positions, setting),
        without,
        contests=True,
    )
