"""When a game is over and for whom: an ordered list of rules over terminal positions.

Terminal positions with the same goals, by seat from the player to move, form a class. A rule covers
terminal positions of its class, no position in which the game went on, and no terminal position
of another class that earlier rules leave; the best rule of all classes comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grl.logic.ops.lines import LINED
from grl.logic.ops.places import LINE, RING, lies
from grl.logic.ops.sets import GROUP, WITHOUT, together
from grl.logic.terms import Term, contents_of, make
from grl.model import Feature, Literal, Model, Rule
from grl.progress import Progress
from grl.records import End, Moment
from grl.rules.cases import PositionCase, Setting
from grl.rules.columns import position_table
from grl.rules.conjunctions import Bools, Covering, Found, Rows, Worth, pure_rules, rank
from grl.rules.cover import (
    EFFORT,
    UNIT,
    Option,
    cheapest_list,
    covers_of,
    masks,
    supported,
    whole,
)
from grl.rules.past import past_features
from grl.rules.pool import Pool, pool_of
from grl.rules.referee import Referee, covers, position_body
from grl.rules.regions import patterns, regions
from grl.rules.term_features import size, some
from grl.rules.turned import turned_rules
from grl.rules.vocabulary import (
    LONGEST_ROW,
    Priced,
    area_features,
    broad,
    contents,
    lifeless,
    meetings,
    named,
    number_features,
    typed,
)
from grl.turn import Turn

FIRST_MOMENTS = 500
FIRST_ENDS = 500
ADDED = 40
REVISIONS = 12
FRUITLESS = 4
"""After so many revisions that are no better than one before no further one is made."""
RULE_COST = 2.0
FEW = 3
LEVELS = 3
MOST_CRUMBS = 8
"""After more rules that few positions speak for no further one is sought: a feature is missing."""
MOST_SEVERAL = 4
"""Up to so many pieces on a rank, file or ring are counted."""
MOST_ORDERS = 4
"""With more classes than these no order of theirs is tried but the greedy one."""
REGION_NEGATIVES = 2_000
PATTERN_NEGATIVES = 2_000


@dataclass(frozen=True)
class Outcome:
    """A position with the class of its goals by seat; None where the game goes on."""

    case: PositionCase
    goals: tuple[int, ...] | None


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


def outcomes(referee: Referee, moments: Sequence[Moment], ends: Sequence[End]) -> list[Outcome]:
    """The positions of the records; in a moment the player to move is not stuck.

    Who would move in a terminal position follows from the last turn and the rules of control.
    """
    setting = referee.setting
    found = [Outcome(_going(setting, moment), None) for moment in moments]
    players = setting.equipment.players
    for last, goals in ends:
        position = last.position
        if last.before is not None and last.turn is not None:
            follower = referee.follower(last.before, Turn.parse(last.turn), position)
            position = replace(position, to_move=follower)
        given = dict(goals)
        by_seat = tuple(given[setting.seat(position.to_move, seat)] for seat in range(len(players)))
        found.append(Outcome(PositionCase.of(setting, position), by_seat))
    return found


def _going(setting: Setting, moment: Moment) -> PositionCase:
    """A position with a turn; whether other players have one has to be asked."""
    case = PositionCase.of(setting, moment.position)
    if moment.turns == {"pass"}:
        return case

    def stuck(seat: int) -> bool:
        return seat > 0 and setting.stuck is not None and setting.stuck(case, seat)

    case.stuck = stuck
    return case


def learn_endings(
    setting: Setting,
    model: Model,
    data: Sequence[Outcome],
    progress: Progress,
    without: frozenset[Feature] = frozenset(),
    *,
    turned: bool = False,
) -> Endings:
    """The rules that tell the terminal positions of `data` and their goals.

    The features `without` are left out, which gives theories that differ. Where a turn may keep the
    move, a game may end at the turn of either side; then rules come `turned` as well, with what
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
    for revision in range(REVISIONS):
        progress("endings: rounds", revision + 1, None)
        looked_at = working
        rules, cost, level, features = _theory(setting, model, working, without, level)
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
    if turned:
        rules += turned_rules(setting, rules, judged.unmentioned(rules))
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


def promise(setting: Setting, model: Model, data: Sequence[Outcome]) -> tuple[int, float]:
    """What the features of the first round make of a few positions, less being better.

    That is how many terminal positions are left, and the cost of all rules.
    """
    ends = [item for item in data if item.goals is not None]
    going = [item for item in data if item.goals is None]
    working = ends[:FIRST_ENDS] + going[:FIRST_MOMENTS]
    _, cost, left = _greedy(setting, list(position_features(setting, model, working, 0)), working)
    return left, cost


