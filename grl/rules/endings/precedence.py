"""Which of two endings counts where both come about at once, as far as records show it.

Rules stand in an order, and the first one that covers a position says its goals. Where two rules of
different goals cover one position of the records, that shows which of them goes first; the order of
two that never do is a guess. It matters where play leads to such a position: so the turns that
records list and nobody played are looked at as well.

A rule and what it says of other players speak of one ending. What is known of the order of either
and a third rule is known of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from grl.board import Position
from grl.logic.evenly import evenly
from grl.logic.grid import Bools
from grl.model import Feature, Literal, Rule
from grl.rules.endings.outcomes import Outcome, asks_turns, examples
from grl.rules.features.cases import PositionCase, Setting, TurnCase
from grl.rules.features.decision_list import Example, Examples, Rows
from grl.rules.play.referee import Referee
from grl.rules.templates.columns import turn_table
from grl.rules.templates.evaluation import mirror

MOST_AHEAD = 40_000
"""Turns that are looked at for positions in which two endings come about."""
MOST_ALONE = 3_000
"""Turns that are looked at for positions in which the player to move alone has no turn."""
FARTHER, MOST_FARTHER = 3, 8_000
"""So many plies more are looked ahead where the order of some endings isn't shown, at about so many
turns of positions beside ends, and of others where these are few."""
STUCK: Feature = ("stuck", 0)


class Undecided(NamedTuple):
    """Two rules by number, from 0 on, of which no record shows which goes first.

    Both hold of the position, and none before them.
    """

    first: int
    second: int
    position: Position

    def to_dict(self) -> dict[str, Any]:
        """Plain data, rules numbered from 1 on."""
        return {"rules": [self.first + 1, self.second + 1], **where(self.position)}


class Ordered(NamedTuple):
    """Rules, and what of their order is a guess that matters.

    `alone` is a position in which the player to move has no turn and another player has, where the
    records know only ends without a turn for anybody.
    """

    rules: tuple[Rule, ...]
    undecided: tuple[Undecided, ...]
    alone: Position | None = None


def ordered(
    referee: Referee,
    rules: tuple[Rule, ...],
    recorded: Examples[Outcome],
    turns: Sequence[TurnCase],
) -> Ordered:
    """The rules in their likeliest order, and what is undecided after some of the `turns`.

    `turns` are legal ones. An ending that goes before some other in the records is likelier to go
    before a third one than the other way round.
    """
    setting = referee.setting
    alone = _alone(referee, rules, recorded, turns)
    if len({rule.value for rule in rules}) < 2:
        return Ordered(rules, (), alone)
    shown = _Shown(setting, rules, _held(recorded, rules))
    ahead = turns[:: max(1, -(-len(turns) // MOST_AHEAD))]
    numbers = list(range(len(rules)))
    wrong = len(recorded.wrong(rules))
    found: dict[tuple[int, int], Position] = {}
    for farther in range(1 + FARTHER):
        met = examples(setting, positions_after(referee, ahead))
        held = _held(met, rules)
        for row, first, second in _together(held, rules):
            if (first, second) not in found and not shown.decides(first, second):
                position = position_left(met.items[row].case)
                here = Outcome(PositionCase.of(setting, position), None)
                if _held(examples(setting, [here]), rules)[0, [first, second]].all():
                    found[first, second] = position
        if farther == FARTHER or shown.all_decided(rules):
            break
        near = {id(turn.turn_list) for turn, ends in zip(ahead, held, strict=True) if ends.any()}
        beside: list[PositionCase] = []
        others: list[PositionCase] = []
        for turn, item, ends in zip(ahead, met.items, held, strict=True):
            if not ends.any():
                (beside if id(turn.turn_list) in near else others).append(item.case)
        each = sum(len(turn.turn_list.cases) for turn in ahead) // max(1, len(ahead))
        most = max(1, MOST_FARTHER // max(1, each))
        some = [*evenly(beside, most)]
        if len(some) < most:
            some += evenly(others, most - len(some))
        ahead = []
        for case in some:
            ahead += referee.survivors(position_left(case))
    for first, second in combinations(range(len(rules)), 2):
        guessed = (first, second) in found or asks_turns(rules[second])
        if shown.later(first, second, guessed=guessed):
            other = _moved(numbers, first, second)
            if len(recorded.wrong([rules[n] for n in other])) <= wrong:
                numbers = other
    place = {number: at for at, number in enumerate(numbers)}
    pairs = (
        Undecided(*_pair(place[first], place[second]), position)
        for (first, second), position in found.items()
    )
    return Ordered(
        recorded.counted([rules[n] for n in numbers]),
        tuple(sorted(pairs, key=lambda pair: pair[:2])),
        alone,
    )


def _alone(
    referee: Referee, rules: Sequence[Rule], recorded: Examples[Outcome], turns: Sequence[TurnCase]
) -> Position | None:
    """A position in which the player to move alone has no turn, if no end of the records is such.

    It is sought among what is left by turns of the positions that have fewest.
    """
    asking = [rule for rule in rules if Literal(STUCK, True) in rule.body]
    plain = [rule for rule in rules if not asks_turns(rule)]
    others = [("stuck", seat) for seat in range(1, len(referee.setting.equipment.players))]

    def without_turn(data: Examples[Outcome]) -> tuple[Rows, Bools]:
        """The ends that only rules about turns cover, and which other players have none there."""
        covered = _held(data, plain).any(axis=1)
        ends = np.zeros(len(data.items), dtype=np.bool_)
        for rule in asking:
            ends |= data.covered(rule, ~covered & ~ends)
        rows = np.flatnonzero(ends)
        there = data.among([data.items[row] for row in rows.tolist()])
        return rows, there.table(others)

    ended = recorded.among([item for item in recorded.items if item.goals is not None])
    rows, stuck = without_turn(ended)
    if not others or not len(rows) or not stuck.all():
        return None
    few = sorted(turns, key=lambda turn: len(turn.turn_list.cases))[:MOST_ALONE]
    ahead = examples(referee.setting, positions_after(referee, few))
    rows, stuck = without_turn(ahead)
    found = rows[~stuck.all(axis=1)].tolist()
    return position_left(ahead.items[found[0]].case) if found else None


def where(position: Position) -> dict[str, Any]:
    """A position as plain data: its rows and who is to move."""
    return {"rows": list(position.rows), "to_move": str(position.to_move)}


def _pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _moved(numbers: Sequence[int], first: int, second: int) -> list[int]:
    """The numbers with the second of two before the first, right before it if it isn't yet."""
    if numbers.index(second) < numbers.index(first):
        return list(numbers)
    left = [number for number in numbers if number != second]
    at = left.index(first)
    return [*left[:at], second, *left[at:]]


