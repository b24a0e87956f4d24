"""Rules found greedily over the turns of a working set of positions, one table for all.

Each rule forbids turns and covers no legal one; the turns that it covers are dropped, and relations
between turns are computed anew over those that are left, so that the order of the rules becomes
their stratification.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grl.model import Feature, Rule
from grl.progress import Progress, late, silent
from grl.rules.features.levels import asking
from grl.rules.features.relations import MEASURES, SCOPES, Rivals
from grl.rules.features.terms import asked_of
from grl.rules.features.vocabulary import NEGATION, ROUNDS, Priced
from grl.rules.restrictions.arrangement import Turns, best_arrangement, cheapest_cover
from grl.rules.restrictions.formations import Sides, formations
from grl.rules.restrictions.labelled import ALIAS, ILLEGAL, LEGAL, Kind, Labelled
from grl.rules.restrictions.leveling import AliveTurns, Column, Levels, stuck_after
from grl.rules.restrictions.offered import Named, Offered, asked_of_rivals
from grl.rules.restrictions.scoring import Scoring, turns_left
from grl.rules.restrictions.theory import FEW, Body, Draft
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.search.conjunctions import (
    Bools,
    Found,
    Rows,
    prudent,
    pure_rules,
    rank,
    rated,
)
from grl.rules.search.deepening import MOST_ROWS, Sample, deepened
from grl.rules.search.refine import Theory
from grl.rules.templates.evaluation import plain_features

BEYOND_COST = 2.2
CRUMB = 0.1
"""A rule that explains less than this part of the positions tries the patience of a round."""
MOST_CRUMB = 0.5
"""No rule that explains this part of them is taken for an accident."""
MOST_LEFT = 0.5
"""Nor one that explains this part of those which are left."""
LIGHTEST = 5.0
"""No rule on silence pays with a literal of which fewer turns than this were to be expected."""
DEEPENINGS = 3
"""So often the rows that are left are looked at for features that are not listed."""
REMEMBERED = 20
"""So many of the rules that a search finds are remembered."""


class Working:
    """The working set as one table, a row a turn."""

    def __init__(
        self,
        vocabulary: TurnVocabulary,
        progress: Progress = silent,
        *,
        listed: bool = False,
        kind: Kind | None = None,
    ) -> None:
        """No feature is made from the turns, but what is listed has to do, where `listed`.

        Where a `kind` is given all turns are of it, others of their positions are not
        looked at, and every rule names it.
        """
        self.vocabulary = vocabulary
        self.listed = listed
        self.kind = kind
        self.progress = progress
        self.ended = False
        """Whether the time is over: theories end with the rules that they have."""
        self.items: list[Labelled] = []
        self._deeper: list[Priced] = []
        self._compared: dict[Feature, None] = {}
        self._deepenings = DEEPENINGS
        self._crumb = CRUMB
        self._settled: set[Body | None] = set()
        """Rules that explain little, and that nothing better was found for."""
        self._met: dict[Body, float] = {}
        """The bodies of all rules found so far, with what each costs."""
        self._pool: dict[Body, float] = {}
        """Bodies of rules that were nearly found, with what each costs."""
        self._made: tuple[tuple[int, int, int], list[Priced], Bools] | None = None
        self._kept: dict[Feature, Bools] = {}
        """Columns of features that are found while rules are learned."""
        self._levels = Levels()
        self._named: dict[object, Named] = {}
        self._best: dict[object, Found | None] = {}
        """What was offered with the table that was made last, and the best rules found."""

    def add(self, items: Sequence[Labelled]) -> None:
        """Let more positions join."""
        self.items += items

    def doubt(self) -> None:
        """Take more rules for accidents: records refute theories again and again."""
        if self._crumb < MOST_CRUMB:
            self._crumb += CRUMB
            self._deepenings += 1

    def theory(
        self,
        level: int,
        scoring: Scoring,
        without: frozenset[Feature] = frozenset(),
        cost_limit: float = inf,
        *,
        patience: int,
        most: int | None = None,
        begun: Sequence[Rule] = (),
    ) -> Theory:
        """Rules found greedily with the features of all rounds up to `level`.

        Those `without` are left out, which gives theories that differ; so do rules with which it is
        `begun`, as far as each forbids illegal turns alone. No rule is sought once the cost of all
        is above `cost_limit`, nor after `most` rules or more than `patience` that explain little
        each: the vocabulary lacks something. In the last round further features are then made of
        terms (`grl.rules.search.deepening`), and the search begins anew. A theory ends with the
        rules that it has when the time is over.
        """
        features, table = self._table(level)
        draft = Draft(self.labels, self.group)
        silent = scoring.weights(self.group, self._left(draft.alive)) is not None
        given = list(begun)
        leveled = lawful = False
        while len(bad := draft.bad) and draft.cost <= cost_limit and len(draft.rules) != most:
            if self.ended or sum(map(self.accidental, draft.rules)) > patience:
                break
            offered = self._offered(features, table, draft.alive, level, silent, without)
            sought, deepest = not given, False
            if given:
                found = self._again(given.pop(0), offered, bad)
                if found is None:
                    continue
            else:
                found = self._found(offered, bad, draft.alive, scoring, leveled=leveled or lawful)
                deepest = self._deep(level) and self._little(found, bad)
            further: list[Column] = []
            turns, rules = self._alive(draft.alive), draft.rules
            if sought and rules and not lawful and found is not None and _asks_turns(found.body):
                lawful = True
                further = self._levels.further(turns, rules, features, table)
            if not further and deepest and not leveled:
                leveled = True
                further = stuck_after(turns, rules)
            if further:
                features = [*features, *(priced for priced, _ in further)]
                table = np.column_stack([table, *(column for _, column in further)])
                continue
            body = None if found is None else found.body
            if deepest and not begun and self._deepenings and body not in self._settled:
                self._settled.add(body)
                self._report("features of turns", level + 2, level + 2)
                if self.ended:
                    continue
                self._deepenings -= 1
                if self._deepened(offered.columns, draft.alive):
                    features, table = self._table(level)
                    given = [rule for rule in rules if not self.accidental(rule)]
                    draft, leveled, lawful = Draft(self.labels, self.group), False, False
                    continue
            if found is None or found.worth <= 0:
                break
            self._report("rules found", len(draft.rules) + 1)
            draft.add(found, self._aliases(found.body, offered))
            self._met.setdefault(found.body, found.cost)
            if lawful and not any(map(asking, draft.rules)):
                features, table = self._table(level)
                leveled = lawful = False
        return draft.theory()

    def _report(self, what: str, done: int, total: int | None = None) -> None:
        """Report where there are rules that would be lost if that raised `Stopped`."""
        self.ended = late(self.progress, f"restrictions: {what}", done, total)

    @property
    def costs(self) -> Mapping[Body, float]:
        """What each rule found so far costs, by its body."""
        return self._met

    def draft(self, scoring: Scoring, begun: Sequence[Rule], *, patience: int, most: int) -> Theory:
        """A theory that begins with rules that are known, without features that are not listed."""
        deepenings, self._deepenings = self._deepenings, 0
        found = self.theory(ROUNDS - 1, scoring, patience=patience, most=most, begun=begun)
        self._deepenings = deepenings
        return found

    def rearranged(self, level: int, scoring: Scoring) -> Theory:
        """The best arrangement of the rules met so far, as far as their features are known."""
        return best_arrangement(self._turns(level, self._met), self._met, scoring)

    def cheapest(self, level: int, theory: Theory) -> Theory:
        """The cheapest theory, of rules that were found or nearly so, that explains as much."""
        if any(map(asking, theory.rules)):
            return theory
        costs = {**self._pool, **self._met}
        return cheapest_cover(self._turns(level, costs), costs, theory)

    def _turns(self, level: int, bodies: Iterable[Body]) -> Turns:
        """The turns with the columns that bodies ask for, as far as their features are known."""
        features, table = self._table(level)
        numbers = {each.feature: number for number, each in enumerate(features)}
        columns = {
            plain: table[:, numbers[plain]]
            for body in bodies
            for literal in body
            for plain in plain_features(literal.feature)
            if plain in numbers
        }
        return Turns(self.labels, self.group, self.rivals, columns)

    def _deep(self, level: int) -> bool:
        """Whether features are made from the turns in this round."""
        return level == ROUNDS - 1 and not self.listed

    def _table(self, level: int) -> tuple[list[Priced], Bools]:
        """The features of all rounds up to `level`, and their columns."""
        key = level, len(self.items), len(self._deeper)
        if self._made is None or self._made[0] != key:
            vocabulary = self.vocabulary
            features = [f for i in range(level + 1) for f in vocabulary.levels[i]]
            cases = [case for item in self.items for case in item.cases]
            columns_of = []
            for each in range(level + 1):
                self.progress("restrictions: features of turns", each + 1, level + 1)
                columns_of.append(vocabulary.evaluate(cases, each))
            table = np.concatenate(columns_of, axis=1)
            self._rows()
            if self._deep(level):
                formed, columns = self._formed(table)
                deeper = self._columns(self._deeper)
                features += [*formed, *self._deeper]
                table = np.concatenate([table, columns, deeper], axis=1)
            self._made = key, features, table
            self._named, self._best = {}, {}
        return self._made[1:]

    def _again(self, rule: Rule, offered: Offered, bad: Rows) -> Found | None:
        """A rule that is known, with what it covers; None where it covers a legal turn."""
        priced, numbers = offered.named.priced, offered.named.numbers
        if any(literal.feature not in numbers for literal in rule.body):
            return None
        holds = np.ones(len(self.labels), dtype=np.bool_)
        for literal in rule.body:
            holds &= offered.column(numbers[literal.feature]) == literal.holds
        covered = bad[holds[bad]]
        if (holds & (self.labels == LEGAL)).any() or not len(covered):
            return None
        cost = sum(
            priced[numbers[each.feature]].cost + (0.0 if each.holds else NEGATION)
            for each in rule.body
        )
        return Found(rule.body, covered, cost, 1.0)

    def _aliases(self, body: Body, offered: Offered) -> Rows:
        """The other spellings of legal turns that a rule covers, which are no rivals after it."""
        rows = np.flatnonzero(self.labels == ALIAS)
        for literal in body if len(rows) else ():
            column = offered.column(offered.named.numbers[literal.feature])
            rows = rows[column[rows] == literal.holds]
        return rows

    def _found(
        self, offered: Offered, bad: Rows, alive: Bools, scoring: Scoring, *, leveled: bool
    ) -> Found | None:
        """The best rule: cheap ones first; where these explain little, those that cover most.

        Theories that begin otherwise often come to the same turns, so what was found is kept; not
        where a feature depends on the rules before, as once a theory was `leveled`.
        """
        if leveled:
            return self._sought(offered, bad, alive, scoring)
        key = offered.named, type(scoring), alive.tobytes()
        if key not in self._best:
            self._best[key] = self._sought(offered, bad, alive, scoring)
        return self._best[key]

    def _sought(self, offered: Offered, bad: Rows, alive: Bools, scoring: Scoring) -> Found | None:
        left = self._left(alive)
        extra = 0.0 if self.kind is None else self.kind.cost

        def worth(covered: Rows, price: float) -> float:
            return scoring.worth(self.group, left, covered, price + extra)

        good = np.flatnonzero(self.labels == LEGAL)
        even = _even(self.group[good])
        weights = scoring.weights(self.group, left)
        atoms = offered.atoms(np.concatenate([bad, good]))

        def sought(*weighted: Any) -> list[Found]:
            """Rules, with the best of which a cheaper theory may be made."""
            rules = rated(pure_rules(atoms, bad, *weighted), worth)
            for each in heapq.nlargest(REMEMBERED, rules, key=rank):
                if each.worth > 0:
                    self._pool.setdefault(each.body, each.cost)
            return rules

        if self.kind is not None and not len(good):
            return Found(self.kind.body, bad, self.kind.cost, worth(bad, 0.0))
        if weights is not None:
            rules = sought((weights[bad], even), LIGHTEST)
            return self._named_kind(prudent(rules)) if rules else None
        best = max(sought(), key=rank, default=None)
        groups = self.group[bad]
        if best is None or 2 * len(np.unique(self.group[best.covered])) < len(np.unique(groups)):
            wide = max(sought((_even(groups), even), LIGHTEST), key=rank, default=None)
            if wide is not None and (best is None or wide.worth > best.worth):
                return wide
        return best

    def _named_kind(self, found: Found) -> Found:
        """A rule that names the kind of turns, too, that are looked at."""
        if self.kind is None:
            return found
        body, cost = self.kind
        return found._replace(body=(*body, *found.body), cost=found.cost + cost)

    def _left(self, alive: Bools) -> Rows:
        """How many turns each position leaves to choose from, those not looked at included."""
        return turns_left(self.group, alive, len(self.items)) + self.others

    def accidental(self, rule: Rule) -> bool:
        """Whether a rule explains so little that it may be an accident."""
        return rule.support < max(FEW, CRUMB * len(self.items))

    def _little(self, found: Found | None, bad: Rows) -> bool:
        """Whether a rule explains too little to be more than an accident.

        Of the last positions with a turn to forbid most do, where they are few of all.
        """
        if found is None:
            return True
        explained, left = (len(np.unique(self.group[rows])) for rows in (found.covered, bad))
        return explained < max(FEW, min(self._crumb * len(self.items), MOST_LEFT * left))

    def _alive(self, alive: Bools) -> AliveTurns:
        cases = [case for item in self.items for case in item.cases]
        return AliveTurns(self.vocabulary.setting, cases, self.labels, self.group, alive)

    def _deepened(self, columns: Bools, alive: Bools) -> bool:
        """Find further features, from positions in which turns are left that should not be.

        Those of which rivals are to be asked are remembered with them. Whether there are any.
        """
        wrong = np.unique(self.group[alive & (self.labels == ILLEGAL)])
        others = np.setdiff1d(np.unique(self.group[alive]), wrong)
        sizes = np.bincount(self.group[alive])
        chosen = [
            *_spread(wrong, sizes, 2 * MOST_ROWS // 3),
            *_spread(others, sizes, MOST_ROWS // 3),
        ]
        rows = np.flatnonzero(alive & np.isin(self.group, chosen))
        cases = [case for item in self.items for case in item.cases]
        vocabulary = self.vocabulary
        scopes = {scope: groups[rows] for scope, groups in self.scopes.items()}
        shapes = self._table(ROUNDS - 1)[1][:, : vocabulary.shapes]
        found = deepened(
            vocabulary.setting,
            vocabulary.words,
            Sample(
                [cases[row] for row in rows],
                self.labels[rows] == ILLEGAL,
                self.group[rows],
                scopes,
                np.concatenate([shapes[rows], columns[rows]], axis=1),
                vocabulary.levels[0][: vocabulary.shapes],
            ),
        )
        self._compared.update(dict.fromkeys(priced.feature for priced in found.compared))
        known = set(self._deeper)
        fresh = [p for p in dict.fromkeys([*found.features, *found.compared]) if p not in known]
        self._deeper += fresh
        return bool(fresh)

    def _formed(self, table: Bools) -> tuple[list[Priced], Bools]:
        """The formations that separate turns of one shape, and their columns."""
        vocabulary = self.vocabulary
        shapes: dict[bytes, Sides] = {}
        for column in table[:, : vocabulary.shapes].T:
            legal = np.flatnonzero(column & (self.labels == LEGAL))
            illegal = np.flatnonzero(column & (self.labels == ILLEGAL))
            if len(legal) and len(illegal):
                shapes.setdefault(column.tobytes(), Sides(legal.tolist(), illegal.tolist()))
        cases = [case for item in self.items for case in item.cases]
        priced = formations(vocabulary.setting, cases, shapes.values())
        return priced, self._columns(priced)

    def _columns(self, features: Sequence[Priced]) -> Bools:
        """Features on all turns: turns × features. Rows are kept, and those that joined added."""
        cases = [case for item in self.items for case in item.cases]
        behind: dict[int, list[Priced]] = {}
        for priced in features:
            known = self._kept.get(priced.feature, ())
            if len(known) < len(cases):
                behind.setdefault(len(known), []).append(priced)
        for begin, some in behind.items():
            table = self.vocabulary.table(cases[begin:], some)
            for priced, column in zip(some, table.T, strict=True):
                known = self._kept.get(priced.feature, column[:0])
                self._kept[priced.feature] = np.concatenate([known, column])
        columns = [self._kept[priced.feature] for priced in features]
        return np.array(columns, dtype=np.bool_).reshape(len(columns), len(cases)).T

    def _rows(self) -> None:
        """What each row is: legal or not, its position, and its scopes."""
        self.labels = np.array([x for item in self.items for x in item.labels], dtype=np.intp)
        self.group = np.array(
            [i for i, item in enumerate(self.items) for _ in item.cases], dtype=np.intp
        )
        self.others = np.array([item.others for item in self.items], dtype=np.intp)
        cases = [case for item in self.items for case in item.cases]
        self.rivals = Rivals(self.vocabulary.setting, cases)
        several = self.vocabulary.words.segments > 1
        scopes = SCOPES if several else SCOPES[:2]
        self.scopes: dict[str, Rows] = {scope: self.rivals.groups(scope) for scope in scopes}

    def _offered(
        self,
        features: Sequence[Priced],
        table: Bools,
        alive: Bools,
        level: int,
        silent: bool,
        without: frozenset[Feature],
    ) -> Offered:
        """The features, and relations between the turns still alive.

        From the second round on numbers of turns are compared, too.
        """
        known = 0 if self._made is None else len(self._made[1])
        further = tuple(priced.feature for priced in features[known:])
        key = level, len(table), len(features), further, len(self._compared), silent, without
        named = self._named.get(key)
        if named is None:
            alone = self.kind is not None
            relations = [] if alone else list(self.vocabulary.relations())
            if level and not alone:
                relations += [
                    Priced(("beyond", scope, measure, sense), BEYOND_COST)
                    for measure in MEASURES
                    for scope in ("any", "start")
                    for sense in ("less", "more")
                ]
            shapes = self.vocabulary.shapes
            asked = asked_of_rivals(features, shapes, silent, self._compared)
            named = Named(features, [] if alone else asked, self.scopes, relations, without)
            self._named[key] = named
        return Offered(named, table, self.scopes, self.rivals, alive)


def _asks_turns(body: Body) -> bool:
    return any(asked_of(each.feature) for each in body)


def _spread(groups: Rows, sizes: Rows, most: int) -> list[int]:
    """Some of the groups, far apart, with about as many rows as asked for."""
    step = max(1, -(-int(sizes[groups].sum()) // most))
    found: list[int] = groups[::step].tolist()
    return found


def _even(groups: Rows) -> NDArray[np.float64]:
    """Weights of rows by which every group weighs 1."""
    found: NDArray[np.float64] = 1.0 / np.bincount(groups)[groups]
    return found
