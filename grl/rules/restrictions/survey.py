"""Restrictions held to many recorded positions at once: their turns as rows, features as columns.

What single positions are asked at play (`grl.rules.play.referee`) is asked here of all positions of
the records, some thousand turns at a time; a column is made when it is first asked for, and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from grl.board import Position
from grl.logic.grid import Bools, Indices
from grl.model import Feature, Literal, Rule
from grl.rules.features.cases import Left, PositionCase, Setting, TurnCase
from grl.rules.features.levels import asking, asks, first_level, wider
from grl.rules.features.relations import Rivals
from grl.rules.play.referee import Body, covered, left_by, turn_body
from grl.rules.restrictions.labelled import ILLEGAL, LEGAL, Labelled, with_rows
from grl.rules.templates import RELATIONS
from grl.rules.templates.columns import turn_table
from grl.rules.templates.evaluation import plain_features, related, test_of
from grl.rules.templates.positions import position_table

CHUNK = 4_000
"""So many turns, or a few more, are looked at together."""
KEPT = 400
"""So many columns are kept."""
MANY = 100
"""So many positions are asked whether a turn is left before restrictions are compiled for it."""


class Survey:
    """Recorded positions with their turns, to which lists of restrictions are held."""

    def __init__(self, setting: Setting, items: Sequence[Labelled]) -> None:
        self.setting, self.items = setting, items
        self._chunks = [_Chunk(setting, some) for some in _chunks(items)]
        self._level: tuple[tuple[Literal, ...], ...] | None = None
        self._left: Left = left_by(setting, ())

    def wrong(self, rules: Sequence[Rule], most: int | None = None) -> list[Labelled]:
        """The positions in which the rules leave the wrong turns, the first `most` or all.

        Where not all legal turns are known, no turn left is wrong, and each forbidden one that was
        played.
        """
        bodies = self._bodies(rules)
        found: list[Labelled] = []
        for chunk in self._chunks:
            found += [chunk.items[number] for number in chunk.wrong(chunk.left(bodies))]
            if most is not None and len(found) >= most:
                return found[:most]
        return found

    def counted(self, rules: Sequence[Rule]) -> list[tuple[int, int]]:
        """In how many positions each rule forbids an illegal turn, and in how many a legal one."""
        bodies = self._bodies(rules)
        counts = [(0, 0)] * len(rules)
        for chunk in self._chunks:
            for number, gone in enumerate(chunk.apply(bodies)):
                support, against = counts[number]
                counts[number] = (
                    support + chunk.positions(gone & (chunk.labels == ILLEGAL)),
                    against + chunk.positions(gone & (chunk.labels == LEGAL)),
                )
        return counts

    def shares(self, rules: Sequence[Rule]) -> list[NDArray[np.float64]]:
        """For each rule of which part of the turns that rules before leave it forbids, where any.

        There is a number for each position in which it forbids a turn.
        """
        bodies = self._bodies(rules)
        found: list[list[NDArray[np.float64]]] = [[] for _ in rules]
        for chunk in self._chunks:
            before = np.bincount(chunk.group, minlength=len(chunk.items))
            for some, gone in zip(found, chunk.apply(bodies), strict=True):
                counts = np.bincount(chunk.group[gone], minlength=len(chunk.items))
                some.append(counts[counts > 0] / before[counts > 0])
                before -= counts
        return [np.concatenate(some) if some else np.zeros(0) for some in found]

    def decided(self, rules: Sequence[Rule]) -> list[list[Labelled]]:
        """For each rule the positions in which it forbids illegal turns that rules before leave."""
        bodies = self._bodies(rules)
        found: list[list[Labelled]] = [[] for _ in rules]
        for chunk in self._chunks:
            for some, gone in zip(found, chunk.apply(bodies), strict=True):
                numbers = np.unique(chunk.group[gone & (chunk.labels == ILLEGAL)])
                some += [chunk.items[number] for number in numbers.tolist()]
        return found

    def left(self, rules: Sequence[Rule]) -> list[Labelled]:
        """The same positions with those turns only that the rules leave."""
        bodies = self._bodies(rules)
        found: list[Labelled] = []
        for chunk in self._chunks:
            alive = chunk.left(bodies)
            bounds = np.searchsorted(chunk.group, np.arange(len(chunk.items) + 1))
            for item, begin, end in zip(chunk.items, bounds, bounds[1:], strict=False):
                found.append(with_rows(item, np.flatnonzero(alive[begin:end]).tolist()))
        return found

    def agree(self, rules: Sequence[Rule], others: Sequence[Rule]) -> bool:
        """Whether two lists of rules leave the same turns everywhere."""
        first, second = self._bodies(rules), self._bodies(others)
        return all(np.array_equal(chunk.left(first), chunk.left(second)) for chunk in self._chunks)

    def _bodies(self, rules: Sequence[Rule]) -> list[Body]:
        """The rules as they are evaluated; what a first level leaves is asked of the right one."""
        if any(map(asking, rules)):
            level = tuple(rule.body for rule in first_level(rules))
            if level != self._level:
                self._level = level
                self._left = left_by(self.setting, first_level(rules))
                mobility = Mobility(self.setting, first_level(rules))
                for chunk in self._chunks:
                    chunk.forget(mobility)
            self.setting.left = left = self._left
            self.setting.stuck = lambda case, seat: not left(case, seat)
        return [turn_body(self.setting, rule.body) for rule in rules]


def _chunks(items: Sequence[Labelled]) -> Iterator[list[Labelled]]:
    found: list[Labelled] = []
    turns = 0
    for item in items:
        found.append(item)
        turns += len(item.cases)
        if turns >= CHUNK:
            yield found
            found, turns = [], 0
    if found:
        yield found


class _Chunk:
    """Some positions whose turns are rows of the same columns (`grl.rules.play.referee.Turns`)."""

    def __init__(self, setting: Setting, items: Sequence[Labelled]) -> None:
        self.setting, self.items = setting, items
        self.cases: list[TurnCase] = [case for item in items for case in item.cases]
        sizes = [len(item.cases) for item in items]
        self.group: Indices = np.repeat(np.arange(len(items)), sizes)
        self.labels = np.fromiter(chain.from_iterable(i.labels for i in items), dtype=np.int8)
        widths = [max(item.effects, default=-1) + 1 for item in items]
        offsets = np.concatenate([[0], np.cumsum(widths)])[:-1]
        effects = np.fromiter(chain.from_iterable(i.effects for i in items), dtype=np.intp)
        self._effects: Indices = effects + offsets[self.group]
        self._position_of: Indices = np.repeat(np.arange(len(items)), widths)
        self._complete = np.array([item.complete for item in items], dtype=np.bool_)
        self._rivals = Rivals(setting, self.cases)
        self._columns: dict[Feature, Bools] = {}
        self._related: dict[Feature, Bools] = {}
        self.answers: dict[Feature, dict[int, bool]] = {}
        self._mobility = Mobility(setting, ())
        self.alive: Bools = np.ones(len(self.cases), dtype=np.bool_)

    def _prepare(self, bodies: Sequence[Body]) -> None:
        """Make all columns that the bodies ask for, but for relations."""
        if len(self._columns) > KEPT:
            self._columns.clear()
        literals = [literal for body in bodies for literal in body.turn]
        simple = [f for f, _ in literals if f[0] in RELATIONS or not asks(f)]
        simple += [f for f in (wider(f) for f, _ in literals if asks(f)) if f is not None]
        plain = list(dict.fromkeys(inner for f in simple for inner in plain_features(f)))
        fresh = [feature for feature in plain if feature not in self._columns]
        turns = turn_table(self.setting, self.cases, fresh, self._rivals)
        self._columns.update(zip(fresh, turns.T, strict=True))
        if fresh:
            for case in self.cases:
                case.forget()
        asked = dict.fromkeys(("before", f) for body in bodies for f, _ in body.position)
        fresh = [feature for feature in asked if feature not in self._columns]
        befores: list[PositionCase] = [item.turn_list.before for item in self.items]
        table = position_table(self.setting, befores, [feature[1] for feature in fresh])
        self._columns.update(zip(fresh, table[self.group].T, strict=True))

    def apply(self, bodies: Sequence[Body]) -> Iterator[Bools]:
        """Let the rules forbid turns in order; what each forbids of those still alive."""
        self._prepare(bodies)
        self.restrict(np.ones(len(self.cases), dtype=np.bool_))
        for body in bodies:
            gone = covered(self, body) & self.alive
            if gone.any():
                self.restrict(self.alive & ~gone)
            yield gone

    def left(self, bodies: Sequence[Body]) -> Bools:
        """The turns that the rules leave."""
        for _ in self.apply(bodies):
            pass
        return self.alive

    def forget(self, mobility: Mobility) -> None:
        """Let go of what rests on the turns that a first level leaves, which is another one now."""
        self._mobility = mobility
        self.answers.clear()
        for feature in [each for each in self._columns if asks(each)]:
            del self._columns[feature]

    def restrict(self, alive: Bools) -> None:
        """Go on with these turns only."""
        self.alive = alive
        self._related = {}

    def where(self, body: Body) -> Bools:
        """The turns in whose position the literals on positions hold."""
        found = np.ones(len(self.cases), dtype=np.bool_)
        for feature, holds in body.position:
            values = self._columns["before", feature]
            found &= values if holds else ~values
        return found

    def column(self, feature: Feature, where: Bools) -> Bools:
        """A feature of all turns; relations look at those alive.

        What asks for further turns is asked only where the turn is alive and `where` holds.
        """
        if feature[0] not in RELATIONS:
            return self._asked(feature, where) if asks(feature) else self._columns[feature]
        found = self._related.get(feature)
        if found is None:
            plain = partial(self.column, where=where)
            found = related(self._rivals, feature, plain, self.alive)
            self._related[feature] = found
        return found

    def _asked(self, feature: Feature, where: Bools) -> Bools:
        known = self.answers.setdefault(feature, {})
        if (outer := wider(feature)) is not None:
            where = where & self._columns[outer]
        test = test_of(self.setting, feature)
        if feature[0] == "after" and feature[1][0] == "stuck":
            test = partial(self._mobility.stuck_after, seat=feature[1][1])
        found = np.zeros(len(self.cases), dtype=np.bool_)
        for number in np.flatnonzero(where & self.alive).tolist():
            if number not in known:
                known[number] = test(self.cases[number])
            found[number] = known[number]
        return found

    def positions(self, turns: Bools) -> int:
        """In how many positions these turns are."""
        return int((np.bincount(self.group[turns], minlength=len(self.items)) > 0).sum())

    def wrong(self, left: Bools) -> Iterator[int]:
        """The positions in which the wrong turns are left, up to what has the same effect."""
        width = len(self._position_of)
        kept = np.bincount(self._effects[left], minlength=width) > 0
        legal = np.bincount(self._effects[self.labels == LEGAL], minlength=width) > 0
        bad = np.where(self._complete[self._position_of], kept != legal, legal & ~kept)
        yield from np.unique(self._position_of[bad]).tolist()


class Mobility:
    """Whether restrictions that ask for no turns leave a player any, asked of many positions.

    The generator may have a method `mobile` that compiles restrictions; it is asked for once there
    are many questions.
    """

    def __init__(self, setting: Setting, rules: Sequence[Rule]) -> None:
        self._setting, self._rules = setting, rules
        self._left = left_by(setting, rules)
        self._asked = 0
        self._quick: Callable[[Position], bool | None] | None = None

    @property
    def compiled(self) -> bool:
        """Whether restrictions are compiled."""
        return self._quick is not None

    def stuck_after(self, case: TurnCase, seat: int = 0) -> bool:
        """Whether the player at a seat has none after a turn, were it theirs."""
        return self.stuck(case.after, seat)

    def stuck(self, case: PositionCase, seat: int) -> bool:
        """Whether the player at a seat has none in a position, were it their turn."""
        self._asked += 1
        if self._asked == MANY and not any(map(asking, self._rules)):
            compiler = getattr(self._setting.generator, "mobile", None)
            if compiler is not None:
                self._quick = compiler(self._setting.frames, self._rules)
        if self._quick is not None:
            position = case.position()
            mover = self._setting.seat(position.to_move, seat)
            mobile = self._quick(replace(position, to_move=mover))
            if mobile is not None:
                return not mobile
        return not self._left(case, seat)
