"""When a game is over and for whom: an ordered list of rules over terminal positions.

Terminal positions with the same goals, by seat from the player to move, form a class. A rule covers
terminal positions of its class, no position in which the game went on, and no terminal position
of another class that earlier rules leave; the best rule of all classes comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from grl.model import Feature, Literal, Model, Rule
from grl.progress import Progress
from grl.rules.endings.features import patterns_of, position_features, regions_of
from grl.rules.endings.mirrored import mirrored_rules
from grl.rules.endings.outcomes import FEW, Endings, Judged, Outcome, judge
from grl.rules.endings.pool import pool_of
from grl.rules.features.cases import Setting
from grl.rules.features.columns import position_table
from grl.rules.features.vocabulary import Priced
from grl.rules.search.conjunctions import Bools, Covering, Found, Rows, Worth, pure_rules, rank
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

FIRST_MOMENTS = 500
FIRST_ENDS = 500
ADDED = 40
REVISIONS = 12
FRUITLESS = 4
"""After so many revisions that are no better than one before no further one is made."""
RULE_COST = 2.0
LEVELS = 3
DEEPENINGS = 2
"""So often the positions that are left are looked at for features that are not listed."""
CRUMB = 0.1
"""A rule that explains less than this part of a class may be an accident."""
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
    ends = [item for item in data if item.goals is not None]
    if not ends:
        return Endings((), 0, 0)
    going = [item for item in data if item.goals is None]
    working = ends[:FIRST_ENDS] + going[:FIRST_MOMENTS]
    best: tuple[tuple[int, float], tuple[Rule, ...]] | None = None
    level = improved = 0
    judged = Judged(setting, data)
    prices: dict[Feature, float] = {}
    deeper: dict[Priced, None] = {}
    for revision in range(REVISIONS):
        progress("endings: rounds", revision + 1, None)
        looked_at = working
        rules, cost, level, features = _theory(setting, model, working, without, level, deeper)
        prices |= features
        wrong = judged.wrong(rules)
        score = (len(wrong), cost)
        if best is None or score < best[0]:
            best, improved = (score, rules), revision
        elif revision - improved >= FRUITLESS:
            break
        inside = set(map(id, working))
        fresh = [item for item in wrong if id(item) not in inside]
        if not fresh:
            break
        step = max(1, len(fresh) // ADDED)
        working = working + fresh[::step][:ADDED]
    assert best is not None
    rules = _stuck_last(judged, best[1])
    pool = pool_of(setting, features, rules, prices, [(x.case, x.goals) for x in looked_at])
    if mirrored:
        rules += mirrored_rules(setting, rules, judged.unmentioned(rules))
    while True:
        found = judged.counted(rules)
        kept = tuple(rule for rule in found.rules if rule.against <= rule.support)
        if len(kept) == len(found.rules):
            return replace(found, pool=pool)
        rules = kept


def _stuck_last(judged: Judged, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules, those that ask whether a player is stuck behind the others, if no outcome minds.

    Where the board ends a game it does so whether there are turns to play or not. What those rules
    say beyond that, only to make way for others, they need not say behind them.
    """
    ordered = tuple(sorted(rules, key=_asks_turns))
    if ordered == rules:
        return rules
    wrong = len(judged.wrong(rules))
    if len(judged.wrong(ordered)) > wrong:
        return rules
    for number, rule in enumerate(ordered):
        shorter = rule
        for literal in rule.body if _asks_turns(rule) else ():
            body = tuple(each for each in shorter.body if each != literal)
            tried = (*ordered[:number], replace(rule, body=body), *ordered[number + 1 :])
            if literal.feature[0] != "stuck" and len(judged.wrong(tried)) <= wrong:
                ordered, shorter = tried, tried[number]
    return ordered


def _asks_turns(rule: Rule) -> bool:
    return any(literal.feature[0] == "stuck" for literal in rule.body)


