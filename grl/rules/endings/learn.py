"""When a game is over and for whom: an ordered list of rules over terminal positions.

Terminal positions with the same goals, by seat from the player to move, form a class. A rule covers
terminal positions of its class, no position in which the game went on, and no terminal position
of another class that earlier rules leave; the best rule of all classes comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from grl.logic.ops.shapes import REGION
from grl.model import Feature, Model, Rule
from grl.progress import Progress
from grl.rules.endings.features import patterns_of, position_features, regions_of
from grl.rules.endings.mirrored import mirrored_rules
from grl.rules.endings.neighbourhood import with_one_notion
from grl.rules.endings.outcomes import Endings, Outcome, asks_turns, examples
from grl.rules.endings.pool import pool_of
from grl.rules.features.cases import Setting
from grl.rules.features.decision_list import FEW, Examples, first_of
from grl.rules.features.terms import speaks_of
from grl.rules.features.vocabulary import Priced
from grl.rules.search.conjunctions import RULE_COST, Bools, Rows
from grl.rules.search.cover import (
    EFFORT,
    UNIT,
    Option,
    cheapest_list,
    covers_of,
    masks,
    supported,
    whole,
)
from grl.rules.search.deepening import MOST_ROWS, deepened_positions
from grl.rules.search.greedy import Greedy, Listed, sweeping, thrifty
from grl.rules.search.refine import Attempt, by_level, refine
from grl.rules.templates.columns import position_table

FIRST_MOMENTS = 500
FIRST_ENDS = 500
REVISIONS = 12
FRUITLESS = 4
"""After so many revisions that are no better than one before no further one is made."""
LEVELS = 3
DEEPENINGS = 2
"""So often the positions that are left are looked at for features that are not listed."""
CRUMB = 0.1
"""A rule that explains less than this part of a class may be an accident."""
SPLINTERED, SPLINTER = 3, 0.5
"""A class of more rules than that is explained well by those alone that explain such a part."""
MOST_CRUMBS = 8
"""After more rules that explain little no further one is sought: a feature is missing."""
MOST_ORDERS = 4
"""With more classes than these no order of theirs is tried but the greedy one."""


def learn_endings(
    setting: Setting,
    model: Model,
    data: Sequence[Outcome],
    progress: Progress,
    without: frozenset[Feature] = frozenset(),
    *,
    mirrored: bool = False,
) -> Endings:
    """The rules that say which positions of `data` are terminal, and with which goals.

    The features `without` are left out, which gives theories that differ. Where a turn may keep the
    move, a game may end at the turn of either side; then rules come `mirrored` as well, with what
    they say of one player said of the next, as far as no position of `data` speaks against it.
    """
    if all(item.goals is None for item in data):
        return Endings((), 0, 0)
    working = first_of(data, FIRST_ENDS, FIRST_MOMENTS)
    looked_at: Sequence[Outcome] = working
    features: Sequence[Priced] = ()
    level = 0
    prices: dict[Feature, float] = {}
    deeper: dict[Priced, None] = {}

    def attempts(some: Sequence[Outcome], revision: int) -> list[Attempt[tuple[Rule, ...]]]:
        nonlocal looked_at, features, level
        progress("endings: rounds", revision + 1, None)
        looked_at = some
        rules, cost, level, features = _theory(setting, model, some, without, level, deeper)
        prices.update(features)
        return [Attempt(rules, cost)]

    everything = examples(setting, data)
    rules, _ = refine(working, attempts, everything.wrong, REVISIONS, fruitless=FRUITLESS)
    ordered = _stuck_last(everything, rules)
    rules = with_one_notion(everything, ordered)
    for one, other in zip(ordered, rules, strict=True):
        for (known, _), (said, _) in zip(one.body, other.body, strict=True):
            prices.setdefault(said, prices[known])
    pool = pool_of(setting, features, rules, prices, [(x.case, x.goals) for x in looked_at])
    if mirrored:
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


def drafted(setting: Setting, model: Model, data: Sequence[Outcome]) -> Listed:
    """What the features of the first round make of a few positions."""
    working = first_of(data, FIRST_ENDS, FIRST_MOMENTS)
    features = list(position_features(setting, model, working, 0))
    return _greedy(_Known(setting, working), features, all_orders=False)


class _Known:
    """The columns of features on some positions, each looked at once."""

    def __init__(self, setting: Setting, working: Sequence[Outcome]) -> None:
        self.working = working
        self._setting, self._cases = setting, [item.case for item in working]
        self._columns: dict[Feature, Bools] = {}

    def table(self, features: Sequence[Priced]) -> Bools:
        """Positions × features."""
        new = [feature for feature, _ in features if feature not in self._columns]
        found = position_table(self._setting, self._cases, new)
        self._columns.update(zip(new, found.T, strict=True))
        columns = [self._columns[feature] for feature, _ in features]
        return np.stack(columns, axis=1) if columns else found


def _theory(
    setting: Setting,
    model: Model,
    working: Sequence[Outcome],
    without: frozenset[Feature],
    least: int,
    deeper: dict[Priced, None],
) -> tuple[tuple[Rule, ...], float, int, Sequence[Priced]]:
    """Rules with as few kinds of features as explain all, or those that explain most; their cost.

    With them come the round of features to begin with when more positions have joined, and the
    features that were looked at. In the last round features made of terms join the `deeper` ones,
    and stay for later revisions.
    """

    def offered(level: int) -> list[Priced]:
        found = position_features(setting, model, working, level)
        return [each for each in found if each.feature not in without]

    features = [each for level in range(least) for each in offered(level)]
    known = _Known(setting, working)

    def cheapest(found: Listed) -> Listed:
        return _cheapest(found, _crumb(working))

    def settled(found: Listed) -> Listed:
        return found if found.unexplained else cheapest(found)

    def made(level: int) -> Listed:
        final = level == LEVELS - 1
        features.extend(offered(level))
        if final:
            features.extend(each for each in deeper if each.feature not in without)
        found = _greedy(known, features, all_orders=False)
        more = _unknown(_closer(setting, found.rules, working, level), features, without)
        if more:
            features.extend(more)
            found = _greedy(known, features, all_orders=False)
        for _ in range(DEEPENINGS if final else 0):
            more = _unknown(_deepened(setting, settled(found), working), features, without)
            if not more:
                break
            deeper.update(dict.fromkeys(more))
            features.extend(more)
            found = _greedy(known, features, all_orders=False)
        return cheapest(_greedy(known, features)) if final else settled(found)

    def enough(found: Listed, _: int) -> bool:
        return not any(_doubtful(rule, working) for rule in found.rules)

    best, least = by_level(made, range(least, LEVELS), enough)
    return best.rules, best.cost, least, features


def _unknown(
    offered: Iterator[Priced], features: Sequence[Priced], without: frozenset[Feature]
) -> list[Priced]:
    """Those of some features that are not among others, nor to be left out."""
    known = {each.feature for each in features} | without
    return [each for each in offered if each.feature not in known]


def _deepened(setting: Setting, found: Listed, working: Sequence[Outcome]) -> Iterator[Priced]:
    """Features made of terms, for each class of which no rule explains some positions well."""
    search = found.search
    several = Counter(rule.value for rule in found.rules)
    least, most = _crumb(working), _crumb(working, SPLINTER)
    firm = [
        rule
        for rule in found.rules
        if rule.support >= (most if several[rule.value] > SPLINTERED else least)(rule)
    ]
    said = examples(setting, working).says(firm)
    for number, goals in enumerate(search.classes):
        loose = np.array(
            [item.goals == goals != what for item, what in zip(working, said, strict=True)]
        )
        if loose.sum() >= FEW:
            others = search.kind != number
            rows = np.sort(
                np.concatenate([_spread(loose, MOST_ROWS // 2), _spread(others, MOST_ROWS)])
            )
            yield from deepened_positions(
                setting, [working[row].case for row in rows], loose[rows], search.table[rows]
            )


def _spread(rows: Bools, most: int) -> Rows:
    """Some of the rows that are true, evenly."""
    found = np.flatnonzero(rows)
    return found[:: max(1, -(-len(found) // most))]


def _closer(
    setting: Setting, rules: Sequence[Rule], working: Sequence[Outcome], level: int
) -> Iterator[Priced]:
    """Regions and patterns of the terminal positions that no well supported rule covers.

    Among all of a class they are too few to be looked at.
    """
    wrong = examples(setting, working).wrong([rule for rule in rules if not rule.provisional])
    loose = [item for item in wrong if item.goals is not None]
    if len(loose) == sum(item.goals is not None for item in working):
        return
    yield from regions_of(setting, loose, working)
    if level:
        yield from patterns_of(setting, loose, working)


def _doubtful(rule: Rule, working: Sequence[Outcome]) -> bool:
    """Whether another feature might do better: a rule names squares, or covers little of much."""
    return any(speaks_of(literal.feature, (REGION,)) for literal in rule.body) or (
        rule.provisional
        and rule.support > 0
        and sum(item.goals == rule.value for item in working) >= FEW
    )


def _greedy(known: _Known, features: Sequence[Priced], *, all_orders: bool = True) -> Listed:
    """Rules for the terminal positions, the best of several orders.

    What is left over when all other classes are explained often has the shortest rule, so each
    class is tried as the last one; and greed may go for cheap rules or for those that cover most.
    Unless `all_orders` are wanted, none but the greedy one is tried where that leaves some.
    """
    working = known.working
    search = Greedy(features, known.table(features), working, contests=True)
    crumb = _crumb(working)

    def enough(rules: Sequence[Rule]) -> bool:
        return sum(rule.support < crumb(rule) for rule in rules) > MOST_CRUMBS

    def ordered(last: int | None) -> list[Listed]:
        return [search.ordered(worth, last, enough) for worth in (thrifty, sweeping)]

    found = ordered(None)
    number = len(search.classes)
    if 1 < number <= MOST_ORDERS and (all_orders or not all(each.unexplained for each in found)):
        found += chain.from_iterable(map(ordered, range(number)))
    return min(found, key=lambda each: each.rank)


def _crumb(working: Sequence[Outcome], part: float = CRUMB) -> Callable[[Rule], float]:
    """How many positions of its class a rule has to explain, or it may be an accident."""
    ends = Counter(item.goals for item in working)
    return lambda rule: max(FEW, part * ends[rule.value])


def _cheapest(greedy: Listed, crumb: Callable[[Rule], float]) -> Listed:
    """The cheapest list of the bodies that were met, where it costs less than the greedy one.

    Greed met some; further ones say a class, or what those of its rules leave that explain more
    than a `crumb`, behind all rules of other classes.
    """
    search = greedy.search
    for at, goals in enumerate(search.classes):
        loose = search.kind == at
        search.meet(loose, at)
        for rule in greedy.rules:
            if rule.value == goals and rule.support >= crumb(rule):
                loose &= ~search.covered(rule.body)
        search.meet(loose, at)
    rows = np.flatnonzero(search.kind >= 0)
    columns = {feature: search.table[rows, at] for at, (feature, _) in enumerate(search.features)}
    kinds = search.kind[rows].tolist()
    own = masks(kinds)
    wanted = 0
    for rule in (rule for rule in greedy.rules if rule.support):
        wanted |= covers_of(rule.body, columns) & own[search.classes.index(rule.value)]
    options = []
    for body, price in search.met().items():
        covers = covers_of(body, columns)
        said = [at for at in own if covers & own[at]]
        options += [Option(body, at, whole(price + RULE_COST), covers) for at in said]
    found = cheapest_list(options, kinds, wanted, whole(greedy.cost), effort=EFFORT)
    if found is None:
        return greedy
    cheaper = []
    for option, support in supported(found, kinds):
        value = search.classes[option.kind]
        cheaper.append(Rule(option.body, value, support, provisional=support < FEW))
    cost = sum(option.cost for option in found) / UNIT
    return greedy._replace(rules=tuple(cheaper), cost=cost)