def _theory(
    setting: Setting,
    model: Model,
    working: Sequence[Outcome],
    without: frozenset[Feature],
    least: int,
) -> tuple[tuple[Rule, ...], float, int, Sequence[Priced]]:
    """Rules with as few kinds of features as explain all, or those that explain most; their cost.

    With them come the round of features to begin with when more positions have joined, and the
    features that were looked at.
    """
    best: tuple[tuple[int, float], tuple[Rule, ...]] | None = None
    features: list[Priced] = []
    for level in range(LEVELS):
        offered = position_features(setting, model, working, level)
        features += (each for each in offered if each.feature not in without)
        if level < least:
            continue
        rules, cost, left = _greedy(setting, features, working)
        offered = _closer(setting, rules, working, level)
        known = {each.feature for each in features} | without
        more = [each for each in offered if each.feature not in known]
        if more:
            features += more
            rules, cost, left = _greedy(setting, features, working)
        if left and least == level < LEVELS - 1:
            least = level + 1
        if best is None or (left, cost) < best[0]:
            best = (left, cost), rules
        if best[0][0] == 0 and not any(_doubtful(rule, working) for rule in best[1]):
            break
    assert best is not None
    return best[1], best[0][1], least, features


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
    yield from _regions(setting, loose, working)
    if level:
        yield from _patterns(setting, loose, working)


def _doubtful(rule: Rule, working: Sequence[Outcome]) -> bool:
    """Whether another feature might do better: a rule names squares, or covers little of much."""
    return any(literal.feature[0] in ("filled", "held") for literal in rule.body) or (
        rule.provisional and sum(item.goals == rule.value for item in working) >= FEW
    )


def _greedy(
    setting: Setting, features: Sequence[Priced], working: Sequence[Outcome]
) -> tuple[tuple[Rule, ...], float, int]:
    """Rules, their cost, and how many terminal positions they leave: the best of several orders.

    What is left over when all other classes are explained often has the shortest rule, so each
    class is tried as the last one; and greed may go for cheap rules or for those that cover most.
    """
    cases = [item.case for item in working]
    table = position_table(setting, cases, [each.feature for each in features])
    classes = sorted({item.goals for item in working if item.goals is not None})
    number = {goals: i for i, goals in enumerate(classes)}
    kind = np.array([-1 if x.goals is None else number[x.goals] for x in working])
    lasts: list[int | None] = [None]
    lasts += range(len(classes)) if 1 < len(classes) <= MOST_ORDERS else []
    search = _Search(features, table, kind)
    found = [
        _ordered(search, classes, last, worth) for last in lasts for worth in (_thrifty, _sweeping)
    ]
    best = min(found, key=lambda each: (each[2], each[1]))
    return _exact(search, classes, best) or best


def _exact(
    search: _Search,
    classes: Sequence[tuple[int, ...]],
    greedy: tuple[tuple[Rule, ...], float, int],
) -> tuple[tuple[Rule, ...], float, int] | None:
    """The cheapest list of the bodies that greed met, where it costs less than the greedy one."""
    rules, cost, left = greedy
    rows = np.flatnonzero(search.kind >= 0)
    columns = {feature: search.table[rows, at] for at, (feature, _) in enumerate(search.features)}
    kinds = search.kind[rows].tolist()
    own = masks(kinds)
    wanted = 0
    for rule in rules:
        wanted |= covers_of(rule.body, columns) & own[classes.index(rule.value)]
    options = [
        Option(body, at, whole(price + RULE_COST), covers_of(body, columns))
        for at, body, price in search.met()
    ]
    found = cheapest_list(options, kinds, wanted, whole(cost), effort=EFFORT)
    if found is None:
        return None
    cheaper = []
    for option, support in supported(found, kinds):
        value = classes[option.kind]
        cheaper.append(Rule(option.body, value, support, provisional=support < FEW))
    return tuple(cheaper), sum(option.cost for option in found) / UNIT, left


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

    def met(self) -> Iterator[tuple[int, tuple[Literal, ...], float]]:
        """The bodies found so far, each with the class that it was sought for and its cost."""
        for (at, _), found in self._known.items():
            yield from ((at, each.body, each.cost) for each in found)

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
    rules: list[Rule] = []
    cost = 0.0
    while left.any() and sum(rule.provisional for rule in rules) <= MOST_CRUMBS:
        present = sorted(set(search.kind[left].tolist()))
        best = search.best(left, [k for k in present if k != last], worth)
        if best is None and last is not None and last in present:
            best = search.best(left, [last], worth)
        if best is None:
            break
        found, at = best
        support = len(found.covered)
        rules.append(Rule(found.body, classes[at], support, provisional=support < FEW))
        cost += found.cost + RULE_COST
        left = left.copy()
        left[found.covered] = False
    return tuple(rules), cost, int(left.sum())


