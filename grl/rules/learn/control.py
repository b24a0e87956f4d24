"""Who moves next, where it is not always the next player in turn order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from grl.board import Player
from grl.model import Literal, Rule
from grl.progress import Progress
from grl.records import Moment
from grl.rules.features.cases import Setting, TurnCase
from grl.rules.features.columns import Asked, turn_table
from grl.rules.features.vocabulary import Priced
from grl.rules.restrictions.labelled import label
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.search.conjunctions import Bools, Found, Rows, best_rule
from grl.rules.search.deepening import Sample, deepened

FIRST_EXCEPTIONS = 400
FIRST_REGULAR = 800
ADDED = 40
REVISIONS = 8
RULE_COST = 2.0
FEW = 3
LEVELS = 2
DEEPENINGS = 2
"""In so many revisions features are made of terms where the listed ones don't do."""


@dataclass(frozen=True)
class Followed:
    """A turn that was played and the seat, from the mover on, that moved next."""

    case: TurnCase
    seat: int


@dataclass(frozen=True)
class Control:
    """Rules, and how many of the turns played they get wrong."""

    rules: tuple[Rule, ...]
    wrong: int


def followed(setting: Setting, moments: Sequence[Moment]) -> list[Followed]:
    """The turns of the records after which it is known who moved; empty where nothing is odd."""
    if len(setting.equipment.players) == 1:
        return []

    def seat(moment: Moment, follower: Player) -> int:
        return setting.places_after(moment.position.to_move, follower)

    if all(seat(m, follower) == 1 for m in moments for _, follower in m.followers):
        return []
    found = []
    for moment in moments:
        if not moment.followers:
            continue
        by_text = {str(case.turn): case for case in label(setting, moment).cases}
        for text, follower in sorted(moment.followers):
            if text in by_text:
                found.append(Followed(by_text[text], seat(moment, follower)))
    return found


def learn_control(
    vocabulary: TurnVocabulary, data: Sequence[Followed], progress: Progress
) -> Control:
    """The rules that say after which turns it is not the next player's move."""
    odd = [item for item in data if item.seat != 1]
    if not odd:
        return Control((), 0)
    regular = [item for item in data if item.seat == 1]
    working = odd[:FIRST_EXCEPTIONS] + regular[:FIRST_REGULAR]
    best: tuple[tuple[int, float], tuple[Rule, ...]] | None = None
    deeper: dict[Priced, None] = {}
    asked = _asked(vocabulary.setting, data)
    for revision in range(REVISIONS):
        progress("who moves next: rounds", revision + 1, None)
        for level in range(LEVELS + 1):
            features = _features(vocabulary, min(level, LEVELS - 1))
            if level == LEVELS:
                if revision < DEEPENINGS:
                    deeper |= dict.fromkeys(_deepened(vocabulary, features, working))
                if not deeper:
                    break
                features += deeper
            rules, cost = _greedy(vocabulary, features, working)
            wrong = _wrong(asked, rules, data)
            rank = (len(wrong), cost)
            if best is None or rank < best[0]:
                best = rank, rules
            if not wrong:
                return Control(rules, 0)
        inside = set(map(id, working))
        fresh = [item for item in wrong if id(item) not in inside]
        if not fresh:
            break
        working = working + fresh[:ADDED]
    assert best is not None
    return Control(best[1], best[0][0])


def _features(vocabulary: TurnVocabulary, level: int) -> list[Priced]:
    features = [f for i in range(level + 1) for f in vocabulary.levels[i]]
    features += [
        Priced(("after", ("stuck", seat)), 1.5)
        for seat in range(len(vocabulary.setting.equipment.players))
    ]
    return features


def _deepened(
    vocabulary: TurnVocabulary, features: Sequence[Priced], working: Sequence[Followed]
) -> list[Priced]:
    """Features made of terms that separate the turns after which another than the next one moves.

    The turns are looked at one by one: what rivals there were is no matter.
    """
    cases = [item.case for item in working]
    sample = Sample(
        cases,
        np.array([item.seat != 1 for item in working]),
        np.arange(len(working)),
        {},
        vocabulary.table(cases, features),
        [],
    )
    return deepened(vocabulary.setting, vocabulary.words, sample).features


def _greedy(
    vocabulary: TurnVocabulary, features: Sequence[Priced], working: Sequence[Followed]
) -> tuple[tuple[Rule, ...], float]:
    table = vocabulary.table([item.case for item in working], features)
    seats = np.array([item.seat for item in working])
    left: Bools = seats != 1
    rules: list[Rule] = []
    cost = 0.0
    while left.any():
        best: tuple[Found, int] | None = None
        for seat in sorted(set(seats[left].tolist())):
            bad = np.flatnonzero(left & (seats == seat))
            good = np.flatnonzero((seats == 1) | (left & (seats != seat)))
            found = best_rule(features, table, bad, good, _worth)
            if found is not None and (best is None or found.worth > best[0].worth):
                best = found, seat
        if best is None:
            break
        found, seat = best
        support = len(found.covered)
        rules.append(Rule(found.body, (seat,), support, provisional=support < FEW))
        cost += found.cost + RULE_COST
        left = left.copy()
        left[found.covered] = False
    return tuple(rules), cost


def _worth(covered: Rows, cost: float) -> float:
    return len(covered) / (cost + RULE_COST)


def _asked(setting: Setting, data: Sequence[Followed]) -> Asked[TurnCase]:
    return Asked([item.case for item in data], partial(turn_table, setting))


def _wrong(
    asked: Asked[TurnCase], rules: Sequence[Rule], data: Sequence[Followed]
) -> list[Followed]:
    seats = [*(rule.value[0] for rule in rules), 1]
    bodies = [sorted(rule.body, key=_asks_turns) for rule in rules]
    firsts = asked.first(bodies).tolist()
    return [item for item, at in zip(data, firsts, strict=True) if seats[at] != item.seat]


def _asks_turns(literal: Literal) -> bool:
    return bool(literal.feature[0] == "after" and literal.feature[1][0] == "stuck")


def misled(setting: Setting, rules: Sequence[Rule], data: Sequence[Followed]) -> int:
    """After how many of the turns played the rules name the wrong player."""
    return len(_wrong(_asked(setting, data), rules, data))