def _held(data: Examples[Outcome], rules: Sequence[Rule]) -> Bools:
    """Positions × rules: where the body of each holds.

    Rules that ask for turns, which are expensive to find, are asked where another one holds.
    """
    table = np.zeros((len(data.items), len(rules)), dtype=np.bool_)
    where: Bools = np.ones(len(data.items), dtype=np.bool_)
    for asking in (False, True):
        for number, rule in enumerate(rules):
            if asks_turns(rule) == asking:
                table[:, number] = data.covered(rule, where)
        where = np.any(table, axis=1)
    return table


def _together(table: Bools, rules: Sequence[Rule]) -> Iterator[tuple[int, int, int]]:
    """Row by row the first rule that holds, with each other one that holds with other goals."""
    for row in np.flatnonzero(table.sum(axis=1) > 1).tolist():
        first, *others = np.flatnonzero(table[row]).tolist()
        for other in others:
            if rules[other].value != rules[first].value:
                yield row, first, other


class _Shown:
    """Which rules go before which in the records."""

    def __init__(self, setting: Setting, rules: Sequence[Rule], table: Bools) -> None:
        seats = len(setting.equipment.players)
        number = {(frozenset(rule.body), rule.value): n for n, rule in enumerate(rules)}

        def images(rule: Rule) -> list[int | None]:
            """The rule, and what it says of other players, as far as these are among the rules."""
            said = [mirror(rule, by, seats) for by in range(1, seats)]
            found = [number.get((frozenset(s.body), s.value)) if s else None for s in said]
            return [number[frozenset(rule.body), rule.value], *found]

        self._images = [images(rule) for rule in rules]
        self._pairs = {(first, other) for _, first, other in _together(table, rules)}
        self._ending = [min(n for n in images if n is not None) for images in self._images]
        self._endings = {(self._ending[one], self._ending[other]) for one, other in self._pairs}

    def decides(self, first: int, second: int) -> bool:
        """Whether the records show that the first of two goes before the second.

        What a rule and its own image say at once is shown by these two alone, seen by anybody.
        """
        one, other = self._ending[first], self._ending[second]
        if one != other:
            return (one, other) in self._endings
        images = zip(self._images[first], self._images[second], strict=True)
        return any(pair in self._pairs for pair in images)

    def all_decided(self, rules: Sequence[Rule]) -> bool:
        """Whether the records show all that could be shown of the order of rules."""
        return all(
            rules[one].value == rules[other].value or self.decides(one, other)
            for one, other in combinations(range(len(rules)), 2)
        )

    def later(self, first: int, second: int, *, guessed: bool) -> bool:
        """Whether the first of two rules is to go behind the second, by what is shown of others.

        That is shown of an ending by its images, or `guessed` by which of two endings goes before
        more of the others.
        """
        one, other = self._ending[first], self._ending[second]
        if one == other or (one, other) in self._endings:
            return False
        return (other, one) in self._endings or (guessed and self._lead(other) > self._lead(one))

    def _lead(self, number: int) -> int:
        """How many other endings one is shown to go before, less those that go before it."""
        pairs = [pair for pair in self._endings if pair[0] != pair[1]]
        return sum(one == number for one, _ in pairs) - sum(other == number for _, other in pairs)


def positions_after(referee: Referee, turns: Sequence[TurnCase]) -> list[Outcome]:
    """The positions that the turns leave, with who moves there; whether play goes on is unknown.

    They lack which pieces have moved, for only few are looked at twice.
    """
    setting = referee.setting
    cases = [Example(turn, None) for turn in turns]
    says = Examples(cases, partial(turn_table, setting)).says(referee.rules.control)
    found = []
    for turn, said in zip(turns, says, strict=True):
        seat = 1 if said is None else Rule((), said).seat
        follower = setting.seat(turn.before.to_move, seat)
        case = PositionCase.left(turn.before, turn.turn, turn.candidate, follower)
        case.stuck = partial(_stuck, referee, case)
        found.append(Outcome(case, None))
    return found


def position_left(case: PositionCase) -> Position:
    """The position that a turn left, as it would be met in a game."""
    return replace(case.position(), to_move=case.to_move)


def _stuck(referee: Referee, case: PositionCase, seat: int) -> bool:
    return referee.stuck(PositionCase.of(referee.setting, position_left(case)), seat)