def _thrifty(covered: Rows, cost: float) -> float:
    return len(covered) / (cost + RULE_COST)


def _sweeping(covered: Rows, cost: float) -> float:
    return len(covered) - cost / 100


def position_features(
    setting: Setting, model: Model, working: Sequence[Outcome], level: int
) -> Iterator[Priced]:
    """The features of positions of a round: plain ones and regions, patterns, attacks."""
    ends = [item for item in working if item.goals is not None]
    whats = contents(setting)
    owned = [what for what in whats if what[0] != "n"]
    if level == 0:
        yield Priced(("stuck", 0), 1.0)
        if model.passes:
            yield from (
                Priced(("stuck", seat), 1.2) for seat in range(1, len(setting.equipment.players))
            )
            yield Priced(("passed",), 1.4)
        for player in setting.equipment.players:
            yield Priced(("mover", player), 1.6)
        yield from _placed(setting, owned)
        hands = bool(setting.equipment.stocked)
        yield from number_features(setting, [item.case for item in working], hands=hands)
        going = [item.case for item in working if item.goals is None]
        for feature, price in past_features(setting, [item.case for item in ends], going):
            yield Priced(feature, price)
        yield from _regions(setting, ends, working)
    elif level == 1:
        yield from area_features(setting)
        yield from meetings(setting)
        yield from _numbered(setting)
        yield from _patterns(setting, ends, working)
    else:
        seats = len(setting.equipment.players)
        for seat in range(seats):
            for attacker in range(seats):
                if seat != attacker:
                    for what in owned:
                        if what[0] == str(seat):
                            yield Priced(("attacked", what, attacker), 2.0 + typed(what))


def _placed(setting: Setting, owned: Sequence[str]) -> Iterator[Priced]:
    """Groups, chains across the board, pieces on ranks and files, and straight lines of them."""
    board = setting.board
    for what in owned:
        if what[1] == "*":
            for adjacency in sorted(setting.near):
                yield Priced(("group", what, adjacency), 1.8)
    kinds = contents_of(setting.equipment)
    for kind in broad(setting)[1:]:
        for adjacency in sorted(setting.near) if kind != "neutral" else ():
            yield Priced(some("now", lifeless(kind, adjacency)), 1.8)
            for scale, last in (("rank", board.height), ("file", board.width)):
                low, high = (make(LINE, scale, 0, "=", number) for number in (1, last))
                seeds = together(lies(kind), low)
                chain = make(GROUP, adjacency, seeds, lies(kind))
                yield Priced(some("now", together(high, chain)), 1.8)
    for kind in kinds[1:]:
        for scale, last in (("rank", board.height), ("file", board.width)):
            extra = named(kind) + (0.2 if scale == "file" else 0.0)
            for number in range(1, last + 1):
                yield Priced(some("now", on(setting, kind, scale, "=", number)), 1.4 + extra)
                if 1 < number < last:
                    below = on(setting, kind, scale, "<", number)
                    yield Priced(some("now", below), 1.7 + extra)
        for length in range(2, min(LONGEST_ROW, max(board.width, board.height)) + 1):
            line = make(LINED, length, lies(kind))
            yield Priced(some("now", line), 1.2 + named(kind))
            if ":" not in kind:
                longer = make(LINED, length + 1, lies(kind))
                yield Priced(some("now", make(WITHOUT, line, longer)), 1.5)