def drafted(setting: Setting, model: Model, data: Sequence[Outcome]) -> Greedy:
    """What the features of the first round make of a few positions."""
    ends = [item for item in data if item.goals is not None]
    going = [item for item in data if item.goals is None]
    working = ends[:FIRST_ENDS] + going[:FIRST_MOMENTS]
    features = list(position_features(setting, model, working, 0))
    return _greedy(setting, features, working, all_orders=False)


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
    best: Greedy | None = None
    features: list[Priced] = []
    for level in range(LEVELS):
        offered = position_features(setting, model, working, level)
        features += (each for each in offered if each.feature not in without)
        if level < least:
            continue
        final = level == LEVELS - 1
        if final:
            features += (each for each in deeper if each.feature not in without)
        found = _greedy(setting, features, working, all_orders=False)
        more = _unknown(_closer(setting, found.rules, working, level), features, without)
        if more:
            features += more
            found = _greedy(setting, features, working, all_orders=False)
        for _ in range(DEEPENINGS if final else 0):
            more = _unknown(_deepened(setting, found, working), features, without)
            if not more:
                break
            deeper.update(dict.fromkeys(more))
            features += more
            found = _greedy(setting, features, working, all_orders=False)
        if final:
            found = _greedy(setting, features, working)
        if found.left and least == level < LEVELS - 1:
            least = level + 1
        if best is None or (found.left, found.cost) < (best.left, best.cost):
            best = found
        if best.left == 0 and not any(_doubtful(rule, working) for rule in best.rules):
            break
    assert best is not None
    rules, cost = _exact(best) or (best.rules, best.cost)
    return rules, cost, least, features


def _unknown(
    offered: Iterator[Priced], features: Sequence[Priced], without: frozenset[Feature]
) -> list[Priced]:
    """Those of some features that are not among others, nor to be left out."""
    known = {each.feature for each in features} | without
    return [each for each in offered if each.feature not in known]


def _deepened(setting: Setting, found: Greedy, working: Sequence[Outcome]) -> Iterator[Priced]:
    """Features made of terms, for each class of which no rule explains some positions well."""
    search, classes = found.search, found.classes
    ends = Counter(item.goals for item in working)
    firm = [rule for rule in found.rules if rule.support >= max(FEW, CRUMB * ends[rule.value])]
    says = judge(setting, firm)
    said = [says(item.case) for item in working]
    for number, goals in enumerate(classes):
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
    says = judge(setting, [rule for rule in rules if not rule.provisional])
    loose = [item for item in working if item.goals is not None and says(item.case) != item.goals]
    if len(loose) == sum(item.goals is not None for item in working):
        return
    yield from regions_of(setting, loose, working)
    if level:
        yield from patterns_of(setting, loose, working)


def _doubtful(rule: Rule, working: Sequence[Outcome]) -> bool:
    """Whether another feature might do better: a rule names squares, or covers little of much."""
    return any(literal.feature[0] in ("filled", "held") for literal in rule.body) or (
        rule.provisional and sum(item.goals == rule.value for item in working) >= FEW
    )


def _greedy(
    setting: Setting,
    features: Sequence[Priced],
    working: Sequence[Outcome],
    *,
    all_orders: bool = True,
) -> Greedy:
    """Rules, their cost, and how many terminal positions they leave: the best of several orders.

    What is left over when all other classes are explained often has the shortest rule, so each
    class is tried as the last one; and greed may go for cheap rules or for those that cover most.
    Unless `all_orders` are wanted, none but the greedy one is tried where that leaves some.
    """
    cases = [item.case for item in working]
    table = position_table(setting, cases, [each.feature for each in features])
    classes = sorted({item.goals for item in working if item.goals is not None})
    number = {goals: i for i, goals in enumerate(classes)}
    kind = np.array([-1 if x.goals is None else number[x.goals] for x in working])
    lasts = list(range(len(classes))) if 1 < len(classes) <= MOST_ORDERS else []
    search = _Search(tuple(features), table, kind)
    found = [_ordered(search, classes, None, worth) for worth in (_thrifty, _sweeping)]
    if all_orders or not all(left for _, _, left in found):
        found += [
            _ordered(search, classes, last, worth)
            for last in lasts
            for worth in (_thrifty, _sweeping)
        ]
    rules, cost, left = min(found, key=lambda each: (each[2], each[1]))
    return Greedy(rules, cost, left, search, classes)