def _numbered(setting: Setting) -> Iterator[Priced]:
    """Several pieces on ranks, files and rings."""
    board = setting.board
    scales = (
        ("rank", board.height),
        ("file", board.width),
        ("ring", min(board.width, board.height) // 2),
    )
    for kind in contents_of(setting.equipment)[1:]:
        for scale, last in scales if kind.partition(":")[0] != "neutral" else ():
            for number in range(1, last + 1):
                for least in range(2, MOST_SEVERAL + 1):
                    price = 1.6 + named(kind) + 0.1 * least + (scale != "rank") * 0.2
                    there = on(setting, kind, scale, "=", number)
                    yield Priced(size("now", there, "<", least), price)
                    if 1 < number < last:
                        there = on(setting, kind, scale, "<", number)
                        yield Priced(size("now", there, "<", least), price + 0.3)


def on(setting: Setting, kind: str, scale: str, relation: str, number: int) -> Term:
    """Pieces on a rank, file or ring, as their owner sees the board."""
    if scale == "ring":
        return together(lies(kind), make(RING, relation, number))
    owner = kind.partition(":")[0]
    seat = 0
    if owner.startswith("next"):
        seat = int(owner[4:])
    elif owner == "opposing" and len(setting.equipment.players) == 2:
        seat = 1
    return together(lies(kind), make(LINE, scale, seat, relation, number))


def _regions(
    setting: Setting, ends: Sequence[Outcome], working: Sequence[Outcome]
) -> Iterator[Priced]:
    """What squares hold in terminal positions of a class, and in no position that goes on."""
    going = [item.case for item in working if item.goals is None][:REGION_NEGATIVES]
    for positive in _classes(ends):
        for feature in regions(setting, positive, going):
            dear = 0.35 if feature[0] == "filled" else 0.2
            yield Priced(feature, 1.2 + dear * len(feature[2]))


def _patterns(
    setting: Setting, ends: Sequence[Outcome], working: Sequence[Outcome]
) -> Iterator[Priced]:
    """Patterns of a seat's pieces in terminal positions of a class, and in none that goes on."""
    going = [item.case for item in working if item.goals is None][:PATTERN_NEGATIVES]
    for positive in _classes(ends):
        for seat in range(len(setting.equipment.players)):
            for feature in patterns(setting, seat, positive, going):
                price = sum(0.5 + typed(what) / 4 for _, _, what in feature[1])
                yield Priced(feature, 1.2 + price)


def _classes(ends: Sequence[Outcome]) -> Iterator[list[PositionCase]]:
    """The terminal positions of each class in turn."""
    for goals in sorted({item.goals for item in ends if item.goals is not None}):
        yield [item.case for item in ends if item.goals == goals]


Judge = Callable[[PositionCase], "tuple[int, ...] | None"]


def judge(setting: Setting, rules: Sequence[Rule]) -> Judge:
    """What the rules say of a position: goals by seat, or None where no rule covers it."""
    bodies = [(position_body(setting, rule.body), rule.value) for rule in rules]

    def test(case: PositionCase) -> tuple[int, ...] | None:
        for body, value in bodies:
            if covers(body, case):
                return value
        return None

    return test


class Judged:
    """Positions with their outcomes, and what rules say of them.

    The values of features are kept, each for the positions of which they were asked.
    """

    def __init__(self, setting: Setting, data: Sequence[Outcome]) -> None:
        self.setting, self.data = setting, data
        self._known: dict[Feature, tuple[Bools, Bools]] = {}

    def wrong(self, rules: Sequence[Rule]) -> list[Outcome]:
        """The positions of which the rules say something else than records do."""
        values = [*(rule.value for rule in rules), None]
        firsts = self._first(rules).tolist()
        return [
            item for item, at in zip(self.data, firsts, strict=True) if values[at] != item.goals
        ]

    def unmentioned(self, rules: Sequence[Rule]) -> list[PositionCase]:
        """The positions that no rule covers."""
        firsts = self._first(rules).tolist()
        return [item.case for item, at in zip(self.data, firsts, strict=True) if at == len(rules)]

    def counted(self, rules: Sequence[Rule]) -> Endings:
        """The rules with the positions that speak for and against each."""
        support = [0] * len(rules)
        against = [0] * len(rules)
        unexplained = early = 0
        for item, first in zip(self.data, self._first(rules).tolist(), strict=True):
            if first == len(rules):
                unexplained += item.goals is not None
            elif rules[first].value == item.goals:
                support[first] += 1
            else:
                against[first] += 1
                early += item.goals is None
                unexplained += item.goals is not None
        counted = tuple(
            replace(rule, support=s, against=a, provisional=s < FEW or a > 0)
            for rule, s, a in zip(rules, support, against, strict=True)
        )
        return Endings(counted, unexplained, early)

    def _first(self, rules: Sequence[Rule]) -> Rows:
        """The number of the first rule that covers each position; how many there are for none."""
        found = np.full(len(self.data), len(rules), dtype=np.intp)
        for number, rule in enumerate(rules):
            covered = found == len(rules)
            for feature, holds in rule.body:
                covered &= self._values(feature, covered) == holds
            found[covered] = number
        return found

    def _values(self, feature: Feature, asked: Bools) -> Bools:
        """A feature on the positions asked for; what is said of others means nothing."""
        size = len(self.data)
        values, known = self._known.setdefault(
            feature, (np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_))
        )
        fresh = np.flatnonzero(asked & ~known)
        if len(fresh):
            cases = [self.data[at].case for at in fresh.tolist()]
            values[fresh] = position_table(self.setting, cases, [feature])[:, 0]
            known[fresh] = True
        return values