def _exact(greedy: Greedy) -> tuple[tuple[Rule, ...], float] | None:
    """The cheapest list of the bodies that were met, where it costs less than the greedy one.

    Greed met some; further ones say a class, or what no well supported rule of it explains, behind
    all rules of other classes.
    """
    rules, cost, _, search, classes = greedy
    for at, goals in enumerate(classes):
        loose = search.kind == at
        search.meet(loose, at)
        for rule in rules:
            if rule.value == goals and rule.support >= max(FEW, CRUMB * loose.sum()):
                loose &= ~search.covered(rule.body)
        search.meet(loose, at)
    rows = np.flatnonzero(search.kind >= 0)
    columns = {feature: search.table[rows, at] for at, (feature, _) in enumerate(search.features)}
    kinds = search.kind[rows].tolist()
    own = masks(kinds)
    wanted = 0
    for rule in rules:
        wanted |= covers_of(rule.body, columns) & own[classes.index(rule.value)]
    options = []
    for body, price in search.met().items():
        covers = covers_of(body, columns)
        said = [at for at in own if covers & own[at]]
        options += [Option(body, at, whole(price + RULE_COST), covers) for at in said]
    found = cheapest_list(options, kinds, wanted, whole(cost), effort=EFFORT)
    if found is None:
        return None
    cheaper = []
    for option, support in supported(found, kinds):
        value = classes[option.kind]
        cheaper.append(Rule(option.body, value, support, provisional=support < FEW))
    return tuple(cheaper), sum(option.cost for option in found) / UNIT


class Greedy(NamedTuple):
    """Rules, their cost, how many terminal positions they leave, and how they were found."""

    rules: tuple[Rule, ...]
    cost: float
    left: int
    search: _Search
    classes: Sequence[tuple[int, ...]]


class _Search:
    """The rules that can be found for a class among the terminal positions left, each once."""

    def __init__(self, features: Sequence[Priced], table: Bools, kind: Rows) -> None:
        self.features = features
        self.table = table
        self.kind = kind
        self._known: dict[tuple[int, bytes], list[Covering]] = {}

    def best(self, left: Bools, classes: Sequence[int], worth: Worth) -> tuple[Found, int] | None:
        """The best rule for one of some classes, with the class."""
        best: tuple[Found, int] | None = None
        for at in classes:
            rules = [Found(*each, worth(each.covered, each.cost)) for each in self._rules(left, at)]
            found = max(rules, key=rank, default=None)
            if found is not None and (best is None or found.worth > best[0].worth):
                best = found, at
        return best

    def met(self) -> dict[tuple[Literal, ...], float]:
        """The bodies found so far, for whichever class, with what each costs."""
        return {each.body: each.cost for found in self._known.values() for each in found}

    def meet(self, left: Bools, at: int) -> None:
        """Look for rules that say a class of some positions, where no others are left.

        Those that cover most are looked for besides the cheapest ones.
        """
        key = at, left.tobytes()
        if left.any() and key not in self._known:
            bad, good = np.flatnonzero(left), np.flatnonzero(self.kind < 0)
            weights = np.ones(len(bad)), np.ones(len(good))
            wide = pure_rules(self.features, self.table, bad, good, weights)
            self._known[key] = [*self._rules(left, at), *wide]

    def covered(self, body: Sequence[Literal]) -> Bools:
        """The positions that a body covers."""
        numbers = {each.feature: number for number, each in enumerate(self.features)}
        columns = [numbers[literal.feature] for literal in body]
        found: Bools = np.all(self.table[:, columns] == [each.holds for each in body], axis=1)
        return found

    def _rules(self, left: Bools, at: int) -> list[Covering]:
        key = at, left.tobytes()
        found = self._known.get(key)
        if found is None:
            bad = np.flatnonzero(left & (self.kind == at))
            good = np.flatnonzero((self.kind < 0) | (left & (self.kind != at)))
            found = self._known[key] = pure_rules(self.features, self.table, bad, good)
        return found


def _ordered(
    search: _Search, classes: Sequence[tuple[int, ...]], last: int | None, worth: Worth
) -> tuple[tuple[Rule, ...], float, int]:
    """Rules found greedily, those of the class `last` only when no other rule can be found."""
    left: Bools = search.kind >= 0
    ends = np.bincount(search.kind[left], minlength=len(classes))
    rules: list[Rule] = []
    cost = 0.0
    crumbs = 0
    while left.any() and crumbs <= MOST_CRUMBS:
        present = sorted(set(search.kind[left].tolist()))
        best = search.best(left, [k for k in present if k != last], worth)
        if best is None and last is not None and last in present:
            best = search.best(left, [last], worth)
        if best is None:
            break
        found, at = best
        support = len(found.covered)
        crumbs += support < max(FEW, CRUMB * ends[at])
        rules.append(Rule(found.body, classes[at], support, provisional=support < FEW))
        cost += found.cost + RULE_COST
        left = left.copy()
        left[found.covered] = False
    return tuple(rules), cost, int(left.sum())


def _thrifty(covered: Rows, cost: float) -> float:
    return len(covered) / (cost + RULE_COST)


def _sweeping(covered: Rows, cost: float) -> float:
    return len(covered) - cost / 100
